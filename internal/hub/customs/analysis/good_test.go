package analysis_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// good are declarations in good order: of an item, what is usual; code, description,
// net and gross kilograms, pounds, origin, pieces or units, packages; and documents.
var good = []struct {
	direction, code, description  string
	net, gross, value             string
	origin, units, packages, kind string
	more                          string // further members of the item
	documents                     string // codes and references
	mode                          string
}{
	{"IMPORT", "8471300000", "Laptop computers, 14 inch", "180", "240", "64000", "CN", "100", "20", "CT", "", "N935=24817 N741=160-12345675", "AIR"},
	{"IMPORT", "8517130000", "Smartphones with charger", "22", "31", "41250.5", "VN", "110", "5", "CT", "", "N935=VN-8812 N740=205-11223344", "AIR"},
	{"IMPORT", "6204633100", "Women's woven trousers of polyester", "900", "1010", "14230", "MA", "1800", "90", "CT", `"preferenceCode":"300"`, "N935=M-100 U110=M-100", "ROAD"},
	{"IMPORT", "6403999690", "Men's leather shoes with rubber soles", "640", "800", "19870", "PT", "800", "80", "CT", `"preferenceCode":"300"`, "N935=PT/77 U116=PT/77 N730=CMR-5", "ROAD"},
	{"IMPORT", "8703231900", "New petrol car, 1598 cc, for export from Japan", "1450", "1450", "17300", "JP", "1", "1", "NE", "", "N935=JPN-1 N705=ONEY123 Y053=NOT-LABELLED", "SEA"},
	{"IMPORT", "9403601000", "Oak dining tables, flat packed", "2400", "2710", "9840", "VN", "", "60", "CT", "", "N935=VN-2 N705=OOLU26", "SEA"},
	{"IMPORT", "4901990000", "Printed paperback novels in English", "5100", "5350", "21400", "CN", "", "12", "PX", "", "N935=PRT-44 N705=MAEU26", "SEA"},
	{"IMPORT", "2204214211", "White wine, Chardonnay, 13% vol", "9000", "14500", "31200", "ZA", "9000", "1000", "CT", `"procedureCode":"0700"`, "N935=CPT-9 C651=26GB00012345678901234", "SEA"},
	{"IMPORT", "0406902190", "Cheddar cheese in blocks of 20 kg", "4000", "4190", "17960", "IE", "", "8", "PX", `"preferenceCode":"300"`, "N935=IE-2 U116=IE-2 N853=GBCHD2026.1234567", "ROAD"},
	{"IMPORT", "0302140000", "Fresh farmed Atlantic salmon, gutted", "5000", "5900", "32700", "NO", "", "250", "BX", "", "N935=NO-8 N853=GBCHD2026.7654321 Y927=FARMED", "ROAD"},
	{"IMPORT", "0805102290", "Navel oranges in cartons", "18000", "19400", "14350", "EG", "", "1200", "CT", "", "N935=EG-3", "SEA"},
	{"IMPORT", "0901210000", "Roasted coffee beans, not decaffeinated", "800", "870", "7420", "IT", "", "80", "CT", `"preferenceCode":"300"`, "N935=IT-5 U117=KNOWLEDGE", "ROAD"},
	{"IMPORT", "1509200000", "Extra virgin olive oil in bottles of 1 litre", "9160", "13200", "62000", "ES", "", "833", "CT", `"preferenceCode":"300"`, "N935=ES-6 U116=ES-6", "ROAD"},
	{"IMPORT", "3004900000", "Paracetamol tablets 500 mg in blister packs", "1200", "1420", "18700", "IN", "", "60", "CT", "", "N935=IN-8", "AIR"},
	{"IMPORT", "3926909790", "Moulded plastic cable clips", "500", "540", "2310", "TW", "", "20", "CT", "", "N935=TW-1", "SEA"},
	{"IMPORT", "3304990000", "Moisturising face cream in jars", "640", "800", "12790", "KR", "", "40", "CT", `"preferenceCode":"300"`, "N935=KR-4 U110=KR-4", "AIR"},
	{"IMPORT", "8418102000", "Household fridge-freezers", "6600", "7300", "24180", "TR", "100", "100", "CT", `"preferenceCode":"300"`, "N935=TR-9 N954=A-123456 Y950=ISOBUTANE", "SEA"},
	{"IMPORT", "7318152100", "Stainless steel hexagon bolts, M8", "1500", "1560", "8120", "TW", "", "60", "CT", "", "N935=TW-3", "SEA"},
	{"IMPORT", "7604299000", "Aluminium profiles, anodised, for windows", "4100", "4260", "17230", "TR", "", "14", "BE", `"preferenceCode":"300"`, "N935=TR-2 N954=A-123457", "ROAD"},
	{"IMPORT", "8712003000", "Bicycles with aluminium frames, 28 inch", "1400", "1750", "21370", "KH", "100", "100", "CT", `"preferenceCode":"200"`, "N935=KH-5 N865=KH-99", "SEA"},
	{"IMPORT", "9102110000", "Wrist watches, quartz, with mechanical display", "9", "14", "18420", "CH", "150", "2", "CT", `"preferenceCode":"300"`, "N935=CH-8 U110=CH-8", "AIR"},
	{"IMPORT", "9503004990", "Plush toy animals", "420", "560", "4987", "CN", "", "70", "CT", "", "N935=CN-2", "SEA"},
	{"IMPORT", "6302210000", "Printed cotton bed linen sets", "2100", "2290", "15930", "PK", "", "140", "CT", `"preferenceCode":"200"`, "N935=PK-2 N865=PK-3", "SEA"},
	{"IMPORT", "4011100000", "New pneumatic car tyres 205/55 R16", "3600", "3640", "15630", "KR", "400", "400", "NE", `"preferenceCode":"300"`, "N935=KR-7 U110=KR-7", "SEA"},
	{"IMPORT", "8708809900", "Shock absorbers for cars", "760", "820", "6140", "DE", "", "38", "CT", `"preferenceCode":"300"`, "N935=DE-5 U116=DE-5", "ROAD"},
	{"IMPORT", "9018390000", "Sterile single-use catheters", "310", "420", "26780", "US", "", "30", "CT", "", "N935=US-1 N740=001-87654321", "AIR"},
	{"IMPORT", "4407919000", "Sawn oak planks, kiln dried", "19000", "19200", "21640", "US", "27.5", "22", "BE", "", "N935=US-2", "SEA"},
	{"IMPORT", "0601101000", "Hyacinth bulbs, dormant", "900", "1020", "4180", "NL", "40000", "60", "CT", `"preferenceCode":"300"`, "N935=NL-3 U116=NL-3 N851=NL/26/1 C085=GBCHD2026.1112223", "ROAD"},
	{"IMPORT", "6109100010", "Children's football shirts from a sample sale", "12", "14", "118.4", "BD", "60", "1", "CT", `"additionalProcedureCodes":["C07"]`, "N935=BD-1", "AIR"},
	{"IMPORT", "9701210000", "Oil painting of 1890, framed, for a gallery", "18", "46", "38500", "FR", "", "1", "CT", "", "N935=FR-1", "ROAD"},

	{"EXPORT", "22083030", "Single malt Scotch whisky in bottles of 70 cl", "1680", "2900", "48720", "GB", "672", "200", "CT", "", "N935=WH-1", "SEA"},
	{"EXPORT", "87032319", "New petrol cars, right-hand drive", "5800", "5800", "91500", "GB", "4", "4", "NE", "", "N935=CAR-2", "SEA"},
	{"EXPORT", "84213985", "Dust extraction filters for workshops", "640", "760", "21970", "GB", "", "8", "CT", "", "N935=F-9", "ROAD"},
	{"EXPORT", "30049000", "Antibiotic tablets for human use, packed for retail", "410", "520", "64280", "GB", "", "25", "CT", "", "N935=MED-1", "AIR"},
	{"EXPORT", "62034235", "Men's cotton trousers, woven", "330", "370", "11890", "GB", "600", "22", "CT", "", "N935=CL-7", "ROAD"},
	{"EXPORT", "94036010", "Oak bookcases for living rooms", "1900", "2150", "18640", "GB", "", "30", "CT", "", "N935=BK-3", "ROAD"},
	{"EXPORT", "04069021", "Mature Cheddar cheese in blocks", "2000", "2110", "13460", "GB", "", "100", "CT", "", "N935=CH-4", "ROAD"},
	{"EXPORT", "49019900", "Printed school books", "1200", "1260", "14330", "GB", "", "60", "CT", "", "N935=SB-5", "SEA"},
	{"EXPORT", "38140090", "Paint thinners in tins of 5 litres", "900", "990", "3170", "GB", "", "180", "CT", "", "N935=PT-6", "ROAD"},
	{"EXPORT", "87089997", "Brake pedals for passenger cars", "140", "160", "2875", "DE", "", "10", "CT", "", "N935=BP-8", "AIR"},
}

// shipments by mode.
func shipment(direction, mode string) string {
	means := map[string]string{
		"SEA": `"portOfEntry":"GBFXT","transportId":"9811000","containers":["MSKU1234565"]`, "AIR": `"portOfEntry":"GBLHR","transportId":"BA117"`,
		"ROAD": `"portOfEntry":"GBDVR","goodsLocation":"GBAUDEUDEUDEUGVM","transportId":"AB24CDE"`,
	}[mode]
	if direction == "EXPORT" {
		means += `,"countryOfDestination":"CA","counterpartyCountry":"CA","exitOffice":"GB000060","carrierEori":"GB025115100010","incoterm":"DAP"`
	} else {
		means += `,"incoterm":"CIP"`
	}
	return `{"transportMode":"` + mode + `","transportNationality":"GB","counterpartyName":"Harbour Partners","counterpartyAddress":"88 Quay Road","counterpartyCity":"Anytown",` + means + `}`
}

func goodCase(t testing.TB, n int) *body {
	g := good[n]
	item := `{"commodityCode":"` + g.code + `","description":"` + g.description + `","netMassKg":` + g.net + `,"grossMassKg":` + g.gross + `,"customsValueGbp":` + g.value +
		`,"countryOfOrigin":"` + g.origin + `","packageCount":` + g.packages + `,"packageType":"` + g.kind + `"`
	if g.units != "" {
		item += `,"supplementaryUnits":` + g.units
	}
	if g.more != "" {
		item += "," + g.more
	}
	c := &body{}
	read(t, `{"declarationType":"`+g.direction+`","items":[`+item+`}],"documents":[`+documents(g.documents)+`]}`, &c.Declaration)
	if strings.Contains(g.more, `"0700"`) {
		read(t, `{"warehouse":{"type":"R","id":"1234567GB"}}`, &c.Declaration)
	}
	read(t, shipment(g.direction, g.mode), &c.Shipment)
	if g.direction == "IMPORT" {
		c.Shipment.CountryOfDispatch, c.Shipment.CounterpartyCountry = g.origin, g.origin
	}
	c.Client = customs.Client{Name: "Mill Lane Traders Ltd", EORI: "GB123456789000", Role: "BOTH", Country: "GB"}
	c.Trader.EORI = "GB987654312000"
	return known(c)
}

func read(t testing.TB, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// A correct declaration gets no warning, for any goods, except about the usual values that it leaves to the service.
func TestGoodDeclarationsDrawNoWarning(t *testing.T) {
	for n := range good {
		for _, f := range judged(goodCase(t, n)).Findings {
			if f.Severity != rules.Info && !isUsual(f) {
				t.Errorf("%s %s: %s %s %s: %s", good[n].code, good[n].description, f.Code, f.Severity, f.Field, f.Message)
			}
		}
	}
}

// isUsual reports whether a finding warns of a usual value.
func isUsual(f rules.Finding) bool {
	return f.Value != "" && f.Severity == rules.Warning && strings.HasPrefix(f.Code, "DEC-2")
}

// A correct declaration gets few notes, because a long list is not read, and a low risk.
func TestGoodDeclarationsDrawFewNotes(t *testing.T) {
	notes := 0
	for n := range good {
		review := judged(goodCase(t, n))
		found := slices.DeleteFunc(review.Findings, isUsual)
		if len(found) > 3 {
			t.Errorf("%s: %d notes: %v", good[n].description, len(found), found)
		}
		if review.RiskScore > 0.25 {
			t.Errorf("%s: the risk is %v", good[n].description, review.RiskScore)
		}
		notes += len(found)
	}
	if notes > 2*len(good) {
		t.Errorf("%d notes on %d declarations", notes, len(good))
	}
}
