package customs_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// A message is applied only if it comes with the credentials of the organisation's own connection; otherwise it is kept
// for the operator. A message that an earlier release received counts as one of the live connection.
func TestMessagesOfAnotherConnectionAreNotApplied(t *testing.T) {
	for _, c := range []struct {
		name             string
		test             bool
		connection, from customs.Source
		applied          bool
	}{
		{"HMRC to live", false, customs.FromHMRC, customs.FromHMRC, true},
		{"simulator to live", false, customs.FromHMRC, customs.FromSimulator, false},
		{"HMRC to test", true, customs.FromHMRC, customs.FromHMRC, false},
		{"simulator to test", true, customs.FromHMRC, customs.FromSimulator, true},
		{"simulator to live on a simulator", false, customs.FromSimulator, customs.FromSimulator, true},
		{"simulator to test on a simulator", true, customs.FromSimulator, customs.FromSimulator, true},
		{"HMRC to live on a simulator", false, customs.FromSimulator, customs.FromHMRC, false},
		{"earlier release to live", false, customs.FromHMRC, "", true},
		{"earlier release to test", true, customs.FromHMRC, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			org := orgID
			if c.test {
				org = tenant.TestID(string(orgID))
			}
			forEachStoreAs(t, org, func(e *env) {
				e.service.Source = c.connection
				body := `<MetaData xmlns="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"><Response xmlns="urn:wco:datamodel:WCO:RES-DMS:2"><FunctionCode>01</FunctionCode>` +
					`<FunctionalReferenceID>LRN</FunctionalReferenceID><Declaration><FunctionalReferenceID>LRN</FunctionalReferenceID><ID>26GB3TTI2CQ1C7FGR4</ID></Declaration></Response></MetaData>`
				e.must(e.service.Receive(e.Context(), customs.Inbound{ConversationID: "01900000-0000-7000-8000-0000000000c0", Body: []byte(body), Source: c.from}))
				pump := &jobs.Pump{Queue: jobs.Queue{Name: customs.InboxQueue, Workers: 1, Do: e.service.Apply}, Store: e.store, Log: e.service.Log}
				_, err := pump.Step(e.Context())
				e.must(err)
				if got := e.transmission(transmissionID).State == outbox.Sent; got != c.applied {
					t.Errorf("applied %t, want %t", got, c.applied)
				}
			})
		})
	}
}
