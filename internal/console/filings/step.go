package filings

import (
	"strings"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// maxReason is how many characters a reason has.
const maxReason = 1000

// stepView is what the page shows that asks before a step is taken.
type stepView struct {
	recordView
	Question string
	Text     []string
	Button   string
	Action   string
	Danger   bool
	Sends    bool // what was put in goes to an authority
	Reason   bool // the step takes one
}

func (a *Filings) stepPage(c *page.Context) error { return a.ask(c, lifecycle.Member) }
func (a *Filings) markPage(c *page.Context) error { return a.ask(c, lifecycle.Owner) }
func (a *Filings) step(c *page.Context) error     { return a.take(c, lifecycle.Member) }
func (a *Filings) mark(c *page.Context) error     { return a.take(c, lifecycle.Owner) }

// edge is the step that the path names, from where the record stands.
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
		return nil, f, e, apierr.New(apierr.InvalidState, "This %s is %s now, so that this step is behind it or not yet possible.", k.One, strings.ToLower(form.Words(string(f.Status))))
	}
	return k, f, e, nil
}

// ask states what a step does before it is taken.
func (a *Filings) ask(c *page.Context, guard lifecycle.Guard) error {
	var shown stepView
	err := c.View(func(tx page.Tx) error {
		k, f, e, err := a.edge(tx, c, guard)
		if err != nil {
			return err
		}
		shown = k.question(e)
		shown.recordView, err = a.look(tx, k, f.ID)
		shown.Action = c.R.URL.Path
		return err
	})
	if err != nil {
		return err
	}
	return c.Show("filings-step", shown.Question, shown)
}

// question puts a step in words.
func (k *kind) question(e lifecycle.Edge) stepView {
	verb := strings.ToLower(form.Words(string(e.By)))
	s := stepView{Danger: grave(e), Sends: e.Has(lifecycle.AssignReference), Reason: e.Has(lifecycle.KeepReason)}
	first, rest, _ := strings.Cut(verb, " ")
	s.Button = strings.TrimSpace(capital(first) + " " + k.One + " " + rest)
	s.Question = strings.TrimSpace(capital(first)+" this "+k.One+" "+rest) + "?"
	switch {
	case e.Has(lifecycle.Delete):
		s.Text = append(s.Text, "It is taken away for good. Only its events stay in the audit trail.")
	case e.By == lifecycle.Cancel:
		s.Text = append(s.Text, "It becomes cancelled, and cannot be taken up again. It stays readable, with its trail.")
	case s.Sends:
		s.Text = append(s.Text, "What you see below is what is submitted. After that it can no longer be changed.")
	case e.Guard == lifecycle.Owner:
		s.Text = append(s.Text, "You record what the authority has said. It becomes "+strings.ToLower(form.Words(string(e.To)))+", and that cannot be taken back.")
	default:
		s.Text = append(s.Text, "It becomes "+strings.ToLower(form.Words(string(e.To)))+".")
	}
	if s.Sends && k.Note != "" {
		s.Text = append(s.Text, k.Note)
	}
	return s
}

// take takes the step.
func (a *Filings) take(c *page.Context, guard lifecycle.Guard) error {
	var back string
	err := c.Update(func(tx page.Tx) error {
		k, f, e, err := a.edge(tx, c, guard)
		if err != nil {
			return err
		}
		step := filing.TransitionData{}
		if e.Has(lifecycle.KeepReason) {
			if step.Reason, err = reason(c); err != nil {
				return err
			}
		}
		if back = k.Base; !e.Has(lifecycle.Delete) {
			back += "/" + f.ID
		}
		_, err = a.Service.Transition(tx, c.Call(), k.Type, f.ID, e.By, step)
		return err
	})
	if apierr.Is(err, apierr.InvalidRequest) {
		c.Label = func(string) string { return "The reason" }
		return c.Redisplay(err, func() error { return a.ask(c, guard) })
	}
	if err != nil {
		return err
	}
	return c.RedirectWithNotice(back, "filing-stepped")
}

// reason reads why a step is taken.
func reason(c *page.Context) (string, error) {
	switch text := c.Value("reason"); {
	case text == "":
		return "", apierr.Invalid(apierr.Detail{Field: "reason", Message: "is required"})
	case utf8.RuneCountInString(text) > maxReason:
		return "", apierr.Invalid(apierr.Detail{Field: "reason", Message: "must have at most 1,000 characters"})
	default:
		return text, nil
	}
}
