package pointer_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

// The names of the schema lead to the place that they name, with or without their frame.
func TestFromPath(t *testing.T) {
	for path, want := range map[string]string{
		"Declaration/GoodsShipment/GovernmentAgencyGoodsItem[2]/Commodity/Description":                             "42A.67A.68A[2].23A.137",
		"/MetaData/Declaration/GoodsShipment/Importer/ID":                                                          "42A.67A.74A.R038",
		"//ns2:Declaration/ns2:GoodsShipment/ns2:GovernmentAgencyGoodsItem[1]/ns2:Commodity/ns2:Classification[1]": "42A.67A.68A[1].23A.21A[1]",
		"GovernmentAgencyGoodsItem[3]/Commodity/GoodsMeasure/NetNetWeightMeasure":                                  "42A.67A.68A[3].23A.65A.128",
		"GoodsShipment/TransactionNatureCode":                                                                      "42A.67A.103",
		"Declaration/FunctionalReferenceID":                                                                        "42A.D026",
	} {
		if p, ok := pointer.FromPath(path); !ok || p.String() != want {
			t.Errorf("%s is %s, %t, want %s", path, p, ok, want)
		}
	}
	for _, path := range []string{"", "items[0].netMassKg", "Declaration/Nonsense", "Declaration/ID/ID", "Description", "Declaration[x]", "Declaration[-1]"} {
		if p, ok := pointer.FromPath(path); ok {
			t.Errorf("%q is %s", path, p)
		}
	}
}

// A number of the tariff leads to the field that a trader fills in for it.
func TestOfElement(t *testing.T) {
	for number, want := range map[string]string{
		"6/1": "42A.67A.68A.23A.65A.128", "6/8": "42A.67A.68A.23A.137", "3/16": "42A.67A.74A.R038", "2/5": "42A.D026", "5/15": "42A.67A.68A.92A.063",
		"2/3": "42A.67A.68A.02A.D005", "4/17": "42A.67A.68A.23A.50A.164", "1/10": "42A.67A.68A.70A[1].166", "4/8": "42A.67A.68A.23A.50A.94A.107",
	} {
		p, ok := pointer.OfElement(number)
		if !ok || p.String() != want || p.Element() != number {
			t.Errorf("%s is %s (%s), %t, want %s", number, p, p.Element(), ok, want)
		}
	}
	if p, ok := pointer.OfElement("9/99"); ok {
		t.Errorf("9/99 is %s", p)
	}
}
