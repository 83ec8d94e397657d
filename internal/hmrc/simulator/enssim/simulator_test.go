package enssim_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/ensapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/enssim"
)

var ctx = context.Background()

const token = hmrctest.Bearer("t")

// harness is a client of a simulator, with a clock.
type harness struct {
	*testing.T
	*ensapi.Client
	sim    *enssim.Simulator
	clock  *hmrctest.Clock
	folder string
	name   string // of the organisation
}

func start(t *testing.T) *harness {
	h := &harness{T: t, clock: hmrctest.NewClock(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)), folder: t.TempDir(), name: "A"}
	h.restart()
	var err error
	address := hmrctest.Serve(t, func(w http.ResponseWriter, r *http.Request) { h.sim.ServeHTTP(w, r) })
	if h.Client, err = ensapi.New(client.Settings{BaseURL: address}, hmrctest.NoLimit{}, h.clock.Now); err != nil {
		t.Fatal(err)
	}
	return h
}

// restart makes a new simulator from the journal, as after a crash: the old one is not closed.
func (h *harness) restart() {
	h.Helper()
	var err error
	if h.sim, err = enssim.New(simulator.Options{Folder: h.folder, Clock: simulator.OneClock(h.clock.Now), Log: slog.New(slog.DiscardHandler)}); err != nil {
		h.Fatal(err)
	}
}

func (h *harness) as(simulate string) simulator.Request {
	return simulator.Request{Organisation: h.name, Simulate: simulate}
}

// declaration returns a correct declaration with an LRN, as an amendment if it has an MRN.
func (h *harness) declaration(lrn, mrn string) *ens.Message {
	h.Helper()
	content, err := os.ReadFile("testdata/declaration.json")
	if err != nil {
		h.Fatal(err)
	}
	header := ens.Header{Sender: "GB123456789000/0000000001", PreparedOn: "261201", PreparedAt: "0000", ID: lrn, Type: schema.Declaration}
	name := schema.Declaration
	if mrn != "" {
		name, header.Type = schema.Amendment, schema.Amendment
	}
	m, err := ens.Parse(name, header, content, "message")
	if err != nil {
		h.Fatal(err)
	}
	if mrn != "" {
		m.Set("HEAHEA/DocNumHEA5", mrn)
		m.Set("HEAHEA/DatTimAmeHEA113", "202612010000")
		return m
	}
	m.Set("HEAHEA/RefNumHEA4", lrn)
	m.Set("HEAHEA/DecDatTimHEA114", "202612010000")
	return m
}

// declare sends a declaration, and returns its correlation id.
func (h *harness) declare(m *ens.Message, simulate string) string {
	h.Helper()
	o := h.Declare(ctx, token, m.XML(), h.as(simulate).Header())
	received, ok := o.(ensapi.Received)
	if !ok {
		h.Fatalf("declared: %#v", o)
	}
	return received.CorrelationID
}

// fetch lists, reads, checks and acknowledges what waits.
func (h *harness) fetch() (all []*ens.Outcome) {
	h.Helper()
	outcomes, failure := h.Outcomes(ctx, token, h.as(""))
	notifications, other := h.Notifications(ctx, token, h.as(""))
	if failure != nil || other != nil {
		h.Fatal(failure, other)
	}
	for _, listed := range append(outcomes, notifications...) {
		read, acknowledge, id := h.Outcome, h.AcknowledgeOutcome, listed.CorrelationID
		if listed.NotificationID != "" {
			read, acknowledge, id = h.Notification, h.AcknowledgeNotification, listed.NotificationID
		}
		document, failure := read(ctx, token, id, h.as(""))
		if failure != nil {
			h.Fatal(failure)
		}
		o, err := ens.ReadOutcome(document)
		if err != nil {
			h.Fatalf("%v: %s", err, document)
		}
		root, err := element.Read(o.XML())
		if found := schema.Check(root, err, verdict.New, o.Name); len(found) > 0 {
			h.Errorf("HMRC's schema does not allow %s: %v", o.XML(), found)
		}
		if failure := acknowledge(ctx, token, id, h.as("")); failure != nil {
			h.Error(failure)
		}
		if _, failure := read(ctx, token, id, h.as("")); !isNotFound(failure) {
			h.Errorf("after its acknowledgement: %v", failure)
		}
		if failure := acknowledge(ctx, token, id, h.as("")); failure != nil {
			h.Errorf("acknowledged twice: %v", failure)
		}
		all = append(all, o)
	}
	return all
}

func isNotFound(failure client.Failure) bool {
	refused := client.Refused{}
	return failure != nil && errors.As(failure, &refused) && refused.Status == http.StatusNotFound && strings.HasSuffix(refused.Code, "_NOT_FOUND")
}

func (h *harness) expect(want ...string) (all []*ens.Outcome) {
	h.Helper()
	var names []string
	all = h.fetch()
	for _, o := range all {
		names = append(names, strings.TrimSpace(o.Name+" "+o.LRN))
	}
	if !slices.Equal(names, want) {
		h.Errorf("outcomes %q, want %q", names, want)
	}
	return all
}

// A declaration is accepted with an MRN, rejected, not answered, or accepted and followed by an instruction not to load.
func TestOutcomes(t *testing.T) {
	h := start(t)
	if id := h.declare(h.declaration("A1", ""), ""); !regexp.MustCompile(`^[0-9A-Za-z]{14}$`).MatchString(id) {
		t.Errorf("correlation id %q", id)
	}
	h.declare(h.declaration("A2", ""), enssim.Reject)
	h.declare(h.declaration("A3", ""), enssim.Silent)
	h.declare(h.declaration("A4", ""), enssim.Intervene)
	all := h.expect("CC328A A1", "CC316A A2", "CC328A A4", "CC351A A4")
	if len(all) != 4 {
		t.FailNow()
	}
	if !regexp.MustCompile(`^26GB[A-Z0-9]{13}[0-9]$`).MatchString(all[0].MRN) || all[0].MRN == all[2].MRN || all[2].MRN != all[3].MRN {
		t.Errorf("MRNs %s, %s, %s", all[0].MRN, all[2].MRN, all[3].MRN)
	}
	if e := all[1].Errors; len(e) != 1 || ens.Field(e[0].Pointer) != "hEAHEA.traModAtBorHEA76" || e[0].Original != "10" {
		t.Errorf("rejected with %+v", e)
	}
	if d := all[3].Interventions; len(d) != 1 || d[0].Text == "" || d[0].Item != "1" {
		t.Errorf("intervened with %+v", d)
	}
	h.expect()
}

// An office of first entry in Northern Ireland, and an LRN that was used, are rejected.
func TestOwnRejections(t *testing.T) {
	h := start(t)
	m := h.declaration("B1", "")
	m.Set("CUSOFFFENT730/RefNumCUSOFFFENT731", "XI000014")
	h.declare(m, "")
	h.declare(h.declaration("B2", ""), "")
	h.declare(h.declaration("B2", ""), "")
	all := h.expect("CC316A B1", "CC328A B2", "CC316A B2")
	if len(all) == 3 && (all[0].Errors[0].Original != "XI000014" || all[2].Errors[0].Original != "B2") {
		t.Errorf("%+v, %+v", all[0].Errors, all[2].Errors)
	}
}

// An amendment has its own correlation id, and is accepted for an MRN of the organisation only.
func TestAmendments(t *testing.T) {
	h := start(t)
	first := h.declare(h.declaration("C1", ""), "")
	mrn := h.expect("CC328A C1")[0].MRN
	o, ok := h.Amend(ctx, token, mrn, h.declaration("x", mrn).XML(), h.as("").Header()).(ensapi.Received)
	if !ok || o.CorrelationID == first {
		t.Errorf("amended: %+v", o)
	}
	h.Amend(ctx, token, mrn, h.declaration("x", mrn).XML(), h.as(enssim.Reject).Header())
	if all := h.expect("CC304A", "CC305A"); all[0].MRN != mrn || !all[0].Accepted() || all[1].Accepted() || len(all[1].Errors) != 1 {
		t.Errorf("%+v", all)
	}
	h.name = "B"
	h.Amend(ctx, token, mrn, h.declaration("x", mrn).XML(), h.as("").Header())
	h.expect("CC305A")
}

// HMRC's checks come in its order, and nothing that was refused has an outcome.
func TestRefusals(t *testing.T) {
	h := start(t)
	const mrn, other = "26GB1234567890ABC1", "26GB1234567890ABC2"
	sender := h.declaration("D1", "")
	sender.Header.Sender, sender.Header.ID = "GB123456789000", ""
	schemaError, ruleError := h.declaration("D2", ""), h.declaration("D3", "")
	schemaError.Remove("CUSOFFFENT730")
	ruleError.Remove("ITI")
	for name, c := range map[string]struct {
		mrn, document, want string
	}{
		"not XML":         {"", "<a", "400 ENS_ERRORS 4999"},
		"sender":          {"", string(sender.XML()), "403 FORBIDDEN"},
		"schema":          {"", string(schemaError.XML()), "400 ENS_ERRORS 40"},
		"rule":            {"", string(ruleError.XML()), "400 ENS_ERRORS 8"},
		"other MRN":       {mrn, string(h.declaration("D4", other).XML()), "400 ENS_ERRORS 8999"},
		"other message":   {"", string(h.declaration("D4", other).XML()), "400 ENS_ERRORS 4057"},
		"an unknown wish": {"", "", "400 INVALID_SIMULATE"},
	} {
		simulate := ""
		if c.document == "" {
			simulate = "clear"
		}
		o := h.Declare(ctx, token, []byte(c.document), h.as(simulate).Header())
		if c.mrn != "" {
			o = h.Amend(ctx, token, c.mrn, []byte(c.document), h.as(simulate).Header())
		}
		refused, _ := o.(client.Refused)
		got := fmt.Sprint(refused.Status, " ", refused.Code)
		if len(refused.Details) > 0 {
			got += " " + refused.Details[0].Code
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %#v, want %s", name, o, c.want)
		}
	}
	h.expect()
}

// What was answered survives a crash, and a lost answer lost nothing.
func TestCrashes(t *testing.T) {
	h := start(t)
	h.declare(h.declaration("E1", ""), "")
	h.sim.Inject(simulator.Fault{Kind: simulator.HangUpAfter, Calls: 1})
	if o, ok := h.Declare(ctx, token, h.declaration("E2", "").XML(), h.as("").Header()).(client.Unknown); !ok {
		t.Errorf("a lost answer: %#v", o)
	}
	h.restart()
	h.expect("CC328A E1", "CC328A E2")
	h.restart()
	h.expect()
}

// Lists have HMRC's limits, and organisations do not see each other.
func TestLists(t *testing.T) {
	h := start(t)
	for n := range ensapi.MaxNotifications + 1 {
		h.declare(h.declaration(fmt.Sprint("F", n), ""), enssim.Intervene)
	}
	all, _ := h.Notifications(ctx, token, h.as(""))
	if len(all) != ensapi.MaxNotifications {
		t.Errorf("%d notifications at once", len(all))
	}
	h.name = "B"
	if _, failure := h.Notification(ctx, token, all[0].NotificationID, h.as("")); !isNotFound(failure) {
		t.Errorf("of another organisation: %v", failure)
	}
	h.expect()
	h.name = "A"
	h.fetch()
	if left := h.fetch(); len(left) != 1 {
		t.Errorf("then %d", len(left))
	}
}
