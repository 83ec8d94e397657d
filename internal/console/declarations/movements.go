package declarations

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// movementKinds are the kinds of movements with their words, in the order of the form.
var movementKinds = []movementKind{
	{customs.MovementAnticipated, "Goods are expected"}, {customs.MovementArrival, "Goods have arrived"}, {customs.MovementDeparture, "Goods have departed"},
	{customs.MovementAssociate, "Put into a consolidation, or take out"}, {customs.MovementShut, "Shut a consolidation"},
}

type movementKind struct{ Code, Text string }

// movementTexts are the words, and the colours, for the status of a movement.
var movementTexts = map[string][2]string{
	customs.MovementWaiting: {"Waiting", "wait"}, customs.MovementUnknown: {"Not confirmed", "bad"}, customs.MovementRequested: {"Not answered", "wait"},
	customs.MovementAccepted: {"Accepted", "good"}, customs.MovementPartly: {"Accepted in part", "note"}, customs.MovementRefused: {"Refused", "bad"},
}

// movementView is a movement on the page of its declaration.
type movementView struct {
	customs.MovementShown
	Name, Word, Colour string
	Codes              []movementCode
}

// entriesPerMovement is the maximum number of entries of a consolidation on the page.
const entriesPerMovement = 50

// ShownEntries returns the first entries.
func (v movementView) ShownEntries() []customs.MovementEntry {
	return v.Entries[:min(len(v.Entries), entriesPerMovement)]
}

// HiddenEntries returns the number of entries that are not shown.
func (v movementView) HiddenEntries() int { return max(0, len(v.Entries)-entriesPerMovement) }

// movementCode is what HMRC reported, in words.
type movementCode struct{ Name, Text string }

// movementViews returns the movements as the page shows them, latest first.
func movementViews(all []customs.MovementShown) (views []movementView) {
	for _, m := range slices.Backward(all) {
		v := movementView{MovementShown: m, Word: movementTexts[m.Status][0], Colour: movementTexts[m.Status][1]}
		at := slices.IndexFunc(movementKinds, func(k movementKind) bool { return k.Code == m.Kind })
		switch v.Name = movementKinds[max(at, 0)].Text; {
		case m.Kind == customs.MovementAssociate && m.Remove:
			v.Name = "Taken out of a consolidation"
		case m.Kind == customs.MovementAssociate:
			v.Name = "Put into a consolidation"
		}
		for _, c := range []struct {
			name string
			code *customs.MovementCode
		}{
			{"Result", m.CRC}, {"Route", m.ROE}, {"Status", m.SOE}, {"Inventory control", m.ICS}, {"Route of the consolidation", m.MasterROE}, {"Status of the consolidation", m.MasterSOE},
		} {
			if c.code != nil {
				v.Codes = append(v.Codes, movementCode{c.name, cmp.Or(c.code.Meaning, "Code "+c.code.Code)})
			}
		}
		views = append(views, v)
	}
	return views
}

// movementForm is the data of the form of a movement.
type movementForm struct {
	ID, LRN string
	Kinds   []movementKind
	page    *page.Context
}

// Value returns what was entered.
func (f *movementForm) Value(name string) string { return f.page.Value(name) }

func (d *Declarations) movementForm(c *page.Context) error {
	var f filing.Filing
	if err := c.View(func(tx page.Tx) (err error) { f, err = tx.Filing(customs.DeclarationKind, c.ID()); return err }); err != nil {
		return err
	}
	if err := customs.MayMove(&f); err != nil {
		return err
	}
	return c.Show("declaration-movement", "Report a movement", &movementForm{ID: f.ID, LRN: f.Name(), Kinds: movementKinds, page: c})
}

// enteredMovement returns the body of the form, and what cannot be read.
func enteredMovement(c *page.Context) (body customs.MovementBody, err error) {
	body = customs.MovementBody{
		Kind: c.Value("kind"), Level: c.Value("level"), UCRPart: strings.ToUpper(c.Value("ucrPart")), MasterUCR: strings.ToUpper(c.Value("masterUcr")), Remove: c.Value("remove") != "",
		ShedOperator: strings.ToUpper(c.Value("shedOperator")),
	}
	var details []apierr.Detail
	if typed := c.Value("occursAt"); typed != "" {
		if body.OccursAt = form.ParseInstant(typed); body.OccursAt == "" {
			details = append(details, apierr.Detail{Field: "occursAt", Message: "must be a date and time such as 1/12/2026 09:00"})
		}
	}
	if typed := strings.ToUpper(c.Value("location")); typed != "" {
		g, ok := wco.SplitGoodsLocation(typed)
		if !ok {
			details = append(details, apierr.Detail{Field: "location", Message: "must be a code such as GBAUDVRDOVDVR"})
		}
		body.Location = &customs.PresentedLocation{Country: g.Address.CountryCode, Type: g.TypeCode, Qualifier: g.Address.TypeCode, Name: g.Name}
	}
	transport := customs.MovementTransport{ID: c.Value("transport.id"), Mode: c.Value("transport.mode"), Nationality: strings.ToUpper(c.Value("transport.nationality"))}
	if transport != (customs.MovementTransport{}) {
		body.Transport = &transport
	}
	if details != nil {
		err = apierr.Invalid(details...)
	}
	return body, err
}

// move reports the movement of the form.
func (d *Declarations) move(c *page.Context) error {
	body, err := enteredMovement(c)
	if err == nil {
		_, err = d.Customs.RequestMovement(c.R.Context(), customs.Request{Call: c.Call()}, c.ID(), body)
	}
	if apierr.Is(err, apierr.InvalidRequest) || apierr.Is(err, apierr.RequestInProgress) {
		return c.Redisplay(err, func() error { return d.movementForm(c) })
	}
	if err != nil {
		return err
	}
	return c.RedirectWithNotice("/declarations/"+c.ID(), "movement-sent")
}
