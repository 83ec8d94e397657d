package emcs_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	hmrc "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
)

// A data set with flat fields that HMRC accepts has no finding; each thing that it refuses is a blocker with its number and the field where the fact stands.
func TestReviewOfMessage(t *testing.T) {
	m, given := whisky(), rest()
	if found := emcs.ReviewMessage(m, given, "LRN1", hmrc.V323, now); len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	m.DispatchAt = hence(-48 * time.Hour)
	emcstest.Edit(given, "TransportMode/TransportModeCode=0", "BodyEadEsad/CnCode=2208", "-ConsigneeTrader/City", "TransportDetails/TransportUnitCode=9")
	var got []string
	for _, f := range emcs.ReviewMessage(m, given, "LRN1", hmrc.V323, now) {
		got = append(got, f.Code+" "+f.Field)
		if f.Severity != rules.Blocker || f.Source == "" || f.Suggestion == "" || f.Message == "" {
			t.Errorf("%+v", f)
		}
	}
	const root = "message.submittedDraftOfEADESAD."
	want := []string{
		"EMCS-046 " + root + "consigneeTrader.city", "EMCS-046 " + root + "bodyEadEsad[0].cnCode", "EMCS-8084 scheduledDispatchAt",
		"EMCS-8135 " + root + "transportMode.transportModeCode", "EMCS-4441 " + root + "transportDetails[0].transportUnitCode",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	details := emcs.Details(m, given, "LRN1", hmrc.V323, now)
	if len(details) != 5 || details[2].Number != 8084 || details[2].Location != "/urn:IE815[1]/urn:Body[1]/urn:SubmittedDraftOfEADESAD[1]/urn:EadEsadDraft[1]/urn:DateOfDispatch[1]" {
		t.Errorf("%+v", details)
	}
}
