// Package declare is the form in which a declaration is filled in: step by step, from a
// document or by hand, with help at the commodity code and what the rules find beside
// each field. What is typed is kept in a worksheet until it is saved; then client,
// shipment and declaration are stored together, by the services that the API stands on.
package declare

import (
	"context"
	"embed"
	"io/fs"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

//go:embed pages parts assets
var files embed.FS

// Declare is the area.
type Declare struct {
	Filings            *filing.Service
	Customs            *customs.Service
	Clients, Shipments *filing.Type
	Schemas            *schema.Schemas
	Tariff             func() *tariff.Snapshot
	Classify           func(context.Context, tenant.ID, assist.Question) (assist.Suggestions, error)
	Read               func(context.Context, tenant.ID, extract.Request) (extract.Extraction, error) // waits for its turn
	Judge              func(customs.ReviewInput) rules.Review
	Explain            func(customs.Tx, string) ([]explain.Explanation, error) // what customs found wrong with a declaration
	Helpers            ratelimit.Budget                                        // of the organisation, for all who help
}

// maxUpload is a document with the form around it.
const maxUpload = extract.MaxFile + 64<<10

// Area is what the console shows of it.
func (d *Declare) Area() page.Area {
	parts, _ := fs.Sub(files, "parts") // the name is right
	return page.Area{
		Name: "declare", Pages: files, Partials: []fs.FS{parts}, Assets: files,
		Functions: map[string]any{"pounds": pounds},
		Routes: []page.Route{
			page.Get("/declarations/new", page.ForMember, d.start),
			page.Post("/declarations/new", page.ForMember, d.begin),
			page.Post("/declarations/new/document", page.ForMember, d.upload).WithMaxUpload(maxUpload),
			page.Get("/declarations/{id}/edit", page.ForMember, d.edit),
			page.Get("/declarations/form/{id}/{step}", page.ForMember, d.page),
			page.Post("/declarations/form/{id}/{step}", page.ForMember, d.send),
			page.Get("/declarations/form/{id}/discard", page.ForMember, d.askDiscard),
			page.Post("/declarations/form/{id}/discard", page.ForMember, d.discard),
		},
		Notices: map[string]string{
			"worksheet-discarded": "It is thrown away. Nothing of it was filed.",
			"document-read":       "The document is read. Check what it says; nothing is filed yet.",
			"declaration-saved":   "The declaration is saved. Nothing has been sent to customs yet.",
		},
	}
}
