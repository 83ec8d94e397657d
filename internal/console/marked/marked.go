// Package marked is the area of what a person does with several records of a list at once: review, submit, cancel, archive
// and export them. One page says before what will happen to each record. The work runs as a batch of calls of the API, with
// the rights of the person, so that a closed browser or a restart stops nothing and a form that is sent twice has one effect.
package marked

import (
	"embed"
	"net/url"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

//go:embed pages
var pages embed.FS

//go:embed assets
var assets embed.FS

// Limits of what is done at once.
const (
	maxMarked = 200      // records whose reviews or results one page shows; files and assignments have up to batch.MaxRows
	bodySize  = 64 << 10 // bytes of a body that are reviewed here
)

// List is an area that lists records of a kind.
type List interface {
	// Matching returns the first records of the list with a query, and whether there are more.
	Matching(c *page.Context, t *filing.Type, query url.Values, limit int) (ids []string, more bool, err error)
	// RecordLabels returns what records are called and are about, by ID.
	RecordLabels(tx page.Tx, t *filing.Type, ids []string) (map[string]page.RecordLabel, error)
	// Findings returns what must be fixed and what should be checked in a record.
	Findings(tx page.Tx, t *filing.Type, f *filing.Filing) ([]rules.Finding, error)
}

// Marked is the area, with the services that it uses.
type Marked struct {
	Types        []*filing.Type // of the records that lists show
	Declarations List           // lists declarations
	Others       List           // lists all other kinds
	Batches      *batch.Service
	Exporter     *bulk.Exporter
	Filings      *filing.Service
}

// Area returns the area's routes, pages and texts.
func (m *Marked) Area() page.Area {
	return page.Area{
		Name: "marked", Pages: pages, Assets: assets,
		Routes: []page.Route{
			page.Post("/marked", page.ForMember, m.confirm),
			page.Post("/marked/assign", page.ForMember, m.assign),
			page.Post("/marked/start", page.ForMember, m.start),
			page.Get("/marked/{id}", page.ForMember, m.progress),
		},
		Notices: map[string]string{
			"marked-assigned":   "The marked records are assigned.",
			"marked-asked":      "You have asked for approval of the marked records.",
			"marked-asked-some": "You have asked for approval of the records that are as you saw them. Those that were changed, submitted or deleted since are left out and not listed here. Review them again.",
		},
	}
}

// chosenKind returns the kind in the form and the area that lists it.
func (m *Marked) chosenKind(c *page.Context) (*filing.Type, List, error) {
	at := slices.IndexFunc(m.Types, func(t *filing.Type) bool { return t.Kind == c.Value("kind") })
	if at < 0 {
		return nil, nil, apierr.Missing()
	}
	t := m.Types[at]
	if t.Hub != access.FoundationalHub && !t.HubOptional && !c.Session.Hubs.Has(t.Hub) {
		return nil, nil, apierr.Missing()
	}
	return t, m.listOf(t), nil
}

func (m *Marked) listOf(t *filing.Type) List {
	if t.Kind == page.DeclarationKind {
		return m.Declarations
	}
	return m.Others
}
