package app_test

import (
	"context"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/origin"
)

// recordedRules are a scheme with one rule, as an operator would import it.
var recordedRules = map[string]string{
	"roo_schemes_uk.json": `{"scope":"uk","schemes":[{"scheme_code":"canada","title":"UK-Canada Trade Continuity Agreement","validity_start_date":"2021-01-01","countries":["CA"],
		"cumulation_methods":{"bilateral":{"countries":["GB","CA"]}},"proofs":[{"summary":"Origin declaration","proof_class":"origin-declaration","subtext":"On an invoice or another commercial document."}]}]}`,
	"uk/canada.json": `{"rule_sets":[{"heading":"8517","subdivision":"","min":"8517000000","max":"8517999999","rules":[{"rule":"A change from any other heading.","operator":null}]}]}`,
	"uk/articles/canada/insufficient-processing.md": "Packing, sorting and simple assembly are insufficient.",
	"uk/articles/canada/direct-transport.md":        "The product must not undergo further production outside the territories of the parties.",
}

func (r *recorder) recordOrigin() {
	r.t.Helper()
	var files []origin.File
	for name, text := range recordedRules {
		files = append(files, origin.File{Name: name, Reader: strings.NewReader(text)})
	}
	b, err := origin.Read(files, "")
	if err == nil {
		_, err = b.Put(context.Background(), r.app.Store, false)
	}
	if err == nil {
		err = r.app.Origin.Refresh(context.Background(), r.app.Store)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	pounds := func(amount float64) object { return object{"amount": amount, "currency": "GBP"} }
	r.want(r.call("POST", "/api/tariff/origin", object{
		"date": "2026-11-26", "commodityCode": "8517620000", "description": "Wireless routers", "exportCountry": "CA", "destination": "GB", "exWorksPrice": pounds(100),
		"materials": []any{
			object{"ref": "board", "commodityCode": "853400", "origin": "CN", "value": pounds(35.5), "netMassKg": 2, "originating": false},
			object{"ref": "case", "commodityCode": "392690", "origin": "CA", "value": pounds(4), "netMassKg": 0.3, "originating": true},
		},
		"production": object{"country": "CA", "onlyMinimalOperations": false}, "transport": object{"direct": true, "alteredInTransit": false},
	}))
}
