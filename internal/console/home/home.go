// Package home is the home page of an organisation: what needs attention, the number of
// records, charts, recent activity, and the first steps for a new organisation. Everything
// is read in one snapshot, with a number of queries that does not depend on the number of records.
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

// Hub is a Hub with the kinds of its records.
type Hub struct {
	ID, Name string
	Kinds    []*filing.Type // in the order in which they are shown
}

// Home is the area, with the services that it uses.
type Home struct {
	Hubs        []Hub
	Declaration string // kind of customs declarations
	Product     string // kind of products
	Client      string // kind of clients
	Consent     string // kind of consents at customs
	AnyDemand   string // trait of declarations with an open demand
	OpenDemands func(*filing.Filing) ([]Demand, error)
	// Instructions are of authorities, the most serious first.
	Instructions []Instruction
	Reason       func(*filing.Filing) string // why customs rejected a declaration; empty if that is not known
	// AboutDeclarations returns what declarations are about, by ID: own reference, client and goods.
	AboutDeclarations func(tx page.Tx, ids []string) (map[string]string, error)
	Deadlines         *deadline.Service
	Describer         *wording.Describer
	Emissions         []Ledger // one for each category, in grams
	Duty, VAT         string   // names of the ledgers, in pence
	Clearance         Clearance
	Rejections        Rejections
}

// Clearance is the ledger of the time to clearance in seconds, and the bands in which it is counted, the shortest first.
type Clearance struct {
	Ledger string
	Bands  []Band
}

// Band is a range of the time to clearance below a limit, which is zero for the last one. The list of declarations knows its ID.
type Band struct {
	ID, Name string
	Below    int64
}

// Rejections are the ledgers of rejections, one for each error code.
type Rejections struct {
	First, Last string                     // names of the first and the last ledger
	Code        func(ledger string) string // error code of a ledger
	Title       func(code string) string   // meaning of an error code in a few words
}

// Demand is something that an authority wants for a record.
type Demand struct {
	Text            string
	TakesFiles      bool      // documents can be sent for it
	OpenedAt, DueAt time.Time // DueAt is zero if there is no day
}

// Ledger is the name of a ledger, and its title in a chart.
type Ledger struct{ Name, Title string }

// Area returns the area's routes, pages and texts.
func (h *Home) Area() page.Area {
	return page.Area{
		Name: "home", Pages: pages, Assets: assets, Navigation: []page.NavigationEntry{{Path: "/", Name: "Home"}},
		Routes: []page.Route{page.Get("/{$}", page.ForViewer, h.home)},
	}
}

// homeView is the data of the page.
type homeView struct {
	Organisation access.Organisation
	Steps        []step
	Attention    []alert
	Counts       []count
	Charts       []template.HTML
	Recent       []wording.Line
}

// Started reports whether the organisation has any records or activity.
func (f *homeView) Started() bool { return len(f.Charts) > 0 || len(f.Recent) > 0 }

func (h *Home) home(c *page.Context) error {
	var f homeView
	var last *wording.EventBatch
	err := c.View(func(tx page.Tx) (err error) {
		f, last, err = h.read(c, tx)
		return err
	})
	if err != nil {
		return err
	}
	if err := h.markColleagues(c, f.Steps); err != nil {
		return err
	}
	if f.Recent, err = h.Describer.Lines(c.R.Context(), c.Session.Org, last); err != nil {
		return err
	}
	return c.Show("home", "Home", &f)
}

// builder reads and builds the parts of the page in one transaction.
type builder struct {
	*Home
	*page.Context
	tx      page.Tx
	now     time.Time
	org     access.Organisation
	tallies []filing.Tally
}

func (h *Home) read(c *page.Context, tx page.Tx) (f homeView, last *wording.EventBatch, err error) {
	d := &builder{Home: h, Context: c, tx: tx, now: tx.Now()}
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

// hubs returns the enabled Hubs.
func (d *builder) hubs() (enabled []Hub) {
	for _, h := range d.Hubs {
		if d.org.Hubs.Has(h.ID) {
			enabled = append(enabled, h)
		}
	}
	return enabled
}

// records returns the number of records of a kind with a status; an empty status means all.
func (d *builder) records(kind, status string) (n int64) {
	for _, t := range d.tallies {
		if t.Kind == kind && (status == "" || string(t.Status) == status) {
			n += t.Records
		}
	}
	return n
}
