package emcssim_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/movementapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/emcssim"
)

// served is a server behind a real socket, its client, and the clock of all organisations.
type served struct {
	*testing.T
	*movementapi.Client
	server  *emcssim.Server
	address string
	clock   *hmrctest.Clock
	folder  string
}

func serve(t *testing.T) *served {
	s := &served{T: t, clock: hmrctest.NewClock(now), folder: t.TempDir()}
	s.restart()
	s.address = hmrctest.Serve(t, func(w http.ResponseWriter, r *http.Request) { s.server.ServeHTTP(w, r) })
	var err error
	if s.Client, err = movementapi.New(movementapi.Settings{BaseURL: s.address, ClientID: "app", ClientSecret: "secret", Deadline: time.Minute}, hmrctest.NoLimit{}, s.clock.Now); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Client.Close)
	return s
}

// restart makes a new server from the journal, as after a crash: the old one is not closed.
func (s *served) restart() {
	s.Helper()
	var err error
	if s.server, err = emcssim.NewServer(simulator.Options{Folder: s.folder, Clock: simulator.OneClock(s.clock.Now), Log: slog.New(slog.DiscardHandler)}); err != nil {
		s.Fatal(err)
	}
}

func caller(organisation, simulate string) movementapi.Caller {
	return movementapi.Caller{Credentials: hmrctest.Bearer("t"), Simulator: simulator.Request{Organisation: organisation, Simulate: simulate}}
}

// document is a draft with an LRN.
func document(t *testing.T, lrn string) []byte {
	t.Helper()
	m := draft(emcs.V323)
	emcstest.Edit(m.Body, "EadEsadDraft/LocalReferenceNumber="+lrn)
	data, err := emcs.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// submitted sends a draft and returns its movement.
func (s *served) submitted(as movementapi.Caller, lrn string) string {
	s.Helper()
	o, accepted := s.Draft(s.Context(), as, document(s.T, lrn), "").(movementapi.Submitted)
	if !accepted || o.Movement.LRN != lrn {
		s.Fatalf("%+v", o)
	}
	return o.Movement.ID
}

// got returns the kinds of the messages of a movement to a party.
func (s *served) got(as movementapi.Caller, id, ern string) string {
	s.Helper()
	all, err := s.Messages(s.Context(), as, id, time.Time{})
	if err != nil {
		s.Fatal(err)
	}
	var kinds []string
	for _, m := range all {
		if m.Recipient == ern {
			kinds = append(kinds, string(m.Kind))
		}
		if read, err := emcs.Decode(m.Document); m.Err != nil || err != nil || read.Kind != m.Kind || read.Header.Identifier != m.ID {
			s.Errorf("%s: %v, %v", m.ID, m.Err, err)
		}
	}
	return strings.Join(kinds, " ")
}

// A draft over the socket gets the messages of its story, for each party; they are there after a crash too, and one by one.
func TestServedStory(t *testing.T) {
	s := serve(t)
	as := caller("org", "")
	id := s.submitted(as, "lrnie8151695045")
	s.restart()
	for _, party := range parties[:2] {
		if got := s.got(as, id, party); got != "IE801 IE818 IE871" {
			t.Errorf("%s got %s", party, got)
		}
	}
	all, err := s.Movements(t.Context(), as, movementapi.Query{ERN: emcstest.Consignee})
	if err != nil || len(all) != 1 || all[0].ID != id || len(all[0].ARC) != 21 || !all[0].LastUpdated.Equal(now.Add(2*time.Second)) {
		t.Fatalf("%+v, %v", all, err)
	}
	for since, want := range map[time.Duration]int{2 * time.Second: 1, 3 * time.Second: 0} {
		if found, err := s.Movements(t.Context(), as, movementapi.Query{LRN: "lrnie8151695045", UpdatedSince: now.Add(since)}); err != nil || len(found) != want {
			t.Errorf("since %v: %+v, %v", since, found, err)
		}
	}
	messages, err := s.Messages(t.Context(), as, id, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := s.Message(t.Context(), as, id, messages[0].ID); err != nil || string(text) != string(messages[0].Document) {
		t.Errorf("%s, %v", text, err)
	}
}

// An organisation sees no movement of another one, and both may use the same LRN.
func TestServedOrganisations(t *testing.T) {
	s := serve(t)
	id := s.submitted(caller("a", ""), "LRN1")
	if all, err := s.Movements(t.Context(), caller("b", ""), movementapi.Query{}); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := s.Messages(t.Context(), caller("b", ""), id, time.Time{}); err == nil || !strings.Contains(err.Error(), "Movement not found") {
		t.Error(err)
	}
	s.submitted(caller("b", ""), "LRN1")
}

// A draft that is not accepted at once gets HMRC's status; the schema and the rules have their numbers and locations.
func TestServedRefusals(t *testing.T) {
	s := serve(t)
	bad := draft(emcs.V313)
	emcstest.Edit(bad.Body, "EadEsadDraft/DateOfDispatch=2026-11-20")
	data, err := emcs.Encode(bad)
	if err != nil {
		t.Fatal(err)
	}
	refused, is := s.Draft(t.Context(), caller("a", ""), data, "").(client.Refused)
	if !is || refused.Status != http.StatusUnprocessableEntity || len(refused.Details) != 1 || movementapi.Number(refused.Details[0]) != 8084 || !strings.HasSuffix(refused.Details[0].Path, "urn:DateOfDispatch[1]") {
		t.Errorf("%+v", refused)
	}
	s.submitted(caller("a", ""), "LRN1")
	for name, document := range map[string][]byte{"Duplicate LRN error": document(t, "LRN1"), "XML error": []byte("<a"), "Not valid message": []byte(strings.ReplaceAll(string(document(t, "L")), "V3.23", "V9.99"))} {
		refused, is := s.Draft(t.Context(), caller("a", ""), document, "").(client.Refused)
		if !is || refused.Status != http.StatusBadRequest || refused.Code != name {
			t.Errorf("%s: %+v", name, refused)
		}
	}
}

// The outcome that a caller asks for is what the movement gets, and another one is refused.
func TestServedSteering(t *testing.T) {
	s := serve(t)
	for asked, want := range map[string]string{"silent": "", "reject 4402": "IE704", "accept": "IE801"} {
		if got := s.got(caller("a", ""), s.submitted(caller("a", asked), "LRN "+asked), emcstest.Consignor); got != want {
			t.Errorf("%s: %s", asked, got)
		}
	}
	if o := s.Draft(t.Context(), caller("a", "perhaps"), document(t, "LRN"), ""); !strings.Contains(o.(error).Error(), "X-Simulate") {
		t.Errorf("%+v", o)
	}
}

// After a lost answer a silent draft can be sent again: it is the same movement.
func TestServedFaults(t *testing.T) {
	s := serve(t)
	as := caller("a", "silent")
	s.server.Inject(simulator.Fault{Kind: simulator.HangUpAfter, Calls: 1})
	if o, unknown := s.Draft(t.Context(), as, document(t, "LRN1"), "").(client.Unknown); !unknown {
		t.Fatalf("%+v", o)
	}
	id := s.submitted(as, "LRN1")
	if all, err := s.Movements(t.Context(), as, movementapi.Query{}); err != nil || len(all) != 1 || all[0].ID != id {
		t.Errorf("%+v, %v", all, err)
	}
}

// What is not a call of the API gets the status of its first mistake.
func TestServedAddresses(t *testing.T) {
	s := serve(t)
	movement := "/customs/excise/movements/" + s.submitted(caller("", ""), "LRN1")
	const json, xml = "application/vnd.hmrc.1.0+json", "application/vnd.hmrc.1.0+xml"
	for _, c := range []struct {
		method, path, accept, token, content string
		status                               int
	}{
		{"GET", movement, json, "Bearer t", "", 200},
		{"GET", movement + "/messages", json, "Bearer t", "", 200},
		{"GET", movement + "/messages/none", xml, "Bearer t", "", 404},
		{"GET", movement + "/messages/none", json, "Bearer t", "", 406},
		{"GET", movement, "text/html", "Bearer t", "", 406},
		{"GET", movement, json, "", "", 401},
		{"GET", movement + "/parts", json, "Bearer t", "", 404},
		{"GET", "/customs/other", json, "Bearer t", "", 404},
		{"GET", "/customs/excise/movements?updatedSince=today", json, "Bearer t", "", 400},
		{"DELETE", movement, json, "Bearer t", "", 405},
		{"POST", "/customs/excise/movements", json, "Bearer t", "text/plain", 415},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, s.address+c.path, strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Accept": {c.accept}, "Authorization": {c.token}, "Content-Type": {c.content}}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if _ = answer.Body.Close(); answer.StatusCode != c.status {
			t.Errorf("%s %s %s: %d, not %d", c.method, c.path, c.accept, answer.StatusCode, c.status)
		}
	}
}
