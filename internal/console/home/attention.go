package home

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// alert is something that a user should deal with.
type alert struct {
	Tag, Kind string // tag and its colour
	Title     string
	Text      string
	About     string // what the record is about; empty if that is not known
	Path      string // of the page to deal with it; empty if there is none
	Since     time.Time
	Due       string // due date as text
	Mine      bool   // the record is assigned to the user
	Next      string // label of the next action; empty for none
	NextPath  string
	NextPosts bool // the next action makes a record, so it is a button and no link

	declaration string // ID of the declaration that it is about; empty for any other record
}

// Limits of the alerts of one sort.
const (
	maxAlerts = 5
	dueWithin = 7 // days ahead
)

// unansweredAfter is the time after which a declaration without an answer from customs is shown.
const unansweredAfter = time.Hour

// attention returns all alerts: those of the user's records first, then the most serious sort.
func (d *builder) attention() (all []alert, err error) {
	for _, find := range []func() ([]alert, error){d.instructed, d.rejected, d.demands, d.unanswered, d.due, d.tariff, d.keys, d.webhooks} {
		found, err := find()
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	sorting.Stable(all, func(a, b alert) int {
		switch {
		case a.Mine == b.Mine:
			return 0
		case a.Mine:
			return -1
		}
		return 1
	})
	return all, d.addAbout(all)
}

// addAbout adds what each declaration is about.
func (d *builder) addAbout(all []alert) error {
	var ids []string
	for i := range all {
		if id := all[i].declaration; id != "" {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	about, err := d.AboutDeclarations(d.tx, ids)
	for i := range all {
		all[i].About = about[all[i].declaration]
	}
	return err
}

// declarationID is the ID of a declaration; empty for another record.
func (d *builder) declarationID(kind, id string) string {
	if kind != d.Declaration {
		return ""
	}
	return id
}

// rejectionShownFor is how long an instruction is shown, and a rejection if the record cannot be submitted again.
const rejectionShownFor = 14 * 24 * time.Hour

// rejected returns the records that an authority rejected and that were not corrected yet.
func (d *builder) rejected() (all []alert, err error) {
	for _, hub := range d.hubs() {
		for _, kind := range hub.Kinds {
			number := d.records(kind.Kind, string(lifecycle.Rejected))
			if number == 0 {
				continue
			}
			latest, err := d.rejectedOf(kind, number)
			if err != nil {
				return nil, err
			}
			_, again := kind.Lifecycle.Find(lifecycle.Rejected, lifecycle.Submit)
			for i := range latest {
				f := &latest[i]
				if !again && f.UpdatedAt.Before(d.now.Add(-rejectionShownFor)) {
					continue
				}
				all = append(all, d.rejection(kind, f))
			}
			if again {
				all = append(all, d.moreAlert(kind, lifecycle.Rejected, "Rejected", number-int64(len(latest)))...)
			}
		}
	}
	return all, nil
}

// rejection returns the alert about a rejected record, with the step that follows: correcting the record if it can be submitted
// again, otherwise a copy to be sent in its place, or a new record with its values.
func (d *builder) rejection(kind *filing.Type, f *filing.Filing) alert {
	a := alert{Tag: "Rejected", Kind: "bad", Title: upperFirst(d.Describer.RecordName(f)), Path: d.RecordPath(kind.Kind, f.ID), Since: f.UpdatedAt, Mine: d.mine(f), declaration: d.declarationID(kind.Kind, f.ID)}
	_, again := kind.Lifecycle.Find(lifecycle.Rejected, lifecycle.Submit)
	switch {
	case again:
		a.Text = "Correct and resubmit it."
		if _, amend := kind.Lifecycle.Find(lifecycle.Rejected, lifecycle.Amend); amend {
			a.Next, a.NextPath = "Correct", a.Path+"/edit"
		}
	case kind.Copyable():
		a.Text = "Correct a copy and send it."
		a.Next, a.NextPath, a.NextPosts = "Correct and send again", a.Path+"/copy", true
	default:
		a.Text = "Create a new one with the same details."
		a.Next, a.NextPath = "New like this", path.Dir(a.Path)+"/new?copy="+f.ID
	}
	if !d.Session.Role.Covers(tenant.Member) {
		a.Next = ""
	}
	if kind.Kind == d.Declaration {
		a.Text = cmp.Or(d.Reason(f), a.Text)
	} else if reason := page.ReasonOf(f); reason != "" {
		a.Text = reason + " " + a.Text
	}
	return a
}

// mine reports whether a record is assigned to the user.
func (d *builder) mine(f *filing.Filing) bool { return filing.AssigneeOf(f.Added) == d.Session.UserID }

// mineSince is the age of the oldest rejected record of the user that comes before newer ones of others.
const mineSince = 90 * 24 * time.Hour

// rejectedOf returns the latest rejected records of a kind, and before those the user's own if not all are returned.
func (d *builder) rejectedOf(kind *filing.Type, number int64) ([]filing.Filing, error) {
	page, err := d.tx.Filings(filing.Query{Kind: kind.Kind, Status: lifecycle.Rejected, Limit: maxAlerts})
	if err != nil || number <= maxAlerts || !kind.Assignable() {
		return page, err
	}
	own, err := d.tx.Select(filing.Selection{
		Kind: kind.Kind, Statuses: []lifecycle.State{lifecycle.Rejected}, Metadata: []filing.Key{filing.AssigneeFilter(d.Session.UserID)},
		Created: filing.Period{From: d.now.Add(-mineSince)}, Limit: maxAlerts,
	})
	for i := range page {
		if len(own) < maxAlerts && !d.mine(&page[i]) {
			own = append(own, page[i])
		}
	}
	return own, err
}

// demands returns declarations of which customs wants something, apart from what is due soon and listed as such.
func (d *builder) demands() (all []alert, err error) {
	kind := d.kind(d.Declaration)
	if kind == nil || d.records(kind.Kind, "") == 0 {
		return nil, nil
	}
	page, err := d.tx.Select(filing.Selection{Kind: kind.Kind, Metadata: []filing.Key{filing.TraitFilter(d.AnyDemand)}, Limit: maxAlerts})
	if err != nil {
		return nil, err
	}
	for i := range page {
		open, err := d.OpenDemands(&page[i])
		if err != nil {
			return nil, err
		}
		for j := range open {
			if a, listed := d.demandAlert(&page[i], &open[j]); !listed {
				all = append(all, a)
			}
		}
	}
	return all, nil
}

// demandAlert returns the alert about a demand, and whether the deadlines list it already.
func (d *builder) demandAlert(f *filing.Filing, demand *Demand) (a alert, listed bool) {
	a = alert{Tag: "Customs", Kind: "wait", Title: upperFirst(d.Describer.RecordName(f)), Text: demand.Text, Path: d.RecordPath(f.Kind, f.ID), Since: demand.OpenedAt, Mine: d.mine(f), declaration: f.ID}
	switch {
	case !d.Session.Role.Covers(tenant.Member):
	case demand.TakesFiles:
		a.Next, a.NextPath = "Send documents", a.Path+"?documents#add-files"
	default:
		a.Next, a.NextPath = "See what customs wants", a.Path+"#demands"
	}
	if demand.DueAt.IsZero() {
		return a, false
	}
	a.Due = "by " + demand.DueAt.In(calendar.London()).Format("Monday 2 January")
	return a, calendar.Days(d.now, demand.DueAt) <= dueWithin
}

// unanswered returns declarations that customs has not answered within unansweredAfter.
func (d *builder) unanswered() (all []alert, err error) {
	kind := d.kind(d.Declaration)
	if kind == nil || d.records(kind.Kind, string(lifecycle.Submitted)) == 0 {
		return nil, nil
	}
	page, err := d.tx.Filings(filing.Query{Kind: kind.Kind, Status: lifecycle.Submitted, Until: d.now.Add(-unansweredAfter), Limit: maxAlerts})
	for i := range page {
		f := &page[i]
		if f.UpdatedAt.After(d.now.Add(-unansweredAfter)) {
			continue
		}
		all = append(all, alert{
			Tag: "Waiting", Kind: "wait", Title: upperFirst(d.Describer.RecordName(f)), Text: "Customs has not answered yet.", Path: d.RecordPath(kind.Kind, f.ID), Since: f.UpdatedAt, Mine: d.mine(f), declaration: f.ID,
		})
	}
	return all, err
}

// moreAlert returns an alert with a link to the other records of a list.
func (d *builder) moreAlert(kind *filing.Type, status lifecycle.State, word string, number int64) []alert {
	if number <= 0 {
		return nil
	}
	what := kind.Plural
	if number == 1 {
		what = kind.Singular
	}
	return []alert{{Tag: word, Kind: "bad", Title: fmt.Sprintf("%d more %s", number, what), Path: d.listPath(kind.Kind, string(status))}}
}

// due returns deadlines within dueWithin days, and overdue ones.
func (d *builder) due() (all []alert, err error) {
	list, _, err := d.Deadlines.List(d.tx, d.org.Hubs, deadline.ListQuery{Window: dueWithin, Limit: 2 * maxAlerts})
	if err != nil {
		return nil, err
	}
	var ids []string
	for i := range list {
		if id := list[i].ResourceID; id != "" {
			ids = append(ids, id)
		}
	}
	records, err := d.tx.Briefs(ids)
	for i := range list {
		a := d.dueAlert(&list[i])
		if f, there := records[list[i].ResourceID]; there {
			a.Text, a.Mine = d.about(&f, a.Title), d.mine(&f)
		}
		all = append(all, a)
	}
	return all, err
}

// about returns the name of a deadline's record if the title does not contain it.
func (d *builder) about(f *filing.Filing, title string) string {
	if name := f.Name(); d.kind(f.Kind) == nil || name == "" || strings.Contains(title, name) {
		return ""
	}
	return upperFirst(d.Describer.RecordName(f))
}

func (d *builder) dueAlert(due *deadline.Deadline) alert {
	a := alert{Tag: "Due", Kind: "wait", Title: due.Title, Path: cmp.Or(d.RecordPath(due.ResourceType, due.ResourceID), "/deadlines"), declaration: d.declarationID(due.ResourceType, due.ResourceID)}
	switch day := due.DueAt.In(calendar.London()).Format("Monday 2 January"); {
	case due.Status == deadline.Overdue:
		a.Tag, a.Kind, a.Due = "Overdue", "bad", "was due on "+day
	case due.DaysRemaining == 0:
		a.Due = "today"
	case due.DaysRemaining == 1:
		a.Due = "tomorrow"
	default:
		a.Due = fmt.Sprintf("%s, in %d days", day, due.DaysRemaining)
	}
	return a
}

// tariffShownFor is how long a change of the tariff is shown.
const tariffShownFor = 14 * 24 * time.Hour

// tariff returns the imports that changed measures on products.
func (d *builder) tariff() (all []alert, err error) {
	found, err := d.tx.TariffAlerts(d.now.Add(-tariffShownFor), maxAlerts)
	for _, f := range found {
		products := "1 product"
		if f.Products > 1 {
			products = fmt.Sprintf("%d products", f.Products)
		}
		all = append(all, alert{
			Tag: "Tariff", Kind: "wait", Title: "Tariff measures changed for " + products, Text: "Each product shows what changes.", Path: d.listPath(d.Product, ""),
			Since: f.RaisedAt,
		})
	}
	return all, err
}

// keys returns API keys that expire soon, for users who can create new ones.
func (d *builder) keys() (all []alert, err error) {
	if !d.Session.Role.Covers(tenant.Owner) {
		return nil, nil
	}
	keys, err := d.tx.ExpiringKeys(d.now.Add(access.ExpiryWarning), false, maxAlerts)
	for _, k := range keys {
		all = append(all, alert{
			Tag: "Expiring", Kind: "wait", Title: "API key " + k.Name, Text: "Create a new key if a program still needs one.", Path: "/settings/keys",
			Due: "expires on " + k.ExpiresAt.In(calendar.London()).Format("Monday 2 January"),
		})
	}
	return all, err
}

// maxURLShown is how many characters of a URL are shown.
const maxURLShown = 60

func shortURL(address string) string {
	_, address, _ = strings.Cut(address, "://")
	if letters := []rune(address); len(letters) > maxURLShown {
		return string(letters[:maxURLShown]) + "…"
	}
	return address
}

// listPath returns the path of a kind's list; empty if it has no pages. With a status, and if the
// list shows this kind only, the list is filtered.
func (d *builder) listPath(kind, status string) string {
	list := d.ListPath(kind)
	if status == "" || list != path.Dir(d.RecordPath(kind, "-")) {
		return list
	}
	return list + "?status=" + status
}

// kind returns a kind of an enabled Hub; nil for any other.
func (d *builder) kind(name string) *filing.Type {
	for _, hub := range d.hubs() {
		for _, kind := range hub.Kinds {
			if kind.Kind == name {
				return kind
			}
		}
	}
	return nil
}

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
