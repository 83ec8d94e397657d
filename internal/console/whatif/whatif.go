// Package whatif is the area in which users compute their declarations, or their catalogue, under a change: another origin, date,
// destination or edition of the tariff.
package whatif

import (
	"embed"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

//go:embed pages
var files embed.FS

// Limits of the pages.
const (
	shownJobs   = 20 // of the newest what-ifs
	shownRows   = 50 // of a result
	shownGroups = 20
)

// WhatIf is the area, with the services that it uses.
type WhatIf struct {
	Service *whatif.Service
	Schemas *schema.Schemas
}

// Area returns the area's routes, pages and texts.
func (w *WhatIf) Area() page.Area {
	return page.Area{
		Name: "whatif", Pages: files,
		Routes: []page.Route{
			page.Get("/what-if", page.ForViewer, w.form),
			page.Post("/what-if", page.ForMember, w.create),
			page.Get("/what-if/{id}", page.ForViewer, w.show),
			page.Post("/what-if/{id}/cancel", page.ForMember, w.cancel),
			page.Get("/what-if/{id}/result.csv", page.ForViewer, w.download),
		},
		Functions: map[string]any{"amount": amount, "sourceText": sourceText, "changeText": changeText, "groupText": groupText, "incoterms": incoterms},
		Notices:   map[string]string{"what-if-cancelled": "The what-if is cancelled. It has no result."},
	}
}

// labels are what the fields of the form are called in error messages.
var labels = map[string]string{
	"source": "The goods", "from": "The first day", "to": "The last day", "change": "The change", "origin": "The origin", "dispatchCountry": "The country of dispatch",
	"destination": "The destination", "date": "The date", "edition": "The edition", "incoterm": "The Incoterm", "groupBy": "The groups", "status": "The status",
}

// formPage is the data of the form.
type formPage struct {
	Source, From, To, Date, Origin string
	CBAM                           bool
	NextYear                       string // first day of the next year
	Jobs                           []whatif.Job
}

// form shows the form, with the values of a link that leads to it, and the newest what-ifs.
func (w *WhatIf) form(c *page.Context) error {
	q, today := c.R.URL.Query(), c.Now().In(calendar.London())
	shown := formPage{
		Source: sourceDeclarations, From: today.AddDate(-1, 0, 1).Format(time.DateOnly), To: today.Format(time.DateOnly), Date: q.Get("date"), Origin: q.Get("origin"),
		CBAM: q.Get("cbam") != "", NextYear: strconv.Itoa(today.Year()+1) + "-01-01",
	}
	if q.Get("source") == sourceProducts {
		shown.Source = sourceProducts
	}
	var err error
	if shown.Jobs, err = w.Service.List(c.R.Context(), c.Session.Org, shownJobs); err != nil {
		return err
	}
	return c.Show("whatif", "What if", shown)
}

// Sources in the form.
const (
	sourceDeclarations = "declarations"
	sourceProducts     = "products"
)

// create starts a what-if.
func (w *WhatIf) create(c *page.Context) error {
	c.Label = func(field string) string { return labels[field] }
	body, err := json.Marshal(request(c))
	if err != nil {
		return err
	}
	faults := (schema.Validator{Schemas: w.Schemas}).Check(w.Schemas.Of(reflect.TypeFor[whatif.Request]()), body)
	p, err := w.Service.Prepare(c.R.Context(), c.Session.Org, body, c.Now(), faults)
	var j whatif.Job
	if err == nil {
		j, err = w.Service.Start(c.R.Context(), c.Call(), p)
	}
	if err != nil {
		return c.Redisplay(fieldsOfForm(err), func() error { return w.form(c) })
	}
	return c.Redirect("/what-if/" + j.ID)
}

// showPage is the data of the page of a what-if.
type showPage struct {
	whatif.Job
	Rows        []whatif.Row
	More        bool // there are more rows, which the file has
	GroupsShown []whatif.Group
	GroupsMore  int
}

// Ended reports whether nothing more happens.
func (s *showPage) Ended() bool { return !s.FinishedAt.IsZero() }

func (w *WhatIf) show(c *page.Context) error {
	j, err := w.Service.Find(c.R.Context(), c.Session.Org, c.ID())
	if err != nil {
		return err
	}
	shown := showPage{Job: j}
	if j.Status == whatif.Done {
		if shown.Rows, shown.More, err = w.Service.Rows(c.R.Context(), c.Session.Org, j.ID, 0, shownRows); err != nil {
			return err
		}
		all := j.Summary.Groups
		shown.GroupsShown = all[:min(len(all), shownGroups)]
		shown.GroupsMore = len(all) - len(shown.GroupsShown) + j.Summary.LeftOut
	}
	return c.Show("whatif-result", "What if", &shown)
}

func (w *WhatIf) cancel(c *page.Context) error {
	j, err := w.Service.Cancel(c.R.Context(), c.Call(), c.ID())
	switch {
	case err != nil:
		return err
	case j.Status != whatif.Cancelled:
		return c.Redirect("/what-if/" + c.ID()) // it had ended before
	}
	return c.RedirectWithNotice("/what-if/"+c.ID(), "what-if-cancelled")
}

func (w *WhatIf) download(c *page.Context) error {
	if _, err := w.Service.Result(c.R.Context(), c.Session.Org, c.ID()); err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", csvio.ContentType)
	c.W.Header().Set("Content-Disposition", csvio.Disposition("what-if", c.Now()))
	if err := w.Service.WriteCSV(c.R.Context(), c.Session.Org, c.ID(), c.W); err != nil {
		c.Log.Warn("file was cut short", "requestId", c.Visitor.RequestID, "error", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

// amount writes an amount for people; a dash if it is not known.
func amount(m any) string {
	switch m := m.(type) {
	case *quantity.Money:
		if m != nil {
			return pounds(*m)
		}
	case quantity.Money:
		return pounds(m)
	}
	return "–"
}

func pounds(m quantity.Money) string {
	if m.Sign() < 0 {
		return "−£" + quantity.Money{}.Sub(m).Fixed()
	}
	return "£" + m.Fixed()
}
