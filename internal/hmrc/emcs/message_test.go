package emcs_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
)

// Every kind of message is the same after XML and after JSON, in both versions.
func TestSamplesRoundTrip(t *testing.T) {
	for _, m := range emcs.Samples() {
		if again, err := emcs.Decode(encoded(t, m)); err != nil || !sameMessage(again, m) {
			t.Errorf("%s %s: not the same after writing: %v", m.Kind, m.Version, err)
		}
		if body := viaJSON(t, m); !sameElement(body, m.Body) {
			t.Errorf("%s %s: not the same after JSON", m.Kind, m.Version)
		}
		if found := emcs.Check(m); len(found) > 0 {
			t.Errorf("%s %s: %+v", m.Kind, m.Version, found)
		}
	}
}

func sameMessage(a, b emcs.Message) bool {
	same := sameElement(a.Body, b.Body)
	a.Body, b.Body = nil, nil
	return same && reflect.DeepEqual(a, b)
}

// sameElement compares trees; an empty list of children and none are the same.
func sameElement(a, b *emcs.Element) bool {
	if a == nil || b == nil || a.Name != b.Name || a.Text != b.Text || a.Language != b.Language || len(a.Children) != len(b.Children) {
		return a == b
	}
	for i := range a.Children {
		if !sameElement(a.Children[i], b.Children[i]) {
			return false
		}
	}
	return true
}

const cancellation = `<c:IE810 xmlns:c="urn:publicid:-:EC:DGTAXUD:EMCS:PHASE4:IE810:V3.13" xmlns="urn:publicid:-:EC:DGTAXUD:EMCS:PHASE4:TMS:V3.13">
<c:Header><MessageSender>NDEA.GB</MessageSender><MessageRecipient>NDEA.GB</MessageRecipient><DateOfPreparation>2026-11-27</DateOfPreparation><TimeOfPreparation>09:00:00</TimeOfPreparation><MessageIdentifier>1</MessageIdentifier></c:Header>
<c:Body><c:CancellationOfEAD><c:Attributes/><c:ExciseMovementEad><c:AdministrativeReferenceCode>26GB00000000003789214</c:AdministrativeReferenceCode></c:ExciseMovementEad>
<c:Cancellation><c:CancellationReasonCode>0</c:CancellationReasonCode><c:ComplementaryInformation language="en"> two
 lines &amp; more </c:ComplementaryInformation></c:Cancellation></c:CancellationOfEAD></c:Body></c:IE810>`

// White space around values and between words is that of the schema's token type.
func TestReading(t *testing.T) {
	m, err := emcs.Decode([]byte(cancellation))
	if err != nil || m.Kind != emcs.Cancellation || m.Version != emcs.V313 || m.Header.Sender != "NDEA.GB" {
		t.Fatalf("%+v, %v", m, err)
	}
	if got := m.Body.Value("Cancellation", "ComplementaryInformation"); got != "two lines & more" {
		t.Errorf("%q", got)
	}
	again := encoded(t, m)
	if second := encoded(t, m); string(again) != string(second) || !strings.Contains(string(again), `language="en">two lines &amp; more<`) {
		t.Errorf("%s", again)
	}
}

// What is not well-formed, not a message, of another version or of another structure is refused with its reason.
func TestWhatIsRefused(t *testing.T) {
	for _, c := range []struct {
		from, to string
		reason   error
	}{
		{"IE810", "IE811", emcs.ErrMessage},
		{"DGTAXUD", "OTHER", emcs.ErrMessage},
		{"V3.13", "V3.24", emcs.ErrVersion},
		{"<c:Attributes/>", `<Attributes xmlns="urn:other"/>`, emcs.ErrStructure},
		{"CancellationOfEAD", "CancellationOfESAD", emcs.ErrStructure},
		{"c:Body", "c:Bodies", emcs.ErrStructure},
		{"<c:Header>", "<!DOCTYPE x><c:Header>", safexml.ErrDoctype},
		{"</c:Header>", "", safexml.ErrSyntax},
	} {
		if _, err := emcs.Decode([]byte(strings.ReplaceAll(cancellation, c.from, c.to))); !errors.Is(err, c.reason) {
			t.Errorf("%s → %s: %v", c.from, c.to, err)
		}
	}
	const half = len(cancellation) / 2
	if _, err := emcs.Decode([]byte(cancellation[:half])); !errors.Is(err, safexml.ErrSyntax) {
		t.Errorf("half a message: %v", err)
	}
	many := strings.Replace(cancellation, "<c:Attributes/>", strings.Repeat("<c:Attributes/>", 400_001), 1)
	if _, err := emcs.Decode([]byte(many)); !errors.Is(err, emcs.ErrStructure) {
		t.Errorf("too many elements: %v", err)
	}
}

// The error of a version says which versions are known.
func TestUnknownVersionIsNamed(t *testing.T) {
	_, err := emcs.Decode([]byte(strings.ReplaceAll(cancellation, "V3.13", "V9.99")))
	if err == nil || !strings.Contains(err.Error(), "V9.99") || !strings.Contains(err.Error(), "V3.23") {
		t.Error(err)
	}
}

// Each break of the schema is a finding with its location and our field.
func TestSchemaFindings(t *testing.T) {
	for _, c := range []struct{ from, to, location, field string }{
		{"<c:CancellationReasonCode>0</c:CancellationReasonCode>", "", "/urn:Cancellation[1]/urn:CancellationReasonCode[1]", ".cancellation.cancellationReasonCode"},
		{"<c:CancellationReasonCode>0", "<c:CancellationReasonCode>12", "/urn:Cancellation[1]/urn:CancellationReasonCode[1]", ".cancellation.cancellationReasonCode"},
		{"26GB", "26gb", "/urn:ExciseMovementEad[1]/urn:AdministrativeReferenceCode[1]", ".exciseMovementEad.administrativeReferenceCode"},
		{` language="en"`, "", "/urn:Cancellation[1]/urn:ComplementaryInformation[1]", ".cancellation.complementaryInformation"},
		{`"en"`, `"EN"`, "/urn:Cancellation[1]/urn:ComplementaryInformation[1]", ".cancellation.complementaryInformation"},
		{"<c:Attributes/>", "<c:Attributes/><c:Attributes/>", "/urn:Attributes[2]", ".attributes"},
		{"<c:Attributes/>", "<c:Attributes/><c:Colour/>", "", ""},
		{"<c:Attributes/>", "", "/urn:Attributes[1]", ".attributes"},
	} {
		m, err := emcs.Decode([]byte(strings.ReplaceAll(cancellation, c.from, c.to)))
		if err != nil {
			t.Fatal(err)
		}
		found := emcs.Check(m)
		if len(found) != 1 || found[0].Location != "/urn:IE810[1]/urn:Body[1]/urn:CancellationOfEAD[1]"+c.location || found[0].Field != "message.cancellationOfEAD"+c.field {
			t.Errorf("%s → %s: %+v", c.from, c.to, found)
		}
	}
}

// Values are accepted in the forms of the schema alone.
func TestForms(t *testing.T) {
	for edit, valid := range map[string]bool{
		"BodyEadEsad/Quantity=123456789012345": true, "BodyEadEsad/Quantity=1234567890123456": false, "BodyEadEsad/Quantity=0.001": true, "BodyEadEsad/Quantity=0.0001": false,
		"BodyEadEsad/Quantity=0.000": false, "BodyEadEsad/Quantity=0": false, "BodyEadEsad/Quantity=01": false, "BodyEadEsad/Quantity=1.": false, "BodyEadEsad/Quantity=.5": false,
		"BodyEadEsad/Quantity=-1": false, "BodyEadEsad/Quantity=1e3": false, "BodyEadEsad/Quantity=1,5": false, "BodyEadEsad/Quantity=100.000": true,
		"BodyEadEsad/GrossMass=1.123456": true, "BodyEadEsad/GrossMass=1.1234567": false, "BodyEadEsad/CnCode=2208303": false, "BodyEadEsad/CnCode=2208303a": false,
		"BodyEadEsad/BodyRecordUniqueReference=0": false, "BodyEadEsad/BodyRecordUniqueReference=1000": false, "BodyEadEsad/Package/NumberOfPackages=0": true, "BodyEadEsad/Package/NumberOfPackages=00": false,
		"HeaderEadEsad/JourneyTime=H24": true, "HeaderEadEsad/JourneyTime=H25": false, "HeaderEadEsad/JourneyTime=D92": true, "HeaderEadEsad/JourneyTime=D93": false,
		"EadEsadDraft/DateOfDispatch=2026-02-29": false, "EadEsadDraft/DateOfDispatch=2028-02-29": true, "EadEsadDraft/TimeOfDispatch=24:01:00": false, "EadEsadDraft/TimeOfDispatch=12:00": false,
		"EadEsadDraft/TimeOfDispatch=12:00:00.5": true, "EadEsadDraft/OriginTypeCode=4": false, "ConsignorTrader/TraderExciseNumber=gbWK002281023": false,
		"ConsignorTrader/City=" + strings.Repeat("é", 50): true, "ConsignorTrader/City=" + strings.Repeat("é", 51): false,
	} {
		m := emcstest.Draft(emcs.V323, time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC))
		emcstest.Edit(m.Body, edit)
		if found := emcs.Check(m); (len(found) == 0) != valid {
			t.Errorf("%s: %+v", edit, found)
		}
	}
}

// A message with an element that its schema does not have is not written.
func TestUnknownElementsAreNotWritten(t *testing.T) {
	m, _ := emcs.Decode([]byte(strings.ReplaceAll(cancellation, "<c:Attributes/>", "<c:Attributes/><c:Colour/>")))
	if _, err := emcs.Encode(m); !errors.Is(err, emcs.ErrStructure) || !strings.Contains(err.Error(), "Colour") {
		t.Error(err)
	}
	for _, wrong := range []emcs.Message{{Kind: "IE811", Version: emcs.V313}, {Kind: emcs.Draft, Version: "V1"}, {Kind: emcs.Draft, Version: emcs.V313}} {
		if _, err := emcs.Encode(wrong); err == nil {
			t.Errorf("%s %s was written", wrong.Kind, wrong.Version)
		}
	}
}

// In JSON, numbers keep their digits, booleans are flags, and a string in place of a text with a language is English.
func TestShortForms(t *testing.T) {
	body, faults := emcs.FromJSON(emcs.Receipt, emcs.V323, []byte(`{"acceptedOrRejectedReportOfReceiptExport": {"reportOfReceiptExport": {"globalConclusionOfReceipt": 2, "complementaryInformation": "Late"},
		"bodyReportOfReceiptExport": [{"observedShortageOrExcess": 12.50}], "destinationOffice": null}}`))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	text := body.At("ReportOfReceiptExport", "ComplementaryInformation")
	if body.Value("ReportOfReceiptExport", "GlobalConclusionOfReceipt") != "2" || body.Value("BodyReportOfReceiptExport", "ObservedShortageOrExcess") != "12.50" ||
		text.Text != "Late" || text.Language != "en" || body.At("DestinationOffice") != nil {
		t.Errorf("%+v", body)
	}
}

// Every fault of a JSON form is named with its field.
func TestFaultsOfJSON(t *testing.T) {
	_, faults := emcs.FromJSON(emcs.Draft, emcs.V313, []byte(`{"colour": 1, "submittedDraftOfEADESAD": {"attributes": "1", "bodyEadEsad": {"quantity": "1"}, "Colour": 2,
		"transportDetails": [{"transportUnitCode": ["1"]}, null], "consignorTrader": {"language": 1}, "headerEadEsad": {"journeyTime": {"value": "D01"}}}}`))
	want := []string{
		"colour", "submittedDraftOfEADESAD.Colour", "submittedDraftOfEADESAD.attributes", "submittedDraftOfEADESAD.consignorTrader.language",
		"submittedDraftOfEADESAD.headerEadEsad.journeyTime", "submittedDraftOfEADESAD.bodyEadEsad", "submittedDraftOfEADESAD.transportDetails[0].transportUnitCode",
		"submittedDraftOfEADESAD.transportDetails[1]",
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.Field)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	for _, text := range []string{"", "[]", "null", "{} {}", `{}`, `{"submittedDraftOfEADESAD": 1}`, `{"submittedDraftOfEADESAD": {"attributes": {}, "attributes": {}}}`} {
		if body, faults := emcs.FromJSON(emcs.Draft, emcs.V313, []byte(text)); len(faults) == 0 || body != nil {
			t.Errorf("%q was read", text)
		}
	}
}

// Locations of HMRC's are our fields, with any prefix, as far as the schema knows them.
func TestFields(t *testing.T) {
	for location, want := range map[string]string{
		"/urn:IE815[1]/urn:Body[1]/urn:SubmittedDraftOfEADESAD[1]/urn:BodyEadEsad[2]/urn:Package[3]/urn:KindOfPackages[1]":                        "message.submittedDraftOfEADESAD.bodyEadEsad[1].package[2].kindOfPackages",
		"/con:Control[1]/con:Parameter[1]/ie:IE815[1]/ie:Body[1]/ie:SubmittedDraftOfEADESAD[1]/ie:EadEsadDraft[1]/ie:ImportCustomsDeclaration[1]": "message.submittedDraftOfEADESAD.eadEsadDraft.importCustomsDeclaration[0]",
		"IE815/Body/SubmittedDraftOfEADESAD/TransportDetails":                                                                                     "message.submittedDraftOfEADESAD.transportDetails[0]",
		"/urn:IE815/urn:Body/urn:SubmittedDraftOfEADESAD/urn:Colour":                                                                              "message.submittedDraftOfEADESAD",
		"/urn:IE813[1]/urn:Body[1]/urn:ChangeOfDestination[1]":                                                                                    "message.changeOfDestination",
		"/urn:IE999[1]/urn:Body[1]":   "",
		"/urn:IE815[1]/urn:Header[1]": "",
		"token":                       "", "": "", "/urn:IE815[1]/urn:Body[1]": "", "///[": "",
	} {
		if got := emcs.Field(location); got != want {
			t.Errorf("%s: %s", location, got)
		}
	}
}

// A draft can be sent in either version: the element of the import's declaration has another name in each.
func TestOtherVersion(t *testing.T) {
	for _, m := range emcs.Samples() {
		if m.Kind != emcs.Draft || m.Version != emcs.V313 {
			continue
		}
		newer := m.As(emcs.V323)
		if found := emcs.Check(newer); len(found) > 0 || !sameMessage(newer.As(emcs.V313), m) {
			t.Errorf("%+v", found)
		}
	}
}

// Reading is safe with any bytes, and what is read and valid can be written and read again.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(cancellation))
	for _, m := range emcs.Samples() {
		data, err := emcs.Encode(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := emcs.Decode(data)
		if err != nil || len(emcs.Check(m)) > 0 {
			return
		}
		if again, err := emcs.Decode(encoded(t, m)); err != nil || count(again.Body) != count(m.Body) || len(emcs.Check(again)) > 0 {
			t.Errorf("%v", err)
		}
	})
}

// FuzzJSON: any JSON is either read and can be shown again, or has faults.
func FuzzJSON(f *testing.F) {
	for _, m := range emcs.Samples() {
		text, err := m.JSON()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(m.Kind), text)
	}
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		body, faults := emcs.FromJSON(emcs.Kind(kind), emcs.V323, data)
		if (body == nil) != (len(faults) > 0) {
			t.Fatalf("%v", faults)
		}
		if body == nil {
			return
		}
		m := emcs.Message{Kind: emcs.Kind(kind), Version: emcs.V323, Body: body}
		if text, err := m.JSON(); err != nil || len(text) == 0 {
			t.Error(err)
		}
	})
}

// largeDraft is a draft with every element, and texts of the greatest length.
func largeDraft() emcs.Message {
	for _, m := range emcs.Samples() {
		if m.Kind == emcs.Draft && m.Version == emcs.V323 && m.Header.Correlation != "" {
			return m
		}
	}
	panic("no draft")
}

func BenchmarkDecode(b *testing.B) {
	data, err := emcs.Encode(largeDraft())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := emcs.Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	m := largeDraft()
	for b.Loop() {
		if _, err := emcs.Encode(m); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleMessage_JSON() {
	m, err := emcs.Decode([]byte(cancellation))
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := m.JSON()
	fmt.Println(string(text))
	// Output: {"cancellationOfEAD":{"attributes":{},"exciseMovementEad":{"administrativeReferenceCode":"26GB00000000003789214"},"cancellation":{"cancellationReasonCode":"0","complementaryInformation":{"value":"two lines & more","language":"en"}}}}
}

// BenchmarkEachMessage encodes and decodes an example of each message in each version.
func BenchmarkEachMessage(b *testing.B) {
	for _, m := range emcs.Samples() {
		b.Run(fmt.Sprint(m.Version, "/", m.Kind), func(b *testing.B) {
			for b.Loop() {
				data, err := emcs.Encode(m)
				if err == nil {
					_, err = emcs.Decode(data)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
