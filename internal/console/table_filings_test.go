package console_test

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// A valid body of each kind that the cases use.
const (
	aTrader       = `{"name":"Canary Textiles Ltd","eori":"GB123456789000"}`
	aLicence      = `{"licenceType":"DUAL_USE_SIEL","exporterName":"Canary Ltd","endUserName":"Works Ltd","endUserCountry":"KR","productCode":"2B001.b.2","productDescription":"Five-axis machining centre"}`
	aCrossing     = `{"routeFrom":"FRCQF","routeTo":"Dover","vehicleReg":"AB24 CDE"}`
	aMovement     = `{"category":"ALCOHOL","movementType":"DOMESTIC","dispatcherName":"Canary Bond Ltd","dispatcherExciseNumber":"GBWK002281023","consigneeName":"Thames Bond Ltd","productCode":"S200","productDescription":"Canary whisky"}`
	aBritishEntry = `{"regime":"GB","message":{"hEAHEA":{"traModAtBorHEA76":"1"}}}`
	aDeclaration  = `{"movementType":"GB_NI","traderEori":"XI123456789000","consignorName":"Harbour Kitchens Ltd","consigneeName":"Lagan Interiors Ltd",` +
		`"commodityCode":"9403409000","goodsDescription":"Canary cupboards","netMassKg":1250.5}`
)

// filingsCases are the cases of the generated pages.
var filingsCases = func() map[string]routeCase {
	holes := []string{"{many}", "declarations", "{action}", "submit"}
	marks := []string{"{many}", "declarations", "{action}", "mark-accepted"}
	trader := []string{"name", "Quay Textiles Ltd"}
	cases := map[string]routeCase{
		"GET /hubs/{hub}":                             {status: 200, hub: "tss"},
		"GET /hubs/{hub}/{many}":                      {status: 200, params: holes, hub: "tss"},
		"GET /hubs/{hub}/{many}/new":                  {status: 200, params: holes, hub: "tss"},
		"POST /hubs/{hub}/{many}/new":                 {status: 303, params: holes, hub: "tss", form: formOf(aDeclaration)},
		"GET /hubs/{hub}/{many}/{id}/steps/{action}":  {status: 200, params: holes, record: aFiling("tss.declaration", aDeclaration)},
		"POST /hubs/{hub}/{many}/{id}/steps/{action}": {status: 303, params: holes, record: aFiling("tss.declaration", aDeclaration)},
		"GET /hubs/{hub}/{many}/{id}/marks/{action}":  {status: 200, params: marks, record: aFiling("tss.declaration", aDeclaration, lifecycle.Submit)},
		"GET /hubs/{hub}/{many}/{id}/files/{file}":    {status: 404, params: append([]string{"{file}", "none"}, holes...), record: aFiling("tss.declaration", aDeclaration)},
		"GET /records/{kind}/{id}/checklist":          {status: 200, params: []string{"{kind}", "tss.declaration"}, record: aFiling("tss.declaration", aDeclaration)},
		"GET /records/{kind}/{id}/driver":             {status: 200, params: []string{"{kind}", "gvms.movement"}, record: aFiling("gvms.movement", aCrossing)},
		"GET /shipments/{id}/timeline":                {status: 200, record: aShipment},
		"POST /hubs/{hub}/{many}/{id}/classify":       {status: 200, params: []string{"{hub}", "trade", "{many}", "licences"}, record: aFiling("trade.licence", aLicence)},
		"POST /hubs/{hub}/{many}/{id}/marks/{action}": {status: 303, params: marks, record: aFiling("tss.declaration", aDeclaration, lifecycle.Submit)},
	}
	entries := []string{"{hub}", "ics2", "{many}", "filings"}
	cases["GET /hubs/{hub}/{many}/import"] = routeCase{status: 200, params: entries, hub: "ics2"}
	cases["POST /hubs/{hub}/{many}/import"] = routeCase{status: 400, params: entries, hub: "ics2"}
	cases["GET /hubs/{hub}/{many}/{id}/message.xml"] = routeCase{status: 200, params: entries, record: aFiling("ics2.filing", aBritishEntry)}
	cases["POST /hubs/{hub}/{many}/{id}/copy"] = routeCase{status: 303, params: entries, record: aFiling("ics2.filing", aBritishEntry)}
	operations := []string{"{hub}", "emcs", "{many}", "movements", "{operation}", "receipt"}
	accepted := aFiling("emcs.movement", aMovement, lifecycle.Submit, lifecycle.MarkAccepted)
	cases["GET /hubs/{hub}/{many}/{id}/operations/{operation}"] = routeCase{status: 200, params: operations, record: accepted}
	cases["POST /hubs/{hub}/{many}/{id}/operations/{operation}"] = routeCase{
		status: 400, params: operations, record: accepted, form: []string{"conclusion", "1", "arrivedOn", "2026-11-27"}, // HMRC does not have it
	}
	maps.Copy(cases, recordCases("/hubs/{hub}/{many}", holes, aFiling("tss.declaration", aDeclaration), append(formOf(aDeclaration), "version", "1")))
	maps.Copy(cases, recordCases("/clients", nil, aFiling("client", aTrader), append(trader, "version", "1")))
	maps.Copy(cases, recordCases("/shipments", nil, aShipment, []string{"version", "1", "portOfEntry", "GBFXT", "transportMode", "SEA", "clientId", "5"}))
	maps.Copy(cases, recordCases("/products", nil, aProduct, []string{"version", "1", "code", "TS-2", "description", "Canary shirts", "clientId", "5"}))
	maps.Copy(cases, recordCases("/templates", nil, aTemplate, []string{"version", "1", "name", "Canary shirts", "body", `{"dataSet":"H1"}`, "clientId", "5"}))
	for _, base := range []string{"/clients", "/shipments", "/products", "/templates"} {
		cases["GET "+base], cases["GET "+base+"/new"] = routeCase{status: 200}, routeCase{status: 200}
		step := routeCase{status: 200, params: []string{"{action}", "archive"}, record: cases["GET "+base+"/{id}"].record}
		cases["GET "+base+"/{id}/steps/{action}"] = step
		step.status = 303
		cases["POST "+base+"/{id}/steps/{action}"] = step
	}
	cases["GET /templates/new"], cases["GET /templates/{id}/edit"] = routeCase{status: 303}, routeCase{status: 303, record: aTemplate} // to forms of their own
	cases["GET /templates/{id}/repeat"] = routeCase{status: 200, record: aTemplate}
	cases["POST /templates/{id}/repeat"] = routeCase{status: 303, record: ofOneShipment, form: []string{
		"version", "1", "recurrence.frequency", "WEEKLY", "recurrence.interval", "1", "recurrence.weekdays", "MONDAY", "recurrence.startsOn", "2026-11-30"}}
	cases["POST /clients/new"] = routeCase{status: 303, form: trader}
	cases["POST /shipments/new"] = routeCase{status: 400, form: []string{"portOfEntry", "GBFXT"}}
	cases["POST /products/new"] = routeCase{status: 400, form: []string{"code", "TS-1"}}
	cases["POST /templates/new"] = routeCase{status: 400, form: []string{"name", "Shirts"}}
	for _, path := range []string{"POST /shipments/{id}/edit", "POST /products/{id}/edit", "POST /templates/{id}/edit"} {
		edit := cases[path]
		edit.status = 400 // the client does not exist
		cases[path] = edit
	}
	return cases
}()

// recordCases are the cases of a record's pages.
func recordCases(base string, holes []string, record func(*user) string, form []string) map[string]routeCase {
	return map[string]routeCase{
		"GET " + base + "/{id}":         {status: 200, params: holes, record: record},
		"POST " + base + "/{id}/review": {status: 303, params: holes, record: record},
		"GET " + base + "/{id}/edit":    {status: 200, params: holes, record: record},
		"POST " + base + "/{id}/edit":   {status: 303, params: holes, record: record, form: form},
	}
}

// formOf returns what a browser submits for a body with single values.
func formOf(body string) (pairs []string) {
	of := map[string]json.RawMessage{}
	_ = json.Unmarshal([]byte(body), &of)
	for _, name := range slices.Sorted(maps.Keys(of)) {
		text := string(of[name])
		_ = json.Unmarshal(of[name], &text)
		pairs = append(pairs, name, text)
	}
	return pairs
}

// aFiling creates a record of a kind and applies the given transitions.
func aFiling(kind, body string, steps ...lifecycle.Action) func(*user) string {
	return func(owner *user) (id string) {
		at := slices.IndexFunc(app.Kinds(), func(t *filing.Type) bool { return t.Kind == kind })
		t := app.Kinds()[at]
		in, err := t.Parse(json.RawMessage(body), owner.clock())
		owner.must(err)
		owner.must(owner.app.Store.Update(owner.Context(), owner.org, func(tx *store.Tx) error {
			f, err := owner.app.Filings.Create(tx, owner.call(), t, in)
			for _, by := range steps {
				if err == nil {
					_, err = owner.app.Filings.Transition(tx, owner.call(), t, f.ID, by, filing.TransitionData{})
				}
			}
			id = f.ID
			return err
		}))
		return id
	}
}

func aShipment(owner *user) string {
	client := aFiling("client", aTrader)(owner)
	return aFiling("shipment", `{"clientId":"`+client+`","portOfEntry":"GBFXT","transportMode":"SEA","counterpartyName":"Canary Works"}`)(owner)
}

func aProduct(owner *user) string {
	client := aFiling("client", aTrader)(owner)
	return aFiling("product", `{"clientId":"`+client+`","code":"TS-1","description":"Canary shirts","commodityCode":"6109100010"}`)(owner)
}

// ofOneShipment is a template that names a shipment.
func ofOneShipment(owner *user) string {
	client := aFiling("client", aTrader)(owner)
	return aFiling("template", `{"clientId":"`+client+`","name":"Canary shirts","body":{"shipmentId":"01900000-0000-7000-8000-000000000009"}}`)(owner)
}

func aTemplate(owner *user) string {
	client := aFiling("client", aTrader)(owner)
	return aFiling("template", `{"clientId":"`+client+`","name":"Canary shirts","body":{"declarationType":"IMPORT"}}`)(owner)
}
