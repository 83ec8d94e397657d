package app_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// answerFor is an answer of the tariff service with a third-country duty.
func answerFor(code string, percent int) string {
	return fmt.Sprintf(`{"goods_nomenclature_item_id": %q, "producline_suffix": "80", "description": "Goods", "declarable": true, "import_measures": [
		{"id": 20001695, "effective_start_date": "2021-01-01T00:00:00.000Z", "effective_end_date": null, "measure_type": {"id": "103", "description": "Third country duty"},
		"geographical_area": {"id": "1011", "description": "ERGA OMNES"}, "measure_components": [{"duty_expression_id": "01", "duty_amount": %d}]}]}`, code, percent)
}

// recordEditions imports two editions, the second of which touches a product. What follows is recorded with the second one.
func (r *recorder) recordEditions() {
	r.t.Helper()
	product := ""
	r.silently(func() {
		client := r.first("/api/clients", "clients", all)
		product = r.text(r.want(r.call("POST", "/api/products", object{
			"clientId": client, "code": "MARE-1", "description": "Breeding mares", "commodityCode": "0101210000", "countryOfOrigin": "IE",
		})), "id")
	})
	for _, percent := range []int{5, 4} {
		file := official.File{Name: "0101210000_2026-11-01_uk.json", Reader: strings.NewReader(answerFor("0101210000", percent))}
		if _, err := r.app.ImportTariff(context.Background(), []official.File{file}, "", "", false); err != nil {
			r.t.Fatal(err)
		}
	}
	if err := r.app.Tariff.Refresh(context.Background(), r.app.Store); err != nil {
		r.t.Fatal(err)
	}
	r.eventually("/api/products/"+product, func(a answered) bool { return strings.Contains(string(a.text), `"tariffChange"`) })
	r.want(r.call("GET", "/api/tariff/editions?limit=2", nil))
	r.want(r.call("GET", "/api/tariff/editions/diff?from=1&to=2", nil))
}
