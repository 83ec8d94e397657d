package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/emcssim"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// gateway stands in for HMRC's platform before the simulator of EMCS: a code and a token are for one excise number, which may send and fetch only
// what is its own.
type gateway struct {
	*httptest.Server
	sim *emcssim.Server

	mu      sync.Mutex
	calls   map[string]int // of each excise number
	ended   map[string]bool
	wrong   []string // calls that another number than the caller's should have made
	number  int      // of tokens
	drafts  int      // that arrived with a token that is accepted
	holding func()   // runs once, before the next draft; nil for nothing
	delays  func()   // runs once, after HMRC has taken the next draft and before it answers; nil for nothing

	subscribed   []string // excise numbers, one for each request for notifications
	unsubscribed []string // excise numbers, one for each request for none
	refuses      bool     // such requests
}

func newGateway(t *testing.T) *gateway {
	t.Helper()
	sim, err := emcssim.NewServer(simulator.Options{Clock: simulator.OneClock(time.Now), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	g := &gateway{sim: sim, calls: map[string]int{}, ended: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /oauth/token", g.token)
	mux.HandleFunc("POST /customs/excise/erns/{ern}/subscription", g.subscribe)
	mux.HandleFunc("DELETE /customs/excise/erns/{ern}/subscription", g.subscribe)
	mux.HandleFunc("/customs/excise/", g.call)
	g.Server = httptest.NewServer(mux)
	t.Cleanup(func() { g.CloseClientConnections(); g.Close(); _ = sim.Close() })
	return g
}

// token answers a code, which is an excise number, with a token of it. A token is not refreshed once its consent has ended.
func (g *gateway) token(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	ern := r.PostFormValue("code")
	if r.PostFormValue("grant_type") == "refresh_token" {
		ern, _, _ = strings.Cut(r.PostFormValue("refresh_token"), "-")
	} else {
		g.ended[ern] = false
	}
	w.Header().Set("Content-Type", "application/json")
	if g.ended[ern] {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"refresh_token is invalid"}`)
		return
	}
	g.number++
	_, _ = fmt.Fprintf(w, `{"access_token":"%[1]s-%[2]d","refresh_token":"%[1]s-r%[2]d","token_type":"bearer","expires_in":14400}`, ern, g.number)
}

// subscribe answers a request for notifications about an excise number, or for none, as HMRC does.
func (g *gateway) subscribe(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	ern, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), "-")
	if g.refuses || ern != r.PathValue("ern") {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"dateTime":"2024-01-17T16:27:41.095827Z","message":"Forbidden","debugMessage":"Invalid ERN provided"}`)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	if r.Method == http.MethodDelete {
		g.unsubscribed = append(g.unsubscribed, ern)
		return
	}
	g.subscribed = append(g.subscribed, ern)
	_, _ = io.WriteString(w, `{"boxId":"42c75e22-7bba-44f2-a610-4b4c3b262e3e"}`)
}

// subscriptions are the excise numbers about which HMRC was asked for notifications, one for each request.
func (g *gateway) subscriptions() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.subscribed)
}

// ends are the excise numbers about which HMRC was asked for no notifications, one for each request.
func (g *gateway) ends() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.unsubscribed)
}

// refuse lets HMRC refuse requests for notifications, or not.
func (g *gateway) refuse(refuses bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refuses = refuses
}

// call passes a call on if it is one of the token's excise number.
func (g *gateway) call(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	ern, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), "-")
	g.mu.Lock()
	g.calls[ern]++
	if asked := r.URL.Query().Get("ern"); asked != "" && asked != ern || r.Method == http.MethodPost && senderOf(body) != ern {
		g.wrong = append(g.wrong, ern+" called "+r.Method+" "+r.URL.String())
	}
	ended := g.ended[ern]
	g.mu.Unlock()
	if ended {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"code":"INVALID_CREDENTIALS","message":"Invalid Authentication information provided"}`)
		return
	}
	if isDraft(r, body) {
		g.mu.Lock()
		g.drafts++
		wait := g.holding
		g.holding = nil
		g.mu.Unlock()
		if wait != nil {
			wait()
		}
	}
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	if delay := g.delay(isDraft(r, body)); delay != nil {
		answer := httptest.NewRecorder()
		g.sim.ServeHTTP(answer, r)
		delay()
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
		return
	}
	g.sim.ServeHTTP(w, r)
}

// delay returns what runs before the answer to a draft, once.
func (g *gateway) delay(draft bool) func() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !draft {
		return nil
	}
	defer func() { g.delays = nil }()
	return g.delays
}

// senderOf returns the excise number that a message names as that of its sender: the consignee of a receipt, otherwise the consignor.
func senderOf(message []byte) string {
	name := "TraderExciseNumber>"
	if strings.Contains(string(message), ":IE818>") {
		name = "Traderid>"
	}
	_, rest, _ := strings.Cut(string(message), name)
	number, _, _ := strings.Cut(rest, "<")
	return number
}

// end lets HMRC accept no token of an excise number any more, until consent is given again.
func (g *gateway) end(ern string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended[ern] = true
}

// startConsenting is startExcise with a connection to a gateway, for which consents are needed.
func startConsenting(t *testing.T, b storetest.Backend) (*excise, *gateway) {
	t.Helper()
	return startPushing(t, b, pushSecret)
}

// startPushing is startConsenting with another push secret, or none.
func startPushing(t *testing.T, b storetest.Backend, secret string) (*excise, *gateway) {
	t.Helper()
	g := newGateway(t)
	e := &excise{instance: run(t, b, func(c *config.Config) {
		c.EMCS = config.Authority{Mode: "hmrc-sandbox", URL: g.URL, ClientID: "app", ClientSecret: "secret", Scope: "write:excise", Rate: 1000, PushSecret: secret}
	})}
	e.join("Speyside Bonded Stores Ltd", "GB123456789000")
	return e, g
}

// join makes another organisation, with whose key the next requests are sent.
func (e *excise) join(name, eori string) {
	e.t.Helper()
	made, err := e.CreateOrganisation(e.t.Context(), name, eori)
	if err != nil {
		e.t.Fatal(err)
	}
	e.org, e.key = made.Organisation.ID, made.Secret
	e.request(http.MethodPost, "/api/hubs/emcs", "", http.StatusOK, nil)
}

// consent gives consent for an excise number, as a person does in a browser.
func (e *excise) consent(ern string) {
	e.t.Helper()
	consents, err := e.Exchange.ConsentsOf("emcs")
	if err != nil {
		e.t.Fatal(err)
	}
	call := e.owner()
	address := ""
	err = e.Store.Update(e.t.Context(), e.org, func(tx *store.Tx) (err error) {
		address, _, err = consents.For(ern).Begin(tx, call, "session")
		return err
	})
	if err != nil {
		e.t.Fatal(err)
	}
	at, err := url.Parse(address)
	if err != nil {
		e.t.Fatal(err)
	}
	if err := consents.Complete(context.Background(), call, consent.Redirect{State: at.Query().Get("state"), Code: ern, SessionID: "session"}); err != nil {
		e.t.Fatal(err)
	}
}

// consents returns the states of the consents at EMCS by excise number.
func (e *excise) consents() map[string]string {
	e.t.Helper()
	var list struct {
		Authorities []struct {
			ID       string
			Consents []struct{ Identifier, Status string }
		}
	}
	e.request(http.MethodGet, "/api/authorities", "", http.StatusOK, &list)
	all := map[string]string{}
	for _, a := range list.Authorities {
		for _, one := range a.Consents {
			if a.ID != "emcs" {
				e.t.Errorf("%s has a consent for %s", a.ID, one.Identifier)
			}
			all[one.Identifier] = one.Status
		}
	}
	return all
}

// other is another excise number of the organisation.
const other = "GBWK000012345"

const consentAt = "/api/authorities/emcs/consent"

// An organisation with two excise numbers has two consents and two tokens. A movement is sent with the consent of its consignor's number, and a receipt
// with that of the consignee's; each waits for its own consent alone.
func TestConsentsByExciseNumber(t *testing.T) {
	atOnce(t, func(t *testing.T, b storetest.Backend) {
		e, g := startConsenting(t, b)
		for _, body := range []string{"", `{"identifier":"GBWK1"}`, `{"identifier":"GB123456789000"}`} {
			if text := e.request(http.MethodPost, consentAt, body, http.StatusBadRequest, nil); !strings.Contains(text, `"field":"identifier"`) || !strings.Contains(text, "excise number") {
				t.Errorf("%s: %s", body, text)
			}
		}
		e.request(http.MethodPost, consentAt, `{"identifier":"`+emcstest.Consignor+`"}`, http.StatusOK, nil)
		if got := e.consents(); got[emcstest.Consignor] != "PENDING" || len(got) != 1 {
			t.Error(got)
		}
		first, second := e.create(), e.create("ConsignorTrader/TraderExciseNumber="+other)
		e.mustWait(first, "submit", "", emcstest.Consignor)
		e.consent(emcstest.Consignor)
		e.mustWait(second, "submit", "", other)
		e.submitted(first)
		e.consent(other)
		e.submitted(second)
		arrival := `{"conclusion":1,"arrivedOn":"` + time.Now().UTC().Format(time.DateOnly) + `"}`
		e.mustWait(first, "receipt", arrival, emcstest.Consignee)
		e.consent(emcstest.Consignee)
		e.request(http.MethodPost, "/api/emcs/movements/"+first+"/receipt", arrival, http.StatusOK, nil)
		e.await(first, "DELIVERED")
		if got := fmt.Sprint(e.consents()); got != fmt.Sprintf("map[%s:GRANTED %s:GRANTED %s:GRANTED]", other, emcstest.Consignor, emcstest.Consignee) {
			t.Error(got)
		}
		e.testRemoval()
		e.testRevocation(g)
		e.testOtherOrganisation()
		g.check(t, emcstest.Consignor, emcstest.Consignee, other)
	})
}

// mustWait expects an action to be refused until there is a consent for an excise number.
func (e *excise) mustWait(id, action, body, ern string) {
	e.t.Helper()
	text := e.request(http.MethodPost, "/api/emcs/movements/"+id+"/"+action, body, http.StatusConflict, nil)
	if !strings.Contains(text, `"customs_consent_required"`) || !strings.Contains(text, "for the excise number "+ern) {
		e.t.Errorf("%s of %s: %s", action, id, text)
	}
}

// submitted submits a movement, which HMRC accepts.
func (e *excise) submitted(id string) {
	e.t.Helper()
	e.request(http.MethodPost, "/api/emcs/movements/"+id+"/submit", "", http.StatusOK, nil)
	if m := e.await(id, "IN_TRANSIT"); m.Movement.ARC == nil || m.Movement.ReferenceSource != "" {
		e.t.Errorf("%+v", m)
	}
}

// testRemoval removes the consent for one number; those for the others stay.
func (e *excise) testRemoval() {
	e.request(http.MethodDelete, consentAt, "", http.StatusBadRequest, nil)
	e.request(http.MethodDelete, consentAt+"?identifier=GBWK000000001", "", http.StatusNotFound, nil)
	if text := e.request(http.MethodDelete, consentAt+"?identifier="+other, "", http.StatusOK, nil); !strings.Contains(text, `"identifier":"`+other+`"`) || !strings.Contains(text, `"eori":null`) || !strings.Contains(text, `"NONE"`) {
		e.t.Error(text)
	}
	e.mustWait(e.create("ConsignorTrader/TraderExciseNumber="+other), "submit", "", other)
	e.submitted(e.create())
}

// testRevocation submits a movement while HMRC refuses the token of its number. It waits, says why, and is sent once, when consent is given again.
func (e *excise) testRevocation(g *gateway) {
	g.end(emcstest.Consignor)
	id := e.create()
	e.mustWait(id, "submit", "", emcstest.Consignor)
	e.await(id, "DRAFT")
	if got := e.consents(); got[emcstest.Consignor] != "REVOKED" || got[emcstest.Consignee] != "GRANTED" {
		e.t.Error(got)
	}
	var list struct {
		Messages []struct{ State, Problem string }
	}
	if e.request(http.MethodGet, "/api/emcs/movements/"+id+"/messages", "", http.StatusOK, &list); len(list.Messages) != 1 || list.Messages[0].State != "pending" || !strings.Contains(list.Messages[0].Problem, emcstest.Consignor) {
		e.t.Errorf("%+v", list)
	}
	e.consent(emcstest.Consignor)
	e.await(id, "IN_TRANSIT")
}

// testOtherOrganisation makes another organisation, which has none of the consents of the first one, although its movement names the same number.
func (e *excise) testOtherOrganisation() {
	mine, key := e.org, e.key
	e.join("Thames Bond Ltd", "GB123456789001")
	e.mustWait(e.create(), "submit", "", emcstest.Consignor)
	if got := e.consents(); len(got) != 0 {
		e.t.Error(got)
	}
	e.request(http.MethodDelete, consentAt+"?identifier="+emcstest.Consignor, "", http.StatusNotFound, nil)
	if e.org, e.key = mine, key; e.consents()[emcstest.Consignor] != "GRANTED" {
		e.t.Error("another organisation removed the consent")
	}
}

// check expects calls of each of some excise numbers, and none that another number should have made.
func (g *gateway) check(t *testing.T, erns ...string) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, ern := range erns {
		if g.calls[ern] == 0 {
			t.Errorf("there was no call of %s", ern)
		}
		delete(g.calls, ern)
	}
	slices.Sort(g.wrong)
	if left, _ := json.Marshal(g.calls); len(g.calls) > 0 || len(g.wrong) > 0 {
		t.Errorf("calls of others: %s; wrong: %q", left, g.wrong)
	}
}
