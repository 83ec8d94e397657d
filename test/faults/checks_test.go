package faults_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/test/program"
)

// finishLimit is how long declarations may take to be cleared once there are no more faults.
const finishLimit = 3 * time.Minute

// waitUntilFinished waits until CDS and the service have finished all declarations, and fails with those that are
// stuck.
func (c *client) waitUntilFinished(t *testing.T) {
	t.Helper()
	var stuck []declaration
	for give := time.Now().Add(finishLimit); time.Now().Before(give); time.Sleep(100 * time.Millisecond) {
		stuck = stuck[:0]
		for _, status := range []string{"SUBMITTED", "ACCEPTED", "REJECTED"} {
			stuck = append(stuck, c.declarations(t, status)...)
		}
		if len(stuck) == 0 {
			return
		}
	}
	for _, d := range stuck[:min(10, len(stuck))] {
		var timeline json.RawMessage
		c.must(t, "GET", "/api/declarations/"+d.ID+"/timeline", nil, &timeline)
		t.Errorf("stuck in %s after %s: %s LRN %s: %s", d.Status, finishLimit, d.ID, d.LRN, timeline)
	}
	t.Fatalf("%d declarations are stuck", len(stuck))
}

// end checks the service and CDS after all callers have finished: everything acknowledged exists, was sent and was
// declared once; no work is left; the trail is intact; and all messages from CDS were applied. Then it stops the
// processes, those of the service first. The CDS simulator's journal is on a host of its own.
func (l *load) end(t *testing.T, p, station host, running ...*program.Process) (repeated int) {
	t.Helper()
	l.client.waitUntilFinished(t)
	p.waitForWork(t)
	submitted := l.client.checkAcknowledged(t, l.acknowledged(), l.shipment)
	l.client.submittedOnce(t, submitted)
	for _, r := range running {
		r.Stop(t)
	}
	p.noJobsLeft(t)
	p.verifyAudit(t)
	book := readJournal(t, station.Data())
	repeated = book.declaredOnce(t, submitted)
	p.allMessagesApplied(t, book)
	l.report(t)
	return repeated
}

// checkAcknowledged checks what the service has acknowledged: each declaration exists once, as it was sent, and each
// submission led to one conversation and to a final state.
func (c *client) checkAcknowledged(t *testing.T, filings []filed, shipment string) (submitted []declaration) {
	t.Helper()
	if stored := c.declarations(t, ""); len(stored) != len(filings) {
		t.Errorf("%d declarations were acknowledged, one for each key, and %d are stored", len(filings), len(stored))
	}
	for _, f := range filings {
		d := c.declaration(t, f.id)
		if want := input(shipment, f.mark)["items"]; d.ShipmentID != shipment || d.DeclarationType != "IMPORT" || !sameJSON(d.Items, want) {
			t.Errorf("declaration %s differs from what was sent: %+v", f.id, d)
		}
		switch {
		case f.conversationID == "":
			if d.Status != "DRAFT" {
				t.Errorf("declaration %s was never submitted and is %s", f.id, d.Status)
			}
		case d.ConversationID != f.conversationID:
			t.Errorf("declaration %s: conversation %s was acknowledged, and it has %s", f.id, f.conversationID, d.ConversationID)
		case d.Status != "CLEARED":
			t.Errorf("declaration %s is %s", f.id, d.Status)
		default:
			submitted = append(submitted, d)
		}
	}
	return submitted
}

// submittedOnce checks that the trail has each submission once, and no other.
func (c *client) submittedOnce(t *testing.T, submitted []declaration) {
	t.Helper()
	times, lrns := map[string]int{}, map[string]int{}
	for _, e := range c.events(t, "declaration.submitted") {
		times[e.ResourceID]++
		lrns[e.Data.LRN]++
	}
	for _, d := range submitted {
		if times[d.ID] != 1 || lrns[d.LRN] != 1 {
			t.Errorf("declaration %s, LRN %s: the trail has %d submissions of it and %d of the LRN", d.ID, d.LRN, times[d.ID], lrns[d.LRN])
		}
	}
	if len(times) != len(submitted) {
		t.Errorf("the trail has %d submitted declarations, want %d", len(times), len(submitted))
	}
}

func sameJSON(got json.RawMessage, want any) bool {
	text, err := json.Marshal(want)
	if err != nil {
		return false
	}
	var a, b any
	return json.Unmarshal(got, &a) == nil && json.Unmarshal(text, &b) == nil && reflect.DeepEqual(a, b)
}

// declaredOnce checks in the simulator's journal that each declaration was accepted once, in one conversation with
// one MRN, and nothing else was.
func (j journal) declaredOnce(t *testing.T, submitted []declaration) (repeated int) {
	t.Helper()
	for _, d := range submitted {
		taken := slices.DeleteFunc(slices.Clone(j[d.LRN]), func(o accepted) bool { return o.Rejected })
		if len(taken) != 1 {
			t.Errorf("declaration %s: CDS accepted LRN %s %d times: %+v", d.ID, d.LRN, len(taken), taken)
			continue
		}
		if taken[0].MRN != d.MRN {
			t.Errorf("declaration %s has MRN %s, want %s from CDS", d.ID, d.MRN, taken[0].MRN)
		}
		repeated += len(j[d.LRN]) - 1
	}
	if len(j) != len(submitted) {
		t.Errorf("CDS has %d LRNs, but %d declarations were submitted", len(j), len(submitted))
	}
	return repeated
}
