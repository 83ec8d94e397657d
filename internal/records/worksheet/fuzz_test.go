package worksheet_test

import (
	"encoding/json"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// A worksheet of any stored records encodes to valid JSON, and converting its bodies again gives the
// same bodies.
func FuzzSheet(f *testing.F) {
	f.Add(`{"declarationType":"IMPORT","items":[{"commodityCode":"6109100010","netMassKg":120.50,"customsValueGbp":1e3,"additionalProcedureCodes":["000","1CG"]}],"documents":[{"type":"N935"}]}`,
		`{"portOfEntry":"GBFXT","expectedArrival":"2026-03-29T01:30:00Z","containers":["MSKU1234565"],"arrived":true}`, `{"name":"B Ltd"}`)
	f.Add(`{"items":null}`, `{}`, `null`)
	f.Add(`{"items":[{"description":" \u0000"}],"declarationType":7}`, `{"expectedArrival":"x"}`, `[]`)
	f.Fuzz(func(t *testing.T, declaration, shipment, client string) {
		_, _ = worksheet.Decode([]byte(declaration))
		once, err := worksheet.FromRecords(json.RawMessage(declaration), json.RawMessage(shipment), json.RawMessage(client))
		if err != nil {
			return
		}
		declared, shipped, traded := once.DeclarationBody("x"), once.ShipmentBody("y"), once.ClientBody()
		for _, body := range []json.RawMessage{declared, shipped, traded} {
			if !json.Valid(body) {
				t.Fatalf("%s %s %s is converted to %s", declaration, shipment, client, body)
			}
		}
		twice, err := worksheet.FromRecords(declared, shipped, traded)
		if err != nil {
			t.Fatalf("%s cannot be read: %v", declared, err)
		}
		if again := twice.DeclarationBody("x"); string(again) != string(declared) {
			t.Errorf("%s is converted to\n%s and then to\n%s", declaration, declared, again)
		}
		if again := twice.ShipmentBody("y"); string(again) != string(shipped) {
			t.Errorf("%s is converted to\n%s and then to\n%s", shipment, shipped, again)
		}
	})
}
