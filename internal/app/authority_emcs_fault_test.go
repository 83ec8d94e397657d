package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const movementsAt = "/customs/excise/movements"

// What HMRC's platform does wrong while a draft is sent does not lose it and does not send it twice: too many requests, a maintenance window, an answer that is
// lost or that is no JSON. The movement of another system is kept, shown and claimed.
func TestExciseFaults(t *testing.T) {
	t.Parallel()
	e, g := startConsenting(t, storetest.SQLite(t))
	e.consent(emcstest.Consignor)
	e.testTooMany(g)
	e.testMaintenance(g)
	e.testLostAnswer(g)
	e.testFailedFetch(g)
	e.testUnknownMovement(g)
}

// testTooMany answers twice that there were too many requests. The caller waits, and the draft is taken at the third attempt.
func (e *excise) testTooMany(g *gateway) {
	g.sim.Inject(simulator.Fault{
		Kind: simulator.Answer, Status: http.StatusTooManyRequests, Calls: 2, Path: movementsAt, Header: http.Header{"Retry-After": {"1"}, "Content-Type": {"application/json"}},
		Body: `{"code":"MESSAGE_THROTTLED_OUT","message":"The request for the API is throttled as you have exceeded your quota."}`,
	})
	id, before := e.create(), g.sent()
	began := time.Now()
	e.submitted(id)
	if waited := time.Since(began); waited < 2*time.Second {
		e.t.Errorf("two answers with Retry-After: 1 were waited for %s", waited)
	}
	if n := g.sent() - before; n != 3 {
		e.t.Errorf("%d attempts", n)
	}
}

// testMaintenance answers that the API is closed for maintenance. Nothing was taken, the caller gets an error, and the movement stays a draft that can be submitted again.
func (e *excise) testMaintenance(g *gateway) {
	g.sim.Inject(simulator.Fault{
		Kind: simulator.Answer, Status: http.StatusServiceUnavailable, Calls: 1, Path: movementsAt, Header: http.Header{"Content-Type": {"application/json"}},
		Body: `{"code":"SCHEDULED_MAINTENANCE","message":"Scheduled maintenance"}`,
	})
	id := e.create()
	path := "/api/emcs/movements/" + id
	a := e.try(http.MethodPost, path+"/submit", "")
	if a.status == http.StatusBadGateway && strings.Contains(a.text, `"hmrc_unreachable"`) && e.stateOf("emcs.movement", id) == "DRAFT" {
		a = e.try(http.MethodPost, path+"/submit", "")
	}
	if a.status != http.StatusOK {
		e.t.Errorf("%+v", a)
	}
	e.await(id, "IN_TRANSIT")
}

// testLostAnswer loses the answer to a draft, and then gives one that is no JSON. The same bytes are sent again, and HMRC has one movement.
func (e *excise) testLostAnswer(g *gateway) {
	for _, f := range []simulator.Fault{
		{Kind: simulator.HangUpAfter, Calls: 1, Path: movementsAt},
		{Kind: simulator.Answer, Status: http.StatusAccepted, Calls: 1, Path: movementsAt, Header: http.Header{"Content-Type": {"application/json"}}, Body: `{"movementId":`},
	} {
		g.sim.Inject(f)
		id := e.create()
		if a := e.try(http.MethodPost, "/api/emcs/movements/"+id+"/submit", ""); a.status != http.StatusBadGateway || !strings.Contains(a.text, "may have the excise movement message") {
			e.t.Errorf("%+v", a)
		}
		e.await(id, "IN_TRANSIT")
		var list struct {
			Messages []struct{ Kind, State string }
		}
		e.request(http.MethodGet, "/api/emcs/movements/"+id+"/messages", "", http.StatusOK, &list)
		if len(list.Messages) != 2 || list.Messages[0].State != "sent" || list.Messages[1].Kind != "IE801" {
			e.t.Errorf("%+v", list)
		}
	}
}

// testFailedFetch answers that there were too many requests when the messages of a draft are fetched. They are fetched after the time that HMRC names.
func (e *excise) testFailedFetch(g *gateway) {
	g.mu.Lock()
	g.delays = func() {
		g.sim.Inject(simulator.Fault{
			Kind: simulator.Answer, Status: http.StatusTooManyRequests, Calls: 1, Path: movementsAt, Header: http.Header{"Retry-After": {"1"}, "Content-Type": {"application/json"}},
			Body: `{"code":"MESSAGE_THROTTLED_OUT","message":"The request for the API is throttled as you have exceeded your quota."}`,
		})
	}
	g.mu.Unlock()
	e.submitted(e.create())
}

// testUnknownMovement lets another system send a movement with the organisation's number. Its messages are fetched, kept, shown, and claimed for a draft.
func (e *excise) testUnknownMovement(g *gateway) {
	e.sendElsewhere(g)
	e.submitted(e.create()) // so that the number is asked about
	var list struct {
		Messages []struct{ ID, Kind, Content string }
	}
	for end := time.Now().Add(time.Minute); len(list.Messages) == 0 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		e.request(http.MethodGet, "/api/authorities/messages", "", http.StatusOK, &list)
	}
	if len(list.Messages) != 1 || list.Messages[0].Kind != "IE801" || !strings.Contains(list.Messages[0].Content, "OTHERSYSTEM1") {
		e.t.Fatalf("%+v", list)
	}
	id := e.create()
	e.request(http.MethodPost, "/api/authorities/messages/"+list.Messages[0].ID+"/claim", `{"recordId":"`+id+`"}`, http.StatusOK, nil)
	if m := e.await(id, "IN_TRANSIT"); m.Movement.LocalReferenceNumber != "OTHERSYSTEM1" {
		e.t.Errorf("%+v", m)
	}
	e.request(http.MethodGet, "/api/authorities/messages", "", http.StatusOK, &list)
	if len(list.Messages) != 0 {
		e.t.Errorf("%+v", list)
	}
}
