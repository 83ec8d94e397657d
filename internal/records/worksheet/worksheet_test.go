package worksheet_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// Every member of the records has its question, and no question asks for another.
func TestFieldsCoverTheRecords(t *testing.T) {
	for _, c := range []struct {
		record reflect.Type
		fields []worksheet.Field
		but    []string // what the form makes of itself
	}{
		{reflect.TypeFor[customs.Client](), worksheet.ClientFields, nil},
		{reflect.TypeFor[customs.Shipment](), worksheet.ShipmentFields, []string{"clientId"}},
		{reflect.TypeFor[customs.Declaration](), worksheet.GeneralFields, []string{"shipmentId", "items", "documents"}},
		{reflect.TypeFor[customs.Item](), worksheet.ItemFields, nil},
		{reflect.TypeFor[customs.Document](), worksheet.DocumentFields, nil},
	} {
		var names []string
		for _, f := range reflect.VisibleFields(c.record) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !slices.Contains(c.but, name) {
				names = append(names, name)
			}
		}
		for _, direction := range []string{"IMPORT", "EXPORT"} {
			asked := map[string]bool{}
			for _, f := range c.fields {
				if !slices.Contains(names, f.Name) {
					t.Errorf("%s has no %s", c.record, f.Name)
				}
				if f.Asked(direction) && asked[f.Name] {
					t.Errorf("%s: %s is asked twice for an %s", c.record, f.Name, direction)
				}
				asked[f.Name] = asked[f.Name] || f.Asked(direction)
			}
			for _, name := range names {
				if !asked[name] && name != "carrierEori" && name != "exitOffice" {
					t.Errorf("%s: nobody asks for %s of an %s", c.record, name, direction)
				}
			}
		}
	}
}

const (
	client      = `{"name":"Harbour Textiles Ltd","eori":"GB123456789000","country":"GB"}`
	shipment    = `{"clientId":"c","transportMode":"SEA","portOfEntry":"GBFXT","expectedArrival":"2026-07-24T06:00:00Z","containers":["MSKU1234565","TGHU7654321"],"arrived":true}`
	declaration = `{"shipmentId":"s","declarationType":"IMPORT","items":[{"description":"T-shirts","commodityCode":"6109100010","customsValueGbp":1850.00,"netMassKg":120.5,"quantity":600,"additionalProcedureCodes":["000"]}],"documents":[{"type":"N935","reference":"INV-2026-0042"}]}`
)

// What is stored is what was typed: records come back byte for byte, numbers as they
// were written and times in London's.
func TestRoundTrip(t *testing.T) {
	s, err := worksheet.Of(json.RawMessage(declaration), json.RawMessage(shipment), json.RawMessage(client))
	if err != nil {
		t.Fatal(err)
	}
	stored, err := s.Written()
	if err != nil {
		t.Fatal(err)
	}
	if s, err = worksheet.Read(stored); err != nil {
		t.Fatal(err)
	}
	if got := s.Shipment.Get("expectedArrival"); got != "2026-07-24T07:00" {
		t.Errorf("in London it arrives at %s", got)
	}
	for got, want := range map[string]string{string(s.ClientBody()): client, string(s.ShipmentBody("c")): shipment, string(s.DeclarationBody("s")): declaration} {
		if !same(got, want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// same compares the members of two bodies, whatever their order.
func same(a, b string) bool {
	var x, y map[string]json.RawMessage
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// Numbers are taken as people write them, to the last digit; what is none goes in as
// text, so that it is named and not lost.
func TestTyped(t *testing.T) {
	for typed, want := range map[string]string{
		"1850.00": "1850.00", "1,850.00": "1850.00", "£1,234,567.5": "1234567.5", "12 500": "12500", "0.100": "0.100",
		"12,5": `"12,5"`, "1e3": `"1e3"`, "twelve": `"twelve"`, "007": `"007"`, "1,85": `"1,85"`,
	} {
		s := worksheet.Start("x")
		s.Items[0].Set("customsValueGbp", typed)
		if body := string(s.DeclarationBody("s")); !strings.Contains(body, `"customsValueGbp":`+want+"}") {
			t.Errorf("%q: %s", typed, body)
		}
	}
	s := worksheet.Start("x")
	s.Shipment.Set("containers", "msku1234565, TGHU7654321\nABCU1")
	s.Shipment.Set("expectedArrival", "soon")
	if body := string(s.ShipmentBody("c")); !strings.Contains(body, `["MSKU1234565","TGHU7654321","ABCU1"]`) || !strings.Contains(body, `"expectedArrival":"soon"`) {
		t.Error(body)
	}
	for typed, want := range map[string]string{"Bangladesh": "BD", "uk": "GB", "x i": "XI", "Atlantis": "ATLANTIS"} {
		if got := (worksheet.Field{Kind: worksheet.Code, Offers: "countries"}).Typed(typed); got != want {
			t.Errorf("country %q is kept as %q", typed, got)
		}
	}
	if got := (worksheet.Field{Kind: worksheet.Code}).Typed(" gb 1234 "); got != "GB1234" {
		t.Error(got)
	}
	if got := string(worksheet.Start("x").ClientBody()); got != "{}" {
		t.Error(got)
	}
}

// A fault belongs to the step and the item in which its field is filled in, and its
// field has a name that a sentence can begin with.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		field, label string
		step         worksheet.Step
		item         int
	}{
		{"client.eori", "The EORI number", worksheet.What, 0},
		{"declarationType", "Import or export", worksheet.What, 0},
		{"shipment.portOfEntry", "The UK port or airport", worksheet.Journey, 0},
		{"shipment.containers[1]", "The container numbers", worksheet.Journey, 0},
		{"items[3].netMassKg", "The net mass", worksheet.Goods, 3},
		{"items[12].additionalProcedureCodes[0]", "The additional procedure codes", worksheet.Goods, 12},
		{"items", "The list of goods", worksheet.Goods, 0},
		{"documents[1].reference", "The number or reference", worksheet.Documents, 1},
		{"organisation.eori", "organisation.eori", worksheet.Check, 0},
	} {
		step, item := worksheet.At(c.field)
		if label := worksheet.Label(c.field); step != c.step || item != c.item || label != c.label {
			t.Errorf("%s: %s %d %q", c.field, step, item, label)
		}
	}
	all := []apierr.Detail{{Field: "documents[0].type"}, {Field: "items[4].netMassKg"}, {Field: "items[2].description"}}
	if own := worksheet.FaultsOf(all, worksheet.Goods, 4); len(own) != 1 || own[0].Field != "items[4].netMassKg" {
		t.Error(own)
	}
}

// Steps lead on and back, and no further than the ends.
func TestSteps(t *testing.T) {
	if worksheet.What.Next() != worksheet.Journey || worksheet.Check.Next() != worksheet.Check || worksheet.What.Back() != worksheet.What || worksheet.Check.Back() != worksheet.Documents {
		t.Error("the steps are out of order")
	}
	if worksheet.Step("other").Known() || !worksheet.Goods.Known() {
		t.Error("unknown steps are known")
	}
}

// Items are added, copied and taken away with all that was said of them; one is always
// left, and no more than a declaration has.
func TestItems(t *testing.T) {
	s := worksheet.Start("x")
	s.Items[0].Fill("description", worksheet.Found{Value: "T-shirts", Said: "T-shirts 600 pcs", Sure: 90})
	n, err := s.CopyItem(0)
	if err != nil || n != 1 || s.Items[1].Get("description") != "T-shirts" || s.Items[1].Found != nil {
		t.Errorf("%d %v %+v", n, err, s.Items)
	}
	s.Items[1].Set("description", "Shirts")
	if s.Items[0].Get("description") != "T-shirts" {
		t.Error("a copy is the same paper")
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

// A worksheet that is too large is refused before it is stored.
func TestLimit(t *testing.T) {
	s := worksheet.Start("x")
	s.Items[0].Set("description", strings.Repeat("x", worksheet.MaxBytes))
	if _, err := s.Written(); !apierr.Is(err, apierr.PayloadTooLarge) {
		t.Error(err)
	}
	if title := []rune(s.Title()); len(title) != 80 {
		t.Errorf("the title has %d characters", len(title))
	}
}

// What a rule says of members of the interface is said of the questions of the form;
// words that only look like them stay.
func TestInWords(t *testing.T) {
	for text, want := range map[string]string{
		"Give the mass without packaging as netMassKg, and with it as grossMassKg.": "Give the mass without packaging as “net mass”, and with it as “gross mass”.",
		"There is no carrierEori.":                             "There is no “EORI number of the carrier”.",
		"See items[3].customsValueGbp and shipment.vesselName": "See “customs value” and “vessel, flight, vehicle or train”",
		"Set arrived to false, or correct expectedArrival.":    "Untick “the goods have been presented to customs”, or correct “arrival”.",
		"Goods of 7208 made in RU, from CN; ask for IT.":       "Goods of 7208 made in Russia (RU), from China (CN); ask for Italy (IT).",
		"The description says “iPhone cases”, of EUR.":         "The description says “iPhone cases”, of EUR.",
	} {
		if got := worksheet.InWords(text); got != want {
			t.Errorf("%q is said as %q", text, got)
		}
	}
}
