package declarations

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
)

// maxText is the length of what somebody may look for.
const maxText = 200

// filter is what the address of the list asks for, as it was typed.
type filter struct {
	Text      string
	Statuses  []string
	Direction string
	Client    string // id
	From, To  string // days
	after     string
}

func readFilter(q url.Values) filter {
	f := filter{
		Text: strings.TrimSpace(q.Get("q")), Direction: q.Get("type"), Client: strings.ToLower(q.Get("client")),
		From: q.Get("from"), To: q.Get("to"), after: q.Get("after"),
	}
	for _, s := range q["status"] {
		if s != "" && !slices.Contains(f.Statuses, s) {
			f.Statuses = append(f.Statuses, s)
		}
	}
	return f
}

// Query is the filter as an address has it, always in the same order; empty for none.
func (f filter) Query() string {
	q := url.Values{}
	for _, field := range []struct{ name, value string }{{"q", f.Text}, {"type", f.Direction}, {"client", f.Client}, {"from", f.From}, {"to", f.To}} {
		if field.value != "" {
			q.Set(field.name, field.value)
		}
	}
	for _, s := range f.Statuses {
		q.Add("status", s)
	}
	return q.Encode()
}

// Has tells whether a status is asked for.
func (f filter) Has(status lifecycle.State) bool { return slices.Contains(f.Statuses, string(status)) }

// question is what the filter asks the search, or what is wrong with it.
func (f filter) question(states []lifecycle.State) (q search.Query, err error) {
	q = search.Query{Text: f.Text, Statuses: f.Statuses, Direction: f.Direction, ClientID: f.Client, Limit: pageSize}
	var wrong []apierr.Detail
	if len(f.Text) > maxText {
		wrong = append(wrong, apierr.Detail{Field: "q", Message: fmt.Sprintf("must have at most %d letters", maxText)})
	}
	for _, s := range f.Statuses {
		if !slices.Contains(states, lifecycle.State(s)) {
			wrong = append(wrong, apierr.Detail{Field: "status", Message: "must be one of the choices"})
		}
	}
	if f.Direction != "" && f.Direction != customs.Import && f.Direction != customs.Export || f.Client != "" && !ident.IsUUID(f.Client) {
		wrong = append(wrong, apierr.Detail{Field: "q", Message: "cannot be looked for with a filter that is none of the choices"})
	}
	if q.From, err = day(f.From, 0); err != nil {
		wrong = append(wrong, apierr.Detail{Field: "from", Message: "must be a day, such as 2026-03-31"})
	}
	if q.Until, err = day(f.To, 1); err != nil {
		wrong = append(wrong, apierr.Detail{Field: "to", Message: "must be a day, such as 2026-03-31"})
	}
	q.After = position(f.after)
	if wrong != nil {
		return q, apierr.Invalid(wrong...)
	}
	return q, nil
}

// day is the first instant of a day, or of one some days later; zero for no text.
func day(text string, later int) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.ParseInLocation(time.DateOnly, text, calendar.London())
	if err != nil {
		return at, err
	}
	return calendar.AddDays(at, later).UTC(), nil
}

// position reads the place of a page; one that cannot be read is the first.
func position(text string) filing.Position {
	ms, id, ok := strings.Cut(text, ".")
	at, err := strconv.ParseInt(ms, 10, 64)
	if !ok || err != nil || !ident.IsUUID(id) {
		return filing.Position{}
	}
	return filing.Position{CreatedAt: time.UnixMilli(at).UTC(), ID: id}
}

func place(p filing.Position) string { return fmt.Sprintf("%d.%s", p.CreatedAt.UnixMilli(), p.ID) }
