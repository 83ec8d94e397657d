package worksheet_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// Every member of the records has a field in the form, and every field is a member.
func TestFieldsCoverTheRecords(t *testing.T) {
	for _, c := range []struct {
		record reflect.Type
		fields []worksheet.Field
		but    []string // set by the form itself, or by callers of the API only
	}{
		{reflect.TypeFor[customs.Client](), worksheet.ClientFields, []string{"uniqueReference", "metadata"}},
		{reflect.TypeFor[customs.Shipment](), worksheet.ShipmentFields, []string{"clientId", "reference", "uniqueReference", "metadata"}},
		{reflect.TypeFor[customs.Declaration](), worksheet.GeneralFields, []string{"shipmentId", "items", "documents", "reference", "uniqueReference", "metadata"}},
		{reflect.TypeFor[customs.Item](), worksheet.ItemFields, keptOfItems},
		{reflect.TypeFor[customs.Document](), worksheet.DocumentFields, nil},
	} {
		var names []string
		for _, f := range reflect.VisibleFields(c.record) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !slices.Contains(c.but, name) && !f.Anonymous && !isKept(c.record, f) {
				names = append(names, name)
			}
		}
		for _, direction := range []string{"IMPORT", "EXPORT"} {
			asked := map[string]bool{}
			for _, f := range c.fields {
				if !slices.Contains(names, f.Name) {
					t.Errorf("%s has no member %s", c.record, f.Name)
				}
				if f.AppliesTo(direction) && asked[f.Name] {
					t.Errorf("%s: two fields %s for an %s", c.record, f.Name, direction)
				}
				asked[f.Name] = asked[f.Name] || f.AppliesTo(direction)
			}
			for _, name := range names {
				if !asked[name] && name != "carrierEori" && name != "exitOffice" {
					t.Errorf("%s: no field for %s of an %s", c.record, name, direction)
				}
			}
		}
	}
}

// keptOfItems are the members of items that the form keeps as they are.
var keptOfItems = strings.Fields("preferentialOrigin quotaOrderNumber taricAdditionalCodes nationalAdditionalCodes cusCode number customsValue statisticalValue transactionNature " +
	"documents additionalInformation supplyChainActors buyer classifications dangerousGoods taxLines supplementaryUnit itemPrice containers consignee consignor " +
	"valuationMethod valuationAdjustments destination fiscalReferences dispatchCountry procedures origins packages previousDocuments seller ucr valuationIndicators")

// isKept reports whether the form keeps a member as it is: those of the full data model, and what a client agrees on with customs.
func isKept(record reflect.Type, f reflect.StructField) bool {
	if record == reflect.TypeFor[customs.Client]() && (f.Name == "Representation" || f.Name == "DefermentAccount") {
		return true
	}
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if record == reflect.TypeFor[customs.Declaration]() && slices.ContainsFunc(worksheet.GeneralFields, func(g worksheet.Field) bool { return g.Name == name }) {
		return false
	}
	for _, part := range []reflect.Type{reflect.TypeFor[datamodel.Header](), reflect.TypeFor[datamodel.Journey](), reflect.TypeFor[terms.Terms]()} {
		if _, found := part.FieldByName(f.Name); found && len(f.Index) > 1 {
			return true
		}
	}
	return false
}

// A record that has more than the form shows keeps it, also in its items, whichever of them the user removes.
func TestFormKeepsOtherMembers(t *testing.T) {
	const declaration = `{"shipmentId":"s","declarationType":"IMPORT","dataSet":"H1","transactionNature":"1","items":[{"description":"A","itemPrice":{"amount":1.25,"currency":"USD"}},{"description":"B","documents":[{"type":"N935"}],"taxLines":[]}]}`
	s, err := worksheet.FromRecords(json.RawMessage(declaration), json.RawMessage(`{"clientId":"c","transportMode":"SEA","equipment":[{"container":"AD12345"}]}`), json.RawMessage(`{"name":"A","paymentMethod":"E"}`))
	if err != nil {
		t.Fatal(err)
	}
	stored, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if s, err = worksheet.Decode(stored); err != nil {
		t.Fatal(err)
	}
	for got, want := range map[string]string{
		string(s.DeclarationBody("s")): `{"shipmentId":"s","declarationType":"IMPORT","dataSet":"H1","transactionNature":"1","items":[{"description":"A","itemPrice":{"amount":1.25,"currency":"USD"}},{"description":"B","documents":[{"type":"N935"}],"taxLines":[]}]}`,
		string(s.ShipmentBody("c")):    `{"clientId":"c","transportMode":"SEA","equipment":[{"container":"AD12345"}]}`,
		string(s.ClientBody()):         `{"name":"A","paymentMethod":"E"}`,
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	s.Items = s.Items[1:]
	if got := string(s.DeclarationBody("s")); !strings.Contains(got, `"items":[{"description":"B","documents":[{"type":"N935"}],"taxLines":[]}]`) {
		t.Errorf("without the first item: %s", got)
	}
}

const (
	client      = `{"name":"Harbour Textiles Ltd","eori":"GB123456789000","country":"GB"}`
	shipment    = `{"clientId":"c","transportMode":"SEA","portOfEntry":"GBFXT","expectedArrival":"2026-07-24T06:00:00Z","containers":["MSKU1234565","TGHU7654321"],"arrived":true}`
	declaration = `{"shipmentId":"s","declarationType":"IMPORT","items":[{"description":"T-shirts","commodityCode":"6109100010","customsValueGbp":1850.00,"netMassKg":120.5,"quantity":600,"additionalProcedureCodes":["000"]}],"documents":[{"type":"N935","reference":"INV-2026-0042"}]}`
)

// Records that are converted to a worksheet and back are unchanged; times are shown in London time.
func TestRoundTrip(t *testing.T) {
	s, err := worksheet.FromRecords(json.RawMessage(declaration), json.RawMessage(shipment), json.RawMessage(client))
	if err != nil {
		t.Fatal(err)
	}
	stored, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if s, err = worksheet.Decode(stored); err != nil {
		t.Fatal(err)
	}
	if got := s.Shipment.Get("expectedArrival"); got != "2026-07-24T07:00" {
		t.Errorf("arrival in London time: %s", got)
	}
	for got, want := range map[string]string{string(s.ClientBody()): client, string(s.ShipmentBody("c")): shipment, string(s.DeclarationBody("s")): declaration} {
		if !same(got, want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// same compares the members of two objects in any order.
func same(a, b string) bool {
	var x, y map[string]json.RawMessage
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// Numbers are accepted in common notations, exactly. A text that is not a number stays text, so that
// it is reported and not lost.
func TestTyped(t *testing.T) {
	for typed, want := range map[string]string{
		"1850.00": "1850.00", "1,850.00": "1850.00", "£1,234,567.5": "1234567.5", "12 500": "12500", "0.100": "0.100",
		"12,5": `"12,5"`, "1e3": `"1e3"`, "twelve": `"twelve"`, "007": `"007"`, "1,85": `"1,85"`,
	} {
		s := worksheet.NewImport("x")
		s.Items[0].Set("customsValueGbp", typed)
		if body := string(s.DeclarationBody("s")); !strings.Contains(body, `"customsValueGbp":`+want+"}") {
			t.Errorf("%q: %s", typed, body)
		}
	}
	s := worksheet.NewImport("x")
	s.Shipment.Set("containers", "msku1234565, TGHU7654321\nABCU1")
	s.Shipment.Set("expectedArrival", "soon")
	if body := string(s.ShipmentBody("c")); !strings.Contains(body, `["MSKU1234565","TGHU7654321","ABCU1"]`) || !strings.Contains(body, `"expectedArrival":"soon"`) {
		t.Error(body)
	}
	for typed, want := range map[string]string{"Bangladesh": "BD", "uk": "GB", "x i": "XI", "Atlantis": "ATLANTIS"} {
		if got := (worksheet.Field{Kind: worksheet.Code, SuggestionList: "countries"}).Typed(typed); got != want {
			t.Errorf("country %q is stored as %q", typed, got)
		}
	}
	if got := (worksheet.Field{Kind: worksheet.Code}).Typed(" gb 1234 "); got != "GB1234" {
		t.Error(got)
	}
	if got := string(worksheet.NewImport("x").ClientBody()); got != "{}" {
		t.Error(got)
	}
}

// An error belongs to the step and item of its field, and the field has a label for a sentence.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		field, label string
		step         worksheet.Step
		item         int
	}{
		{"client.eori", "The EORI number", worksheet.StepBasics, 0},
		{"declarationType", "Import or export", worksheet.StepBasics, 0},
		{"shipment.portOfEntry", "The UK port or airport", worksheet.StepJourney, 0},
		{"shipment.containers[1]", "The container numbers", worksheet.StepJourney, 0},
		{"items[3].netMassKg", "The net mass", worksheet.StepGoods, 3},
		{"items[12].additionalProcedureCodes[0]", "The additional procedure codes", worksheet.StepGoods, 12},
		{"items", "The list of goods", worksheet.StepGoods, 0},
		{"documents[1].reference", "The number or reference", worksheet.StepDocuments, 1},
		{"organisation.eori", "organisation.eori", worksheet.StepCheck, 0},
		{"dataSet", "The data set", worksheet.StepBasics, 0},
	} {
		step, item := worksheet.StepOf(c.field)
		if label := worksheet.Label(c.field); step != c.step || item != c.item || label != c.label {
			t.Errorf("%s: %s %d %q", c.field, step, item, label)
		}
	}
	all := []apierr.Detail{{Field: "documents[0].type"}, {Field: "items[4].netMassKg"}, {Field: "items[2].description"}}
	if own := worksheet.StepErrors(all, worksheet.StepGoods, 4); len(own) != 1 || own[0].Field != "items[4].netMassKg" {
		t.Error(own)
	}
}

// Next and Back follow the order of the steps and stop at the ends.
func TestSteps(t *testing.T) {
	plain := worksheet.NewImport("x")
	if plain.Next(worksheet.StepBasics) != worksheet.StepJourney || plain.Next(worksheet.StepCheck) != worksheet.StepCheck || plain.Back(worksheet.StepBasics) != worksheet.StepBasics || plain.Back(worksheet.StepCheck) != worksheet.StepDocuments {
		t.Error("the steps are out of order")
	}
	full := worksheet.NewImport("x")
	full.General.Set("dataSet", "H2")
	if full.Next(worksheet.StepJourney) != worksheet.StepDetails || full.Back(worksheet.StepGoods) != worksheet.StepDetails {
		t.Error("a declaration with a data set has no step for its other members")
	}
	if worksheet.Step("other").Known() || !worksheet.StepGoods.Known() {
		t.Error("Known is wrong")
	}
}

// Items are added, copied and removed with their values. One item always remains, and the maximum is
// that of a declaration.
func TestItems(t *testing.T) {
	s := worksheet.NewImport("x")
	s.Items[0].Fill("description", worksheet.FoundValue{Value: "T-shirts", Text: "T-shirts 600 pcs", Confidence: 90})
	n, err := s.CopyItem(0)
	if err != nil || n != 1 || s.Items[1].Get("description") != "T-shirts" || s.Items[1].Found != nil {
		t.Errorf("%d %v %+v", n, err, s.Items)
	}
	s.Items[1].Set("description", "Shirts")
	if s.Items[0].Get("description") != "T-shirts" {
		t.Error("changing a copy changes the original")
	}
	s.RemoveItem(0)
	s.RemoveItem(0)
	if len(s.Items) != 1 || !s.Items[0].Empty() {
		t.Errorf("%+v", s.Items)
	}
	s.Items = make([]worksheet.Part, worksheet.MaxItems)
	_, added := s.AddItem()
	_, copied := s.CopyItem(0)
	if !apierr.Is(added, apierr.InvalidState) || !apierr.Is(copied, apierr.InvalidState) {
		t.Errorf("%v %v", added, copied)
	}
	s.Documents = make([]worksheet.Part, worksheet.MaxDocuments)
	if err := s.AddDocument(); !apierr.Is(err, apierr.InvalidState) {
		t.Error(err)
	}
}

// A worksheet that is too large is rejected before it is stored.
func TestLimit(t *testing.T) {
	s := worksheet.NewImport("x")
	s.Items[0].Set("description", strings.Repeat("x", worksheet.MaxBytes))
	if _, err := s.Encode(); !apierr.Is(err, apierr.PayloadTooLarge) {
		t.Error(err)
	}
	if title := []rune(s.Title()); len(title) != 80 {
		t.Errorf("the title has %d characters", len(title))
	}
}

// JSON members in rules' texts are replaced by labels of the form; similar words stay.
func TestInWords(t *testing.T) {
	for text, want := range map[string]string{
		"Give the mass without packaging as netMassKg, and with it as grossMassKg.": "Give the mass without packaging as “net mass”, and with it as “gross mass”.",
		"There is no carrierEori.":                             "There is no “EORI number of the carrier”.",
		"See items[3].customsValueGbp and shipment.vesselName": "See “customs value” and “vessel, flight, vehicle or train”",
		"Set arrived to false, or correct expectedArrival.":    "Untick “the goods have been presented to customs”, or correct “arrival”.",
		"Goods of 7208 made in RU, from CN; ask for IT.":       "Goods of 7208 made in Russia (RU), from China (CN); ask for Italy (IT).",
		"State valuationMethod and transactionNature.":         "State “valuation method” and “transaction nature”.",
		"The description says “iPhone cases”, of EUR.":         "The description says “iPhone cases”, of EUR.",
	} {
		if got := worksheet.FormText(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
