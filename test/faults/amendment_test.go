package faults_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// amendable is a declaration that fakeCDS has accepted.
type amendable struct {
	*client
	host      host
	authority *fakeCDS
	running   *program.Process
	id, mrn   string
	at        time.Time
}

func startAccepted(t *testing.T, b storetest.Backend) *amendable {
	t.Helper()
	p := newHost(t, b)
	authority := newFakeCDS(t, p)
	running, c := p.withOrganisation(t)
	a := &amendable{client: c, host: p, authority: authority, running: running, id: c.draft(t), mrn: "26GB0000000000TEST", at: time.Now().Add(-time.Hour)}
	answered := c.submit(t.Context(), a.id)
	first := authority.next(t, takeoverLimit)
	first.answer <- conversation(1)
	agreed(t, <-answered, conversation(1))
	authority.notify(t, running, notificationSpec{code: "01", conversation: conversation(1), lrn: first.lrn(), mrn: a.mrn, at: a.at})
	c.waitForStatus(t, a.id, "ACCEPTED")
	return a
}

// amend requests another description of the goods in the background.
func (a *amendable) amend(t *testing.T, key, description string) <-chan answer {
	t.Helper()
	var items []map[string]any
	if err := json.Unmarshal(a.declaration(t, a.id).Items, &items); err != nil {
		t.Fatal(err)
	}
	items[0]["description"] = description
	done := make(chan answer, 1)
	go func() {
		out, err := a.do(t.Context(), http.MethodPost, "/api/declarations/"+a.id+"/amendments", key, map[string]any{"reason": "Wrong", "changes": map[string]any{"items": items}})
		if err != nil {
			out = answer{body: []byte(err.Error())}
		}
		done <- out
	}()
	return done
}

// decide sends a decision about a request.
func (a *amendable) decide(t *testing.T, s sent, n int, status, flaw string) {
	t.Helper()
	code := "11"
	if flaw != "" {
		code = "03"
	}
	a.at = a.at.Add(time.Second)
	a.authority.notify(t, a.running, notificationSpec{code: code, conversation: conversation(n), lrn: s.lrn(), mrn: a.mrn, status: status, flaw: flaw, at: a.at})
}

// amended is what the record says about its amendments.
type amended struct {
	Requests []struct{ ID, Status string }
	Versions []struct {
		Number    int
		RequestID string
		Body      struct {
			Items []struct{ Description string }
		}
	}
	Items []struct{ Description string }
}

// record reads the declaration, and compares the record with its versions.
func (a *amendable) record(t *testing.T) amended {
	t.Helper()
	var out struct{ Declaration amended }
	a.must(t, http.MethodGet, "/api/declarations/"+a.id, nil, &out)
	d := out.Declaration
	if n := len(d.Versions); n > 0 && d.Versions[n-1].Body.Items[0].Description != d.Items[0].Description {
		t.Errorf("the record has %q, its last version %q", d.Items[0].Description, d.Versions[n-1].Body.Items[0].Description)
	}
	return d
}

// waitFor waits until the record has some requests with statuses, such as "DENIED GRANTED".
func (a *amendable) waitFor(t *testing.T, want string) (d amended) {
	t.Helper()
	eventually(t, 10*time.Second, "the requests are "+want, func() bool {
		d = a.record(t)
		var all []string
		for _, r := range d.Requests {
			all = append(all, r.Status)
		}
		return strings.Join(all, " ") == want
	})
	return d
}

// If the answer to an amendment is lost, only the same amendment can be sent again, with the same bytes. That customs refuses the
// repetition decides nothing: it grants the first one, once.
func TestAnswerToAmendmentIsLost(t *testing.T) {
	onBoth(t, func(t *testing.T, b storetest.Backend) {
		a := startAccepted(t, b)
		answered := a.amend(t, "", "Linen shirts")
		first := a.authority.next(t, takeoverLimit)
		first.answer <- ""
		if out := <-answered; out.status != http.StatusBadGateway || out.code() != "customs_unreachable" {
			t.Fatalf("an amendment without an answer of CDS was answered with %d %s", out.status, out.body)
		}
		if out := <-a.amend(t, "", "Silk shirts"); out.status != http.StatusConflict || out.code() != "request_in_progress" {
			t.Errorf("another amendment was answered with %d %s", out.status, out.body)
		}
		answered = a.amend(t, "", "Linen shirts")
		again := a.authority.next(t, takeoverLimit)
		if again.body != first.body {
			t.Errorf("the second amendment has other bytes:\n%s\n%s", first.body, again.body)
		}
		again.answer <- conversation(3)
		if out := <-answered; out.status != http.StatusOK {
			t.Fatalf("the repetition was answered with %d %s", out.status, out.body)
		}
		a.decide(t, again, 3, "", "CDS12036")
		eventually(t, 10*time.Second, "the refusal is in the timeline", func() bool { return a.messageApplied(t, a.id, "03") })
		a.waitFor(t, "REQUESTED")
		a.decide(t, first, 2, "39", "")
		if d := a.waitFor(t, "GRANTED"); len(d.Versions) != 2 || d.Items[0].Description != "Linen shirts" || d.Versions[1].RequestID != d.Requests[0].ID {
			t.Errorf("record %+v", d)
		}
	})
}

// Decisions come before the answer to the request, twice, and after others: the amendment takes effect once.
func TestDecisionsAboutAmendmentsInAnyOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, b storetest.Backend) {
		a := startAccepted(t, b)
		answered := a.amend(t, "one", "Linen shirts")
		first := a.authority.next(t, takeoverLimit)
		a.decide(t, first, 2, "39", "")
		a.waitFor(t, "GRANTED")
		first.answer <- conversation(2)
		if out := <-answered; out.status != http.StatusOK {
			t.Fatalf("the amendment was answered with %d %s", out.status, out.body)
		}
		if out := <-a.amend(t, "one", "Linen shirts"); out.status >= http.StatusInternalServerError {
			t.Errorf("the repeated call was answered with %d %s", out.status, out.body)
		}
		a.decide(t, first, 2, "39", "")
		answered = a.amend(t, "two", "Silk shirts")
		second := a.authority.next(t, takeoverLimit)
		second.answer <- conversation(3)
		<-answered
		a.decide(t, first, 2, "39", "") // again, after the next request
		a.decide(t, second, 3, "41", "")
		d := a.waitFor(t, "GRANTED DENIED")
		if len(d.Versions) != 2 || d.Items[0].Description != "Linen shirts" || d.Versions[0].Body.Items[0].Description != "Shirts" {
			t.Errorf("record %+v", d)
		}
		a.host.waitForWork(t)
		a.host.noJobsLeft(t)
	})
}

// A process that is killed while it sends an amendment, and again before the decision is applied, loses nothing: the same bytes are
// sent, and the amendment takes effect once.
func TestKillDuringAmendment(t *testing.T) {
	onBoth(t, func(t *testing.T, b storetest.Backend) {
		a := startAccepted(t, b)
		lost := a.amend(t, "one", "Linen shirts")
		first := a.authority.next(t, takeoverLimit)
		a.running.Kill()
		<-lost
		a.running = a.host.serve(t)
		a.turn(a.running)
		again := a.authority.next(t, takeoverLimit)
		if again.body != first.body {
			t.Errorf("the second sending has other bytes:\n%s\n%s", first.body, again.body)
		}
		again.answer <- conversation(2)
		a.waitFor(t, "REQUESTED")
		a.decide(t, again, 2, "39", "")
		a.running.Kill()
		a.running = a.host.serve(t)
		a.turn(a.running)
		if d := a.waitFor(t, "GRANTED"); len(d.Versions) != 2 || d.Items[0].Description != "Linen shirts" {
			t.Errorf("record %+v", d)
		}
		if out := <-a.amend(t, "one", "Linen shirts"); out.status != http.StatusOK && out.status != http.StatusUnprocessableEntity {
			t.Errorf("the repeated call was answered with %d %s", out.status, out.body)
		}
	})
}
