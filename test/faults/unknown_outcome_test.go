package faults_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// startWithDraft starts a service with a fakeCDS and one draft.
func startWithDraft(t *testing.T) (authority *fakeCDS, running *program.Process, c *client, id string) {
	t.Helper()
	p := newHost(t, storetest.SQLite(t))
	authority = newFakeCDS(t, p)
	c = newClient(p.organisation(t))
	running = p.serve(t)
	c.turn(running)
	return authority, running, c, c.draft(t)
}

// loseAnswer submits a declaration; fakeCDS closes the connection without an answer.
func (c *fakeCDS) loseAnswer(t *testing.T, by *client, id string) (body sent) {
	t.Helper()
	answered := by.submit(t.Context(), id)
	body = c.next(t, takeoverLimit)
	body.answer <- ""
	if a := <-answered; a.status != http.StatusBadGateway || a.code() != "customs_unreachable" {
		t.Fatalf("a submission without an answer of CDS was answered with %d %s", a.status, a.body)
	}
	return body
}

// If CDS accepted a submission whose answer was lost, the refusal of the repeat (CDS12003) does not end the
// declaration, even if it arrives before all other messages. CDS has the declaration, and a correction with a new
// LRN would declare the goods twice.
func TestRepeatIsRefusedFirst(t *testing.T) {
	t.Parallel()
	authority, running, c, id := startWithDraft(t)
	first := authority.loseAnswer(t, c, id)
	answered := c.submit(t.Context(), id)
	again := authority.next(t, takeoverLimit)
	if again.body != first.body {
		t.Fatalf("the second submission has other bytes:\n%s\n%s", first.body, again.body)
	}
	again.answer <- conversation(2)
	agreed(t, <-answered, conversation(2))

	at := time.Now()
	authority.notify(t, running, notificationSpec{code: "03", conversation: conversation(2), lrn: first.lrn(), flaw: "CDS12003", at: at})
	eventually(t, 10*time.Second, "the refusal is in the timeline", func() bool { return c.messageApplied(t, id, "03") })
	if d := c.declaration(t, id); d.Status != "SUBMITTED" {
		t.Errorf("the declaration is %s after the refusal of a repeat, but CDS has accepted it", d.Status)
	}
	authority.notify(t, running, notificationSpec{code: "01", conversation: conversation(1), lrn: first.lrn(), mrn: "26GB0000000000TEST", at: at.Add(-time.Minute)})
	c.waitForStatus(t, id, "ACCEPTED")
}

// A corrected declaration has a new LRN. If the answer to its submission is lost, the repeat and all messages
// about it use the new LRN.
func TestAnswerLostAfterRejection(t *testing.T) {
	t.Parallel()
	authority, running, c, id := startWithDraft(t)
	answered := c.submit(t.Context(), id)
	first := authority.next(t, takeoverLimit)
	first.answer <- conversation(1)
	agreed(t, <-answered, conversation(1))
	at := time.Now()
	authority.notify(t, running, notificationSpec{code: "03", conversation: conversation(1), lrn: first.lrn(), mrn: "26GB0000000000TST1", flaw: "CDS12056", at: at})
	c.waitForStatus(t, id, "REJECTED")

	second := authority.loseAnswer(t, c, id)
	if second.lrn() == first.lrn() {
		t.Fatalf("the corrected declaration was sent with the LRN %s of the rejected one", first.lrn())
	}
	answered = c.submit(t.Context(), id)
	again := authority.next(t, takeoverLimit)
	if again.body != second.body {
		t.Fatalf("the second submission has other bytes:\n%s\n%s", second.body, again.body)
	}
	again.answer <- conversation(2)
	agreed(t, <-answered, conversation(2))
	if d := c.declaration(t, id); d.LRN != second.lrn() {
		t.Errorf("CDS has the declaration with LRN %s, the service shows %s", second.lrn(), d.LRN)
	}
	authority.notify(t, running, notificationSpec{code: "01", conversation: conversation(2), lrn: second.lrn(), mrn: "26GB0000000000TST2", at: at.Add(time.Second)})
	c.waitForStatus(t, id, "ACCEPTED")
}

// A submission whose job was given up is not stuck: submitting again sends it again, with the same bytes.
func TestJobGivenUp(t *testing.T) {
	t.Parallel()
	p := newHost(t, storetest.SQLite(t))
	authority := newFakeCDS(t, p)
	running, c := p.withOrganisation(t)
	id := c.draft(t)
	lost := c.submit(t.Context(), id)
	first := authority.next(t, takeoverLimit)
	running.Kill()
	<-lost
	if _, err := p.open(t).ExecContext(t.Context(), "UPDATE jobs SET state = 'dead'"); err != nil {
		t.Fatal(err)
	}
	c.turn(p.serve(t))
	answered := c.submit(t.Context(), id)
	again := authority.next(t, takeoverLimit)
	if again.body != first.body {
		t.Errorf("the second submission has other bytes:\n%s\n%s", first.body, again.body)
	}
	again.answer <- conversation(1)
	agreed(t, <-answered, conversation(1))
}

// If CDS accepted a submission whose answer was lost, and its messages arrive while the repeat is under way, the
// repeat and its messages are completed too: no job continues to send an accepted declaration.
func TestRepeatIsOvertaken(t *testing.T) {
	t.Parallel()
	p := newHost(t, storetest.SQLite(t))
	authority := newFakeCDS(t, p)
	running, c := p.withOrganisation(t)
	id := c.draft(t)
	first := authority.loseAnswer(t, c, id)
	answered := c.submit(t.Context(), id)
	again := authority.next(t, takeoverLimit)
	// As if the message had been looked up before the repeat was stored.
	const newest = "UPDATE transmissions SET created_at = '2100-01-01T00:00:00.000Z' WHERE state = 'unknown'"
	if _, err := p.open(t).ExecContext(t.Context(), newest); err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	authority.notify(t, running, notificationSpec{code: "01", conversation: conversation(1), lrn: first.lrn(), mrn: "26GB0000000000TEST", at: at})
	c.waitForStatus(t, id, "ACCEPTED")
	again.answer <- conversation(2)
	agreed(t, <-answered, conversation(1))
	authority.notify(t, running, notificationSpec{code: "03", conversation: conversation(2), lrn: first.lrn(), flaw: "CDS12003", at: at.Add(time.Second)})
	eventually(t, 10*time.Second, "the refusal is in the timeline", func() bool { return c.messageApplied(t, id, "03") })
	p.waitForWork(t)
	p.noJobsLeft(t)
	if d := c.declaration(t, id); d.Status != "ACCEPTED" || d.ConversationID != conversation(1) {
		t.Errorf("the declaration is %s in conversation %s", d.Status, d.ConversationID)
	}
	if events := c.events(t, "declaration.submitted"); len(events) != 1 {
		t.Errorf("the trail has %d submissions", len(events))
	}
}

// messageApplied reports whether a message with a function code was applied.
func (c *client) messageApplied(t *testing.T, id, code string) bool {
	t.Helper()
	var out struct {
		Timeline []struct{ FunctionCode string }
	}
	c.must(t, http.MethodGet, "/api/declarations/"+id+"/timeline", nil, &out)
	for _, m := range out.Timeline {
		if m.FunctionCode == code {
			return true
		}
	}
	return false
}

// A process dies after CDS accepted a submission. The refusal of the next process's repeat (CDS12003) ends
// nothing, even if it arrives before the answer to that repeat, when the second submission is not yet stored.
func TestRepeatIsRefusedBeforeItIsAnswered(t *testing.T) {
	t.Parallel()
	p := newHost(t, storetest.SQLite(t))
	authority := newFakeCDS(t, p)
	first, c := p.withOrganisation(t)
	id := c.draft(t)
	lost := c.submit(t.Context(), id)
	before := authority.next(t, takeoverLimit)
	first.Kill()
	<-lost

	second := p.serve(t)
	c.turn(second)
	again := authority.next(t, takeoverLimit)
	at := time.Now()
	authority.notify(t, second, notificationSpec{code: "03", conversation: conversation(2), lrn: before.lrn(), flaw: "CDS12003", at: at})
	eventually(t, 10*time.Second, "the refusal is in the timeline", func() bool { return c.messageApplied(t, id, "03") })
	if d := c.declaration(t, id); d.Status != "SUBMITTED" {
		t.Errorf("the declaration is %s after the refusal of a repeat, but CDS has accepted it", d.Status)
	}
	again.answer <- conversation(2)
	authority.notify(t, second, notificationSpec{code: "01", conversation: conversation(1), lrn: before.lrn(), mrn: "26GB0000000000TEST", at: at.Add(-time.Minute)})
	c.waitForStatus(t, id, "ACCEPTED")
}
