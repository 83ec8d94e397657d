package filings

import (
	"cmp"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/decided"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/decision"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// stepView is the data of the page that confirms a step.
type stepView struct {
	recordView
	Question string
	Text     []string
	Button   string
	Action   string
	Danger   bool
	Sends    bool // whether the input is submitted to an authority
	Fields   decided.Fields
}

func (a *Filings) stepPage(c *page.Context) error { return a.confirmStep(c, lifecycle.Member) }
func (a *Filings) markPage(c *page.Context) error { return a.confirmStep(c, lifecycle.Owner) }
func (a *Filings) step(c *page.Context) error     { return a.runStep(c, lifecycle.Member) }
func (a *Filings) mark(c *page.Context) error     { return a.runStep(c, lifecycle.Owner) }

// edge returns the transition in the path for the record's status.
func (a *Filings) edge(tx page.Tx, c *page.Context, guard lifecycle.Guard) (k *kind, f filing.Filing, e lifecycle.Edge, err error) {
	if k, err = a.kind(c); err != nil {
		return nil, f, e, err
	}
	if f, err = tx.Filing(k.Kind, c.ID()); err != nil {
		return nil, f, e, err
	}
	action := lifecycle.Action(c.R.PathValue("action"))
	if len(k.Lifecycle.From(action)) == 0 || k.Lifecycle.Guard(action) != guard || action == lifecycle.Amend {
		return nil, f, e, apierr.Missing()
	}
	e, can := k.Lifecycle.Find(f.Status, action)
	if !can {
		return nil, f, e, apierr.New(apierr.InvalidState, "This %s is %s, so this action is not possible.", k.Singular, strings.ToLower(form.Words(string(f.Status))))
	}
	return k, f, e, nil
}

// confirmStep shows what a step does before it is taken.
func (a *Filings) confirmStep(c *page.Context, guard lifecycle.Guard) error {
	var shown stepView
	err := c.View(func(tx page.Tx) error {
		k, f, e, err := a.edge(tx, c, guard)
		if err != nil {
			return err
		}
		recipient, err := a.Authorities.Recipient(tx, k.Type, &f, e.Action)
		if err != nil {
			return err
		}
		shown = k.stepText(&f, e, recipient)
		shown.Fields = decided.FieldsOf(k.Type, &f, e.Action)
		shown.recordView, err = a.load(tx, k, f.ID)
		shown.Action = c.R.URL.Path
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("filings-step", shown.Question, shown)
}

// stepText describes a step. The recipient is the authority that gets a message; empty for none.
func (k *kind) stepText(f *filing.Filing, e lifecycle.Edge, recipient string) stepView {
	verb := strings.ToLower(form.Words(string(e.Action)))
	s := stepView{Danger: dangerous(e), Sends: e.Has(lifecycle.AssignReference)}
	first, rest, _ := strings.Cut(verb, " ")
	s.Button = strings.TrimSpace(upperFirst(first) + " " + k.Singular + " " + rest)
	s.Question = strings.TrimSpace(upperFirst(first)+" this "+k.Singular+" "+rest) + "?"
	switch {
	case e.Has(lifecycle.Delete):
		s.Text = append(s.Text, "It will be deleted permanently. Only its events stay in the audit trail.")
	case e.Action == lifecycle.Cancel:
		s.Text = append(s.Text, "It will be cancelled, which cannot be undone. You can still view it and its audit trail.")
	case e.Action == lifecycle.Archive:
		s.Text = append(s.Text, "Lists will no longer show it, and new records cannot use it. You can take it out of the archive at any time.")
	case s.Sends:
		s.Text = append(s.Text, "The details below will be submitted. After that, the draft can no longer be changed.")
	case e.Guard == lifecycle.Owner && e.To == f.Status:
		s.Button, s.Question = "Save", cmp.Or(k.markLabel(f, e), s.Question)
		s.Text = append(s.Text, "Enter what the authority gave. The status stays “"+form.Words(string(e.To))+"”.")
	case e.Guard == lifecycle.Owner:
		s.Text = append(s.Text, "You record the decision of the authority. The status will be “"+form.Words(string(e.To))+"”, which cannot be undone.")
	default:
		s.Text = append(s.Text, "The status will be “"+form.Words(string(e.To))+"”.")
	}
	switch {
	case recipient != "":
		s.Text = append(s.Text, sendText(s.Sends, recipient))
	case s.Sends && k.Note != "":
		s.Text = append(s.Text, k.Note)
	}
	return s
}

// runStep takes the step.
func (a *Filings) runStep(c *page.Context, guard lifecycle.Guard) error {
	var k *kind
	var e lifecycle.Edge
	var fields decided.Fields
	err := c.View(func(tx page.Tx) (err error) {
		var f filing.Filing
		k, f, e, err = a.edge(tx, c, guard)
		if err == nil {
			fields = decided.FieldsOf(k.Type, &f, e.Action)
		}
		return err
	})
	if err != nil {
		return err
	}
	entry, err := fields.Read(c)
	if err == nil {
		err = a.takeStep(c, k.Type, e.Action, entry)
	}
	if apierr.Is(err, apierr.InvalidRequest) || apierr.Is(err, apierr.ApprovalRequired) || apierr.Is(err, apierr.ReferenceTaken) {
		c.Label = decided.Label
		return c.Redisplay(err, func() error { return a.confirmStep(c, guard) })
	}
	if err != nil {
		return err
	}
	if e.Has(lifecycle.Delete) {
		return c.RedirectWithNotice(k.Base, "filing-stepped")
	}
	return c.RedirectWithNotice(k.Base+"/"+c.ID(), "filing-stepped")
}

// takeStep takes a step. The authority of the record may have to accept it first; otherwise the engine alone takes it.
func (a *Filings) takeStep(c *page.Context, t *filing.Type, by lifecycle.Action, entry decision.Entry) error {
	if err := a.Decisions.Check(c.R.Context(), &entry, c.Now()); err != nil {
		return err
	}
	act := exchange.Action{By: by, Reason: entry.Reason}
	if _, handled, err := a.Authorities.Act(c.R.Context(), outbox.Request{Call: c.Call()}, t, c.ID(), act); handled || err != nil {
		return err
	}
	return c.Update(func(tx page.Tx) error {
		_, err := a.Decisions.Mark(tx, c.Call(), t, c.ID(), by, nil, entry)
		return err
	})
}

// file sends the authority's document.
func (a *Filings) file(c *page.Context) error {
	k, err := a.kind(c)
	if err != nil {
		return err
	}
	return decided.SendDocument(c, k.Kind)
}

// sendText says who gets a message, and what follows from its answer.
func sendText(submits bool, recipient string) string {
	if submits {
		return "The details are sent to " + recipient + ", whose answer sets the status and the reference."
	}
	return "It is sent to " + recipient + ", which has to accept it."
}
