package filings

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// recordView is what the page of a record shows.
type recordView struct {
	*kind
	filing.Filing
	Path, Title string
	Facts       []*form.Field // what was put in
	Added       []*form.Field // what the service added
	Review      *judgement
	Classified  []*form.Field // under which rules the goods fall, where that was asked
	Deadlines   []filing.Deadline
	Steps       []step
	Amendable   bool
	Next        []button // what can be made of it
	Timeline    []wording.TimelineEntry
}

// step is one that the record can take now.
type step struct {
	Path, Label string
	For         tenant.Role
	Danger      bool
}

type button struct{ Path, Label string }

func (a *Filings) show(c *page.Context) error {
	k, err := a.kind(c)
	if err != nil {
		return err
	}
	return a.showRecord(c, k, nil)
}

// showRecord shows a record, with under which rules its goods fall where that was asked.
func (a *Filings) showRecord(c *page.Context, k *kind, classified []*form.Field) error {
	var shown recordView
	var trail *wording.EventBatch
	err := c.View(func(tx page.Tx) (err error) {
		if shown, err = a.look(tx, k, c.ID()); err == nil {
			trail, err = a.trail(tx, shown.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	if shown.Timeline, err = a.timeline(c, trail); err != nil {
		return err
	}
	shown.Classified = classified
	return c.Show("filings-show", shown.Title, shown)
}

// look reads what a record says, and what is to be said of it.
func (a *Filings) look(tx page.Tx, k *kind, id string) (shown recordView, err error) {
	f, err := tx.Filing(k.Kind, id)
	if err != nil {
		return shown, err
	}
	sheet := k.body.Of(f.Body)
	shown = recordView{kind: k, Filing: f, Path: k.Base + "/" + f.ID, Title: k.title(&f), Facts: sheet.Fields}
	if k.adds != nil {
		shown.Added = k.adds.Of(f.Added).Fields
	}
	if err := a.refer(tx, k, shown.Facts); err != nil {
		return shown, err
	}
	if shown.Deadlines, err = k.Due(&f); err != nil {
		return shown, err
	}
	if len(k.Rules) > 0 {
		found, err := a.Service.ReviewAt(k.Type, &f, tx.Now())
		if err != nil {
			return shown, err
		}
		shown.Review = k.judged(sheet, found)
	}
	shown.Steps, shown.Amendable = k.steps(&f)
	shown.Next = a.next(k, f.ID)
	return shown, nil
}

// refer makes links of the fields that name other records.
func (a *Filings) refer(tx page.Tx, k *kind, fields []*form.Field) error {
	for _, link := range k.Links {
		other := a.of(link.Kind)
		at := slices.IndexFunc(fields, func(f *form.Field) bool { return f.Name == link.Field })
		if other == nil || at < 0 || fields[at].Value == "" {
			continue
		}
		f, err := tx.Filing(link.Kind, strings.ToLower(fields[at].Value))
		if err != nil {
			return err
		}
		fields[at].Link, fields[at].Called = other.Base+"/"+f.ID, other.title(&f)
	}
	return nil
}

// of is a kind by its name; nil where it has no pages here.
func (a *Filings) of(name string) *kind {
	for _, k := range a.kinds {
		if k.Kind == name {
			return k
		}
	}
	return nil
}

// steps are those that a person can take from where the record stands.
func (k *kind) steps(f *filing.Filing) (steps []step, amendable bool) {
	for _, action := range k.Lifecycle.Actions() {
		edge, ok := k.Lifecycle.Find(f.Status, action)
		switch {
		case !ok || edge.Guard == lifecycle.System:
		case action == lifecycle.Amend:
			amendable = true
		case edge.Guard == lifecycle.Owner:
			steps = append(steps, step{k.Base + "/" + f.ID + "/marks/" + string(action), form.Words(string(action)), tenant.Owner, false})
		case grave(edge):
			steps = append(steps, step{k.Base + "/" + f.ID + "/steps/" + string(action), form.Words(string(action)) + " " + k.One, tenant.Member, true})
		default:
			steps = append(steps, step{k.Base + "/" + f.ID + "/steps/" + string(action), form.Words(string(action)), tenant.Member, false})
		}
	}
	return steps, amendable
}

// submits reports whether what is put in goes to an authority by a step of its own.
func (k *kind) submits() bool { return slices.Contains(k.Lifecycle.Actions(), lifecycle.Submit) }

// grave reports whether a step takes something back or away.
func grave(e lifecycle.Edge) bool { return e.By == lifecycle.Cancel || e.Has(lifecycle.Delete) }

// next is what can be made of a record: those that name one of its kind.
func (a *Filings) next(k *kind, id string) (buttons []button) {
	for _, t := range a.Types {
		for _, link := range t.Links {
			if link.Kind == k.Kind {
				buttons = append(buttons, button{a.of(t.Kind).Base + "/new?" + link.Field + "=" + id, "New " + t.One})
			}
		}
	}
	return buttons
}

// review judges the record once more, and leaves that in the trail.
func (a *Filings) review(c *page.Context) error {
	k, err := a.kind(c)
	if err != nil {
		return err
	}
	err = c.Update(func(tx page.Tx) error {
		_, err := a.Service.Review(tx, c.Call(), k.Type, c.ID())
		return err
	})
	if err != nil {
		return err
	}
	return c.RedirectWithNotice(k.Base+"/"+c.ID(), "filing-reviewed")
}
