package importline_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/importline"
)

// record is a record with an input and what the service added.
func record(body, added string) *filing.Filing {
	return &filing.Filing{ID: "r", Body: json.RawMessage(body), Added: json.RawMessage(added), CreatedAt: time.Date(2026, 6, 30, 23, 30, 0, 0, time.UTC)}
}

func text(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Each item of an import becomes a line with its customs value, on the day of acceptance or else of creation in London.
func TestOfDeclaration(t *testing.T) {
	const item = `{"commodityCode": "6109100010", "customsValueGbp": 1850, "netMassKg": 120.5, "quantity": 600, "countryOfOrigin": "BD", `
	for _, c := range []struct {
		name, header, item, added string
		want                      []string
	}{
		{"as it is", `"dispatchCountry": "vn", `, `"taricAdditionalCodes": ["7001", "B999"], "nationalAdditionalCodes": ["VATZ", "X321"]`, `{"lrn": "L"}`,
			[]string{`"ref":"L/1"`, `"Date":"2026-07-01"`, `"Destination":"GB"`, `"dispatchCountry":"VN"`, `"customsValueGbp":1850`, `"netMassKg":120.5`, `"Units":600`,
				`"meursingCode":"7001"`, `"additionalCodes":["B999"]`, `"exciseCode":"X321"`, `"vatChoice":"VATZ"`, `"otherDocuments":"NONE"`, `"proofOfOrigin":"NONE"`}},
		{"accepted", ``, `"quotaOrderNumber": "050088", "documents": [{"type": "U116", "reference": "R"}]`, `{"lrn": "L", "acceptedAt": "2026-08-01T22:59:00.000Z"}`,
			[]string{`"Date":"2026-08-01"`, `"proofOfOrigin":"HELD"`, `"quotaOrderNumbers":["050088"]`, `"code":"U116"`}},
		{"into a warehouse", ``, `"procedureCode": "7100"`, `{"lrn": "L"}`, []string{`"SuspendedBy":"Customs warehousing (procedure 71)"`}},
		{"to free circulation", ``, `"procedureCode": "4000"`, `{"lrn": "L"}`, []string{`"SuspendedBy":""`}},
		{"from its destination", `"dispatchCountry": "GB", `, `"additionalInformation": []`, `{"lrn": "L"}`, []string{`"dispatchCountry":"QQ"`}},
		{"Northern Ireland", ``, `"additionalInformation": [{"code": "NIDOM"}, {"code": "NIREM"}]`, `{"lrn": "L"}`,
			[]string{`"Destination":"NI"`, `"dispatchCountry":"GB"`, `"ukims":true`, `"processing":"NONE"`}},
		{"with a proof of the United Kingdom", `"additionalInformation": [{"code": "NIDOM"}, {"code": "NIAID"}], `, `"preferenceCode": "300"`, `{"lrn": "L"}`,
			[]string{`"proofOfUkOrigin":true`, `"deMinimisAid":true`}},
	} {
		lines, err := importline.OfDeclaration(record(`{"declarationType": "IMPORT", `+c.header+`"items": [`+item+c.item+`}]}`, c.added), nil)
		if err != nil || len(lines) != 1 {
			t.Fatalf("%s: %v %v", c.name, lines, err)
		}
		for _, want := range c.want {
			if got := text(t, lines[0]); !strings.Contains(got, want) {
				t.Errorf("%s: %s is not in %s", c.name, want, got)
			}
		}
	}
	full := `{"declarationType": "IMPORT", "dataSet": "H1", "items": [{"classifications": [{"id": "61091000", "type": "TSP"}, {"id": "10", "type": "TRC"}], "customsValueGbp": 1850, "countryOfOrigin": "BD"}]}`
	if lines, err := importline.OfDeclaration(record(full, `{"lrn": "L"}`), nil); err != nil || len(lines) != 1 || lines[0].CommodityCode != "6109100010" {
		t.Errorf("a code in full form: %v %v", lines, err)
	}
	if lines, err := importline.OfDeclaration(record(`{"declarationType": "EXPORT", "items": [{}]}`, `{}`), nil); err != nil || lines != nil {
		t.Errorf("an export: %v %v", lines, err)
	}
}

// The value of an item with a price has its freight apart, so that other terms of delivery can change it.
func TestValueOfDeclaration(t *testing.T) {
	for name, c := range map[string]struct {
		header, added string
		want          []string
	}{
		"freight to add":    {`"deliveryTerms": {"incoterm": "fob"}, `, "1960", []string{`"Incoterm":"FOB"`, `"price":{"amount":1850,"currency":"GBP"}`, `"freight":[{"amount":100,"currency":"GBP"}]`, `"additions":[{"code":"AN","amount":10,"currency":"GBP"}]`}},
		"freight in price":  {`"deliveryTerms": {"incoterm": "CIF"}, `, "1960", []string{`"freight":[{"amount":100,"currency":"GBP","inPrice":false}]`}},
		"unknown terms":     {``, "1960", []string{`"inPrice":false`, `"Incoterm":""`}},
		"another valuation": {`"deliveryTerms": {"incoterm": "FOB"}, `, "1961", []string{`"customsValueGbp":1961`}},
	} {
		body := `{"declarationType": "IMPORT", ` + c.header + `"freightCharge": {"amount": 100, "currency": "GBP"}, "items": [{"commodityCode": "6109100010", "countryOfOrigin": "BD",
			"itemPrice": {"amount": 1850, "currency": "GBP"}, "valuationAdjustments": [{"code": "AB", "amount": {"amount": 10, "currency": "GBP"}}]}]}`
		added := `{"lrn": "L", "valuation": {"items": [{"item": 1, "priceGbp": 1850, "adjustmentsGbp": 110, "customsValueGbp": ` + c.added + `}]}}`
		lines, err := importline.OfDeclaration(record(body, added), nil)
		if err != nil || len(lines) != 1 {
			t.Fatalf("%s: %v %v", name, lines, err)
		}
		for _, want := range c.want {
			if got := text(t, lines[0]); !strings.Contains(got, want) {
				t.Errorf("%s: %s is not in %s", name, want, got)
			}
		}
	}
}

// A product with code and origin becomes a line; another one, or one that is archived, does not.
func TestOfProduct(t *testing.T) {
	whole := record(`{"code": "TS-1", "commodityCode": "6109100010", "countryOfOrigin": "BD"}`, `{}`)
	lines, err := importline.OfProduct(whole)
	if err != nil || len(lines) != 1 || lines[0].Ref != "TS-1" || !strings.Contains(text(t, lines[0]), `"customsValueGbp":1000`) {
		t.Errorf("%v %v", lines, err)
	}
	whole.Status = lifecycle.Archived
	for _, f := range []*filing.Filing{whole, record(`{"code": "A", "countryOfOrigin": "BD"}`, `{}`), record(`{"code": "A", "commodityCode": "6109100010"}`, `{}`)} {
		if lines, err := importline.OfProduct(f); err != nil || lines != nil {
			t.Errorf("%s: %v %v", f.Body, lines, err)
		}
	}
}
