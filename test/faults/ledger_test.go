package faults_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/test/program"
)

// settleLimit is how long declarations may take to clear once nothing disturbs them.
const settleLimit = 3 * time.Minute

// settle waits until customs and the service have finished with all declarations,
// and fails with those that are stuck.
func (c *client) settle(t *testing.T) {
	t.Helper()
	var stuck []declaration
	for give := time.Now().Add(settleLimit); time.Now().Before(give); time.Sleep(100 * time.Millisecond) {
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
		t.Errorf("stuck in %s after %s: %s LRN %s: %s", d.Status, settleLimit, d.ID, d.LRN, timeline)
	}
	t.Fatalf("%d declarations are stuck", len(stuck))
}

// end holds the service and customs to what they should be like when callers have
// finished: all that was acknowledged is there, sent in and declared once; no work is
// left; the trail is unbroken; and all that customs said has been heard. Then the
// processes stop, those of the service first. Customs keeps its journal at a station.
func (l *load) end(t *testing.T, p, station place, running ...*program.Process) (repeated int) {
	t.Helper()
	l.client.settle(t)
	p.waitForWork(t)
	submitted := l.client.keeps(t, l.acknowledged(), l.shipment)
	l.client.submittedOnce(t, submitted)
	for _, r := range running {
		r.Stop(t)
	}
	p.noJobsLeft(t)
	p.verifyAudit(t)
	book := readJournal(t, station.Data())
	repeated = book.declaredOnce(t, submitted)
	p.heardAll(t, book)
	l.report(t)
	return repeated
}

// keeps holds the service to what it has acknowledged: each declaration is there
// once, as it was sent, and each submission led to one conversation and to its end.
func (c *client) keeps(t *testing.T, told []filed, shipment string) (submitted []declaration) {
	t.Helper()
	if stored := c.declarations(t, ""); len(stored) != len(told) {
		t.Errorf("%d declarations were acknowledged, one for each key, and %d are there", len(told), len(stored))
	}
	for _, f := range told {
		d := c.declaration(t, f.id)
		if want := input(shipment, f.mark)["items"]; d.ShipmentID != shipment || d.DeclarationType != "IMPORT" || !sameJSON(d.Items, want) {
			t.Errorf("declaration %s is not as it was sent: %+v", f.id, d)
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

// submittedOnce checks that the trail tells of each submission once, and of no other.
func (c *client) submittedOnce(t *testing.T, submitted []declaration) {
	t.Helper()
	times, lrns := map[string]int{}, map[string]int{}
	for _, e := range c.events(t, "declaration.submitted") {
		times[e.ResourceID]++
		lrns[e.Data.LRN]++
	}
	for _, d := range submitted {
		if times[d.ID] != 1 || lrns[d.LRN] != 1 {
			t.Errorf("declaration %s, LRN %s: submitted %d times by the trail, the LRN %d times", d.ID, d.LRN, times[d.ID], lrns[d.LRN])
		}
	}
	if len(times) != len(submitted) {
		t.Errorf("the trail tells of %d submitted declarations; there are %d", len(times), len(submitted))
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

// declaredOnce checks by customs' own journal that each declaration was taken once,
// in one conversation with one MRN, and nothing else was.
func (j journal) declaredOnce(t *testing.T, submitted []declaration) (repeated int) {
	t.Helper()
	for _, d := range submitted {
		taken := slices.DeleteFunc(slices.Clone(j[d.LRN]), func(o opened) bool { return o.Rejected })
		if len(taken) != 1 {
			t.Errorf("declaration %s: customs has declared LRN %s %d times: %+v", d.ID, d.LRN, len(taken), taken)
			continue
		}
		if taken[0].MRN != d.MRN {
			t.Errorf("declaration %s has MRN %s; customs gave %s", d.ID, d.MRN, taken[0].MRN)
		}
		repeated += len(j[d.LRN]) - 1
	}
	if len(j) != len(submitted) {
		t.Errorf("customs knows %d LRNs; %d declarations were submitted", len(j), len(submitted))
	}
	return repeated
}
