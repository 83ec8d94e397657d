package pointer_test

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

// A pointer names the same place as WCO path, data element and input field.
func TestPointerNamesThePlace(t *testing.T) {
	for _, c := range []struct{ pointer, path, element, field string }{
		{"42A.67A.68A[2].23A.137", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[2]/Commodity/Description", "6/8", "items[1].description"},
		{"42A.67A.68A[1].23A.21A[2].145", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1]/Commodity/Classification[2]/ID", "6/15", "items[0].commodityCode"},
		{"42A.67A.68A[1].23A.21A.337", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1]/Commodity/Classification/IdentificationTypeCode", "6/14", "items[0].commodityCode"},
		{"42A.67A[1].68A[3].23A.65A.128", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[3]/Commodity/GoodsMeasure/NetNetWeightMeasure", "6/1", "items[2].netMassKg"},
		{"42A.67A.68A[1].23A.65A.126", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1]/Commodity/GoodsMeasure/GrossMassMeasure", "6/5", "items[0].grossMassKg"},
		{"42A.67A.68A[1].23A.79A.112", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1]/Commodity/InvoiceLine/ItemChargeAmount", "4/14", "items[0].customsValueGbp"},
		{"42A.67A.68A[1].23A.65A.130", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1]/Commodity/GoodsMeasure/TariffQuantity", "6/2", "items[0].quantity"},
		{"42A.67A.68A[1].92A[1].063", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1]/Origin[1]/CountryCode", "5/15", "items[0].countryOfOrigin"},
		{"42A.67A.68A[1].92A[2].063", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1]/Origin[2]/CountryCode", "5/16", "items[0].countryOfOrigin"},
		{"42A.67A.68A[1].70A[1].166", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1]/GovernmentProcedure[1]/CurrentCode", "1/10", "items[0].procedureCode"},
		{"42A.67A.68A[1].70A.166", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1]/GovernmentProcedure/CurrentCode", "1/10", "items[0].procedureCode"},
		{"42A.67A.68A[1].70A[3].166", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1]/GovernmentProcedure[3]/CurrentCode", "1/11", "items[0].additionalProcedureCodes[1]"},
		{"42A.67A.68A[1].02A[2].360", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1]/AdditionalDocument[2]/LPCOExemptionCode", "2/3", "documents[1].status"},
		{"42A.67A.68A[1].02A[1].D005", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1]/AdditionalDocument[1]/ID", "2/3", "documents[0].reference"},
		{"42A.67A.68A[1].02A[1].D006", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1]/AdditionalDocument[1]/TypeCode", "2/3", "documents[0].type"},
		{"42A.02A[1].D005", "Declaration/AdditionalDocument[1]/ID", "2/6", "organisation.defermentAccount"},
		{"42A.67A.68A", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem", "1/6", "items"},
		{"42A.67A.68A[1000].006", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[1000]/SequenceNumeric", "1/6", "items[999]"},
		{"42A.67A.68A.23A.137", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem/Commodity/Description", "6/8", "items[0].description"},
		{"42A.D026", "Declaration/FunctionalReferenceID", "2/5", "lrn"},
		{"42A.D014", "Declaration/ID", "", "mrn"},
		{"42A.D013", "Declaration/TypeCode", "1/1", "declarationType"},
		{"42A.228", "Declaration/GoodsItemQuantity", "1/9", "items"},
		{"42A.023", "Declaration/AcceptanceDateTime", "", "acceptanceDateTime"},
		{"42A.15A.T022", "Declaration/BorderTransportMeans/ModeCode", "7/4", "shipment.transportMode"},
		{"42A.15A.T006", "Declaration/BorderTransportMeans/ID", "7/14", "shipment.transportId"},
		{"42A.67A.28A.10A.T002", "Declaration/GoodsShipment/Consignment/ArrivalTransportMeans/ID", "7/9", "shipment.transportId"},
		{"42A.67A.28A.64A.L016", "Declaration/GoodsShipment/Consignment/GoodsLocation/Name", "5/23", "shipment.goodsLocation"},
		{"42A.67A.28A.64A.04A.410", "Declaration/GoodsShipment/Consignment/GoodsLocation/Address/TypeCode", "5/23", "shipment.goodsLocation"},
		{"42A.56A.G005", "Declaration/ExitOffice/ID", "5/12", "shipment.exitOffice"},
		{"42A.67A.56A.G005", "Declaration/GoodsShipment/ExitOffice/ID", "5/12", "shipment.exitOffice"},
		{"42A.67A.74A.R038", "Declaration/GoodsShipment/Importer/ID", "3/16", "client.eori"},
		{"42A.57A.R032", "Declaration/Exporter/ID", "3/2", "client.eori"},
		{"42A.57A.04A.239", "Declaration/Exporter/Address/Line", "3/1", "shipment.counterpartyAddress"},
		{"42A.67A.74A.04A.245", "Declaration/GoodsShipment/Importer/Address/PostcodeID", "3/15", "client.postcode"},
		{"42A.57B.R123", "Declaration/Declarant/ID", "3/18", "organisation.eori"},
		{"42A.05A.102", "Declaration/Agent/FunctionCode", "3/21", "organisation.representation"},
		{"42A.17C[2].R144", "Declaration/AuthorisationHolder[2]/ID", "3/39", "organisation.authorisations[1].eori"},
		{"42A.67A.99A[1].D018", "Declaration/GoodsShipment/PreviousDocument[1]/ID", "2/1", "ducr"},
		{"42A.67A.99A[2].D018", "Declaration/GoodsShipment/PreviousDocument[2]/ID", "2/1", "previousDocuments[1].reference"},
		{"42A.67A.41A", "Declaration/GoodsShipment/CustomsValuation", "4/19", "customsValuation"},
		{"42A.67A.68A[2].41A.58B[1].371", "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[2]/CustomsValuation/ChargeDeduction[1]/ChargesTypeCode", "4/9", "items[1].customsValuation.chargeDeduction[0].chargesTypeCode"},
		{"42A.67A.16C[1].R143", "Declaration/GoodsShipment/AEOMutualRecognitionParty[1]/ID", "3/37", "aeoMutualRecognitionParty[0].id"},
		{"42A.67A.28A.096", "Declaration/GoodsShipment/Consignment/ContainerCode", "7/2", "shipment.containerCode"},
		{"42A", "Declaration", "", "declaration"},
		{"42A.67A", "Declaration/GoodsShipment", "", "declaration"},
		{"07B[1].53A[2]", "Response/Error[2]", "", "response.error[1]"},
	} {
		p, err := pointer.Parse(c.pointer)
		if err != nil || p.String() != c.pointer {
			t.Errorf("%s came back as %s, %v", c.pointer, p, err)
		}
		if got := p.Path(); got != c.path {
			t.Errorf("%s: path %s, want %s", c.pointer, got, c.path)
		}
		if got := p.Element(); got != c.element {
			t.Errorf("%s: element %q, want %q", c.pointer, got, c.element)
		}
		if got := p.Field(); got != c.field {
			t.Errorf("%s: field %s, want %s", c.pointer, got, c.field)
		}
	}
}

// An unknown code has a name too, and Known is false.
func TestUnknownCodesAreNamedByThemselves(t *testing.T) {
	for _, c := range []struct {
		pointer     pointer.Pointer
		path, field string
	}{
		{pointer.Pointer{{Section: "42A"}, {Section: "99Z", Sequence: 2, Tag: "777"}}, "Declaration/99Z[2]/777", "99Z[1].777"},
		{pointer.Pointer{{Section: "42A"}, {Section: "67A"}, {Section: "68A", Sequence: 2, Tag: "999"}}, "Declaration/GoodsShipment/GovernmentAgencyGoodsItem[2]/999", "items[1].999"},
		{pointer.Pointer{{Section: "68A", Sequence: 2}}, "GovernmentAgencyGoodsItem[2]", "governmentAgencyGoodsItem[1]"},
		{nil, "", "declaration"},
		{pointer.Pointer{{}}, "", "declaration"},
	} {
		p := c.pointer
		if p.Path() != c.path || p.Field() != c.field {
			t.Errorf("%v: path %q, field %q", p, p.Path(), p.Field())
		}
		if known := p.Known(); known != (c.field == "governmentAgencyGoodsItem[1]") {
			t.Errorf("%v: known %v", p, known)
		}
		if e := p.Element(); !p.Known() && e != "" {
			t.Errorf("%v: element %s", p, e)
		}
	}
}

// The way back leads to where the way out came from.
func TestToIsTheInverseOfField(t *testing.T) {
	for _, field := range []string{
		"items[1].description", "items[1].commodityCode", "items[0].netMassKg", "items[0].grossMassKg", "items[998].customsValueGbp",
		"items[1].countryOfOrigin", "items[1].quantity", "items[1].additionalProcedureCodes[0]", "items[2].additionalProcedureCodes[3]",
		"items[1].procedureCode", "items[0].taxes[1].methodOfPayment", "items[0].preferenceCode", "items[0].packageCount", "items[0].packageType", "items[3]", "items",
		"documents[0].reference", "documents[4].type", "documents[0].status", "declarationType", "lrn", "mrn", "ducr",
		"shipment.exitOffice", "shipment.transportMode", "shipment.vesselName", "shipment.goodsLocation", "shipment.transportId",
		"shipment.countryOfDispatch", "shipment.countryOfDestination", "shipment.containers[1]", "shipment.containers[1].seals[2]", "shipment.incoterm", "shipment.incotermLocation", "shipment.carrierEori", "shipment.transportNationality",
		"client.eori", "client.name", "client.addressLine1", "client.city", "client.postcode", "client.country",
		"shipment.counterpartyName", "shipment.counterpartyAddress", "shipment.counterpartyCountry", "organisation.eori", "organisation.representation", "organisation.defermentAccount",
		"organisation.authorisations[1].eori", "organisation.guarantees[0].reference",
	} {
		p, ok := pointer.To(field)
		if !ok || !p.Known() {
			t.Errorf("%s: no pointer (%s)", field, p)
		}
		if got := p.Field(); got != field {
			t.Errorf("%s → %s → %s", field, p, got)
		}
	}
}

// The pointer of a field is exact, with occurrences from 1.
func TestToWritesOccurrencesFromOne(t *testing.T) {
	for field, want := range map[string]string{
		"items[1].commodityCode":               "42A.67A.68A[2].23A.21A[1].145",
		"items[0].additionalProcedureCodes[0]": "42A.67A.68A[1].70A[2].166",
		"documents[1].reference":               "42A.67A.68A[1].02A[2].D005",
		"client.eori":                          "42A.67A.74A.R038",
		"lrn":                                  "42A.D026",
		"shipment.portOfEntry":                 "42A.67A.28A.64A.L016",
		"items[0].supplementaryUnits":          "42A.67A.68A[1].23A.65A.130",
	} {
		if p, ok := pointer.To(field); !ok || p.String() != want {
			t.Errorf("%s: %s, want %s", field, p, want)
		}
	}
	for _, field := range []string{"", "nothing", "items[].description", "items[x].description", "items[-1].description", "items[1", "lrn[0]", "items[99999].description"} {
		if p, ok := pointer.To(field); ok {
			t.Errorf("%q leads to %s", field, p)
		}
	}
}

// Text that is no pointer is refused.
func TestParseRefusesNonsense(t *testing.T) {
	for _, text := range []string{"", ".", "42A..68A", "42A.68A[x]", "42A.68A[1", "42A.68A[-1]", "items[0]", "42A/67A", strings.Repeat("42A.", 30) + "137"} {
		if p, err := pointer.Parse(text); err == nil {
			t.Errorf("%q was taken as %s", text, p)
		}
	}
}

// Nearly every pointer in customs' own examples leads to an element that we know.
func TestPointersOfPublishedMessages(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "..", "shared", "customs")
	files, _ := filepath.Glob(filepath.Join(root, "notifications", "*.xml"))
	more, _ := filepath.Glob(filepath.Join(root, "submissions", "*.xml"))
	if files = append(files, more...); len(files) == 0 {
		t.Skip("the published messages are not beside the project")
	}
	distinct := map[string]pointer.Pointer{}
	for _, file := range files {
		for _, p := range pointersIn(t, file) {
			distinct[p.String()] = p
		}
	}
	known := 0
	for text, p := range distinct {
		if p.Known() {
			known++
		} else {
			t.Logf("unknown: %s", text)
		}
		if p.Field() == "" || p.Path() == "" {
			t.Errorf("%s has no name", text)
		}
	}
	t.Logf("%d of %d distinct pointers in %d files", known, len(distinct), len(files))
	if unknown := len(distinct) - known; unknown*178 > 4*len(distinct) {
		t.Errorf("%d of %d pointers are unknown", unknown, len(distinct))
	}
}

// pointersIn collects runs of Pointer elements that stand beside each other.
func pointersIn(t *testing.T, file string) (all []pointer.Pointer) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := xml.NewDecoder(f)
	var run pointer.Pointer
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Logf("%s: %v", file, err)
			return all
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local != "Pointer" {
				continue
			}
			var s struct {
				DocumentSectionCode, TagID string
				SequenceNumeric            int
			}
			if err := d.DecodeElement(&s, &e); err != nil {
				t.Fatal(err)
			}
			run = append(run, pointer.Step{Section: s.DocumentSectionCode, Sequence: s.SequenceNumeric, Tag: s.TagID})
		case xml.EndElement:
			if len(run) > 0 {
				all = append(all, run)
			}
			run = nil
		}
	}
}
