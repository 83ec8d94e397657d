package tables

import (
	"net/http"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// exportRoutes are for exports.
func (t *Tables) exportRoutes() []page.Route {
	return []page.Route{
		page.Get("/exports", page.ForViewer, t.exports),
		page.Get("/exports/download", page.ForViewer, t.export),
	}
}

// exportsPage is the data of the export form.
type exportsPage struct {
	Kinds    []*filing.Type
	Statuses []string // of all kinds
	Kind     string
	Status   string
	From, To string
	Format   string
}

func (t *Tables) exports(c *page.Context) error {
	q := c.R.URL.Query()
	shown := exportsPage{Kinds: t.kinds(c), Kind: q.Get("kind"), Status: q.Get("status"), From: q.Get("from"), To: q.Get("to"), Format: q.Get("format")}
	for _, k := range shown.Kinds {
		for _, state := range k.Lifecycle.States {
			if !slices.Contains(shown.Statuses, string(state)) {
				shown.Statuses = append(shown.Statuses, string(state))
			}
		}
	}
	return c.Show("tables-exports", "Export", shown)
}

// kinds returns the kinds that the organisation can view.
func (t *Tables) kinds(c *page.Context) (kinds []*filing.Type) {
	for _, k := range t.Types {
		if k.Hub == customs.HubID || k.HubOptional || c.Session.Hubs.Has(k.Hub) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

func (t *Tables) export(c *page.Context) error {
	c.Label = func(field string) string {
		return map[string]string{"kind": "The kind", "status": "The status", "from": "The first day", "to": "The last day", "format": "The format"}[field]
	}
	k, w, err := t.readOptions(c)
	if err != nil {
		return c.Redisplay(err, func() error { return t.exports(c) })
	}
	end, err := t.Exports.Acquire(c.R.Context(), c.Session.Org)
	if err != nil {
		return err
	}
	defer end()
	out := &streamedFile{ResponseWriter: c.W, control: http.NewResponseController(c.W), now: c.Now, machine: t.SystemClock, name: k.Plural, lines: w.Lines}
	if err = t.Exporter.Export(c.R.Context(), c.Call(), k, w, out); err != nil && out.began {
		c.Log.Warn("export was cut short", "requestId", c.Visitor.RequestID, "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

// readOptions reads the kind and the options of an export from the URL query.
func (t *Tables) readOptions(c *page.Context) (*filing.Type, bulk.ExportOptions, error) {
	q := c.R.URL.Query()
	var w bulk.ExportOptions
	var details []apierr.Detail
	kinds := t.kinds(c)
	at := slices.IndexFunc(kinds, func(k *filing.Type) bool { return k.Kind == q.Get("kind") })
	if at < 0 {
		return nil, w, apierr.Invalid(apierr.Detail{Field: "kind", Message: "must be one of the choices"})
	}
	k := kinds[at]
	if w.Status = q.Get("status"); w.Status != "" && !slices.ContainsFunc(k.Lifecycle.States, func(s lifecycle.State) bool { return string(s) == w.Status }) {
		details = append(details, apierr.Detail{Field: "status", Message: "is not a status of a " + k.Singular})
	}
	for name, edge := range map[string]func(time.Time){
		"from": func(day time.Time) { w.From = calendar.StartOfDay(day) }, "to": func(day time.Time) { w.To = calendar.EndOfDay(day) },
	} {
		if text := q.Get(name); text != "" {
			day, err := time.ParseInLocation(time.DateOnly, text, calendar.London())
			if err != nil {
				details = append(details, apierr.Detail{Field: name, Message: "must be a date such as 2026-11-21"})
				continue
			}
			edge(day)
		}
	}
	if !w.From.IsZero() && !w.To.IsZero() && w.From.After(w.To) {
		details = append(details, apierr.Detail{Field: "from", Message: "must not be after the last day"})
	}
	w.Lines, w.Items = q.Get("format") == "jsonl", q.Get("format") == "items"
	if w.Items && k.Kind != customs.DeclarationKind {
		details = append(details, apierr.Detail{Field: "format", Message: "with a line for each item is for declarations only"})
	}
	if details != nil {
		return nil, w, apierr.Invalid(details...)
	}
	return k, w, nil
}

// pieceTimeout is the time in which a client must receive one piece of a file. There is no
// limit for the whole file.
const pieceTimeout = time.Minute

// streamedFile sends a file while it is being made. It sets the headers with the first piece,
// so that an error before that can be shown as a page.
type streamedFile struct {
	http.ResponseWriter
	control *http.ResponseController
	now     func() time.Time
	machine func() time.Time // for write deadlines
	name    string
	lines   bool
	began   bool
}

func (s *streamedFile) Write(piece []byte) (int, error) {
	if !s.began {
		s.began = true
		h := s.Header()
		h.Set("Content-Type", csvio.ContentType)
		h.Set("Content-Disposition", csvio.Disposition(s.name, s.now()))
		if s.lines {
			h.Set("Content-Type", "application/jsonl; charset=utf-8")
			h.Set("Content-Disposition", `attachment; filename="`+s.name+"-"+s.now().UTC().Format(time.DateOnly)+`.jsonl"`)
		}
	}
	_ = s.control.SetWriteDeadline(s.machine().Add(pieceTimeout))
	return s.ResponseWriter.Write(piece)
}
