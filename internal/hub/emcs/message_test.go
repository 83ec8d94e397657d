package emcs_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	hmrc "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/rulebook"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
)

// The flat fields are in the IE815, in its forms, and with what follows from them.
func TestFlatFieldsInDraft(t *testing.T) {
	m := whisky()
	m.DispatcherNumber, m.PackageType = "gbwk 0022 81023", "cartons"
	body := emcs.Draft(m, nil, "LRN1")
	for path, want := range map[string]string{
		"ConsignorTrader/TraderExciseNumber": "GBWK002281023", "ConsignorTrader/TraderName": m.DispatcherName,
		"ConsigneeTrader/Traderid": m.ConsigneeNumber, "ConsigneeTrader/TraderName": m.ConsigneeName,
		"BodyEadEsad/BodyRecordUniqueReference": "1", "BodyEadEsad/ExciseProductCode": "S200", "BodyEadEsad/CommercialDescription": m.ProductDescription,
		"BodyEadEsad/Quantity": m.Litres.String(), "BodyEadEsad/NetMass": m.Kilograms.String(), "BodyEadEsad/AlcoholicStrengthByVolumeInPercentage": "40",
		"BodyEadEsad/Package/KindOfPackages": "CT", "BodyEadEsad/Package/NumberOfPackages": "1500",
		"TransportDetails/TransportUnitCode": "2", "TransportDetails/IdentityOfTransportUnits": m.VehicleReg, "HeaderEadEsad/JourneyTime": "D02",
		"HeaderEadEsad/DestinationTypeCode": "1", "EadEsadDraft/LocalReferenceNumber": "LRN1", "EadEsadDraft/OriginTypeCode": "1", "Attributes/SubmissionMessageType": "1",
		"EadEsadDraft/DateOfDispatch": m.DispatchAt.Format("2006-01-02"), "EadEsadDraft/TimeOfDispatch": m.DispatchAt.Format("15:04:05"),
	} {
		if got := body.Value(strings.Split(path, "/")...); got != want {
			t.Errorf("%s: %q, not %q", path, got, want)
		}
	}
	if again := emcs.Draft(m, nil, "LRN1"); !reflect.DeepEqual(again, body) {
		t.Error("the same movement gives another draft")
	}
}

// Flat fields alone do not suffice: each thing that is missing is named, by its flat field where there is one.
func TestMissingFields(t *testing.T) {
	m := whisky()
	m.Strength, m.JourneyDays, m.Kilograms = nil, count(0), nil
	var got []string
	for _, missing := range emcs.MissingFields(m, nil, "LRN1", hmrc.V323, now) {
		got = append(got, strings.TrimPrefix(missing.Field, "message.submittedDraftOfEADESAD."))
	}
	want := strings.Fields(`consigneeTrader.streetName consigneeTrader.postcode consigneeTrader.city consignorTrader.streetName consignorTrader.postcode consignorTrader.city
		competentAuthorityDispatchOffice expectedJourneyTime headerEadEsad.transportArrangement transportMode movementGuarantee bodyEadEsad[0].cnCode bodyEadEsad[0].grossMass quantityKg
		eadEsadDraft.invoiceNumber deliveryPlaceTrader placeOfDispatchTrader.referenceOfTaxWarehouse firstTransporterTrader`)
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

// rest is a draft without the facts that a movement has in flat fields.
func rest() *hmrc.Element {
	body := emcstest.Draft(hmrc.V323, now).Body
	emcstest.Edit(body, "-ConsignorTrader/TraderName", "-ConsignorTrader/TraderExciseNumber", "-ConsigneeTrader/TraderName", "-ConsigneeTrader/Traderid", "-BodyEadEsad/ExciseProductCode",
		"-BodyEadEsad/CommercialDescription", "-BodyEadEsad/Quantity", "-BodyEadEsad/NetMass", "-BodyEadEsad/AlcoholicStrengthByVolumeInPercentage", "-BodyEadEsad/Package/KindOfPackages",
		"-BodyEadEsad/Package/NumberOfPackages", "-TransportDetails/IdentityOfTransportUnits", "-HeaderEadEsad/JourneyTime", "-EadEsadDraft/DateOfDispatch", "-EadEsadDraft/TimeOfDispatch")
	return body
}

// Flat fields and the rest of the data set together are a draft that HMRC's rules accept, and no fact is given twice.
func TestFlatFieldsAndDataSet(t *testing.T) {
	m, given := whisky(), rest()
	if found := emcs.Conflicts(m, given); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	if missing := emcs.MissingFields(m, given, "LRN1", hmrc.V323, now); len(missing) > 0 {
		t.Errorf("%+v", missing)
	}
	draft := hmrc.Message{Kind: hmrc.Draft, Version: hmrc.V323, Header: hmrc.NewHeader("GB", "GB", now, "1"), Body: emcs.Draft(m, given, "LRN1")}
	if found := rulebook.Check(draft, now); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	if _, err := hmrc.Encode(draft); err != nil {
		t.Error(err)
	}
	if given.At("ConsignorTrader", "TraderName") != nil {
		t.Error("the data set was changed")
	}
}

// The document that is sent has a header between the administrations of both traders, and is the same each time.
func TestDocument(t *testing.T) {
	m := whisky()
	m.ConsigneeNumber = "XIWK000467015"
	data, err := emcs.Document(m, rest(), "LRN1", hmrc.V323, now, "TW-1")
	if err != nil {
		t.Fatal(err)
	}
	read, err := hmrc.Decode(data)
	if err != nil || read.Header != hmrc.NewHeader("GB", "XI", now, "TW-1") || read.Body.Value("EadEsadDraft", "LocalReferenceNumber") != emcstest.LRN {
		t.Errorf("%+v, %v", read.Header, err)
	}
	if again, err := emcs.Document(m, rest(), "LRN1", hmrc.V323, now, "TW-1"); err != nil || string(again) != string(data) {
		t.Errorf("%v", err)
	}
	m.ConsigneeNumber = ""
	if data, err = emcs.Document(m, rest(), "LRN1", hmrc.V323, now, "TW-1"); err != nil || !strings.Contains(string(data), "<tms:MessageRecipient>NDEA.GB<") {
		t.Errorf("%s, %v", data, err)
	}
}

// A fact in both forms is a conflict that names both fields, and so are flat goods beside several items.
func TestConflicts(t *testing.T) {
	m, given := whisky(), rest()
	emcstest.Edit(given, "ConsigneeTrader/Traderid=GBWK240176600", "HeaderEadEsad/JourneyTime=D02")
	want := []emcs.Conflict{
		{Field: "consigneeExciseNumber", Message: "message.submittedDraftOfEADESAD.consigneeTrader.traderid"},
		{Field: "expectedJourneyTime", Message: "message.submittedDraftOfEADESAD.headerEadEsad.journeyTime"},
	}
	if got := emcs.Conflicts(m, given); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	given = rest()
	emcstest.Edit(given, "BodyEadEsad[2]/BodyRecordUniqueReference=2")
	var fields []string
	for _, c := range emcs.Conflicts(m, given) {
		fields = append(fields, c.Field)
	}
	if want := strings.Fields("productCode productDescription quantityLitres quantityKg alcoholAbv packageType numberOfPackages"); !slices.Equal(fields, want) {
		t.Errorf("%q", fields)
	}
	if body := emcs.Draft(m, given, "LRN1"); body.At("BodyEadEsad", "ExciseProductCode") != nil {
		t.Error("flat goods went into one of several items")
	}
}

// A draft of another system is imported whole, in either version, and composing it again gives the same.
func TestImport(t *testing.T) {
	for _, v := range hmrc.Versions() {
		original := emcstest.Draft(v, now)
		data, err := hmrc.Encode(original)
		if err != nil {
			t.Fatal(err)
		}
		m, imported, err := emcs.Import(data)
		if err != nil || m.Category != emcs.Alcohol || m.Route != emcs.Domestic || m.ProductCode != "" || imported.Version != v {
			t.Fatalf("%+v, %v", m, err)
		}
		again, err := hmrc.Encode(hmrc.Message{Kind: hmrc.Draft, Version: v, Header: original.Header, Body: emcs.Draft(m, imported.Body, "OTHER")})
		if err != nil || string(again) != string(data) {
			t.Errorf("%v\n%s\n%s", err, again, data)
		}
		if found := emcs.Conflicts(m, imported.Body); len(found) > 0 {
			t.Errorf("%+v", found)
		}
	}
}

// Other messages, other versions and files that are not XML are not imported.
func TestImportRefuses(t *testing.T) {
	change, err := hmrc.Encode(emcstest.Change(hmrc.V313, now))
	if err != nil {
		t.Fatal(err)
	}
	draft, err := hmrc.Encode(emcstest.Draft(hmrc.V313, now))
	if err != nil {
		t.Fatal(err)
	}
	for text, reason := range map[string]error{
		string(change): hmrc.ErrMessage, strings.ReplaceAll(string(draft), "V3.13", "V3.99"): hmrc.ErrVersion, "<a/>": hmrc.ErrMessage, "IE815": nil, "": nil,
	} {
		if _, _, err := emcs.Import([]byte(text)); err == nil || reason != nil && !errors.Is(err, reason) {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}

// The summary of a data set has the flat fields that it was made from.
func TestSummary(t *testing.T) {
	m := whisky()
	got := emcs.Summary(emcs.Draft(m, rest(), "LRN1"))
	want := *m
	want.ConsigneeCountry, want.Labels = "", got.Labels
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("%+v, not %+v", *got, want)
	}
	several := emcs.Draft(m, rest(), "LRN1")
	emcstest.Edit(several, "BodyEadEsad[2]/BodyRecordUniqueReference=2")
	if s := emcs.Summary(several); s.Litres != nil || s.Packages != nil || s.ProductCode != "S200" {
		t.Errorf("%+v", s)
	}
	if s := emcs.Summary(nil); s.Route != "" || s.Litres != nil {
		t.Errorf("%+v", s)
	}
}

// A location of HMRC's leads to the flat field if the fact stands there, and else into the data set.
func TestFlatFieldOfLocation(t *testing.T) {
	const root = "/urn:IE815[1]/urn:Body[1]/urn:SubmittedDraftOfEADESAD[1]"
	for location, want := range map[string]string{
		root + "/urn:EadEsadDraft[1]/urn:DateOfDispatch[1]":                 "scheduledDispatchAt",
		root + "/urn:BodyEadEsad[1]/urn:Package[1]/urn:NumberOfPackages[1]": "numberOfPackages",
		root + "/urn:BodyEadEsad[2]/urn:Package[1]/urn:NumberOfPackages[1]": "message.submittedDraftOfEADESAD.bodyEadEsad[1].package[0].numberOfPackages",
		root + "/urn:BodyEadEsad[1]/urn:CnCode[1]":                          "message.submittedDraftOfEADESAD.bodyEadEsad[0].cnCode",
		root + "/urn:ConsigneeTrader[1]/urn:Traderid[1]":                    "message.submittedDraftOfEADESAD.consigneeTrader.traderid",
		"token": "",
	} {
		given := &hmrc.Element{Name: "SubmittedDraftOfEADESAD"}
		emcstest.Edit(given, "ConsigneeTrader/Traderid=GBWK240176600")
		if got := emcs.FlatField(location, given); got != want {
			t.Errorf("%s: %s", location, got)
		}
	}
}
