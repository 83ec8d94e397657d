package dataset_test

import (
	"encoding/csv"
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

func declaration(typeCode, requested string) *wco.Declaration {
	d := &wco.Declaration{TypeCode: typeCode}
	d.GoodsShipment.GovernmentAgencyGoodsItem = []wco.GovernmentAgencyGoodsItem{{GovernmentProcedure: []wco.GovernmentProcedure{{CurrentCode: requested}}}}
	return d
}

// The data set follows from type, procedure and values, in this order.
func TestOf(t *testing.T) {
	low, derisked, dispatched := declaration("IMD", "40"), declaration("IMA", "40"), declaration("COD", "10")
	low.GoodsShipment.GovernmentAgencyGoodsItem[0].CustomsValueAmount.Value = "30"
	derisked.GoodsShipment.GovernmentAgencyGoodsItem[0].AdditionalInformation = []wco.AdditionalInformation{{StatementCode: "NIREM"}}
	derisked.GoodsShipment.GovernmentAgencyGoodsItem[0].AdditionalDocument = []wco.AdditionalDocument{{CategoryCode: "1", TypeCode: "UKI"}}
	dispatched.ExitOffice.ID = "GB000060"
	for _, test := range []struct {
		d    *wco.Declaration
		want dataset.Set
	}{
		{declaration("IMA", "40"), dataset.H1}, {declaration("IMA", "44"), dataset.H1}, {declaration("IMD", "71"), dataset.H2}, {declaration("IMZ", "78"), dataset.H2},
		{declaration("IMA", "53"), dataset.H3}, {declaration("IMY", "51"), dataset.H4}, {declaration("COA", "40"), dataset.H5}, {low, dataset.H7}, {derisked, dataset.H8},
		{declaration("IMC", "40"), dataset.I1}, {declaration("IMF", "71"), dataset.I1}, {declaration("IMB", "40"), dataset.I1}, {declaration("IME", "40"), dataset.I1},
		{declaration("IMJ", "00"), dataset.C21I}, {declaration("IMK", "40"), dataset.C21IEIDR}, {declaration("IMQ", "00"), dataset.FSD},
		{declaration("EXA", "10"), dataset.B1}, {declaration("EXD", "31"), dataset.B1}, {declaration("EXA", "21"), dataset.B2}, {declaration("EXA", "22"), dataset.B2},
		{dispatched, dataset.B4}, {declaration("EXC", "10"), dataset.C1}, {declaration("EXJ", "00"), dataset.C21E}, {declaration("EXK", "10"), dataset.C21EEIDR},
	} {
		if got, ok := dataset.Of(test.d); !ok || got != test.want {
			t.Errorf("%s: %s, %t, want %s", test.d.TypeCode, got, ok, test.want)
		}
	}
	for _, typeCode := range []string{"", "IM", "ZZA", "IMU", "COX"} {
		if got, ok := dataset.Of(declaration(typeCode, "40")); ok {
			t.Errorf("%s is %s", typeCode, got)
		}
	}
}

// The published requirements are those of HMRC's tables for H1 and B1, except the ones that samples omit.
func TestPublished(t *testing.T) {
	for set, name := range map[dataset.Set]string{dataset.H1: "H1", dataset.B1: "B1"} {
		file, err := os.Open("../../../../../shared/customs/obligations_" + name + ".csv")
		if err != nil {
			t.Skip("the tables are not beside the project")
		}
		rows, err := csv.NewReader(file).ReadAll()
		_ = file.Close() // it was only read
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows[1:] {
			got := set.Required(row[0], "2026-11-24")
			if string(got) != row[1] && got != dataset.Advised && row[0] != "8/7" {
				t.Errorf("%s %s: %c, want %s", set, row[0], got, row[1])
			}
		}
	}
}

// Data sets without a table of their own follow from another one, and their letters are our own knowledge.
func TestDerived(t *testing.T) {
	for _, test := range []struct {
		set     dataset.Set
		element string
		want    dataset.Letter
	}{
		{dataset.H8, "6/8", dataset.OwnMandatory}, {dataset.H8, "4/16", dataset.Absent}, {dataset.H7, "4/16", dataset.Absent}, {dataset.H7, "6/14", dataset.OwnMandatory},
		{dataset.FSD, "6/8", dataset.Absent}, {dataset.FSD, "5/23", dataset.OwnMandatory}, {dataset.C21IEIDR, "3/39", dataset.OwnMandatory}, {dataset.C21I, "3/39", dataset.Dependent},
		{dataset.H1, "8/6", dataset.Advised}, {dataset.H1, "9/9", dataset.Absent},
	} {
		if got := test.set.Required(test.element, "2026-11-24"); got != test.want {
			t.Errorf("%s %s: %c, want %c", test.set, test.element, got, test.want)
		}
	}
}

// Every element has a place in the schema of customs, a number in the table of requirements, and is absent from an empty declaration.
func TestElements(t *testing.T) {
	seen := map[string]bool{}
	for i := range dataset.Elements() {
		e := &dataset.Elements()[i]
		seen[e.Number] = true
		for at, declared := range map[string]bool{e.Header: e.Header != "", "42A.67A.68A[1]." + e.Item: e.Item != ""} {
			if p, err := pointer.Parse(at); declared && (err != nil || !p.Known()) {
				t.Errorf("%s: %s (%v)", e.Number, at, err)
			}
		}
		if e.Name == "" || e.Header == "" && e.Item == "" || e.AtHeader(&wco.Declaration{}) || e.AtItem(&wco.GovernmentAgencyGoodsItem{}) {
			t.Errorf("%s: %+v", e.Number, e)
		}
	}
	required := false
	for _, set := range dataset.All() {
		required = required || set.Required("1/6", "2026-11-24") == dataset.Mandatory
	}
	if len(seen) < 85 || !required {
		t.Errorf("%d elements", len(seen))
	}
}
