package app_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// outcome is the status and the text of an answer.
type outcome struct {
	status int
	text   string
}

// try sends a request, whatever its answer.
func (e *excise) try(method, path, body string) outcome {
	r, err := http.NewRequestWithContext(e.t.Context(), method, e.base+path, strings.NewReader(body))
	if err != nil {
		return outcome{text: err.Error()}
	}
	r.Header = http.Header{"Authorization": {"Bearer " + e.key}, "Content-Type": {"application/json"}}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return outcome{text: err.Error()}
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return outcome{answer.StatusCode, string(text)}
}

// submit submits a movement in the background.
func (e *excise) submit(path string) <-chan outcome {
	done := make(chan outcome, 1)
	go func() { done <- e.try(http.MethodPost, path+"/submit", "") }()
	return done
}

// A draft that waits for a consent, so that nothing was sent, is cancelled for good. One that HMRC may have is not cancelled and not corrected until HMRC has
// answered. When a submission and a cancellation race, exactly one of them wins.
func TestCancelledBeforeSending(t *testing.T) {
	atOnce(t, func(t *testing.T, b storetest.Backend) {
		e, g := startConsenting(t, b)
		e.consent(emcstest.Consignor)
		e.testCancelledWhileHeld(g)
		e.testCancelledWhileSent(g)
		e.testMessageBeforeAnswer(g)
		e.testCancellationRace(g)
	})
}

func (e *excise) testCancelledWhileHeld(g *gateway) {
	g.end(emcstest.Consignor)
	id := e.create()
	path := "/api/emcs/movements/" + id
	e.mustWait(id, "submit", "", emcstest.Consignor)
	if a := e.try(http.MethodPatch, path, `{"reference":"X"}`); a.status != http.StatusBadRequest || !strings.Contains(a.text, "its answer is not known yet") {
		e.t.Errorf("corrected while it waits: %+v", a)
	}
	if text := e.request(http.MethodDelete, path, "", http.StatusOK, nil); !strings.Contains(text, `"CANCELLED"`) {
		e.t.Error(text)
	}
	drafts := g.sent()
	e.consent(emcstest.Consignor)
	e.submitted(e.create()) // what waited for the consent would be sent before
	var list struct {
		Messages []struct{ State, Problem string }
	}
	e.request(http.MethodGet, path+"/messages", "", http.StatusOK, &list)
	if len(list.Messages) != 1 || list.Messages[0].State != "refused" || !strings.Contains(list.Messages[0].Problem, "cancelled before anything was sent") {
		e.t.Errorf("%+v", list)
	}
	if n := g.sent() - drafts; n != 1 || e.stateOf("emcs.movement", id) != "CANCELLED" {
		e.t.Errorf("%d drafts were sent, and the movement is %s", n, e.stateOf("emcs.movement", id))
	}
}

func (e *excise) testCancelledWhileSent(g *gateway) {
	id := e.create()
	path := "/api/emcs/movements/" + id
	arrived, proceed := g.hold()
	done := e.submit(path)
	<-arrived
	for method, body := range map[string]string{http.MethodDelete: "", http.MethodPatch: `{"reference":"X"}`} {
		if a := e.try(method, path, body); a.status != http.StatusBadRequest || !strings.Contains(a.text, `"invalid_state"`) || !strings.Contains(a.text, "HMRC may have this excise movement message already") {
			e.t.Errorf("%s: %+v", method, a)
		}
	}
	close(proceed)
	if a := <-done; a.status != http.StatusOK {
		e.t.Errorf("%+v", a)
	}
	e.await(id, "IN_TRANSIT")
}

// testMessageBeforeAnswer fetches the acceptance of a movement, with the messages of another one, before HMRC has answered its draft. The movement is submitted first,
// and accepted then.
func (e *excise) testMessageBeforeAnswer(g *gateway) {
	id := e.create()
	path := "/api/emcs/movements/" + id
	arrived, proceed := g.holdAnswer()
	done := e.submit(path)
	<-arrived
	e.submitted(e.create())
	var list struct{ Messages []struct{ Kind string } }
	if e.request(http.MethodGet, path+"/messages", "", http.StatusOK, &list); len(list.Messages) != 2 || list.Messages[1].Kind != "IE801" || e.stateOf("emcs.movement", id) != "DRAFT" {
		e.t.Errorf("%s with %+v", e.stateOf("emcs.movement", id), list)
	}
	close(proceed)
	// The acceptance, which waits for the answer, can be applied before the caller reads the record.
	if a := <-done; a.status != http.StatusOK || strings.Contains(a.text, `"status":"DRAFT"`) || !strings.Contains(a.text, `"submittedAt":"`) {
		e.t.Errorf("%+v", a)
	}
	e.await(id, "IN_TRANSIT")
}

// races is the number of submissions that are cancelled at about the same time.
const races = 12

func (e *excise) testCancellationRace(g *gateway) {
	before := g.sent()
	for i := range races {
		path := "/api/emcs/movements/" + e.create("EadEsadDraft/DateOfDispatch="+time.Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly))
		done := e.submit(path)
		time.Sleep(time.Duration(i) * time.Millisecond)
		cancelled, submitted := e.try(http.MethodDelete, path, ""), <-done
		_, id, _ := strings.Cut(path, "movements/")
		for cancelled.status == http.StatusBadRequest && strings.Contains(cancelled.text, "may have this") {
			cancelled = e.try(http.MethodDelete, path, "") // once HMRC has answered, the cancellation needs an ARC, which comes in a moment
		}
		switch {
		case cancelled.status == http.StatusOK && submitted.status != http.StatusOK: // before it was sent
			if got := e.stateOf("emcs.movement", id); got != "CANCELLED" || submitted.status != http.StatusBadRequest {
				e.t.Errorf("cancelled, and then %s: %+v", got, submitted)
			}
			before--
		case submitted.status != http.StatusOK:
			e.t.Errorf("neither: %+v, %+v", submitted, cancelled)
		}
		before++
	}
	if n := g.sent(); n != before {
		e.t.Errorf("HMRC has %d drafts, not %d", n, before)
	}
}

// sent is the number of drafts that arrived with a token that HMRC accepts.
func (g *gateway) sent() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.drafts
}

// hold lets the next draft wait. The first channel is closed when it has arrived; closing the second lets it go on.
func (g *gateway) hold() (arrived <-chan struct{}, proceed chan<- struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	a, p := make(chan struct{}), make(chan struct{})
	g.holding = func() { close(a); <-p }
	return a, p
}

// holdAnswer is hold for the answer to the next draft, which HMRC has taken.
func (g *gateway) holdAnswer() (arrived <-chan struct{}, proceed chan<- struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	a, p := make(chan struct{}), make(chan struct{})
	g.delays = func() { close(a); <-p }
	return a, p
}

// isDraft reports whether a request has an IE815.
func isDraft(r *http.Request, body []byte) bool {
	m, err := emcs.Decode(body)
	return r.Method == http.MethodPost && err == nil && m.Kind == emcs.Draft
}
