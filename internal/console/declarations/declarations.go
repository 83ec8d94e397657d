// Package declarations is the area of customs declarations: the list with search and saved
// views, and the page of a declaration with its actions, such as submitting it.
package declarations

import (
	"context"
	"embed"
	"encoding/json"
	"io/fs"

	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/analysis"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/print"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/records/sse"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

//go:embed pages
var pages embed.FS

//go:embed parts
var parts embed.FS

//go:embed assets
var assets embed.FS

// Declarations is the area, with the services that it uses.
type Declarations struct {
	Customs     *customs.Service
	Describer   *wording.Describer
	Filings     *filing.Service
	Analysis    *analysis.Service
	Explain     func(context.Context, tenant.ID, explain.Question) (explain.Explained, error)
	Search      *search.Service
	FindRecords FindRecords // over records of all kinds
	Live        *sse.Hub
	Mode        string // of the connection to customs: simulator or hmrc
	// CheckBody returns what is wrong with the body of a declaration by its schema.
	CheckBody func(json.RawMessage) []apierr.Detail
	Printer   *print.Service
}

// Area returns the area's routes, pages and texts.
func (d *Declarations) Area() page.Area {
	const one = "/declarations/{id}"
	own, _ := fs.Sub(parts, "parts") // the folder is embedded
	return page.Area{
		Name: "declarations", Pages: pages, Partials: []fs.FS{form.Parts(), wording.Partials(), own}, Assets: assets, Navigation: []page.NavigationEntry{{Path: "/declarations", Name: "Declarations"}},
		RecordPaths: map[string]string{customs.DeclarationKind: one},
		Functions:   map[string]any{"pounds": pounds, "instant": instantOf, "called": worksheet.WithName},
		Routes: []page.Route{
			page.Get("/declarations", page.ForViewer, d.list),
			page.Get(one, page.ForViewer, d.detail),
			page.Get(one+"/members", page.ForViewer, d.members),
			page.Get(one+"/live", page.ForViewer, d.stream),
			page.Get(one+"/sent", page.ForViewer, d.sent),
			page.Get(one+"/received", page.ForViewer, d.received),
			page.Get(one+"/declaration.xml", page.ForViewer, d.document),
			page.Get(one+"/document.pdf", page.ForViewer, d.print),
			page.Get(one+"/submit", page.ForMember, d.confirmSubmit),
			page.Post(one+"/submit", page.ForMember, d.submit),
			page.Get(one+"/cancel", page.ForMember, d.confirmCancel),
			page.Post(one+"/cancel", page.ForMember, d.cancel),
			page.Post(one+"/demands/{demand}/close", page.ForMember, d.closeDemand),
			page.Post(one+"/files", page.ForMember, d.addFiles).WithMaxUpload(maxFilesForm),
			page.Get(one+"/file", page.ForViewer, d.file),
			page.Post(one+"/present", page.ForMember, d.present),
			page.Get(one+"/movement", page.ForMember, d.movementForm),
			page.Post(one+"/movement", page.ForMember, d.move),
			page.Post(one+"/copy", page.ForMember, d.copy),
			page.Post(one+"/template", page.ForMember, d.saveTemplate),
			page.Get("/declarations/new-template", page.ForMember, d.chooseForTemplate),
			page.Post("/declarations/new-template", page.ForMember, d.newTemplate),
			page.Get("/declarations/from-template", page.ForMember, d.chooseTemplate),
			page.Post("/declarations/from-template", page.ForMember, d.fromTemplate),
		},
		Notices: map[string]string{
			"declaration-submitted":     "The declaration was sent to customs. The answers of customs will appear here.",
			"declaration-cancelled":     "The declaration is cancelled.",
			"cancellation-asked":        "The cancellation request was sent to customs. The declaration is cancelled when customs agrees.",
			"goods-presented":           "Customs was told that the goods have arrived. Its answer will appear here.",
			"movement-sent":             "The movement was sent to HMRC. Its answer will appear here.",
			"demand-closed":             "The demand is closed.",
			"files-added":               "The documents are being sent to customs. Their status is shown here.",
			"declaration-from-template": "The draft was made from the template. Add what differs, and check it before you submit it.",
			"template-saved":            "The template is saved. It has no references of the consignment.",
			"declaration-copied":        "The declaration was copied to this new draft. Check it before you submit it.",
		},
		Labels: fileLabels(map[string]string{"from": "The first day", "to": "The last day", "q": "The search text", "status": "The status", "assignee": "The assignee", "clearedFrom": "The first day of clearance", "clearedTo": "The last day of clearance", "took": "The time to clearance", "rejectedFor": "The error code", "rejectedFrom": "The first day of rejections", "reasonCode": "The reason",
			"kind": "The movement", "level": "The choice of goods", "ucrPart": "The part number", "masterUcr": "The master UCR", "remove": "The removal", "occursAt": "The date and time", "location": "The goods location",
			"transport": "The means of transport", "transport.id": "The means of transport", "transport.mode": "The mode of transport", "transport.nationality": "The country of registration", "shedOperator": "The shed operator",
			"template": "The template", "shipmentId": "The shipment", "reference": "The reference", "template-name": "The name of the template", "declaration": "The declaration"}),
	}
}
