package ics2_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// oranges are a filing in flat fields, with a lorry on a ferry.
func oranges() *ics2.Filing {
	mass, packages, arrival := quantity.MustMass("1250.5"), int64(60), time.Date(2026, 6, 10, 14, 0, 0, 0, time.FixedZone("", 3600))
	return &ics2.Filing{
		FilingType: ics2.Road, ModeOfTransport: "10", CarrierName: "Channel Haulage Ltd", CarrierEORI: "gb 333333333000", ConsignorName: "Huertas SL",
		ConsigneeName: "Fruit Ltd", ConsigneeEORI: "GB222222222000", TransportDocNumber: "CMR-77", PortOfLoading: "FR CQF", PortOfUnloading: "GBDVR",
		EstimatedArrival: &arrival, TotalPackages: &packages, TotalGrossMassKg: &mass, GoodsDescription: "Fresh oranges", CommodityCodes: []string{"0805 10 00 10"},
	}
}

var added = ics2.Facts{
	Header: ens.Header{Sender: "GB123456789000/0000000001", PreparedOn: "260610", PreparedAt: "0930", ID: "M1", Type: schema.Declaration},
	LRN:    "LRN1", EORI: "GB123456789000", Declared: "202606100930",
}

// rest is what a declaration needs besides the flat fields.
const rest = `{"hEAHEA":{"ideOfMeaOfTraCroHEA85":"AB12CDE","natOfMeaOfTraCroHEA87":"FR"},
	"tRACONCO1":{"strAndNumCO122":"Calle Mayor 1","posCodCO123":"30001","citCO124":"Murcia","couCO125":"ES"},
	"gOOITEGDS":[{"pACGS2":[{"kinOfPacGS23":"CT","marNumOfPacGSL21":"HM 1-60"}]}],
	"iTI":[{"couOfRouCodITI1":"ES"},{"couOfRouCodITI1":"FR"}],"cUSOFFFENT730":{"refNumCUSOFFFENT731":"GB000060"}}`

func parse(t *testing.T, content string) *ens.Message {
	t.Helper()
	m, err := ens.Parse(schema.Declaration, ens.Header{}, []byte(content), "message")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Flat fields and the rest of the message are one declaration that HMRC would take, and neither form changes the other.
func TestDraft(t *testing.T) {
	given := parse(t, rest)
	before := string(given.JSON())
	drafted := ics2.Draft(oranges(), given, added)
	if found := ics2.CheckGB(oranges(), drafted); len(found) > 0 {
		t.Errorf("%v", found)
	}
	for path, want := range map[string]string{
		"HEAHEA/TraModAtBorHEA76": "10", "HEAHEA/TotNumOfIteHEA305": "1", "HEAHEA/TotNumOfPacHEA306": "60", "HEAHEA/TotGroMasHEA307": "1250.5",
		"HEAHEA/PlaLoaGOOITE334": "FRCQF", "TRACONCO1/NamCO17": "Huertas SL", "TRACONCE1/TINCE159": "GB222222222000", "TRACARENT601/TINTRACARENT602": "GB333333333000",
		"GOOITEGDS/PRODOCDC2/DocTypDC21": "N730", "GOOITEGDS/PRODOCDC2/DocRefDC23": "CMR-77", "GOOITEGDS/COMCODGODITM/ComNomCMD1": "08051000",
		"GOOITEGDS/PACGS2/NumOfPacGS24": "60", "CUSOFFFENT730/ExpDatOfArrFIRENT733": "202606101300", "PERLODSUMDEC/TINPLD1": "GB123456789000",
	} {
		if text, _ := drafted.Text(path); text != want {
			t.Errorf("%s: %q, want %q", path, text, want)
		}
	}
	for _, path := range []string{"TRACONCE1/NamCE17", "TRACARENT601/NamTRACARENT604", "TRACONCO1/TINCO159"} {
		if text, ok := drafted.Text(path); ok {
			t.Errorf("%s: %q", path, text)
		}
	}
	if string(given.JSON()) != before {
		t.Errorf("the message given became %s", given.JSON())
	}
}

// What HMRC would find has its number, and the field in which the filing gives it: flat if it was given there.
func TestCheckGB(t *testing.T) {
	f := oranges()
	f.ConsignorEORI, f.TransportDocNumber = "ES12345678901234567", strings.Repeat("7", 36)
	found := ics2.CheckGB(f, ics2.Draft(f, parse(t, rest), added))
	var fields []string
	for _, finding := range found {
		fields = append(fields, finding.Code+" "+finding.Field)
	}
	want := []string{"ENS-4083 consignorEori", "ENS-4065 consignorEori", "ENS-4085 transportDocNumber", "ENS-4065 transportDocNumber"}
	if !slices.Equal(fields, want) {
		t.Errorf("%q, want %q", fields, want)
	}
	drafted := ics2.Draft(oranges(), parse(t, strings.Replace(rest, "marNumOfPacGSL21", "marNumOfPacGSL21LNG", 1)), added)
	found = ics2.CheckGB(oranges(), drafted)
	if len(found) != 2 || found[0].Field != "message.gOOITEGDS[0].pACGS2[0].marNumOfPacGSL21LNG" || found[0].Number != 4085 {
		t.Errorf("%+v", found)
	}
	without := strings.Replace(rest, `,"marNumOfPacGSL21":"HM 1-60"`, "", 1)
	found = ics2.CheckGB(oranges(), ics2.Draft(oranges(), parse(t, without), added))
	if len(found) != 1 || found[0].Code != "ENS-8152" || found[0].Field != "message.gOOITEGDS[0].pACGS2[0]" || found[0].Location != "/ie:CC315A[1]/GOOITEGDS[1]/PACGS2[1]" {
		t.Errorf("%+v", found)
	}
}

// A fact in both forms is a conflict, and flat goods beside a message of several items.
func TestConflicts(t *testing.T) {
	for content, want := range map[string]string{
		rest: "[]",
		`{"hEAHEA":{"traModAtBorHEA76":"10","totGroMasHEA307":"1"}}`: "[{modeOfTransport hEAHEA.traModAtBorHEA76} {totalGrossMassKg hEAHEA.totGroMasHEA307}]",
		`{"tRACONCE1":{"namCE17":"x"}}`:                              "[]",
		`{"gOOITEGDS":[{"pRODOCDC2":[{"docRefDC23":"x"}]}]}`:         "[{transportDocNumber gOOITEGDS[0].pRODOCDC2[0].docRefDC23}]",
		`{"gOOITEGDS":[{},{}]}`: "[{goodsDescription gOOITEGDS[0].gooDesGDS23} {transportDocNumber gOOITEGDS[0].pRODOCDC2[0].docRefDC23} " +
			"{commodityCodes gOOITEGDS[0].cOMCODGODITM.comNomCMD1} {totalPackages gOOITEGDS[0].pACGS2[0].numOfPacGS24}]",
	} {
		if found := fmt.Sprint(ics2.Conflicts(oranges(), parse(t, content))); found != want {
			t.Errorf("%s: %s, want %s", content, found, want)
		}
	}
	if found := ics2.Conflicts(&ics2.Filing{}, parse(t, `{"hEAHEA":{"traModAtBorHEA76":"10"}}`)); len(found) > 0 {
		t.Errorf("without flat fields: %v", found)
	}
}

// A filing with every fact in its message needs no flat fields.
func TestMessageAlone(t *testing.T) {
	whole := ics2.Draft(oranges(), parse(t, rest), added)
	again := ics2.Draft(&ics2.Filing{}, parse(t, string(whole.JSON())), added)
	if string(again.XML()) != string(whole.XML()) {
		t.Errorf("%s", again.XML())
	}
}
