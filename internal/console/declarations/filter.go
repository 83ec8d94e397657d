package declarations

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
)

// maxText is the maximum length of the search text in bytes.
const maxText = 200

// me is the user in the filter by assignee.
const me = "me"

// filter is the filter of the list, as submitted.
type filter struct {
	Text      string
	Statuses  []string
	Direction string
	Client    string // id
	Assignee  string // id, or me
	From, To  string // dates
	Outcome   outcome
	Waiting   bool // for approval; without any other filter
	Sort      page.Sort
	Columns   string // of a view, as in the cookie; empty for those that the user has chosen
}

func readFilter(q url.Values) filter {
	if q.Get("waiting") != "" {
		return filter{Waiting: true, Columns: columns.Query(q.Get("columns"))}
	}
	f := filter{
		Text: strings.TrimSpace(q.Get("q")), Direction: q.Get("type"), Client: strings.ToLower(q.Get("client")),
		From: q.Get("from"), To: q.Get("to"), Assignee: strings.ToLower(q.Get("assignee")),
		Outcome: readOutcome(q),
	}
	f.Columns = columns.Query(q.Get("columns"))
	f.Sort = page.ReadSort(q.Get("sort"))
	for _, s := range q["status"] {
		if s != "" && !slices.Contains(f.Statuses, s) {
			f.Statuses = append(f.Statuses, s)
		}
	}
	return f
}

// Query returns the filter as a URL query in a fixed order; empty if there is no filter.
func (f filter) Query() string {
	q := url.Values{}
	for _, field := range []struct{ name, value string }{{"q", f.Text}, {"type", f.Direction}, {"client", f.Client}, {"assignee", f.Assignee}, {"from", f.From}, {"to", f.To}, {"sort", string(f.Sort)}, {"columns", f.Columns}} {
		if field.value != "" {
			q.Set(field.name, field.value)
		}
	}
	for _, field := range f.Outcome.fields() {
		if field.value != "" {
			q.Set(field.name, field.value)
		}
	}
	for _, s := range f.Statuses {
		q.Add("status", s)
	}
	if f.Waiting {
		q.Set("waiting", "yes")
	}
	return q.Encode()
}

// OnlyText reports whether the filter is a search for a text and nothing else.
func (f filter) OnlyText() bool { return f.Text != "" && f.Query() == filter{Text: f.Text}.Query() }

// Has reports whether the filter contains a status.
func (f filter) Has(status lifecycle.State) bool { return slices.Contains(f.Statuses, string(status)) }

// Sortable reports whether the list can be sorted: a search finds the newest first, a list by an outcome has the latest of those
// first, and one of what waits for approval the longest.
func (f filter) Sortable() bool { return !f.Searches() && f.Outcome == outcome{} && !f.Waiting }

// Searches reports whether the search finds the declarations.
func (f filter) Searches() bool { return f.Text != "" || f.Direction != "" }

// Sorted returns how the list is sorted by a column, for aria-sort; empty if it cannot be.
func (f filter) Sorted(c page.Column) string {
	if c.Sort == "" || !f.Sortable() {
		return ""
	}
	return f.Sort.Aria(c.Sort)
}

// SortPath returns the path of the list sorted by a column, the other way round if it is sorted by that column already.
func (f filter) SortPath(c page.Column) string {
	f.Sort = f.Sort.By(c.Sort)
	return f.Path()
}

// Path is the path of the first page of the list with the filter.
func (f filter) Path() string {
	if query := f.Query(); query != "" {
		return "/declarations?" + query
	}
	return "/declarations"
}

// question returns the filter as a search, or an error with all invalid fields.
func (f filter) question(states []lifecycle.State) (q search.Query, err error) {
	q = search.Query{Text: f.Text, Statuses: f.Statuses, ClientID: f.Client, Limit: pageSize}
	if f.Direction != "" {
		q.Directions = []string{f.Direction}
	}
	var wrong []apierr.Detail
	if len(f.Text) > maxText {
		wrong = append(wrong, apierr.Detail{Field: "q", Message: fmt.Sprintf("must have at most %d characters", maxText)})
	}
	for _, s := range f.Statuses {
		if !slices.Contains(states, lifecycle.State(s)) {
			wrong = append(wrong, apierr.Detail{Field: "status", Message: "must be one of the choices"})
		}
	}
	if f.Direction != "" && f.Direction != customs.Import && f.Direction != customs.Export || f.Client != "" && !ident.IsUUID(f.Client) {
		wrong = append(wrong, apierr.Detail{Field: "q", Message: "cannot be searched because the direction or the client is invalid"})
	}
	if f.Assignee != "" && f.Assignee != me && !ident.IsUUID(f.Assignee) {
		wrong = append(wrong, apierr.Detail{Field: "assignee", Message: "must be one of the choices"})
	}
	wrong = append(wrong, f.Outcome.check(f.Searches())...)
	if f.Assignee != "" && f.Searches() {
		wrong = append(wrong, apierr.Detail{Field: "assignee", Message: "cannot be combined with a search or a direction. Remove one of them"})
	}
	if q.From, err = day(f.From, 0); err != nil {
		wrong = append(wrong, apierr.Detail{Field: "from", Message: "must be a date, such as 2026-03-31"})
	}
	if q.Until, err = day(f.To, 1); err != nil {
		wrong = append(wrong, apierr.Detail{Field: "to", Message: "must be a date, such as 2026-03-31"})
	}
	if wrong != nil {
		return q, apierr.Invalid(wrong...)
	}
	return q, nil
}

// day returns the start of a day in London, plus some days; zero for an empty text.
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
