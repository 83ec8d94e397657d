package followup_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/followup"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/rulebook"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var now = time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)

func movement(t *testing.T) followup.Movement {
	t.Helper()
	m, err := followup.Of(emcstest.Acceptance(now, 2, "2026-11-26"))
	if err != nil || m.ARC() != emcstest.ARC {
		t.Fatalf("%v, %v", m, err)
	}
	return m
}

func amount(text string) *quantity.Number {
	n := quantity.MustNumber(text)
	return &n
}

// bodies are messages of each kind, by a name.
func bodies(m followup.Movement) map[string]emcs.Message {
	damaged, other := followup.GivenReason{Code: "2"}, followup.GivenReason{Code: "0", Information: "Something else"}
	place := &followup.TraderAddress{ID: "GB00000000001", Name: "Bond", Street: "Quay", Postcode: "DD1 1AA", City: "Dundee"}
	consignee := *place
	consignee.ID = "GBWK000099999"
	message := func(kind emcs.Kind, body *emcs.Element) emcs.Message { return emcs.Message{Kind: kind, Body: body} }
	return map[string]emcs.Message{
		"all received": message(emcs.Receipt, m.Receipt(followup.ReceiptReport{Conclusion: 1, ArrivedOn: "2026-11-27"})),
		"excess":       message(emcs.Receipt, m.Receipt(followup.ReceiptReport{Conclusion: 2, ArrivedOn: "2026-11-27", Items: []followup.ReceivedItem{{Item: 1, Excess: amount("2.5"), Reasons: []followup.GivenReason{damaged}}}})),
		"refused":      message(emcs.Receipt, m.Receipt(followup.ReceiptReport{Conclusion: 3, ArrivedOn: "2026-11-27", Items: []followup.ReceivedItem{{Item: 1, Reasons: []followup.GivenReason{other}}}})),
		"partly refused": message(emcs.Receipt, m.Receipt(followup.ReceiptReport{Conclusion: 4, ArrivedOn: "2026-11-27", Information: "Half", Office: "GB000001",
			Items: []followup.ReceivedItem{{Item: 1, Shortage: amount("1"), Refused: amount("0.125"), Reasons: []followup.GivenReason{damaged, other}}}})),
		"alert":          message(emcs.Alert, m.Alert(followup.ArrivalAlert{On: "2026-11-27"})),
		"rejection":      message(emcs.Alert, m.Alert(followup.ArrivalAlert{On: "2026-11-27", Rejected: true, Reasons: []followup.GivenReason{damaged}})),
		"cancellation":   message(emcs.Cancellation, m.Cancellation(other)),
		"consignor late": message(emcs.Delay, m.Delay(followup.DelayExplanation{By: followup.Consignor, Explanation: damaged, About: followup.LateDestination})),
		"consignee late": message(emcs.Delay, m.Delay(followup.DelayExplanation{By: followup.Consignee, Explanation: other, About: followup.LateReceipt})),
		"whole":          message(emcs.Shortage, m.Shortage(followup.ShortageExplanation{By: followup.Consignor, AnalysedOn: "2026-11-27", Explanation: "Evaporated"})),
		"item":           message(emcs.Shortage, m.Shortage(followup.ShortageExplanation{By: followup.Consignee, Items: []followup.ExplainedItem{{Item: 1, Explanation: "Broken", Actual: amount("8000")}}})),
		"new consignee":  message(emcs.DestinationChange, m.Destination(followup.DestinationChange{Type: "1", Consignee: &consignee, Place: place, JourneyDays: 3})),
		"new office":     message(emcs.DestinationChange, m.Destination(followup.DestinationChange{Type: "6", Office: "GB000060"})),
	}
}

// Every message keeps the schema and HMRC's rules, in both versions, and names the movement.
func TestMessages(t *testing.T) {
	for name, m := range bodies(movement(t)) {
		for _, v := range emcs.Versions() {
			m.Version, m.Header = v, emcs.NewHeader("GB", "GB", now, "1")
			if found := rulebook.Check(m, now); len(found) > 0 {
				t.Errorf("%s: %+v", name, found)
			}
			if _, err := emcs.Encode(m); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if sequence := m.Body.Value("ExciseMovement", "SequenceNumber"); m.Body.At("ExciseMovement") != nil && sequence != "2" {
			t.Errorf("%s is about the sequence number %s", name, sequence)
		}
	}
}

// The office is HMRC's in the consignee's part of the UK unless another is given, and an item has the movement's product.
func TestWhatTheMovementSays(t *testing.T) {
	all := bodies(movement(t))
	for name, want := range map[string]string{"refused": "GB004098", "partly refused": "GB000001"} {
		b := all[name].Body
		if got := b.Value("DestinationOffice", "ReferenceNumber"); got != want || b.Value("BodyReportOfReceiptExport", "ExciseProductCode") != "S200" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := all["consignor late"].Body.Value("Attributes", "SubmitterIdentification"); got != emcstest.Consignor {
		t.Error(got)
	}
	if b := all["excess"].Body.At("BodyReportOfReceiptExport"); b.Value("IndicatorOfShortageOrExcess") != "E" || b.Value("ObservedShortageOrExcess") != "2.5" {
		t.Errorf("%+v", b)
	}
}

// An item that the movement does not have is a finding.
func TestUnknownItem(t *testing.T) {
	m := movement(t)
	for item, findings := range map[int]int{1: 0, 7: 1} {
		body := m.Shortage(followup.ShortageExplanation{By: followup.Consignor, Items: []followup.ExplainedItem{{Item: item, Explanation: "Broken"}}})
		if found := rulebook.Check(emcs.Message{Kind: emcs.Shortage, Version: emcs.V323, Body: body}, now); len(found) != findings {
			t.Errorf("item %s: %+v", strconv.Itoa(item), found)
		}
	}
}

// The contract's form of a receipt is read.
func TestReceiptFromJSON(t *testing.T) {
	var r followup.ReceiptReport
	if err := json.Unmarshal([]byte(`{"conclusion": 2, "arrivedOn": "2026-11-27", "items": [{"item": 1, "shortage": 12.5, "reasons": [{"code": "2"}]}]}`), &r); err != nil {
		t.Fatal(err)
	}
	if body := movement(t).Receipt(r); body.Value("BodyReportOfReceiptExport", "ObservedShortageOrExcess") != "12.5" {
		t.Errorf("%+v", body)
	}
}

// Only an IE801 makes a movement.
func TestOf(t *testing.T) {
	if _, err := followup.Of(emcstest.Draft(emcs.V323, now)); !errors.Is(err, emcs.ErrMessage) {
		t.Error(err)
	}
}
