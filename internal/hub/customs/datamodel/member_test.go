package datamodel_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
)

// A pointer of customs leads to the member that the user has to change.
func TestMemberAt(t *testing.T) {
	for text, want := range map[string]string{
		"42A.D013":                          "additionalType",
		"42A.109":                           "invoiceTotal",
		"42A.131":                           "totalGrossMassKg",
		"42A.57A.R031":                      "exporter.name",
		"42A.57A.04A.241":                   "exporter.address.city",
		"42A.02A[2].D005":                   "deferredPayments[1].account",
		"42A.17C[1].R144":                   "authorisations[0].holder",
		"42A.67A.68A[2].23A.137":            "items[1].description",
		"42A.67A.68A[2].23A.21A[1].145":     "items[1].commodityCode",
		"42A.67A.68A[3].23A.50A[2].94A.107": "items[2].taxLines[1].methodOfPayment",
		"42A.67A.68A[1].02A[4].D005":        "items[0].documents[3].reference",
		"42A.67A.68A[1].02A[4].22C.502":     "items[0].documents[3].writeOff.quantity",
		"42A.67A.68A[1].93A[1].142":         "items[0].packages[0].marks",
		"42A.67A.68A[1].23A.79A.112":        "items[0].itemPrice",
		"42A.67A.68A[1].114":                "items[0].statisticalValue",
		"42A.67A.68A[1].41A.122":            "items[0].valuationMethod",
		"42A.67A.99A[2].D018":               "previousDocuments[1].reference",
		"42A.67A.99A[2]":                    "previousDocuments[1]",
		"42A.67A.28A.64A.L016":              "location.name",
		"42A.67A.28A.31B[2].44B[1].165":     "equipment[1].seals[0].id",
		"42A.28A.18A.R012":                  "security.carrier.eori",
		"42A.67A.22B.090":                   "deliveryTerms.incoterm",
	} {
		p, err := pointer.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := datamodel.MemberAt(p); got != want {
			t.Errorf("%s leads to %s, not %s", text, got, want)
		}
	}
}
