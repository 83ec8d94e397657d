package customs_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

const schema = "../../../../shared/customs/xsd/customs/wrapper_submit.xsd"

func pointer[T any](v T) *T { return &v }

func pick[T any](n int, of ...T) T { return of[n%len(of)] }

// generated is the n-th of a family that varies everything a user may say.
func generated(n int) (customs.Declaration, customs.Shipment, customs.Client, access.Organisation) {
	ahead := testTime.Add(48 * time.Hour)
	s := customs.Shipment{
		PortOfEntry: pick(n, "GBFXT", "GBDVR", "Felixstowe", "gblhr"), TransportMode: pick(n/2, "SEA", "AIR", "ROAD", "RAIL"),
		VesselName: pick(n/3, "", "Ever Tide", "BA 117"), TransportID: pick(n/5, "", "9811000", "AB24 CDE"), TransportNationality: pick(n/7, "", "PA"),
		CountryOfDispatch: pick(n/2, "", "CN"), Incoterm: pick(n/4, "", "FOB"), GoodsLocation: pick(n/6, "", "GBAUFXTFXTFXT"), CarrierEORI: pick(n/3, "", "GB025115100010"),
		Containers: pick(n/4, nil, []string{"MSKU1234565"}, []string{"MSKU1234565", "TCLU 765432 1"}), Arrived: n%11 == 0, ExpectedArrival: pick(n/3, nil, &ahead),
		CounterpartyName: pick(n/2, "", "Ningbo & Söhne <Ltd>"), CounterpartyAddress: pick(n/2, "", "88 Harbour Road"), CounterpartyCity: pick(n/2, "", "Ningbo"),
		CounterpartyPostcode: pick(n/2, "", "315000"), CounterpartyCountry: pick(n/2, "", "CN"), ExitOffice: pick(n/9, "", "GB000051"),
	}
	c := customs.Client{Name: "Mill Lane Textiles & Co", EORI: pick(n/3, "GB123456789000", "", "xi 123456789000"), AddressLine1: "2 Mill Lane", City: "Ipswich", Postcode: "IP1 1AA", Country: "GB"}
	o := access.Organisation{Profile: access.Profile{
		EORI: pick(n/5, "GB987654312000", "", "GB123456789000"), VATNumber: "GB987654312", Representation: pick(n/2, "", "direct", "indirect", "self"),
		DefermentAccount: pick(n/4, "", "1234567"), PostponedVAT: n%3 == 0,
	}}
	d := customs.Declaration{DeclarationType: pick(n, customs.Import, customs.Export)}
	for i := range 1 + n%50 {
		d.Items = append(d.Items, generatedItem(n+i))
	}
	if n%3 != 0 {
		d.Documents = []customs.Document{{Type: "N935", Reference: fmt.Sprintf("INV-%d/%d", n, n%7)}, {Type: pick(n, "N730", "C400"), Reference: "CMR 1 & 2"}}
	}
	return d, s, c, o
}

func generatedItem(n int) customs.Item {
	gross, pieces, packages, units := quantity.MustMass("99999999.5"), int64(600), int64(n%40), quantity.MustNumber("12.5")
	return customs.Item{
		CommodityCode: pick(n, "6109100010", "84713000", "8471300000", "610910"), Description: pick(n, "Cotton T-shirts", "Käse — \"alt\" & <gut>\x01\t", strings.Repeat("lång ", 100)),
		NetMassKg: pointer(pick(n, quantity.MustMass("0.000001"), quantity.MustMass("120.5"), quantity.Mass{})), CustomsValueGBP: pointer(pick(n, quantity.MustMoney("0.01"), quantity.MustMoney("99999999999.99"), quantity.Money{})),
		GrossMassKg: pick(n, nil, &gross), CountryOfOrigin: pick(n, "BD", "", "XI"), Quantity: pick(n/2, nil, &pieces), PackageCount: pick(n/3, nil, &packages), PackageType: pick(n, "", "CT"),
		SupplementaryUnits: pick(n/5, nil, &units), ProcedureCode: pick(n/7, "", "4071"), PreferenceCode: pick(n/4, "", "300"), AdditionalProcedureCodes: pick(n/3, nil, []string{"000"}, []string{"C07", "F47"}),
	}
}

// A document matches the schema of CDS for any input.
func TestDocumentsFitTheSchema(t *testing.T) {
	if _, err := os.Stat(schema); err != nil {
		t.Skip("the schemas are not beside the project")
	}
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("no xmllint here; make deps installs it")
	}
	folder := t.TempDir()
	args := []string{"--noout", "--schema", schema}
	for n := range 240 {
		d, s, c, o := generated(n)
		xml, err := customs.XML(d, s, c, o, fmt.Sprintf("TWS%019d", n), testTime)
		if err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		file := filepath.Join(folder, fmt.Sprintf("%d.xml", n))
		if err := os.WriteFile(file, []byte(xml), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	if out, err := exec.Command("xmllint", args...).CombinedOutput(); err != nil {
		lines := strings.Split(string(out), "\n")
		t.Errorf("%v: %s", err, strings.Join(lines[:min(20, len(lines))], "\n"))
	}
}

// The same declaration gives the same bytes.
func TestDocumentsAreTheSameEveryTime(t *testing.T) {
	d, s, c, o := generated(7)
	first, _ := customs.XML(d, s, c, o, "TWS1", testTime)
	if again, _ := customs.XML(d, s, c, o, "TWS1", testTime); first != again {
		t.Error("the bytes differ")
	}
}

// An import document contains every required value in its place.
func TestImportDocument(t *testing.T) {
	mass, pieces, packages := quantity.MustMass("131"), int64(600), int64(25)
	xml, err := customs.XML(
		customs.Declaration{DeclarationType: customs.Import, Documents: []customs.Document{{Type: "N935", Reference: "INV-1"}}, Items: []customs.Item{{
			CommodityCode: "6109100010", Description: "Cotton T-shirts", NetMassKg: pointer(quantity.MustMass("120.5")), GrossMassKg: &mass, CustomsValueGBP: pointer(quantity.MustMoney("1850")),
			CountryOfOrigin: "BD", Quantity: &pieces, PackageCount: &packages, PackageType: "CT",
		}}},
		customs.Shipment{PortOfEntry: "GBFXT", TransportMode: "SEA", TransportID: "9811000", Containers: []string{"MSKU1234565"}, CountryOfDispatch: "BD"},
		customs.Client{EORI: "GB123456789000"},
		access.Organisation{Profile: access.Profile{EORI: "GB987654312000", DefermentAccount: "1234567"}}, "TWS0123456789ABCDEFGHJ", testTime)
	if err != nil {
		t.Fatal(err)
	}
	d, err := wco.Decode([]byte(xml))
	if err != nil {
		t.Fatal(err)
	}
	shipment := d.GoodsShipment
	item := shipment.GovernmentAgencyGoodsItem[0]
	for what, pair := range map[string][2]string{
		"1/1, 1/2 type":           {d.TypeCode, "IMA"},
		"2/5 LRN":                 {d.FunctionalReferenceID, "TWS0123456789ABCDEFGHJ"},
		"1/9 items":               {string(d.GoodsItemQuantity), "1"},
		"6/18 packages":           {string(d.TotalPackageQuantity), "25"},
		"3/18 declarant":          {d.Declarant.ID, "GB987654312000"},
		"3/21 representation":     {d.Agent.FunctionCode, wco.Direct},
		"3/16 importer":           {shipment.Importer.ID, "GB123456789000"},
		"2/6 deferment":           {d.AdditionalDocument[0].ID, "1234567"},
		"3/39 holder":             {d.AuthorisationHolder[1].CategoryCode, "DPO"},
		"7/4 mode":                {d.BorderTransportMeans.ModeCode, "1"},
		"7/9 means":               {shipment.Consignment.ArrivalTransportMeans.ID, "9811000"},
		"7/2 container":           {shipment.Consignment.ContainerCode, "1"},
		"5/23 location":           {shipment.Consignment.GoodsLocation.Name, "FXTFXTFXT"},
		"5/14 dispatch":           {shipment.ExportCountry.ID, "BD"},
		"5/8 destination":         {shipment.Destination.CountryCode, "GB"},
		"2/1 DUCR":                {shipment.PreviousDocument[0].ID, "6GB123456789000-0123456789ABCDEFGHJ"},
		"8/5 nature":              {shipment.TransactionNatureCode, "1"},
		"6/14 commodity":          {item.Commodity.Classification[0].ID, "61091000"},
		"6/15 TARIC":              {item.Commodity.Classification[1].ID, "10"},
		"6/1 net":                 {string(item.Commodity.GoodsMeasure.NetNetWeightMeasure.Value), "120.5"},
		"6/5 gross":               {string(item.Commodity.GoodsMeasure.GrossMassMeasure.Value), "131"},
		"6/2 units":               {string(item.Commodity.GoodsMeasure.TariffQuantity.Value), "600"},
		"4/14 price":              {string(item.Commodity.InvoiceLine.ItemChargeAmount.Value), "1850"},
		"4/17 preference":         {item.Commodity.DutyTaxFee[0].DutyRegimeCode, "100"},
		"4/8 method of payment":   {item.Commodity.DutyTaxFee[0].Payment.MethodCode, "E"},
		"1/10 procedure":          {item.GovernmentProcedure[0].CurrentCode + item.GovernmentProcedure[0].PreviousCode, "4000"},
		"1/11 additional":         {item.GovernmentProcedure[1].CurrentCode, "000"},
		"5/15 origin":             {item.Origin[0].CountryCode, "BD"},
		"2/3 invoice":             {item.AdditionalDocument[0].ID + item.AdditionalDocument[0].LPCOExemptionCode, "INV-1AC"},
		"2/3 deferment authority": {item.AdditionalDocument[1].ID, "GBDPO1234567"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("DE %s: %q, not %q", what, pair[0], pair[1])
		}
	}
}

// Import VAT is either paid with the duty or accounted for under the importer's own VAT number, and never under another
// party's number.
func TestPostponedVAT(t *testing.T) {
	ours := access.Profile{EORI: "GB987654312000", VATNumber: "GB987654312", PostponedVAT: true}
	paying := ours
	paying.PostponedVAT = false
	theirs := customs.Client{EORI: "GB123456789000", VATNumber: "123 4567 89"}
	for _, c := range []struct {
		name   string
		trader access.Profile
		client customs.Client
		under  string
	}{
		{"under the importer's number", ours, theirs, "GB123456789"},
		{"whatever the agent's number is", access.Profile{PostponedVAT: true}, theirs, "GB123456789"},
		{"by an importer without a number", ours, customs.Client{EORI: "GB123456789000"}, ""},
		{"by an importer whose number is none", ours, customs.Client{EORI: "GB123456789000", VATNumber: "GB12"}, ""},
		{"by the organisation itself", ours, customs.Client{EORI: "gb 987654312000"}, "GB987654312"},
		{"by an unknown importer", ours, customs.Client{}, ""},
		{"not at all", paying, theirs, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			xml, err := customs.XML(customs.Declaration{DeclarationType: customs.Import, Items: []customs.Item{{CommodityCode: "6109100010"}}}, customs.Shipment{}, c.client,
				access.Organisation{Profile: c.trader}, "TWS0123456789ABCDEFGHJ", testTime)
			if err != nil {
				t.Fatal(err)
			}
			paid := strings.Contains(xml, ">B00<")
			if paid == (c.under != "") || strings.Contains(xml, ">FR1<") == paid || !paid && !strings.Contains(xml, ">"+c.under+"<") || paid && strings.Contains(xml, ">"+ours.VATNumber+"<") {
				t.Errorf("paid %v, should be accounted for under %q: %s", paid, c.under, xml)
			}
		})
	}
}

// A body without a data set gives the same bytes as before there were data sets. The digest is that of the release before.
func TestUsualDocumentsStayTheSame(t *testing.T) {
	sum := sha256.New()
	for n := range 1500 {
		d, s, c, o := generated(n)
		xml, err := customs.XML(d, s, c, o, fmt.Sprintf("TWS%019d", n), testTime)
		if err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		sum.Write([]byte(xml))
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != usualDigest {
		t.Errorf("the documents have the digest %s", got)
	}
}

const usualDigest = "2d456758fd039496eaf5570e18d43d9d345bd823d04c206ce5f954975a05d6f6"
