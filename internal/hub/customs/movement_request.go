package customs

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/inventory"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

const (
	maxMovements = 99 // of one declaration, apart from those that were certainly not received
	// movementPatience is how long a movement without an answer keeps another one of its kind from being sent.
	movementPatience = time.Hour

	masterType = "MCR" // of a previous document: a MUCR
)

// MayMove returns an error if there are no movements of a declaration: it is not an export, or customs does not have it.
func MayMove(f *filing.Filing) error {
	a, err := addedOf(f)
	if err != nil {
		return err
	}
	var d struct{ DeclarationType string }
	if err := json.Unmarshal(f.Body, &d); err != nil {
		return err
	}
	switch {
	case d.DeclarationType != Export:
		return apierr.New(apierr.InvalidState, "Only exports have movements, and this declaration is an import. Present its goods instead.")
	case f.Status != lifecycle.Submitted && f.Status != lifecycle.Accepted && f.Status != Cleared:
		return apierr.New(apierr.InvalidState, "Movements are sent for an export that customs has. This one is %s.", f.Status)
	case a.waits(f) || a.MRN == nil:
		return apierr.New(apierr.InvalidState, "Customs has not registered this declaration yet, so HMRC does not know its DUCR. Try again in a moment.")
	}
	return nil
}

// RequestMovement reports a movement of an export to HMRC, or changes its consolidation.
func (s *Service) RequestMovement(ctx context.Context, r Request, id string, body MovementBody) (shown MovementShown, err error) {
	single, err := s.Consents.HasSingle(ctx)
	if err != nil {
		return shown, err
	}
	var transmission string
	err = s.Store.UpdateCustoms(ctx, r.Call.Org, func(tx Tx) (err error) {
		transmission, err = s.prepareMovement(tx, r, id, body, single)
		return err
	})
	if err != nil {
		return shown, err
	}
	if _, err := s.outcome(ctx, r, transmission); err != nil {
		return shown, err
	}
	err = s.Store.ViewCustoms(ctx, r.Call.Org, func(tx Tx) error {
		all, err := s.Movements(tx, id)
		if at := slices.IndexFunc(all, func(m MovementShown) bool { return m.ID == transmission }); at >= 0 {
			shown = all[at]
		}
		return err
	})
	return shown, err
}

// Movements returns the movements of a declaration, oldest first.
func (s *Service) Movements(tx Tx, id string) ([]MovementShown, error) {
	ts, err := tx.Transmissions(id)
	if err != nil {
		return nil, err
	}
	messages, err := tx.Messages(id)
	return movementsOf(ts, messages), err
}

func isMovementOutcome(value string) bool {
	_, _, ok := simulator.MovementFromHeader(value)
	return ok
}

// prepareMovement stores the movement and returns its transmission. Checks are in the order of the API's contract: state, body,
// other movements.
func (s *Service) prepareMovement(tx Tx, r Request, id string, body MovementBody, single bool) (string, error) {
	if err := s.checkSimulate(tx, r, isMovementOutcome, simulator.MovementForms); err != nil {
		return "", err
	}
	f, ts, done, err := s.begin(tx, r, id, toMove)
	if err != nil || done != "" {
		return done, err
	}
	if err := MayMove(&f); err != nil {
		return "", err
	}
	messages, err := tx.Messages(id)
	if err != nil {
		return "", err
	}
	detail, err := s.planMovement(tx, &f, ts, messages, &body)
	if err != nil {
		return "", err
	}
	t, err := s.movementToSend(tx, ts, messages, detail)
	if err != nil {
		return "", err
	}
	if err := s.checkConsent(tx, single); err != nil {
		return "", err
	}
	t.FilingID, t.Request = id, r
	if r.Simulate != "" {
		t.Request.SimulatedBy = simulator.SteeringHeader + ": " + r.Simulate
	}
	return s.dispatch(tx, t, filing.NoApproval())
}

// movementToSend returns the transmission of a movement. If HMRC may have received the same one before, it has the same bytes and
// the same reference.
func (s *Service) movementToSend(tx Tx, ts []Transmission, messages []Message, detail MovementDetail) (t Transmission, err error) {
	all := movementsOf(ts, messages)
	if received := slices.DeleteFunc(slices.Clone(all), func(m MovementShown) bool { return m.Reason != "" }); len(received) >= maxMovements {
		return t, apierr.New(apierr.InvalidState, "This declaration has %d movements, which is the limit.", len(received))
	}
	for _, m := range all {
		if m.Kind != detail.Kind || m.UCR != detail.UCR || m.UCRPart != detail.UCRPart {
			continue
		}
		at := slices.IndexFunc(ts, func(t Transmission) bool { return t.ID == m.ID })
		switch {
		case m.Status == MovementUnknown && reflect.DeepEqual(*ts[at].Detail.Movement, detail):
			t = Transmission{Purpose: toMove, Reference: ts[at].Reference, Body: ts[at].Body, Detail: ts[at].Detail}
			t.Repeated = true
			return t, nil
		case m.Status == MovementUnknown:
			return t, apierr.New(apierr.RequestInProgress, "HMRC may have received the last movement of this kind. Send it again, unchanged, to find out.")
		case m.Status == MovementWaiting, m.Status == MovementRequested && tx.Now().Sub(ts[at].CompletedAt) < movementPatience:
			return t, errInProgress
		}
	}
	t = Transmission{Purpose: toMove, Reference: s.IDs.LRN(), Detail: RequestDetail{Movement: &detail, Answered: true, HasDataSet: true}}
	request := detail.request(t.Reference)
	t.Body, err = request.Encode()
	return t, err
}

// planMovement returns the movement: the body, completed by what the declaration states to customs. It names all
// faults of the body.
func (s *Service) planMovement(tx Tx, f *filing.Filing, ts []Transmission, messages []Message, body *MovementBody) (MovementDetail, error) {
	a, err := addedOf(f)
	if err != nil {
		return MovementDetail{}, err
	}
	declared, err := s.declaredBy(tx.Org(), ts, messages, a.LRN)
	if err != nil {
		return MovementDetail{}, err
	}
	p := movementPlan{body: body, declared: &declared, detail: MovementDetail{Kind: body.Kind, UCRPart: body.UCRPart, ShedOperator: body.ShedOperator, Remove: body.Remove}}
	p.checkForms()
	switch body.Kind {
	case MovementAssociate:
		p.without("occursAt", "location", "transport", "shedOperator", "level")
		p.addDUCR()
		p.addAssociation()
	case MovementShut:
		p.without("occursAt", "location", "transport", "shedOperator", "level", "remove", "ucrPart")
		p.addMaster()
	case MovementAnticipated, MovementArrival, MovementDeparture:
		p.without("remove")
		p.addConsignment()
		p.addTime()
		p.addLocation()
		p.addTransport()
	default:
		p.fault("kind", "must be ANTICIPATED_ARRIVAL, ARRIVAL, DEPARTURE, ASSOCIATE or SHUT")
	}
	if p.faults != nil {
		sorting.Stable(p.faults, func(a, b apierr.Detail) int { return strings.Compare(a.Field, b.Field) })
		return MovementDetail{}, apierr.Invalid(p.faults...)
	}
	return p.detail, nil
}

// movementPlan is a movement while it is made.
type movementPlan struct {
	body     *MovementBody
	declared *wco.Declaration // as customs has it
	detail   MovementDetail
	faults   []apierr.Detail
}

func (p *movementPlan) fault(field, message string) {
	p.faults = append(p.faults, apierr.Detail{Field: field, Message: message})
}

// without faults members that do not belong to the kind: they would be left out silently.
func (p *movementPlan) without(members ...string) {
	given := map[string]bool{
		"occursAt": p.body.OccursAt != "", "location": p.body.Location != nil, "transport": p.body.Transport != nil, "shedOperator": p.body.ShedOperator != "",
		"level": p.body.Level != "", "remove": p.body.Remove, "ucrPart": p.body.UCRPart != "",
	}
	for _, name := range members {
		if given[name] {
			p.fault(name, "does not belong to "+p.body.Kind)
		}
	}
}

// Forms of members, for callers whose input no schema has checked.
var (
	partForm      = lazyregexp.New(`^[0-9]{1,3}[A-Z]?$`)
	operatorForm  = lazyregexp.New(`^[A-Z0-9]{1,3}$`)
	transportForm = lazyregexp.New(`^[!-~]([ -~]{0,33}[!-~])?$`)
	modeForm      = lazyregexp.New(`^[1-9]$`)
	countryForm   = lazyregexp.New(`^[A-Z]{2}$`)
)

// checkForms faults members that are not written as the schema of the API says.
func (p *movementPlan) checkForms() {
	t := MovementTransport{}
	if p.body.Transport != nil {
		t = *p.body.Transport
	}
	for _, c := range []struct {
		field, text string
		form        *lazyregexp.Regexp
		message     string
	}{
		{"ucrPart", p.body.UCRPart, partForm, "must be up to three digits and a letter, such as 001A"},
		{"shedOperator", p.body.ShedOperator, operatorForm, "must be up to three capital letters or digits"},
		{"transport.id", t.ID, transportForm, "must have 1 to 35 letters, digits or signs"},
		{"transport.mode", t.Mode, modeForm, "must be a digit from 1 to 9"},
		{"transport.nationality", t.Nationality, countryForm, "must be a country code of two letters"},
	} {
		if c.text != "" && !c.form.MatchString(c.text) {
			p.fault(c.field, c.message)
		}
	}
}

// take notes that a member comes from the declaration.
func (p *movementPlan) take(member string) { p.detail.Declared = append(p.detail.Declared, member) }

// addConsignment adds the reference of what is moved.
func (p *movementPlan) addConsignment() {
	if p.body.Level != LevelMaster {
		if p.body.MasterUCR != "" {
			p.fault("masterUcr", "needs level MUCR. To put the DUCR into a consolidation, send ASSOCIATE")
		}
		p.addDUCR()
		return
	}
	if p.body.UCRPart != "" {
		p.fault("ucrPart", "does not belong to level MUCR")
	}
	p.detail.UCRType = inventory.TypeMaster
	p.detail.UCR = p.master()
}

// addDUCR adds the DUCR, which is the declaration's own.
func (p *movementPlan) addDUCR() {
	number := ducrOf(p.declared)
	if !inventory.IsUCR(number) {
		p.fault("level", "of "+levelDeclaration+" needs a DUCR in the declaration, in the form that inventory linking reads. This declaration has none")
		return
	}
	p.detail.UCR, p.detail.UCRType = number, inventory.TypeDeclaration
	p.take("ucr")
}

// master returns the master UCR of the body or, without one, the declared one.
func (p *movementPlan) master() string {
	if p.body.MasterUCR != "" {
		if !inventory.IsUCR(p.body.MasterUCR) {
			p.fault("masterUcr", "must be a MUCR such as GB/123456789012-0203N1, of at most 35 characters")
		}
		if p.body.MasterUCR == ducrOf(p.declared) {
			p.fault("masterUcr", "is the DUCR of this declaration. Name the consolidation that contains it")
		}
		return p.body.MasterUCR
	}
	number := masterOf(p.declared)
	if number == "" {
		p.fault("masterUcr", "is required, because the declaration has no MUCR")
		return ""
	}
	if !inventory.IsUCR(number) {
		p.fault("masterUcr", "is required: the declared MUCR "+number+" does not have the form that inventory linking reads")
	}
	p.take("masterUcr")
	return number
}

func (p *movementPlan) addMaster() { p.detail.MasterUCR = p.master() }

func (p *movementPlan) addAssociation() {
	switch {
	case p.body.Remove && p.body.MasterUCR != "":
		p.fault("masterUcr", "does not belong to a removal, which ends the present association")
	case !p.body.Remove:
		p.addMaster()
	}
}

// addTime adds the time of the movement, which is not guessed.
func (p *movementPlan) addTime() {
	if p.body.OccursAt == "" {
		p.fault("occursAt", "is required")
		return
	}
	at, err := time.Parse(time.RFC3339, p.body.OccursAt)
	if err != nil {
		p.fault("occursAt", "must be a date and time such as 2026-12-01T09:00:00Z")
		return
	}
	p.detail.OccursAt = audit.Instant(at)
}

// addLocation adds the location of the goods (DE 5/23).
func (p *movementPlan) addLocation() {
	location := p.body.Location.encode()
	if location == nil {
		location = &p.declared.GoodsShipment.Consignment.GoodsLocation
		if location.Name == "" {
			p.fault("location", "is required, because the declaration has no goods location (DE 5/23)")
			return
		}
		p.take("location")
	}
	p.detail.Location = location.Address.CountryCode + location.TypeCode + location.Address.TypeCode + location.Name
	if len([]rune(p.detail.Location)) > inventory.MaxLocation {
		p.fault("location", "has more than 17 characters together ("+p.detail.Location+"), which inventory linking does not take")
	}
}

// addTransport adds the means of transport. A departure without one has the declared one at the border (DE 7/4, 7/14, 7/15).
func (p *movementPlan) addTransport() {
	if p.body.Transport != nil {
		p.detail.Transport = *p.body.Transport
		return
	}
	border := p.declared.BorderTransportMeans
	if p.body.Kind != MovementDeparture || border == (wco.BorderTransportMeans{}) {
		return
	}
	p.detail.Transport = MovementTransport{ID: border.ID, Mode: border.ModeCode, Nationality: border.RegistrationNationalityCode}
	if p.detail.Transport != (MovementTransport{}) {
		p.take("transport")
	}
}

// masterOf returns the MUCR of a declaration; empty for none.
func masterOf(d *wco.Declaration) string {
	for _, p := range d.GoodsShipment.PreviousDocument {
		if p.TypeCode == masterType {
			return strings.TrimSpace(p.ID)
		}
	}
	return ""
}
