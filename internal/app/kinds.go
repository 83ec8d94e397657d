package app

import (
	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/corporate"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/product"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/template"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/hub/trade"
	"github.com/tidewaiter/tidewaiter/internal/hub/tss"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

// hubs lists the Hubs in the order of the console and of the API document. Customs is first: every organisation has it.
var hubs = []api.Hub{
	{ID: "customs", Name: "Customs declarations"},
	{ID: gvms.HubID, Name: "Goods vehicle movements (GVMS)", Tag: "GVMS", About: "Goods movement records"},
	{ID: emcs.HubID, Name: "Excise movements (EMCS)", Tag: "EMCS", About: "Duty-suspended excise movements"},
	{ID: tss.HubID, Name: "Northern Ireland (TSS)", Tag: "TSS", About: "Declarations for Northern Ireland"},
	{ID: trade.HubID, Name: "Export licences", Tag: "Trade", About: "Export licences"},
	{ID: corporate.HubID, Name: "Company and tax authority filings", Tag: "Corporate", About: "Company, tax, data protection and trust filings"},
	{ID: cbam.HubID, Name: "Carbon border adjustment (CBAM)", Tag: "CBAM", About: "Carbon border adjustment"},
	{ID: ics2.HubID, Name: "Entry summary declarations (ICS2)", Tag: "ICS2", About: "Entry summary declarations before arrival"},
	{ID: tax.HubID, Name: "VAT", Tag: "Tax", About: "VAT periods and returns"},
}

// Kinds returns the kinds of filing except declarations and statements, without imported reference tables.
func Kinds() []*filing.Type { return kinds(&reference.Library{}, nil) }

// kinds returns the kinds of filing except declarations and statements.
func kinds(tables *reference.Library, estimate cbam.Estimator) []*filing.Type {
	return []*filing.Type{
		customs.Clients.Type(),
		customs.Shipments.Type(),
		product.Products.Type(),
		template.Templates.Type(),
		emcs.Movements.Type(),
		tss.Declarations.Type(),
		corporate.Filings.Type(),
		ics2.Filings.Type(),
		imports(tables, estimate).Type(),
		gvms.Movements.Type(),
		trade.Licences.Type(),
	}
}
