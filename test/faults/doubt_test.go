package faults_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// doubtful starts a service whose customs is the test's own, with one draft.
func doubtful(t *testing.T) (authority *customs, running *program.Process, c *client, id string) {
	t.Helper()
	p := newPlace(t, storetest.SQLite(t))
	authority = newCustoms(t, p)
	c = newClient(p.organisation(t))
	running = p.serve(t)
	c.turn(running)
	return authority, running, c, c.draft(t)
}

// doubt submits a declaration, and customs hangs up without an answer.
func (c *customs) doubt(t *testing.T, by *client, id string) (body sent) {
	t.Helper()
	told := by.submit(t.Context(), id)
	body = c.next(t, takeoverLimit)
	body.answer <- ""
	if a := <-told; a.status != http.StatusBadGateway || a.code() != "customs_unreachable" {
		t.Fatalf("a submission without an answer was answered %d %s", a.status, a.body)
	}
	return body
}

// When customs took a submission whose answer was lost, the refusal of the repeat
// (CDS12003) does not end the declaration, even if it overtakes all other messages:
// customs has it, and a correction under a new LRN would declare the goods twice.
func TestRepeatIsRefusedFirst(t *testing.T) {
	t.Parallel()
	authority, running, c, id := doubtful(t)
	first := authority.doubt(t, c, id)
	told := c.submit(t.Context(), id)
	again := authority.next(t, takeoverLimit)
	if again.body != first.body {
		t.Fatalf("customs was sent other bytes the second time:\n%s\n%s", first.body, again.body)
	}
	again.answer <- conversation(2)
	agreed(t, <-told, conversation(2))

	at := time.Now()
	authority.tell(t, running, said{code: "03", conversation: conversation(2), lrn: first.lrn(), flaw: "CDS12003", at: at})
	eventually(t, 10*time.Second, "the refusal is in the timeline", func() bool { return c.heard(t, id, "03") })
	if d := c.declaration(t, id); d.Status != "SUBMITTED" {
		t.Errorf("the declaration is %s after the refusal of a repeat; customs has it", d.Status)
	}
	authority.tell(t, running, said{code: "01", conversation: conversation(1), lrn: first.lrn(), mrn: "26GB0000000000TEST", at: at.Add(-time.Minute)})
	c.becomes(t, id, "ACCEPTED")
}

// A corrected declaration has a new LRN. When the answer to that submission is lost,
// the repeat and all that customs says of it go by the new LRN.
func TestAnswerLostAfterRejection(t *testing.T) {
	t.Parallel()
	authority, running, c, id := doubtful(t)
	told := c.submit(t.Context(), id)
	first := authority.next(t, takeoverLimit)
	first.answer <- conversation(1)
	agreed(t, <-told, conversation(1))
	at := time.Now()
	authority.tell(t, running, said{code: "03", conversation: conversation(1), lrn: first.lrn(), mrn: "26GB0000000000TST1", flaw: "CDS12056", at: at})
	c.becomes(t, id, "REJECTED")

	second := authority.doubt(t, c, id)
	if second.lrn() == first.lrn() {
		t.Fatalf("the corrected declaration was sent with the LRN %s of the rejected one", first.lrn())
	}
	told = c.submit(t.Context(), id)
	again := authority.next(t, takeoverLimit)
	if again.body != second.body {
		t.Fatalf("customs was sent other bytes the second time:\n%s\n%s", second.body, again.body)
	}
	again.answer <- conversation(2)
	agreed(t, <-told, conversation(2))
	if d := c.declaration(t, id); d.LRN != second.lrn() {
		t.Errorf("customs has the declaration as LRN %s, and it shows %s", second.lrn(), d.LRN)
	}
	authority.tell(t, running, said{code: "01", conversation: conversation(2), lrn: second.lrn(), mrn: "26GB0000000000TST2", at: at.Add(time.Second)})
	c.becomes(t, id, "ACCEPTED")
}

// A submission whose job has been given up is not stuck: the caller who submits again
// has it sent again, with the same bytes.
func TestJobGivenUp(t *testing.T) {
	t.Parallel()
	p := newPlace(t, storetest.SQLite(t))
	authority := newCustoms(t, p)
	running, c := p.opened(t)
	id := c.draft(t)
	lost := c.submit(t.Context(), id)
	first := authority.next(t, takeoverLimit)
	running.Kill()
	<-lost
	if _, err := p.open(t).ExecContext(t.Context(), "UPDATE jobs SET state = 'dead'"); err != nil {
		t.Fatal(err)
	}
	c.turn(p.serve(t))
	told := c.submit(t.Context(), id)
	again := authority.next(t, takeoverLimit)
	if again.body != first.body {
		t.Errorf("customs was sent other bytes the second time:\n%s\n%s", first.body, again.body)
	}
	again.answer <- conversation(1)
	agreed(t, <-told, conversation(1))
}

// When customs took a submission whose answer was lost, and speaks of it while its repeat
// is under way, the repeat and what customs says of that are settled too: no job goes on
// sending a declaration that customs has.
func TestRepeatIsOvertaken(t *testing.T) {
	t.Parallel()
	p := newPlace(t, storetest.SQLite(t))
	authority := newCustoms(t, p)
	running, c := p.opened(t)
	id := c.draft(t)
	first := authority.doubt(t, c, id)
	told := c.submit(t.Context(), id)
	again := authority.next(t, takeoverLimit)
	// As if the message had been looked up before the repeat was noted.
	const newest = "UPDATE transmissions SET created_at = '2100-01-01T00:00:00.000Z' WHERE state = 'unknown'"
	if _, err := p.open(t).ExecContext(t.Context(), newest); err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	authority.tell(t, running, said{code: "01", conversation: conversation(1), lrn: first.lrn(), mrn: "26GB0000000000TEST", at: at})
	c.becomes(t, id, "ACCEPTED")
	again.answer <- conversation(2)
	agreed(t, <-told, conversation(1))
	authority.tell(t, running, said{code: "03", conversation: conversation(2), lrn: first.lrn(), flaw: "CDS12003", at: at.Add(time.Second)})
	eventually(t, 10*time.Second, "the refusal is in the timeline", func() bool { return c.heard(t, id, "03") })
	p.waitForWork(t)
	p.noJobsLeft(t)
	if d := c.declaration(t, id); d.Status != "ACCEPTED" || d.ConversationID != conversation(1) {
		t.Errorf("the declaration is %s in conversation %s", d.Status, d.ConversationID)
	}
	if events := c.events(t, "declaration.submitted"); len(events) != 1 {
		t.Errorf("the trail tells of %d submissions", len(events))
	}
}

// heard tells whether a message with a function code has been applied.
func (c *client) heard(t *testing.T, id, code string) bool {
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

// A process dies when customs has taken a submission. The refusal of the repeat that
// the next process sends (CDS12003) ends nothing even if it comes before the answer to
// that repeat, when nobody has noted yet that there were two.
func TestRepeatIsRefusedBeforeItIsAnswered(t *testing.T) {
	t.Parallel()
	p := newPlace(t, storetest.SQLite(t))
	authority := newCustoms(t, p)
	first, c := p.opened(t)
	id := c.draft(t)
	lost := c.submit(t.Context(), id)
	before := authority.next(t, takeoverLimit)
	first.Kill()
	<-lost

	second := p.serve(t)
	c.turn(second)
	again := authority.next(t, takeoverLimit)
	at := time.Now()
	authority.tell(t, second, said{code: "03", conversation: conversation(2), lrn: before.lrn(), flaw: "CDS12003", at: at})
	eventually(t, 10*time.Second, "the refusal is in the timeline", func() bool { return c.heard(t, id, "03") })
	if d := c.declaration(t, id); d.Status != "SUBMITTED" {
		t.Errorf("the declaration is %s after the refusal of a repeat; customs has it", d.Status)
	}
	again.answer <- conversation(2)
	authority.tell(t, second, said{code: "01", conversation: conversation(1), lrn: before.lrn(), mrn: "26GB0000000000TEST", at: at.Add(-time.Minute)})
	c.becomes(t, id, "ACCEPTED")
}
