package console_test

import (
	"encoding/json"

	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// declarationCases are the cases of the declaration list and of a declaration's pages.
var declarationCases = map[string]routeCase{
	"GET /declarations":                              {status: 200},
	"GET /declarations/{id}":                         {status: 200, record: ofGoods},
	"GET /declarations/{id}/members":                 {status: 200, record: ofGoods},
	"GET /declarations/{id}/live":                    {status: 303, record: ofGoods}, // a request without a stream is redirected to the page
	"GET /declarations/{id}/sent":                    {status: 404, record: ofGoods}, // without the name of a message
	"GET /declarations/{id}/received":                {status: 404, record: ofGoods},
	"GET /declarations/{id}/declaration.xml":         {status: 200, record: ofGoods},
	"GET /declarations/{id}/document.pdf":            {status: 200, record: ofGoods},
	"GET /declarations/{id}/submit":                  {status: 200, record: ofGoods},
	"POST /declarations/{id}/submit":                 {status: 303, record: ofGoods},
	"GET /declarations/{id}/cancel":                  {status: 200, record: ofGoods},
	"POST /declarations/{id}/cancel":                 {status: 303, record: ofGoods},
	"POST /declarations/{id}/demands/{demand}/close": {status: 404, record: ofGoods},
	"POST /declarations/{id}/files":                  {status: 400, record: ofGoods}, // of a draft
	"GET /declarations/{id}/file":                    {status: 404, record: ofGoods}, // without the ID of a file
	"POST /declarations/{id}/present":                {status: 400, record: ofGoods}, // of a draft
	"GET /declarations/{id}/movement":                {status: 400, record: ofGoods}, // of a draft
	"POST /declarations/{id}/movement":               {status: 400, record: ofGoods}, // of a draft
	"POST /declarations/{id}/copy":                   {status: 303, record: ofGoods},
	"POST /declarations/{id}/template":               {status: 303, record: ofGoods, form: []string{"template-name", "Canary"}},
	"GET /declarations/new-template":                 {status: 200},
	"POST /declarations/new-template":                {status: 400}, // without a declaration
	"GET /declarations/from-template":                {status: 200},
	"POST /declarations/from-template":               {status: 400}, // without a template
}

// aView creates a view of the user.
func aView(owner *user) string {
	saved := search.View{ID: owner.app.IDs.UUID(), UserID: owner.id, Kind: "declaration", Query: "q=canary"}
	saved.Name = "Canary " + saved.ID
	owner.must(owner.app.Store.Update(owner.Context(), owner.org, func(tx *store.Tx) error { return tx.SaveListView(saved) }))
	return saved.ID
}

// ofGoods creates a draft with the canary text in its goods.
func ofGoods(owner *user) string { return owner.declare("Canary T-shirts " + string(owner.org)) }

// declare creates a draft with a new client and shipment.
func (p *user) declare(goods string) string { return p.declareOn(goods, "INV-1") }

// declareOn also sets the invoice number; one that begins with SIM- selects the simulator's answer.
func (p *user) declareOn(goods, invoice string) string {
	p.Helper()
	client := p.file("client", map[string]any{"name": "Canary Client " + string(p.org), "eori": "GB123456789000", "addressLine1": "1 Quay", "city": "Ipswich", "postcode": "IP1 1AA", "country": "GB"})
	shipment := p.file("shipment", map[string]any{
		"clientId": client, "portOfEntry": "GBFXT", "transportMode": "SEA", "arrived": true, "goodsLocation": "GBAUFXTFXTFXT", "countryOfDispatch": "BD",
		"transportId": "9811000", "transportNationality": "PA", "incoterm": "CIF", "incotermLocation": "GBFXT",
		"counterpartyName": "Dhaka Knits", "counterpartyAddress": "1 Mill Road", "counterpartyCity": "Dhaka", "counterpartyPostcode": "1000", "counterpartyCountry": "BD",
	})
	return p.file("declaration", map[string]any{
		"shipmentId": shipment, "declarationType": "IMPORT", "documents": []any{map[string]any{"type": "N935", "reference": invoice}},
		"items": []any{map[string]any{
			"commodityCode": "6109100010", "description": goods, "netMassKg": 120.5, "grossMassKg": 131, "customsValueGbp": 1850, "countryOfOrigin": "BD", "quantity": 600,
		}},
	})
}

// file creates a record of a kind.
func (p *user) file(kind string, body map[string]any) (id string) {
	p.Helper()
	t := p.app.Filings.Types[kind]
	if kind == "declaration" {
		t = p.app.Customs.Type
	}
	raw, err := json.Marshal(body)
	p.must(err)
	in, err := t.Parse(raw, p.clock())
	p.must(err)
	p.must(p.app.Store.Update(p.Context(), p.org, func(tx *store.Tx) error {
		f, err := p.app.Filings.Create(tx, p.call(), t, in)
		id = f.ID
		return err
	}))
	return id
}
