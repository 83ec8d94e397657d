// Package declare is the form for creating and changing declarations: step by step, from a
// document or by hand, with suggestions for commodity codes and the findings of the rules
// beside each field. The input is stored in a worksheet until the user saves it. Then client,
// shipment and declaration are stored together, by the same services that the API uses.
package declare

import (
	"context"
	"embed"
	"encoding/json"
	"io/fs"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/importer"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

//go:embed pages parts assets
var files embed.FS

// Declare is the area, with the services that it uses.
type Declare struct {
	Filings            *filing.Service
	Customs            *customs.Service
	Clients, Shipments *filing.Type
	Excise             Excise       // movements whose ARC the documents of exports can name
	Summaries          *filing.Type // entry summary declarations, whose MRN the previous documents of imports can name
	Schemas            *schema.Schemas
	Classify           func(context.Context, tenant.ID, assist.Question) (assist.Suggestions, error)
	Read               func(context.Context, tenant.ID, extract.Request) (extract.Extraction, error) // waits for a free slot
	Lines              ReadLines
	Review             func(customs.ReviewInput) rules.Review
	Explain            func(customs.Tx, string) ([]explain.Explanation, error) // explains the errors that customs found in a declaration
	Importer           *importer.Service                                       // makes declarations from XML
	AssistBudget       ratelimit.Budget                                        // per organisation, for suggestions, extraction and review
	CheckBudget        ratelimit.Budget                                        // per organisation, for checks while the user is typing

	// Supplies returns what a product fills into an item of a declaration of a direction.
	Supplies func(product *filing.Filing, item json.RawMessage, direction string) ([]filing.Derived, error)
}

// maxUpload is the maximum size of documents with their form, in bytes: three of the largest, or many usual ones.
const maxUpload = 3*extract.MaxFile + 64<<10

// Area returns the area's routes, pages and texts.
func (d *Declare) Area() page.Area {
	parts, _ := fs.Sub(files, "parts") // the folder is embedded
	return page.Area{
		Name: "declare", Actions: []page.Action{{Path: "/declarations/new", Name: "New declaration", For: page.ForMember}, {Path: "/declarations/from-template", Name: "New declaration from a template", For: page.ForMember}}, Pages: files, Partials: []fs.FS{form.Parts(), parts}, Assets: files,
		Functions: map[string]any{"pounds": pounds, "typedPounds": typedPounds, "called": worksheet.WithName},
		Routes: []page.Route{
			page.Get("/declarations/new", page.ForMember, d.start),
			page.Post("/declarations/new", page.ForMember, d.begin),
			page.Post("/declarations/new/document", page.ForMember, d.upload).WithMaxUpload(maxUpload).WithFiles(attachment.MaxSources),
			page.Post("/declarations/form/{id}/files", page.ForMember, d.addFiles).WithMaxUpload(maxUpload).WithFiles(attachment.MaxSources),
			page.Get("/declarations/form/{id}/files/{file}", page.ForMember, d.file),
			page.Get("/declarations/form/{id}/files/{file}/text", page.ForMember, d.fileText),
			page.Post("/declarations/form/{id}/files/{file}/remove", page.ForMember, d.removeFile),
			page.Post("/declarations/new/page", page.ForMember, d.submitEntry),
			page.Post("/declarations/new/lines", page.ForMember, d.pastedLines),
			page.Get("/declarations/form/{id}/page", page.ForMember, d.entryPage),
			page.Post("/declarations/form/{id}/page", page.ForMember, d.submitEntry),
			page.Get("/declarations/form/{id}/lines", page.ForMember, d.lines),
			page.Post("/declarations/new/goods", page.ForMember, d.beginWithGoods),
			page.Get(importPath, page.ForMember, d.importPage),
			page.Post(importPath, page.ForMember, d.importFile).WithMaxUpload(importer.MaxSize + maxImportForm),
			page.Post("/declarations/{id}/supplement", page.ForMember, d.supplement),
			page.Post("/shipments/{id}/declaration", page.ForMember, d.fromShipment),
			page.Get("/declarations/{id}/edit", page.ForMember, d.edit),
			page.Get("/declarations/form/{id}/{step}", page.ForMember, d.page),
			page.Post("/declarations/form/{id}/{step}", page.ForMember, d.submitStep),
			page.Get("/declarations/{id}/amend", page.ForMember, d.amend),
			page.Get("/declarations/form/{id}/amend", page.ForMember, d.confirmAmendment),
			page.Post("/declarations/form/{id}/amend", page.ForMember, d.requestAmendment),
			page.Get("/declarations/form/{id}/discard", page.ForMember, d.confirmDiscard),
			page.Post("/declarations/form/{id}/discard", page.ForMember, d.discard),
		},
		Notices: map[string]string{
			"goods-taken":          "The commodity code and the description are in the first item. Continue with the basics.",
			"worksheet-discarded":  "Your input is discarded. Nothing was filed.",
			"document-read":        "The form is filled in from the document. Check it; nothing is filed yet.",
			"document-removed":     "The file is removed. The values that you took from it stay.",
			"declaration-imported": "The declaration is imported as a draft. Nothing has been sent to customs.",
			"supplement-made":      "The draft of the supplementary declaration is made. Complete it here; nothing has been sent to customs yet.",
			"template-changed":     "The template is saved. Drafts that were made from it stay as they are.",
			"declaration-saved":    "The declaration is saved. Nothing has been sent to customs yet.",
			"amendment-requested":  "Customs was asked for the amendment. Its decision will appear here.",
		},
	}
}
