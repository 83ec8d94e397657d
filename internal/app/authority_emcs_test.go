package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// excise is an organisation with the EMCS Hub in a running service.
type excise struct {
	*instance
	org      tenant.ID
	key      string
	simulate string // header X-Simulate of the next requests; empty for none
	vehicles int    // goods movements that inState has made, each with a declaration of its own
}

func startExcise(t *testing.T, b storetest.Backend, mode string) *excise {
	t.Helper()
	e := &excise{instance: run(t, b, func(c *config.Config) { c.EMCS.Mode = mode })}
	made, err := e.CreateOrganisation(t.Context(), "Speyside Bonded Stores Ltd", "GB123456789000")
	if err != nil {
		t.Fatal(err)
	}
	e.org, e.key = made.Organisation.ID, made.Secret
	e.request(http.MethodPost, "/api/hubs/emcs", "", http.StatusOK, nil)
	return e
}

// request sends a request, expects a status, and reads the answer.
func (e *excise) request(method, path, body string, status int, into any) string {
	e.t.Helper()
	r, err := http.NewRequestWithContext(e.t.Context(), method, e.base+path, strings.NewReader(body))
	if err != nil {
		e.t.Fatal(err)
	}
	media := "application/json"
	if strings.HasPrefix(body, "<") {
		media = "application/xml"
	}
	r.Header = http.Header{"Authorization": {"Bearer " + e.key}, "Content-Type": {media}}
	if e.simulate != "" {
		r.Header.Set(simulator.SteeringHeader, e.simulate)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		e.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status {
		e.t.Fatalf("%s %s: %d, not %d: %s %v", method, path, answer.StatusCode, status, text, err)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			e.t.Fatal(err)
		}
	}
	return string(text)
}

// exciseMovement is a movement in an answer.
type exciseMovement struct {
	Movement struct {
		ID, Status, Stage, ReferenceSource, Reason, Replaces, LocalReferenceNumber string
		ARC                                                                        *string
		Refusals                                                                   []struct{ Number, Field string }
	}
}

// create makes a movement of the whole data set after edits.
func (e *excise) create(edits ...string) string {
	e.t.Helper()
	draft := emcstest.Draft(emcs.V323, time.Now())
	emcstest.Edit(draft.Body, append([]string{"-EadEsadDraft/LocalReferenceNumber"}, edits...)...)
	content, err := draft.JSON()
	if err != nil {
		e.t.Fatal(err)
	}
	var m exciseMovement
	e.request(http.MethodPost, "/api/emcs/movements", fmt.Sprintf(`{"message":%s}`, content), http.StatusOK, &m)
	return m.Movement.ID
}

// await reads a movement until it has a status.
func (e *excise) await(id, status string) (m exciseMovement) {
	e.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if e.request(http.MethodGet, "/api/emcs/movements/"+id, "", http.StatusOK, &m); m.Movement.Status == status {
			return m
		}
		m = exciseMovement{}
	}
	path := "/api/emcs/movements/" + id
	e.t.Fatalf("not %s: %s\n%s\n%s", status, e.request(http.MethodGet, path, "", http.StatusOK, nil), e.request(http.MethodGet, path+"/messages", "", http.StatusOK, nil),
		e.request(http.MethodGet, "/api/authorities", "", http.StatusOK, nil))
	return m
}

// An excise movement goes from the draft to the receipt, with the organisation as both parties; one is refused at once, one later and mended in a copy, one cancelled, and one of
// another system taken up.
func TestExciseMovements(t *testing.T) {
	atOnce(t, func(t *testing.T, b storetest.Backend) {
		e := startExcise(t, b, "simulator")
		e.testReceipt()
		e.testRefusals()
		e.testCancellation()
		e.testClaim()
	})
}

func (e *excise) testReceipt() {
	id := e.create()
	path := "/api/emcs/movements/" + id
	e.request(http.MethodPost, path+"/receipt", `{"conclusion":1,"arrivedOn":"2026-11-27"}`, http.StatusBadRequest, nil)
	var m exciseMovement
	if text := e.request(http.MethodPost, path+"/submit", "", http.StatusOK, &m); m.Movement.Status != "SUBMITTED" && m.Movement.Status != "IN_TRANSIT" || !strings.Contains(text, `"arc":`) || strings.Contains(text, "mock") {
		e.t.Errorf("%s", text)
	}
	if m = e.await(id, "IN_TRANSIT"); m.Movement.ARC == nil || len(*m.Movement.ARC) != 21 || m.Movement.ReferenceSource != "simulator" || m.Movement.Stage != "ACCEPTED" || !strings.HasPrefix(m.Movement.LocalReferenceNumber, "TW") {
		e.t.Errorf("%+v", m)
	}
	if text := e.request(http.MethodPost, path+"/mark-delivered", "", http.StatusBadRequest, nil); !strings.Contains(text, "invalid_state") {
		e.t.Error(text)
	}
	if text := e.request(http.MethodPost, path+"/receipt", `{"conclusion":5}`, http.StatusBadRequest, nil); !strings.Contains(text, `"conclusion"`) || !strings.Contains(text, `"arrivedOn"`) {
		e.t.Error(text)
	}
	arrival := time.Now().UTC().Format(time.DateOnly)
	e.request(http.MethodPost, path+"/receipt", `{"conclusion":2,"arrivedOn":"`+arrival+`","items":[{"item":1,"shortage":12.5,"reasons":[{"code":"2"}]}]}`, http.StatusOK, nil)
	e.await(id, "DELIVERED")
	e.request(http.MethodPost, path+"/shortage", `{"by":"CONSIGNOR","items":[{"item":1,"explanation":"Broken"}]}`, http.StatusOK, nil)
	var list struct {
		Messages []struct{ Kind, Direction, Content string }
	}
	e.request(http.MethodGet, path+"/messages", "", http.StatusOK, &list)
	kinds := ""
	for _, m := range list.Messages {
		kinds += m.Kind + " " + m.Direction + ", "
	}
	if !strings.HasPrefix(kinds, "IE815 out, IE801 in, IE818 out, IE818 in, IE871 out, ") {
		e.t.Error(kinds)
	}
	if text := e.request(http.MethodGet, path+"/message.xml", "", http.StatusOK, nil); text != list.Messages[0].Content {
		e.t.Error("message.xml is not what was sent")
	}
}

func (e *excise) testRefusals() {
	id := e.create("EadEsadDraft/DateOfDispatch=2020-01-01")
	text := e.request(http.MethodPost, "/api/emcs/movements/"+id+"/submit", "", http.StatusUnprocessableEntity, nil)
	for _, part := range []string{`"authority_refused"`, `"number":8084`, `"field":"message.submittedDraftOfEADESAD.eadEsadDraft.dateOfDispatch"`, `"location":"/urn:IE815[1]`} {
		if !strings.Contains(text, part) {
			e.t.Errorf("no %s in %s", part, text)
		}
	}
	e.await(id, "DRAFT")
	id = e.create("EadEsadDraft/LocalReferenceNumber=lrnie8158976912")
	e.request(http.MethodPost, "/api/emcs/movements/"+id+"/submit", "", http.StatusOK, nil)
	if m := e.await(id, "REJECTED"); len(m.Movement.Refusals) != 1 || m.Movement.Refusals[0].Number != "4402" || !strings.Contains(m.Movement.Reason, "4402") {
		e.t.Errorf("%+v", m)
	}
	var copied exciseMovement
	e.request(http.MethodPost, "/api/emcs/movements/"+id+"/copy", "", http.StatusCreated, &copied)
	if copied.Movement.Replaces != id || copied.Movement.Status != "DRAFT" {
		e.t.Errorf("%+v", copied)
	}
	e.request(http.MethodPost, "/api/emcs/movements/"+copied.Movement.ID+"/submit", "", http.StatusOK, nil)
	e.await(copied.Movement.ID, "IN_TRANSIT")
}

func (e *excise) testCancellation() {
	id := e.create("EadEsadDraft/DateOfDispatch=" + time.Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly))
	e.request(http.MethodPost, "/api/emcs/movements/"+id+"/submit", "", http.StatusOK, nil)
	e.await(id, "ACCEPTED")
	e.request(http.MethodDelete, "/api/emcs/movements/"+id, "", http.StatusOK, nil)
	e.await(id, "CANCELLED")
}

// testClaim takes up a movement that another party has sent: its acceptance was fetched and belongs to no record.
func (e *excise) testClaim() {
	accepted, err := emcs.Encode(emcstest.Acceptance(time.Now(), 1, "2026-11-20"))
	if err != nil {
		e.t.Fatal(err)
	}
	m := exchange.Message{
		Item:      outbox.Item{ID: "01939c50-7b00-7c3e-8f00-00000000000a", State: outbox.Sent, CreatedAt: time.Now()},
		Authority: "emcs", Mode: exchange.Simulator, Direction: exchange.In, Identifier: emcstest.Consignee, Kind: "IE801", ExternalID: "movement/1", Correlation: "01939c50-7b00-4c3e-8f00-00000000000b",
		MediaType: "application/xml", Raw: accepted, At: time.Now(),
	}
	if err := e.Store.Update(e.t.Context(), e.org, func(tx *store.Tx) error { _, err := tx.AddAuthorityMessage(m); return err }); err != nil {
		e.t.Fatal(err)
	}
	id := e.create()
	if text := e.request(http.MethodGet, "/api/authorities/messages", "", http.StatusOK, nil); !bytes.Contains([]byte(text), []byte(m.ID)) {
		e.t.Error(text)
	}
	e.request(http.MethodPost, "/api/authorities/messages/"+m.ID+"/claim", `{"recordId":"`+id+`"}`, http.StatusOK, nil)
	if found := e.await(id, "IN_TRANSIT"); found.Movement.ARC == nil || *found.Movement.ARC != emcstest.ARC {
		e.t.Errorf("%+v", found)
	}
}

// Without a connection everything is as before: a reference at once, marks by hand, and no further messages. Drafts of other systems can be imported all the same.
func TestExciseMovementsWithoutConnection(t *testing.T) {
	e := startExcise(t, storetest.SQLite(t), "off")
	document, err := emcs.Encode(emcstest.Draft(emcs.V313, time.Now()))
	if err != nil {
		t.Fatal(err)
	}
	var m exciseMovement
	e.request(http.MethodPost, "/api/emcs/movements/import", string(document), http.StatusCreated, &m)
	path := "/api/emcs/movements/" + m.Movement.ID
	if text := e.request(http.MethodGet, path, "", http.StatusOK, nil); !strings.Contains(text, `"arc":null`) {
		t.Error(text)
	}
	if text := e.request(http.MethodPost, path+"/submit", "", http.StatusOK, &m); m.Movement.ARC == nil || m.Movement.ReferenceSource != "simulated" || !strings.Contains(text, "The ARC is a mock") {
		t.Error(text)
	}
	e.request(http.MethodPost, path+"/mark-accepted", "", http.StatusOK, nil)
	if text := e.request(http.MethodPost, path+"/receipt", `{"conclusion":1,"arrivedOn":"2026-11-27"}`, http.StatusBadRequest, nil); !strings.Contains(text, "invalid_state") {
		t.Error(text)
	}
	e.request(http.MethodPost, path+"/mark-dispatched", "", http.StatusOK, nil)
	e.request(http.MethodPost, path+"/mark-delivered", "", http.StatusOK, nil)
}
