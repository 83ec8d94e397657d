package console_test

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// declareCases are the cases of the declaration form.
var declareCases = map[string]routeCase{
	"GET /declarations/new":                            {status: 200},
	"POST /declarations/new":                           {form: []string{"declarationType", "IMPORT", "client", "own", "go", "next"}, status: 303},
	"POST /declarations/new/document":                  {form: []string{"documentType", "invoice"}, status: 400}, // without a file
	"GET /declarations/import":                         {status: 200},
	"POST /declarations/import":                        {form: []string{"go", "preview"}, status: 400}, // without a file
	"POST /declarations/{id}/supplement":               {status: 400, record: anEditable},              // not a simplified declaration
	"GET /declarations/{id}/edit":                      {status: 303, record: anEditable},
	"GET /declarations/form/{id}/{step}":               {status: 200, record: anEditable, params: []string{"{step}", "check"}},
	"POST /declarations/form/{id}/{step}":              {form: []string{"go", "next"}, status: 303, record: anEditable, params: []string{"{step}", "documents"}},
	"POST /declarations/form/{id}/files":               {form: []string{"at", "goods"}, status: 400, record: anEditable}, // without a file
	"GET /declarations/form/{id}/files/{file}":         {status: 404, record: anEditable, params: []string{"{file}", aFile}},
	"GET /declarations/form/{id}/files/{file}/text":    {status: 404, record: anEditable, params: []string{"{file}", aFile}},
	"POST /declarations/form/{id}/files/{file}/remove": {status: 404, record: anEditable, params: []string{"{file}", aFile}},
	"GET /declarations/{id}/amend":                     {status: 400, record: anEditable}, // of a draft
	"GET /declarations/form/{id}/amend":                {status: 400, record: anEditable},
	"POST /declarations/form/{id}/amend":               {form: []string{"reason", "Wrong"}, status: 412, record: anEditable},
	"GET /declarations/form/{id}/discard":              {status: 200, record: anEditable},
	"POST /declarations/form/{id}/discard":             {status: 303, record: anEditable},
	"POST /shipments/{id}/declaration":                 {status: 303, record: aShipment},
	"POST /declarations/new/page":                      {form: []string{"go", "check"}, status: 200},
	"POST /declarations/new/lines":                     {form: []string{"pasted", "Shirts\t6109100010"}, status: 200},
	"GET /declarations/form/{id}/page":                 {status: 200, record: anEditable},
	"POST /declarations/form/{id}/page":                {form: []string{"go", "add-line"}, status: 303, record: anEditable},
	"GET /declarations/form/{id}/lines":                {status: 200, record: anEditable},
	"POST /declarations/new/goods":                     {form: []string{"commodityCode", "6109100010", "description", "Canary shirts"}, status: 303},
}

// aFile is the ID of a file that no declaration has.
const aFile = "0d7a5a6e-5bb1-4b46-9d3c-0c6d0a3f9f10"

// anEditable creates a declaration that is not submitted yet, of a client named Canary.
func anEditable(owner *user) string {
	client := owner.record("client", `{"name":"Canary %s","eori":"GB123456789000","country":"GB"}`, owner.org)
	shipment := owner.record("shipment", `{"clientId":"%s","portOfEntry":"GBFXT","transportMode":"SEA","countryOfDispatch":"BD"}`, client)
	return owner.record("declaration", `{"shipmentId":"%s","declarationType":"IMPORT","items":[{"commodityCode":"6109100010","description":"Men's knitted cotton T-shirts","netMassKg":120.5,"grossMassKg":131,"customsValueGbp":1850,"countryOfOrigin":"BD","quantity":600}],"documents":[{"type":"N935","reference":"INV-1"}]}`, shipment)
}

// record creates a record with the filing engine.
func (p *user) record(kind, body string, args ...any) (id string) {
	p.Helper()
	t := p.app.Filings.Types[kind]
	if t == nil {
		t = p.app.Customs.Type
	}
	in, err := t.Parse(json.RawMessage(fmt.Sprintf(body, args...)), p.clock())
	p.must(err)
	p.must(p.app.Store.Update(p.Context(), p.org, func(tx *store.Tx) error {
		f, err := p.app.Filings.Create(tx, p.call(), t, in)
		id = f.ID
		return err
	}))
	return id
}

// stored reads a record of the organisation.
func (p *user) stored(kind, id string) (f filing.Filing) {
	p.Helper()
	p.must(p.app.Store.View(p.Context(), p.org, func(tx *store.Tx) (err error) { f, err = tx.Filing(kind, id); return err }))
	return f
}
