// Package home is the front page of an organisation: what needs attention first, how
// much there is of everything, charts, what happened last, and the first steps of who
// is new. Everything on it is read in one snapshot, with as many queries whatever the
// organisation holds.
package home

import (
	"embed"
	"html/template"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
)

//go:embed pages
var pages embed.FS

//go:embed assets
var assets embed.FS

// Hub is an area of filing, in the order in which it is shown.
type Hub struct {
	ID, Name string
	Kinds    []*filing.Type // the foremost first
}

// Home is the area.
type Home struct {
	Hubs        []Hub
	Declaration string // the kind that the charts of duty are about, and the first steps lead to
	Deadlines   *deadline.Service
	Clerk       *wording.Describer
	Emissions   []Ledger // by category, in grams
	Duty, VAT   string   // ledgers, in pence
}

// Ledger is one that a chart shows, and what it is called there.
type Ledger struct{ Name, Title string }

// Area is what the console shows of it.
func (h *Home) Area() page.Area {
	return page.Area{
		Name: "home", Pages: pages, Assets: assets, Navigation: []page.NavigationEntry{{Path: "/", Name: "Home"}},
		Routes: []page.Route{page.Get("/{$}", page.ForViewer, h.home)},
	}
}

// front is what the front page shows.
type front struct {
	Organisation access.Organisation
	Steps        []step
	Attention    []alert
	Counts       []count
	Charts       []template.HTML
	Recent       []wording.Line
}

// Started tells whether anything was ever filed.
func (f *front) Started() bool { return len(f.Charts) > 0 || len(f.Recent) > 0 }

func (h *Home) home(c *page.Context) error {
	var f front
	var last *wording.Page
	err := c.View(func(tx page.Tx) (err error) {
		f, last, err = h.read(c, tx)
		return err
	})
	if err != nil {
		return err
	}
	if f.Recent, err = h.Clerk.Lines(c.R.Context(), c.Session.Org, last); err != nil {
		return err
	}
	return c.Show("home", "Home", &f)
}

// desk is where the page is put together.
type desk struct {
	*Home
	*page.Context
	tx      page.Tx
	now     time.Time
	org     access.Organisation
	tallies []filing.Tally
}

func (h *Home) read(c *page.Context, tx page.Tx) (f front, last *wording.Page, err error) {
	d := &desk{Home: h, Context: c, tx: tx, now: tx.Now()}
	if d.org, err = tx.Organisation(); err != nil {
		return f, nil, err
	}
	if d.tallies, err = tx.FilingTallies(); err != nil {
		return f, nil, err
	}
	f.Organisation, f.Counts = d.org, d.counts()
	if f.Attention, err = d.attention(); err != nil {
		return f, nil, err
	}
	if f.Charts, err = d.charts(); err != nil {
		return f, nil, err
	}
	if f.Steps, err = d.steps(); err != nil {
		return f, nil, err
	}
	last, err = d.recent()
	return f, last, err
}

// hubs are the ones that are enabled.
func (d *desk) hubs() (enabled []Hub) {
	for _, h := range d.Hubs {
		if d.org.Hubs.Has(h.ID) {
			enabled = append(enabled, h)
		}
	}
	return enabled
}

// records is how many there are of a kind, in a state where one is given.
func (d *desk) records(kind, status string) (n int64) {
	for _, t := range d.tallies {
		if t.Kind == kind && (status == "" || string(t.Status) == status) {
			n += t.Records
		}
	}
	return n
}
