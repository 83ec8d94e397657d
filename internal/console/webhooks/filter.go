package webhooks

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// filter is the filter of a list of deliveries, as the URL has it.
type filter struct {
	Outcome, Type, From, To string
	Record                  string // ID of a record
	Text                    string // of the last answer or error
	Since, Until            string // instants, from a chart
}

// readFilter reads a filter and the position where the page begins. Invalid values are ignored.
func readFilter(q url.Values) (f filter, before webhook.Position) {
	f = filter{Outcome: q.Get("outcome"), Type: q.Get("type"), From: q.Get("from"), To: q.Get("to"), Record: q.Get("record"), Text: clip(q.Get("q")), Since: q.Get("since"), Until: q.Get("until")}
	ms, id, _ := strings.Cut(q.Get("before"), ".")
	if n, err := strconv.ParseInt(ms, 36, 64); err == nil && ident.IsUUID(id) {
		before = webhook.Position{CreatedAt: time.UnixMilli(n).UTC(), ID: id}
	}
	return f, before
}

// maxText is the number of bytes of a text that is searched for.
const maxText = 100

func clip(text string) string { return strings.ToValidUTF8(text[:min(len(text), maxText)], "") }

// cursor returns a position as the URL has it.
func cursor(p webhook.Position) string {
	return strconv.FormatInt(p.CreatedAt.UnixMilli(), 36) + "." + p.ID
}

// outcomeNames are the outcomes in words.
var outcomeNames = map[webhook.Status]string{webhook.Delivered: "Delivered", webhook.Pending: "Pending", webhook.Failed: "Failed"}

// chips returns what the list at a path is filtered by.
func (f filter) chips(path string) (all []page.Chip) {
	for _, set := range []struct {
		name  string
		value *string
	}{{"Outcome", &f.Outcome}, {"Event", &f.Type}, {"Record", &f.Record}, {"Answer", &f.Text}, {"From", &f.From}, {"To", &f.To}, {"Since", &f.Since}, {"Before", &f.Until}} {
		value := *set.value
		if value == "" {
			continue
		}
		*set.value = ""
		without := path
		if f.Set() {
			without += "?" + f.query("").Encode()
		}
		*set.value = value
		switch set.value {
		case &f.Outcome:
			value = cmp.Or(outcomeNames[webhook.Status(value)], value)
		case &f.Since, &f.Until:
			value = instantText(value)
		}
		all = append(all, page.Chip{Name: set.name, Value: value, Without: without})
	}
	return all
}

// Set reports whether the filter has any value.
func (f filter) Set() bool { return f != filter{} }

func (f filter) log(endpointID string) webhook.LogQuery {
	log := webhook.LogQuery{EndpointID: endpointID, Status: webhook.Status(f.Outcome), EventType: f.Type, ResourceID: f.Record, Text: f.Text}
	if day, ok := dayOf(f.From); ok {
		log.From = calendar.StartOfDay(day)
	}
	if day, ok := dayOf(f.To); ok {
		log.To = calendar.EndOfDay(day)
	}
	if at, err := time.Parse(time.RFC3339, f.Since); err == nil && at.After(log.From) {
		log.From = at.UTC()
	}
	if at, err := time.Parse(time.RFC3339, f.Until); err == nil && (log.To.IsZero() || at.Before(log.To)) {
		log.To = at.UTC().Add(-time.Millisecond)
	}
	return log
}

// instantText returns an instant in London time.
func instantText(instant string) string {
	at, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		return instant
	}
	return at.In(calendar.London()).Format("2 January 2006 15:04")
}

// query returns the URL query of the filter and the position where a page begins.
func (f filter) query(before string) url.Values {
	q := url.Values{}
	for name, value := range map[string]string{"outcome": f.Outcome, "type": f.Type, "from": f.From, "to": f.To, "record": f.Record, "q": f.Text, "since": f.Since, "until": f.Until, "before": before} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// dayOf parses a date in London time.
func dayOf(text string) (time.Time, bool) {
	day, err := time.ParseInLocation(time.DateOnly, text, calendar.London())
	return day, err == nil
}
