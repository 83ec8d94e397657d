package declarations

import (
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// said are the messages of customs in words, by function code.
var said = map[string]wording.Moment{
	"01": {Said: "Customs accepted it", Mark: "note"},
	"02": {Said: "Customs received it", Note: "It is checked when the goods are there.", Mark: "note"},
	"03": {Said: "Customs rejected it", Mark: "bad"},
	"05": {Said: "Customs will check the goods or papers", Note: "Release waits for the check.", Mark: "wait"},
	"06": {Said: "Customs asks for documents", Mark: "wait"},
	"07": {Said: "Customs changed the declaration", Mark: "note"},
	"08": {Said: "The goods are released", Mark: "good"},
	"09": {Said: "Customs cleared it", Mark: "good"},
	"10": {Said: "Customs cancelled it", Mark: "note"},
	"11": {Said: "Customs answered the request", Mark: "note"},
	"13": {Said: "Customs assessed duty and VAT", Mark: "note"},
	"14": {Said: "The account does not cover the payment", Mark: "bad"},
	"15": {Said: "Customs reminds of the payment", Mark: "wait"},
	"16": {Said: "Customs knows of the goods' exit", Mark: "note"},
	"17": {Said: "The exit of the goods is confirmed", Mark: "note"},
	"18": {Said: "The exit of the goods has results", Mark: "note"},
}

// outcomes are what became of what was sent.
var outcomes = map[string]string{
	"pending": "Under way.", "sent": "Customs has it.", "refused": "Customs did not take it.", "unknown": "No readable answer came.",
}

// told are the events that messages tell of, and reviews, which change nothing.
var told = []string{"submitted", "cancellation_requested", "reviewed"}

// life is what happened to a declaration, before it is put into words.
type life struct {
	moments []customs.TimelineEntry // oldest first
	trail   *wording.Page           // of the moments that are events, oldest first
}

// lifeOf reads it. What customs and the service did is told by the messages, so that
// only the events of people are kept.
func (d *Declarations) lifeOf(tx page.Tx, id string) (l life, err error) {
	if l.moments, err = d.Customs.Timeline(tx, id); err != nil {
		return l, err
	}
	l.moments = slices.DeleteFunc(l.moments, func(m customs.TimelineEntry) bool { return m.Event != nil && m.Event.ActorType == tenant.BySystem })
	var events []audit.Event
	for _, m := range l.moments {
		if m.Event != nil {
			events = append(events, *m.Event)
		}
	}
	l.trail, err = d.Clerk.Gather(tx, events, id)
	return l, err
}

// tell puts it into words, newest first.
func (d *Declarations) tell(c *page.Context, l life) (all []wording.Moment, err error) {
	lines, err := d.Clerk.Lines(c.R.Context(), c.Session.Org, l.trail)
	if err != nil {
		return nil, err
	}
	for i := range l.moments {
		m := &l.moments[i]
		switch m.Kind {
		case "sent":
			all = append(all, sent(m, l.trail.User(m.By), c.R.PathValue("id")))
		case "received":
			all = append(all, received(m, c.R.PathValue("id")))
		default:
			line := lines[0]
			if lines = lines[1:]; !slices.Contains(told, line.Type[strings.LastIndex(line.Type, ".")+1:]) {
				all = append(all, d.Clerk.Moment(line))
			}
		}
	}
	slices.Reverse(all)
	return all, nil
}

// sent is what went to customs.
func sent(m *customs.TimelineEntry, who, id string) wording.Moment {
	out := wording.Moment{At: instant(m), Said: who + " sent it to customs", Note: outcomes[m.Outcome], Path: "/declarations/" + id + "/sent?part=" + m.Part, Link: "What was sent"}
	if m.Title == "cancel" {
		out.Said = who + " asked customs to cancel it"
	}
	out.Mark = map[string]string{"refused": "bad", "unknown": "bad", "pending": "wait"}[m.Outcome]
	return out
}

// received is what came from customs.
func received(m *customs.TimelineEntry, id string) wording.Moment {
	out := said[m.FunctionCode]
	if out.Said == "" {
		out.Said = "Customs sent " + m.Title
	} else if m.Title != "" {
		out.Said += " (" + m.Title + ")"
	}
	out.At, out.Path, out.Link = instant(m), "/declarations/"+id+"/received?part="+m.Part, "What customs sent"
	return out
}

func instant(m *customs.TimelineEntry) time.Time {
	at, _ := time.Parse(time.RFC3339, m.OccurredAt) // the service wrote it
	return at
}
