package app

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/declarations"
	"github.com/tidewaiter/tidewaiter/internal/console/home"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/cdscode"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/product"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
)

// home is the front page of the console: all filings, by Hub.
func (a *App) home() home.Home {
	page := home.Home{
		Declaration: a.Customs.Type.Kind, Product: product.Kind, Client: customs.Clients.Kind, Consent: customs.ConsentKind, AnyDemand: customs.AnyDemand, OpenDemands: openDemands, Reason: rejectionReason, AboutDeclarations: declarations.About,
		Deadlines: a.deadlines, Describer: a.describer(), Duty: customs.ImportDuty, VAT: customs.ImportVAT,
		Instructions: []home.Instruction{{Kind: ics2.Filings.Kind, Trait: ics2.Intervened, Tag: "Do not load", Text: "Customs instructs not to load the goods."}},
		Emissions: []home.Ledger{
			{Name: cbam.EmissionsLedger(cbam.IronSteel), Title: "Iron and steel"},
			{Name: cbam.EmissionsLedger(cbam.Aluminium), Title: "Aluminium"},
			{Name: cbam.EmissionsLedger(cbam.Cement), Title: "Cement"},
			{Name: cbam.EmissionsLedger(cbam.Fertiliser), Title: "Fertilisers"},
			{Name: cbam.EmissionsLedger(cbam.Hydrogen), Title: "Hydrogen"},
			{Name: cbam.EmissionsLedger(cbam.Electricity), Title: "Electricity"},
		},
	}
	page.Clearance.Ledger = customs.ClearanceTime
	for _, b := range customs.ClearanceBands {
		page.Clearance.Bands = append(page.Clearance.Bands, home.Band{ID: b.ID, Name: b.Name, Below: b.Below})
	}
	page.Rejections.First, page.Rejections.Last = customs.RejectionLedgers()
	page.Rejections.Code = customs.RejectionCode
	page.Rejections.Title = func(code string) string { return cdscode.Explain(code).Title }
	types := a.allKinds()
	for _, h := range hubs {
		page.Hubs = append(page.Hubs, home.Hub{
			ID: h.ID, Name: h.Name, Kinds: slices.DeleteFunc(slices.Clone(types), func(t *filing.Type) bool { return t.Hub != h.ID }),
		})
	}
	return page
}

// openDemands returns the open demands of a declaration for the front page.
func openDemands(f *filing.Filing) (all []home.Demand, err error) {
	open, err := customs.OpenDemands(f)
	for i := range open {
		shown := home.Demand{Text: open[i].Text, TakesFiles: open[i].TakesFiles()}
		if shown.OpenedAt, err = time.Parse(time.RFC3339, open[i].OpenedAt); err != nil {
			return nil, err
		}
		if due := open[i].DueAt; due != nil {
			if shown.DueAt, err = time.Parse(time.RFC3339, *due); err != nil {
				return nil, err
			}
		}
		all = append(all, shown)
	}
	return all, err
}

// rejectionReason returns the first error for which customs rejected a declaration, and how many there are besides it.
func rejectionReason(f *filing.Filing) string {
	var added struct{ RejectedFor []customs.Rejected }
	if json.Unmarshal(f.Added, &added) != nil || len(added.RejectedFor) == 0 {
		return ""
	}
	latest := slices.DeleteFunc(added.RejectedFor, func(r customs.Rejected) bool { return r.RejectedAt != added.RejectedFor[0].RejectedAt })
	first := cdscode.Explain(latest[0].Code)
	text := strings.TrimSuffix(cmp.Or(first.Title, first.Meaning), ".")
	switch more := len(latest) - 1; {
	case text == "":
		return ""
	case more == 1:
		text += ", and 1 more error"
	case more > 1:
		text += fmt.Sprintf(", and %d more errors", more)
	}
	return text + "."
}
