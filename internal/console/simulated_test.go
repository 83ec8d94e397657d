package console_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A reference that this service made is marked SIMULATED in every form in which the console shows it: the page of the record, its list, its checklist or page for the driver, the answer of
// the search, and the timeline of a shipment that the record names.
func TestConsoleMarksSimulatedReferences(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	shipment := aShipment(p)
	_, added := p.recordOf("shipment", shipment)
	number := added["reference"].(string)
	marked := map[string]bool{}
	for kind, body := range map[string]string{
		"gvms.movement": strings.Replace(aCrossing, "AB24 CDE", "AB24 "+number, 1), "emcs.movement": aMovement, "tss.declaration": aDeclaration, "trade.licence": aLicence,
		"corporate.filing": `{"filingType":"CONFIRMATION_STATEMENT","companyNumber":"12345678","companyName":"Mill Lane Ltd","subject":"Annual statement"}`,
		"ics2.filing":      `{"filingType":"ENS_SEA","modeOfTransport":"1","carrierName":"Northern Star Lines","consignorName":"Busan","consigneeName":"Harbour","transportDocNumber":"NSLU260411987"}`,
	} {
		hub, _, _ := strings.Cut(kind, ".")
		p.enable(hub)
		k := app.Kinds()[slices.IndexFunc(app.Kinds(), func(t *filing.Type) bool { return t.Kind == kind })]
		var steps []lifecycle.Action
		if k.Lifecycle.Initial == lifecycle.Draft {
			steps = append(steps, lifecycle.Submit)
		}
		body = strings.Replace(body, "{", `{"metadata":{"shipment":"`+number+`"},`, 1)
		id := aFiling(kind, body, steps...)(p)
		_, added := p.recordOf(kind, id)
		reference, _ := added[k.ReferenceMember].(string)
		if reference == "" || added["referenceSource"] != "simulated" {
			t.Fatalf("%s: %v", kind, added)
		}
		list := "/hubs/" + hub + "/" + k.Plural
		pages := map[string]string{list + "/" + id: `<p class="simulated-mark">SIMULATED</p>`, list: `<span class="tag bad">SIMULATED</span>`}
		if k.Checklist != nil {
			pages["/records/"+kind+"/"+id+"/checklist"] = "SIMULATED"
		}
		if k.Driver != nil {
			pages["/records/"+kind+"/"+id+"/driver"] = "SIMULATED"
		}
		for path, mark := range pages {
			p.get(path).expect(t, http.StatusOK, mark, reference)
		}
		p.until("/palette?q="+url.QueryEscape(reference), "SIMULATED · ")
		p.until("/shipments/"+shipment+"/timeline", `<span class="code">`+reference+`</span> <span class="tag bad">SIMULATED</span>`)
		marked[kind] = true
	}
	for _, k := range app.Kinds() {
		if k.ReferenceMember != "" && k.Hub != "customs" && !marked[k.Kind] {
			t.Errorf("%s has references and is not in this test", k.Kind)
		}
	}
}

// recordOf returns the body of a record, and what the service has added to it.
func (p *user) recordOf(kind, id string) (body, added map[string]any) {
	p.Helper()
	p.must(p.app.Store.View(p.Context(), p.org, func(tx *store.Tx) error {
		f, err := tx.Filing(kind, id)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(f.Body, &body); err != nil {
			return err
		}
		return json.Unmarshal(f.Added, &added)
	}))
	return body, added
}
