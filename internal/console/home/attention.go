package home

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// alert is something that needs somebody: what, since when or until when, and where it
// is put right.
type alert struct {
	Tag, Kind string // a word, and its colour
	Title     string
	Text      string
	Path      string // empty where no page is about it
	Since     time.Time
	Due       string // by when, in words
}

// Limits of what is shown of one sort.
const (
	mostAlerts = 5
	dueWithin  = 7 // days ahead
)

// patience is how long customs may take to say anything of a declaration.
const patience = time.Hour

// attention is all that needs somebody, the worst first.
func (d *desk) attention() (all []alert, err error) {
	for _, find := range []func() ([]alert, error){d.rejected, d.unanswered, d.due, d.keys, d.webhooks} {
		found, err := find()
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// news is how long a rejection is told of that nothing can be done to but to make a new
// record.
const news = 14 * 24 * time.Hour

// rejected are the records that an authority has refused and nobody has corrected.
func (d *desk) rejected() (all []alert, err error) {
	for _, hub := range d.hubs() {
		for _, kind := range hub.Kinds {
			number := d.records(kind.Kind, string(lifecycle.Rejected))
			if number == 0 {
				continue
			}
			page, err := d.tx.Filings(filing.Query{Kind: kind.Kind, Status: lifecycle.Rejected, Limit: mostAlerts})
			if err != nil {
				return nil, err
			}
			text := "Correct it and submit it again."
			_, again := kind.Lifecycle.Find(lifecycle.Rejected, lifecycle.Submit)
			if !again {
				text = "Read why, and copy it into a new one."
			}
			for i := range page {
				f := &page[i]
				if !again && f.UpdatedAt.Before(d.now.Add(-news)) {
					continue
				}
				all = append(all, alert{Tag: "Rejected", Kind: "bad", Title: capital(d.Clerk.Called(f)), Text: text, Path: d.RecordPath(kind.Kind, f.ID), Since: f.UpdatedAt})
			}
			if again {
				all = append(all, d.more(kind, lifecycle.Rejected, "Rejected", number-int64(len(page)))...)
			}
		}
	}
	return all, nil
}

// unanswered are declarations of which customs has said nothing for long.
func (d *desk) unanswered() (all []alert, err error) {
	kind := d.kind(d.Declaration)
	if kind == nil || d.records(kind.Kind, string(lifecycle.Submitted)) == 0 {
		return nil, nil
	}
	page, err := d.tx.Filings(filing.Query{Kind: kind.Kind, Status: lifecycle.Submitted, Until: d.now.Add(-patience), Limit: mostAlerts})
	for i := range page {
		f := &page[i]
		if f.UpdatedAt.After(d.now.Add(-patience)) {
			continue
		}
		all = append(all, alert{
			Tag: "Waiting", Kind: "wait", Title: capital(d.Clerk.Called(f)), Text: "Customs has not answered yet.", Path: d.RecordPath(kind.Kind, f.ID), Since: f.UpdatedAt,
		})
	}
	return all, err
}

// more leads to the rest of a list.
func (d *desk) more(kind *filing.Type, status lifecycle.State, word string, number int64) []alert {
	if number <= 0 {
		return nil
	}
	what := kind.Many
	if number == 1 {
		what = kind.One
	}
	return []alert{{Tag: word, Kind: "bad", Title: fmt.Sprintf("%d more %s", number, what), Path: d.list(kind.Kind, string(status))}}
}

// due is what must be done within days, and what should have been done.
func (d *desk) due() (all []alert, err error) {
	list, _, err := d.Deadlines.List(d.tx, d.org.Hubs, deadline.ListQuery{Window: dueWithin, Limit: 2 * mostAlerts})
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
			a.Text = d.about(&f, a.Title)
		}
		all = append(all, a)
	}
	return all, err
}

// about names the record that something is due of, where the title does not.
func (d *desk) about(f *filing.Filing, title string) string {
	if name := f.Name(); d.kind(f.Kind) == nil || name == "" || strings.Contains(title, name) {
		return ""
	}
	return capital(d.Clerk.Called(f))
}

func (d *desk) dueAlert(due *deadline.Deadline) alert {
	a := alert{Tag: "Due", Kind: "wait", Title: due.Title, Path: cmp.Or(d.RecordPath(due.ResourceType, due.ResourceID), "/deadlines")}
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

// keys are the API keys that expire soon, for users who may make new ones.
func (d *desk) keys() (all []alert, err error) {
	if !d.Session.Role.Covers(tenant.Owner) {
		return nil, nil
	}
	keys, err := d.tx.ExpiringKeys(d.now.Add(access.ExpiryWarning), false, mostAlerts)
	for _, k := range keys {
		all = append(all, alert{
			Tag: "Expiring", Kind: "wait", Title: "API key " + k.Name, Text: "Make a new key if a program still needs one.", Path: "/settings/keys",
			Due: "expires on " + k.ExpiresAt.In(calendar.London()).Format("Monday 2 January"),
		})
	}
	return all, err
}

// webhooks are the endpoints that do not get what they are to get.
func (d *desk) webhooks() (all []alert, err error) {
	endpoints, err := d.tx.Endpoints()
	for i := range endpoints {
		switch e := &endpoints[i]; {
		case e.PausedReason != "":
			all = append(all, alert{Tag: "Paused", Kind: "bad", Title: "Webhook " + short(e.URL), Text: e.PausedReason, Path: "/webhooks/endpoints/" + e.ID, Since: e.UpdatedAt})
		case e.Active && !e.FailingSince.IsZero():
			all = append(all, alert{Tag: "Failing", Kind: "bad", Title: "Webhook " + short(e.URL), Text: "Its receiver does not take what is sent.", Path: "/webhooks/endpoints/" + e.ID, Since: e.FailingSince})
		}
		if len(all) == mostAlerts {
			break
		}
	}
	return all, err
}

// longestName is how much of an address is shown, in letters.
const longestName = 60

func short(address string) string {
	_, address, _ = strings.Cut(address, "://")
	if letters := []rune(address); len(letters) > longestName {
		return string(letters[:longestName]) + "…"
	}
	return address
}

// list is the address of a kind's list, of one state where one is given and the list is
// of that kind alone; empty where it has no pages.
func (d *desk) list(kind, status string) string {
	list := d.ListPath(kind)
	if status == "" || list != path.Dir(d.RecordPath(kind, "-")) {
		return list
	}
	return list + "?status=" + status
}

// kind is one of an enabled Hub; nil for any other.
func (d *desk) kind(name string) *filing.Type {
	for _, hub := range d.hubs() {
		for _, kind := range hub.Kinds {
			if kind.Kind == name {
				return kind
			}
		}
	}
	return nil
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
