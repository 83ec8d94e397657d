package connection_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	hub "github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// The operations and what they state.
var operations = []struct {
	by    lifecycle.Action
	input string
	kind  emcs.Kind
}{
	{hub.Alert, `{"on":"2026-11-27","rejected":false,"reasons":[{"code":"2"}]}`, emcs.Alert},
	{hub.Delay, `{"by":"CONSIGNEE","about":"RECEIPT","explanation":{"code":"4"}}`, emcs.Delay},
	{hub.Receipt, `{"conclusion":2,"arrivedOn":"2026-11-27","items":[{"item":1,"shortage":12.5,"reasons":[{"code":"2"}]}]}`, emcs.Receipt},
	{hub.Shortage, `{"by":"CONSIGNOR","items":[{"item":1,"explanation":"Broken"}]}`, emcs.Shortage},
}

// A movement is accepted, warned about, late, received with a shortage and explained: as both parties, each message in its turn, and with the state of each.
func TestLifeAsBothParties(t *testing.T) {
	m := start(t, wholeBody(t, "EadEsadDraft/DateOfDispatch=2026-11-28"))
	c := m.do(lifecycle.Submit, "")
	if c.State != lifecycle.Accepted || len(c.Reference) != 21 || member(c, "stage") != `"ACCEPTED"` || member(c, "dispatchOn") != `"2026-11-28"` || !c.Next.After(now) {
		t.Fatalf("%+v", c)
	}
	m.clock.Advance(24 * time.Hour)
	if c = m.apply(); c.State != hub.InTransit {
		t.Errorf("%+v", c)
	}
	for _, o := range operations {
		input := strings.ReplaceAll(o.input, "2026-11-27", "2026-11-28")
		c = m.do(o.by, input)
	}
	if c.State != hub.Delivered || member(c, "stage") != `"DELIVERED"` || !c.Next.IsZero() {
		t.Errorf("%+v", c)
	}
	var reports map[string]json.RawMessage
	if err := json.Unmarshal([]byte(member(c, "reports")), &reports); err != nil {
		t.Fatal(err)
	}
	want := `[{"sequence":1,"arrivedOn":"2026-11-28","conclusion":"2","items":[{"item":1,"indicator":"S","quantity":"12.5","reasons":["2"]}]}]`
	if got := string(reports["receipts"]); got != want || reports["shortages"] == nil || reports["delays"] == nil || reports["alerts"] == nil || reports["expected"] != nil {
		t.Errorf("%s", member(c, "reports"))
	}
}

// Every order of the messages gives the same movement.
func TestOrderDoesNotMatter(t *testing.T) {
	m := start(t, wholeBody(t))
	m.do(lifecycle.Submit, "")
	for _, o := range operations {
		m.do(o.by, o.input)
	}
	want := m.apply()
	shuffle := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		shuffle.Shuffle(len(m.messages), func(i, j int) { m.messages[i], m.messages[j] = m.messages[j], m.messages[i] })
		if got := m.apply(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, not %+v", got, want)
		}
	}
}

// A draft that HMRC refuses later is rejected, with the fields that HMRC means; one that it refuses at once is not taken, with numbers and locations.
func TestRefusals(t *testing.T) {
	m := start(t, wholeBody(t, "EadEsadDraft/LocalReferenceNumber=lrnie8158976912"))
	c := m.do(lifecycle.Submit, "")
	if c.State != lifecycle.Rejected || c.Reference != "" || !strings.HasPrefix(c.Reason, "4402 ") || !c.Next.IsZero() ||
		!strings.Contains(member(c, "refusals"), `"field":"message.submittedDraftOfEADESAD.eadEsadDraft.localReferenceNumber"`) {
		t.Errorf("%+v %s", c, member(c, "refusals"))
	}
	m = start(t, wholeBody(t, "EadEsadDraft/DateOfDispatch=2026-11-20"))
	r := m.attempt(m.compose(lifecycle.Submit, ""), false)
	want := apierr.Detail{Number: 8084, Location: "/urn:IE815[1]/urn:Body[1]/urn:SubmittedDraftOfEADESAD[1]/urn:EadEsadDraft[1]/urn:DateOfDispatch[1]", Field: "scheduledDispatchAt"}
	if r.State != outbox.Refused || r.Problem.Code != apierr.AuthorityRefused || len(r.Problem.Details) != 1 {
		t.Fatalf("%+v", r)
	}
	if got := r.Problem.Details[0]; got.Number != want.Number || got.Location != want.Location || got.Message == "" {
		t.Errorf("%+v", got)
	}
}

// Flat fields that do not suffice are named, and nothing is sent.
func TestIncomplete(t *testing.T) {
	m := start(t, `{"category":"ALCOHOL","movementType":"DOMESTIC","dispatcherName":"Speyside","dispatcherExciseNumber":"GBWK002281023","consigneeName":"Thames","productCode":"S200","productDescription":"Whisky"}`)
	_, details, err := m.Compose(exchange.Draft{Purpose: "submit", Record: &m.record.Filing, Now: now})
	if err != nil || len(details) < 10 || details[0].Field == "" || details[0].Message == "" {
		t.Errorf("%+v, %v", details, err)
	}
}

// The day of dispatch over, HMRC refuses a cancellation later; before, the movement is cancelled. A refused receipt and another destination change the stage alone.
func TestCancellationAndDestination(t *testing.T) {
	m := start(t, wholeBody(t, "EadEsadDraft/DateOfDispatch=2026-11-28"))
	m.do(lifecycle.Submit, "")
	if c := m.do(lifecycle.Cancel, ""); c.State != lifecycle.Cancelled || !c.Next.IsZero() {
		t.Errorf("%+v", c)
	}
	m = start(t, wholeBody(t))
	m.do(lifecycle.Submit, "")
	if c := m.do(hub.Receipt, `{"conclusion":3,"arrivedOn":"2026-11-27","items":[{"item":1,"reasons":[{"code":"3"}]}]}`); c.State != hub.InTransit || member(c, "stage") != `"REFUSED"` {
		t.Errorf("%+v", c)
	}
	c := m.do(hub.Destination, `{"type":"1","consignee":{"id":"GBWK000099999","name":"Other","street":"Quay","postcode":"DD1 1AA","city":"Dundee"},"place":{"id":"GB00000000001","name":"Bond","street":"Quay","postcode":"DD1 1AA","city":"Dundee"},"journeyDays":3}`)
	if c.State != hub.InTransit || member(c, "stage") != `"ACCEPTED"` || member(c, "sequenceNumber") != "2" || member(c, "journeyTime") != `"D03"` {
		t.Errorf("%+v", c)
	}
}

// After a lost answer the same message is sent again, and HMRC has it once: a draft before and after its ARC, and a receipt.
func TestLostAnswers(t *testing.T) {
	for _, asked := range []string{"", "silent"} {
		m := start(t, wholeBody(t))
		m.asked = asked
		out := m.compose(lifecycle.Submit, "")
		m.server.Inject(simulator.Fault{Kind: simulator.HangUpAfter, Calls: 1})
		if r := m.attempt(out, false); r.State != outbox.Unknown {
			t.Fatalf("%+v", r)
		}
		if r := m.attempt(out, true); r.State != outbox.Sent || r.Answer.Correlation == "" {
			t.Fatalf("%q: %+v", asked, r)
		}
	}
	m := start(t, wholeBody(t))
	m.do(lifecycle.Submit, "")
	for _, o := range operations {
		out := m.compose(o.by, o.input)
		m.server.Inject(simulator.Fault{Kind: simulator.HangUpAfter, Calls: 1})
		if r := m.attempt(out, false); r.State != outbox.Unknown {
			t.Fatalf("%+v", r)
		}
		if r := m.attempt(out, true); r.State != outbox.Sent {
			t.Fatalf("%s: %+v", o.by, r)
		}
	}
	m.fetch()
	count := map[string]int{}
	for _, in := range m.messages {
		if in.Direction == exchange.In {
			count[in.Kind]++
		}
	}
	if fmt.Sprint(count) != "map[IE801:1 IE818:1 IE819:1 IE837:1 IE871:1]" {
		t.Error(count)
	}
}

// HMRC may list a message only seconds after it has taken it. One whose answer was lost is not sent again meanwhile.
func TestListedLater(t *testing.T) {
	for _, taken := range []bool{true, false} {
		m := start(t, wholeBody(t))
		m.do(lifecycle.Submit, "")
		out := m.compose(hub.Receipt, received)
		lost := simulator.Fault{Kind: simulator.HangUp, Calls: 1}
		if taken {
			lost.Kind = simulator.HangUpAfter
		}
		by := m.caller()
		attempt := func(want outbox.State, repeated bool) {
			t.Helper()
			by.Mode, by.Now = exchange.Sandbox, m.clock.Now()
			if r := m.channel.Send(t.Context(), by, &out, repeated); r.State != want {
				t.Errorf("taken: %t: %+v, not %s", taken, r, want)
			}
			out.CompletedAt = m.clock.Now()
		}
		m.server.Inject(lost)
		attempt(outbox.Unknown, false)
		m.clock.Advance(2 * time.Second)
		m.server.Inject(simulator.Fault{Kind: simulator.Answer, Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: "[]", Calls: 1})
		attempt(outbox.Unknown, true)
		m.clock.Advance(10 * time.Second)
		attempt(outbox.Sent, true)
		m.fetch()
		count := 0
		for _, in := range m.messages {
			if in.Kind == string(emcs.Receipt) {
				count++
			}
		}
		if count != 1 {
			t.Errorf("taken: %t: HMRC has %d receipts", taken, count)
		}
	}
}

// What cannot be read is kept with the movement and named, and the rest is applied.
func TestUnreadableMessages(t *testing.T) {
	m := start(t, wholeBody(t))
	m.do(lifecycle.Submit, "")
	for i, text := range []string{"<IE818", strings.ReplaceAll(string(m.messages[1].Raw), "V3.23", "V9.99"), `<a xmlns="b"/>`} {
		m.receive(exchange.Received{ID: fmt.Sprint("x/", i), Kind: "IE818", Correlation: m.messages[1].Correlation, Raw: []byte(text)})
	}
	c := m.apply()
	if c.State != hub.InTransit || strings.Count(member(c, "messageProblems"), "IE818 x/") != 3 {
		t.Errorf("%s %s", c.State, member(c, "messageProblems"))
	}
	if names := m.About(m.messages[len(m.messages)-1].Received()); len(names) != 1 || !strings.HasPrefix(names[0], "movement:") {
		t.Error(names)
	}
}

// A movement of another system is found by no record; its messages name it by its identifier, ARC and LRN.
func TestNamesOfMessages(t *testing.T) {
	m := start(t, wholeBody(t))
	c := m.do(lifecycle.Submit, "")
	names := m.About(m.messages[1].Received())
	want := []string{"movement:" + m.messages[1].Correlation, "arc:" + c.Reference, "lrn:" + emcstest.Consignor + "/TW8F001F2E3D4C5B6A7B00"}
	if len(names) != 3 || names[0] != want[0] || names[1] != want[1] || !strings.HasPrefix(names[2], "lrn:"+emcstest.Consignor+"/TW") || !reflect.DeepEqual(c.Names, want[:2]) {
		t.Errorf("%q, %q", names, c.Names)
	}
}

// HMRC decides the marks, and operations need a state that allows them.
func TestPlan(t *testing.T) {
	m := start(t, wholeBody(t))
	for _, by := range []lifecycle.Action{lifecycle.MarkAccepted, lifecycle.MarkRejected, hub.MarkDispatched, hub.MarkDelivered, hub.Receipt, hub.Shortage} {
		if _, err := m.Plan(&m.record.Filing, by, nil); !apierr.Is(err, apierr.InvalidState) {
			t.Errorf("%s: %v", by, err)
		}
	}
	for status, want := range map[lifecycle.State]exchange.Order{lifecycle.Draft: exchange.Never, lifecycle.Accepted: exchange.Only} {
		m.record.Status = status
		if step, err := m.Plan(&m.record.Filing, lifecycle.Cancel, nil); err != nil || step.Order != want {
			t.Errorf("%s: %+v, %v", status, step, err)
		}
	}
}

// Every message that is sent is valid by HMRC's schema.
func TestMessagesAreValid(t *testing.T) {
	folder, err := filepath.Abs("../../../../../shared/authorities/emcs/xsd/v2-V3.23")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skip("HMRC's schemas are not here: ", err)
	}
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("xmllint is not here: ", err)
	}
	m := start(t, wholeBody(t, "EadEsadDraft/DateOfDispatch=2026-11-27"))
	m.do(lifecycle.Submit, "")
	for _, o := range append(operations, operations[0]) {
		m.messages = append(m.messages, m.compose(o.by, o.input))
	}
	m.record.Status = lifecycle.Accepted
	m.messages = append(m.messages, m.compose(lifecycle.Cancel, ""),
		m.compose(hub.Destination, `{"type":"1","consignee":{"id":"GBWK000099999","name":"Other","street":"Quay","postcode":"DD1 1AA","city":"Dundee"},"place":{"id":"GB00000000001","name":"Bond","street":"Quay","postcode":"DD1 1AA","city":"Dundee"}}`))
	for _, sent := range m.messages {
		if sent.Direction != exchange.Out {
			continue
		}
		file := filepath.Join(t.TempDir(), "message.xml")
		if err := os.WriteFile(file, sent.Raw, 0o600); err != nil {
			t.Fatal(err)
		}
		schema := filepath.Join(folder, strings.ToLower(sent.Kind)+".xsd")
		if out, err := exec.Command("xmllint", "--noout", "--nonet", "--schema", schema, file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", sent.Kind, err, out)
		}
	}
}
