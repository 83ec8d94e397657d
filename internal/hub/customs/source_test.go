package customs_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
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

// A message of the simulator about a declaration that its test organisation has deleted is finished and does not wait for
// the operator, whether it comes with the conversation or only with the LRN. Others without a submission stay unmatched.
func TestLateMessagesOfTheSimulator(t *testing.T) {
	const known, unknown = "01900000-0000-7000-8000-0000000000c0", "01900000-0000-7000-8000-0000000000c9"
	for _, c := range []struct {
		name              string
		test              bool
		conversation, lrn string
		from              customs.Source
		applied           int
	}{
		{"by conversation", true, known, "OTHER", customs.FromSimulator, 1},
		{"by LRN", true, unknown, "LRN", customs.FromSimulator, 1},
		{"another declaration", true, unknown, "OTHER", customs.FromSimulator, 0},
		{"from HMRC", true, known, "LRN", customs.FromHMRC, 0},
		{"live organisation", false, known, "LRN", customs.FromSimulator, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			org := orgID
			if c.test {
				org = tenant.TestID(string(orgID))
			}
			forEachStoreAs(t, org, func(e *env) {
				e.service.Source = customs.FromSimulator
				receive := func(conversation, lrn, message string, from customs.Source) {
					body := `<MetaData xmlns="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"><Response xmlns="urn:wco:datamodel:WCO:RES-DMS:2"><FunctionCode>01</FunctionCode>` +
						`<FunctionalReferenceID>` + message + `</FunctionalReferenceID><Declaration><FunctionalReferenceID>` + lrn + `</FunctionalReferenceID><ID>26GB3TTI2CQ1C7FGR4</ID></Declaration></Response></MetaData>`
					e.must(e.service.Receive(e.Context(), customs.Inbound{ConversationID: conversation, Body: []byte(body), Source: from}))
					pump := &jobs.Pump{Queue: jobs.Queue{Name: customs.InboxQueue, Workers: 1, Do: e.service.Apply}, Store: e.store, Log: e.service.Log}
					_, err := pump.Step(e.Context())
					e.must(err)
				}
				receive(known, "LRN", "m1", customs.FromSimulator)
				e.update(func(tx *store.Tx) error { return tx.RemoveFiling(declarationID) })
				receive(c.conversation, c.lrn, "m2", c.from)
				if n := e.unmatched(); n != 1-c.applied {
					t.Errorf("%d messages are unmatched, want %d", n, 1-c.applied)
				}
				e.must(e.store.DropRemovedTransmissions(e.Context(), time.Now().Add(time.Minute)))
				receive(c.conversation, c.lrn, "m3", c.from)
				if n := e.unmatched(); n != 2-c.applied {
					t.Errorf("after the references were dropped, %d messages are unmatched, want %d", n, 2-c.applied)
				}
			})
		})
	}
}

// unmatched counts the messages that belong to no submission.
func (e *env) unmatched() int {
	e.Helper()
	b, err := e.store.Backlog(e.Context(), nil)
	e.must(err)
	return b.Inbox[customs.Unmatched]
}
