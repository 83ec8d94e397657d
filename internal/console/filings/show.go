package filings

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/connected"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// recordView is the data of the page of a record.
type recordView struct {
	*kind
	filing.Filing
	Path, Title string
	Facts       []*form.Field  // the input
	Sections    []form.Section // of the input; nil if the kind has no layout
	Added       []*form.Field  // what the service added
	Review      *reviewView
	Classified  []*form.Field // nil if no classification was requested
	Deadlines   []filing.Deadline
	Steps       []step
	Amendable   bool
	Submittable bool
	OwnForm     bool         // another form changes it than that of all its members
	CreateLinks []createLink // links to create records that refer to it
	Timeline    []wording.TimelineEntry
	Standing    *standing       // nil if there is nothing to say
	Connected   *connected.View // of a client or a shipment; nil for other kinds

	SimulatedReference string               // that this service made; empty for none
	Document           *attachment.KeptFile // the authority's; nil for none

	MessageName string // of the message that the record is sent as; empty for none
	Replaceable bool   // it was rejected, and a copy of it can be mended and sent
	BeginsAgain bool   // it was rejected for good, and a new record with its values follows
}

// step is an action that the record's status allows.
type step struct {
	Path, Label string
	For         tenant.Role
	Quiet       bool // a link behind the buttons: it ends the record, puts it away, or is one of many marks
	Primary     bool // the one to take next
}

// createLink is a link to create a record that refers to this one, or to a page that shows this one in another way.
type createLink struct {
	Path, Label string
	Creates     bool
}

// HasPrimary reports whether the record has a step to take next, which comes before new records that refer to it.
func (r recordView) HasPrimary() bool {
	return r.Replaceable || r.BeginsAgain || slices.ContainsFunc(r.Steps, func(s step) bool { return s.Primary })
}

func (a *Filings) show(c *page.Context) error {
	k, err := a.kind(c)
	if err != nil {
		return err
	}
	return a.showRecord(c, k, nil)
}

// showRecord shows a record and, if not nil, its classification.
func (a *Filings) showRecord(c *page.Context, k *kind, classified []*form.Field) error {
	var shown recordView
	var events *wording.EventBatch
	err := c.View(func(tx page.Tx) (err error) {
		if shown, err = a.load(tx, k, c.ID()); err != nil {
			return err
		}
		if shown.Connected, err = a.connected.Read(c, tx, &shown.Filing); err != nil {
			return err
		}
		events, err = a.events(tx, shown.ID)
		return err
	})
	if err != nil {
		return err
	}
	if shown.Timeline, err = a.timeline(c, events); err != nil {
		return err
	}
	if err := a.connected.FindNamed(c, shown.Connected); err != nil {
		return err
	}
	shown.Classified = classified
	return c.Show("filings-show", shown.Title, shown)
}

// load reads a record, its deadlines, its review and its allowed steps.
func (a *Filings) load(tx page.Tx, k *kind, id string) (shown recordView, err error) {
	f, err := tx.Filing(k.Kind, id)
	if err != nil {
		return shown, err
	}
	sheet := k.body.Fill(f.Body)
	shown = recordView{kind: k, SimulatedReference: k.SimulatedReference(&f), Filing: f, Path: k.Base + "/" + f.ID, Title: k.title(&f), Facts: sheet.Fields, Sections: sheet.Sections()}
	if k.adds != nil {
		complete, err := k.Show(tx, f)
		if err != nil {
			return shown, err
		}
		shown.Added = slices.DeleteFunc(k.adds.Fill(complete.Added).Fields, func(f *form.Field) bool { return f.Name == filing.DecisionDocumentMember })
		var decided filing.Decided
		if err := json.Unmarshal(complete.Added, &decided); err != nil {
			return shown, err
		}
		shown.Document = decided.DecisionDocument
	}
	if err := a.setLinks(tx, k, shown.Facts); err != nil {
		return shown, err
	}
	if shown.Deadlines, err = k.Deadlines(&f); err != nil {
		return shown, err
	}
	if len(k.Rules) > 0 {
		found, err := a.Service.ReviewIn(tx.Mode(), k.Type, &f, tx.Now())
		if err != nil {
			return shown, err
		}
		shown.Review = k.reviewOf(sheet, found)
	}
	shown.Steps, shown.Amendable = k.steps(&f)
	decides, err := a.Authorities.Decides(tx, k.Type, &f)
	if err != nil {
		return shown, err
	}
	if decides {
		shown.Steps = append(slices.DeleteFunc(shown.Steps, func(s step) bool { return s.For == tenant.Owner }), k.operationSteps(&f)...)
	}
	shown.CreateLinks, shown.OwnForm = a.createLinks(k, f.ID), a.Forms[k.Kind].Change != ""
	_, again := k.Lifecycle.Find(f.Status, lifecycle.Submit)
	shown.Replaceable = f.Status == lifecycle.Rejected && k.Copyable()
	shown.BeginsAgain = f.Status == lifecycle.Rejected && !k.Copyable() && !again
	shown.MessageName = k.messageName(&f)
	shown.Submittable, shown.Standing = again, shown.standing(&f, decides)
	return shown, nil
}

// setLinks makes links of fields that refer to other records.
func (a *Filings) setLinks(tx page.Tx, k *kind, fields []*form.Field) error {
	for _, link := range k.Links {
		other := a.kindNamed(link.Kind)
		at := slices.IndexFunc(fields, func(f *form.Field) bool { return f.Name == link.Field })
		if other == nil || at < 0 || fields[at].Value == "" {
			continue
		}
		f, err := tx.Filing(link.Kind, strings.ToLower(fields[at].Value))
		if err != nil {
			return err
		}
		fields[at].Link, fields[at].RecordName = other.Base+"/"+f.ID, other.title(&f)
	}
	return nil
}

// kindNamed returns a kind by its name; nil if it has no pages in this area.
func (a *Filings) kindNamed(name string) *kind {
	for _, k := range a.kinds {
		if k.Kind == name {
			return k
		}
	}
	return nil
}

// maxMarks is the number of marks that are buttons; further ones are links behind the buttons.
const maxMarks = 2

// steps returns the actions that users can take in the record's status, those that end it last, and whether it can be amended.
func (k *kind) steps(f *filing.Filing) (steps []step, amendable bool) {
	var ends []step
	primary, marks := true, 0
	for _, action := range k.Lifecycle.Actions() {
		edge, ok := k.Lifecycle.Find(f.Status, action)
		switch {
		case !ok || edge.Guard == lifecycle.System:
		case action == lifecycle.Amend:
			amendable = true
		case edge.Guard == lifecycle.Owner:
			if label := k.markLabel(f, edge); label != "" {
				steps = append(steps, step{k.Base + "/" + f.ID + "/marks/" + string(action), label, tenant.Owner, marks >= maxMarks, false})
				marks++
			}
		case dangerous(edge):
			ends = append(ends, step{k.Base + "/" + f.ID + "/steps/" + string(action), form.Words(string(action)) + " " + k.Singular, tenant.Member, true, false})
		case action == lifecycle.Archive || action == lifecycle.Unarchive:
			steps = append(steps, step{k.Base + "/" + f.ID + "/steps/" + string(action), form.Words(string(action)), tenant.Member, true, false})
		default:
			steps = append(steps, step{k.Base + "/" + f.ID + "/steps/" + string(action), form.Words(string(action)), tenant.Member, false, primary})
			primary = false
		}
	}
	return append(steps, ends...), amendable
}

// markLabel returns the label of a mark. A mark to the status that the record has already only enters the authority's own reference;
// it has no label if the record has that.
func (k *kind) markLabel(f *filing.Filing, e lifecycle.Edge) string {
	if e.To != f.Status {
		return form.Words(string(e.Action))
	}
	if k.SimulatedReference(f) == "" {
		return ""
	}
	return "Enter " + k.members([]string{k.ReferenceMember}, nil, f.Added)[0].Label
}

// submits reports whether records of the kind are submitted.
func (k *kind) submits() bool { return slices.Contains(k.Lifecycle.Actions(), lifecycle.Submit) }

// dangerous reports whether a step cancels or deletes a record.
func dangerous(e lifecycle.Edge) bool { return e.Action == lifecycle.Cancel || e.Has(lifecycle.Delete) }

// createLinks returns links to create records that refer to this one, and to pages of other areas.
func (a *Filings) createLinks(k *kind, id string) (links []createLink) {
	for _, t := range a.Types {
		for _, link := range t.Links {
			if link.Kind == k.Kind {
				links = append(links, createLink{a.kindNamed(t.Kind).Base + "/new?" + link.Field + "=" + id, "New " + t.Singular, true})
			}
		}
	}
	if k.Checklist != nil {
		links = append(links, createLink{"/records/" + k.Kind + "/" + id + "/checklist", "Checklist", false})
	}
	if k.Driver != nil {
		links = append(links, createLink{"/records/" + k.Kind + "/" + id + "/driver", "For the driver", false})
	}
	for _, link := range a.RecordLinks[k.Kind] {
		links = append(links, createLink{strings.ReplaceAll(link.Path, "{id}", id), link.Label, false})
	}
	return links
}

// review reviews the record and records that as an event.
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
