package emcssim_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/life"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/emcssim"
)

var now = time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)

// The calls of a simulator can be kept in the journal that the simulators share.
var _ simulator.State[emcssim.Call] = new(emcssim.Simulator)

// fixture is a simulator with the time of the next call.
type fixture struct {
	emcssim.Simulator
	t  *testing.T
	at time.Time
	id string // of the last movement
}

func newFixture(t *testing.T) *fixture { return &fixture{t: t, at: now} }

// send submits a message to the movement after edits, an hour after the message before.
func (f *fixture) send(m emcs.Message, edits ...string) emcssim.Answer {
	f.t.Helper()
	return f.steer("", m, edits...)
}

func (f *fixture) steer(outcome string, m emcs.Message, edits ...string) emcssim.Answer {
	f.t.Helper()
	emcstest.Edit(m.Body, edits...)
	data, err := emcs.Encode(m)
	if err != nil {
		f.t.Fatal(err)
	}
	f.at = f.at.Add(time.Hour)
	call := emcssim.Call{Movement: f.id, Document: data, Simulate: outcome, At: f.at}
	if m.Kind == emcs.Draft {
		call.Movement = ""
	}
	answer := f.Submit(call)
	if m.Kind == emcs.Draft && answer.Status == http.StatusAccepted {
		f.id = answer.Movement
	}
	return answer
}

// later submits a later message about the present destination and expects 202.
func (f *fixture) later(m emcs.Message, edits ...string) {
	f.t.Helper()
	l := f.life()
	path := map[emcs.Kind]string{emcs.Cancellation: "ExciseMovementEad/", emcs.DestinationChange: "UpdateEadEsad/"}[m.Kind]
	if path == "" {
		path = "ExciseMovement/"
		emcstest.Edit(m.Body, "ExciseMovement/SequenceNumber="+strconv.Itoa(l.Sequence))
	}
	emcstest.Edit(m.Body, path+"AdministrativeReferenceCode="+l.ARC)
	if answer := f.send(m, edits...); answer.Status != http.StatusAccepted {
		f.t.Fatalf("%s: %+v", m.Kind, answer)
	}
}

var parties = []string{emcstest.Consignor, emcstest.Consignee, "GBWK000099999", "GBWK000000206"}

func (f *fixture) life() life.Life {
	var known life.Known
	for _, d := range f.Deliveries(f.id, time.Time{}, parties...) {
		known.Messages = append(known.Messages, d.Message)
	}
	known.Now = f.at
	return life.Of(known)
}

// kinds returns the kinds of the messages to a party, since the start of the test's hours.
func (f *fixture) kinds(ern string, since time.Time) string {
	var all []string
	for _, d := range f.Deliveries(f.id, since, ern) {
		all = append(all, string(d.Message.Kind))
	}
	return strings.Join(all, " ")
}

func draft(v emcs.Version) emcs.Message { return emcstest.Draft(v, now) }

// A draft is accepted: both parties get one IE801 with an ARC.
func TestAcceptance(t *testing.T) {
	f := newFixture(t)
	if answer := f.send(draft(emcs.V323)); answer.Status != http.StatusAccepted || answer.LRN != emcstest.LRN || answer.Consignor != emcstest.Consignor || answer.Consignee != emcstest.Consignee {
		t.Fatalf("%+v", answer)
	}
	for _, party := range parties[:2] {
		if got := f.kinds(party, now); got != "IE801" {
			t.Errorf("%s: %s", party, got)
		}
	}
	l := f.life()
	if l.State != life.InTransit || len(l.ARC) != 21 || !strings.HasPrefix(l.ARC, "26GB") || l.Sequence != 1 || f.Movement(l.ARC) != f.id || f.Movement("") != "" {
		t.Errorf("%+v", l)
	}
}

// Each story sends its messages, which HMRC's schemas accept in both versions, and ends in its state.
func TestStories(t *testing.T) {
	ends := map[string]string{
		"lrnie8158976912": "REJECTED ", "lrnie8156540856": "IN_TRANSIT ACCEPTED", "lrnie8155973812": "DELIVERED DELIVERED", "lrnie8151695045": "IN_TRANSIT REFUSED",
		"lrnie8155743934": "CANCELLED CANCELLED", "lrnie8154968571": "IN_TRANSIT ACCEPTED", "lrnie8153786132": "IN_TRANSIT REJECTED", "lrnie8155743960": "CANCELLED CANCELLED",
		"lrnie8155755321": "IN_TRANSIT STOPPED", "lrnie8155755323": "IN_TRANSIT STOPPED", "lrnie8155755325": "IN_TRANSIT DIVERTED", "lrnie8155755326": "DELIVERED DELIVERED",
		"lrnie8155755327": "DELIVERED DELIVERED", "lrnie8155755329": "IN_TRANSIT REJECTED", "lrnie8155755330": "DELIVERED MANUALLY_CLOSED", "lrnie8155755331": "IN_TRANSIT ACCEPTED",
	}
	if len(emcssim.Stories()) != len(ends) {
		t.Errorf("%d stories", len(emcssim.Stories()))
	}
	var sent []emcs.Message
	for _, story := range emcssim.Stories() {
		for _, v := range emcs.Versions() {
			f := newFixture(t)
			if answer := f.send(draft(v), "EadEsadDraft/LocalReferenceNumber="+story.LRN); answer.Status != http.StatusAccepted {
				t.Fatalf("%+v", answer)
			}
			all := f.Deliveries(f.id, now, parties...)
			for _, d := range all {
				sent = append(sent, d.Message)
			}
			for _, kind := range story.Messages {
				if !slices.ContainsFunc(all, func(d emcssim.Delivery) bool { return d.Message.Kind == kind }) {
					t.Errorf("%s: no %s", story.Name, kind)
				}
			}
			if l := f.life(); string(l.State)+" "+string(l.Stage) != ends[story.LRN] {
				t.Errorf("%s: %s %s", story.Name, l.State, l.Stage)
			}
		}
	}
	validate(t, sent)
}

// validate checks messages by our schema and by HMRC's.
func validate(t *testing.T, messages []emcs.Message) {
	t.Helper()
	for _, m := range messages {
		if found := emcs.Check(m); len(found) > 0 {
			t.Errorf("%s %s: %+v", m.Kind, m.Version, found)
		}
		if !strings.HasPrefix(m.Header.Identifier, "SIM-") {
			t.Errorf("%s has the identifier %s", m.Kind, m.Header.Identifier)
		}
	}
	schemas := filepath.Join("..", "..", "..", "..", "..", "shared", "authorities", "emcs", "xsd")
	if _, err := os.Stat(schemas); err != nil {
		t.Skip("HMRC's schemas are not beside the project")
	}
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("no xmllint here; make deps installs it")
	}
	folder, files := t.TempDir(), map[string][]string{}
	for i, m := range messages {
		name := strings.ToLower(string(m.Kind)) + ".xsd"
		if m.Kind == emcs.Refusal {
			name = "ie704uk.xsd"
		}
		schema := filepath.Join(schemas, map[emcs.Version]string{emcs.V313: "v1-V3.13", emcs.V323: "v2-V3.23"}[m.Version], name)
		data, err := emcs.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(folder, strconv.Itoa(i))
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		files[schema] = append(files[schema], file)
	}
	for schema, all := range files {
		if out, err := exec.Command("xmllint", append([]string{"--noout", "--nonet", "--schema", schema}, all...)...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%.2000s", schema, err, out)
		}
	}
}

// One organisation plays both parties: the goods are refused, go to another consignee, and are received there.
func TestDiversion(t *testing.T) {
	f := newFixture(t)
	f.send(draft(emcs.V323))
	f.later(emcstest.Receipt(emcs.V323, now, "3"))
	if l := f.life(); l.Stage != life.StageRefused {
		t.Fatalf("%+v", l)
	}
	since := f.at.Add(time.Minute)
	f.later(emcstest.Change(emcs.V323, now))
	for party, want := range map[string]string{emcstest.Consignor: "IE813 IE801", emcstest.Consignee: "IE803", "GBWK000099999": "IE801"} {
		if got := f.kinds(party, since); got != want {
			t.Errorf("%s: %s", party, got)
		}
	}
	if l := f.life(); l.Stage != life.StageAccepted || l.Sequence != 2 || l.Destination.ConsigneeID != "GBWK000099999" {
		t.Errorf("%+v", l)
	}
	f.later(emcstest.Receipt(emcs.V323, now, "1"), "ConsigneeTrader/Traderid=GBWK000099999")
	if l := f.life(); l.State != life.Delivered {
		t.Errorf("%+v", l)
	}
	var sent []emcs.Message
	for _, d := range f.Deliveries("", time.Time{}, parties...) {
		sent = append(sent, d.Message)
	}
	validate(t, sent)
}

// Explanations and alerts go to both parties.
func TestExplanations(t *testing.T) {
	f := newFixture(t)
	f.send(draft(emcs.V313))
	f.later(emcstest.Alert(emcs.V313, now, "0"))
	f.later(emcstest.Delay(emcs.V313, now))
	f.later(emcstest.Receipt(emcs.V313, now, "2"))
	if open := f.life().Open; len(open) != 1 {
		t.Errorf("%+v", open)
	}
	f.later(emcstest.Shortage(emcs.V313, now))
	for _, party := range parties[:2] {
		if got := f.kinds(party, now); got != "IE801 IE819 IE837 IE818 IE871" {
			t.Errorf("%s: %s", party, got)
		}
	}
	if l := f.life(); len(l.Open) != 0 || l.State != life.Delivered {
		t.Errorf("%+v", l)
	}
}

// A movement can be cancelled until the day of dispatch is over.
func TestCancellation(t *testing.T) {
	f := newFixture(t)
	f.send(draft(emcs.V323), "EadEsadDraft/DateOfDispatch=2026-11-28")
	f.later(emcstest.Cancellation(emcs.V323, now))
	if l := f.life(); l.State != life.Cancelled || l.Stage != life.StageCancelled {
		t.Errorf("%+v", l)
	}
}

// What the state of the movement does not allow gets an IE704 with HMRC's number, to its sender alone, and changes nothing.
func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		number string
		before func(*fixture)
		send   func(*fixture)
	}{
		"cancelled after dispatch": {"4494", func(f *fixture) { f.at = f.at.AddDate(0, 0, 1) }, func(f *fixture) { f.later(emcstest.Cancellation(emcs.V323, now)) }},
		"received twice":           {"4498", func(f *fixture) { f.later(emcstest.Receipt(emcs.V323, now, "1")) }, func(f *fixture) { f.later(emcstest.Receipt(emcs.V323, now, "1")) }},
		"changed after delivery":   {"4454", func(f *fixture) { f.later(emcstest.Receipt(emcs.V323, now, "1")) }, func(f *fixture) { f.later(emcstest.Change(emcs.V323, now)) }},
		"nothing changed": {"4453", nil, func(f *fixture) {
			f.later(emcstest.Change(emcs.V323, now), "DestinationChanged/NewConsigneeTrader/Traderid="+emcstest.Consignee)
		}},
		"alert after delivery":    {"4517", func(f *fixture) { f.later(emcstest.Receipt(emcs.V323, now, "1")) }, func(f *fixture) { f.later(emcstest.Alert(emcs.V323, now, "1")) }},
		"shortage before receipt": {"4522", nil, func(f *fixture) { f.later(emcstest.Shortage(emcs.V323, now)) }},
		"shortage of no item": {"4475", func(f *fixture) { f.later(emcstest.Receipt(emcs.V323, now, "2")) }, func(f *fixture) {
			f.later(emcstest.Shortage(emcs.V323, now), "BodyAnalysis/BodyRecordUniqueReference=9")
		}},
		"shortage of another item": {"4526", func(f *fixture) { f.later(emcstest.Receipt(emcs.V323, now, "2")) }, func(f *fixture) { f.later(emcstest.Shortage(emcs.V323, now), "BodyAnalysis/ExciseProductCode=W200") }},
		"unknown item": {"4475", nil, func(f *fixture) {
			f.later(emcstest.Receipt(emcs.V323, now, "2"), "BodyReportOfReceiptExport/BodyRecordUniqueReference=9")
		}},
		"another product": {"4479", nil, func(f *fixture) {
			f.later(emcstest.Receipt(emcs.V323, now, "2"), "BodyReportOfReceiptExport/ExciseProductCode=W200")
		}},
		"more missing than there is": {"4480", nil, func(f *fixture) {
			f.later(emcstest.Receipt(emcs.V323, now, "2"), "BodyReportOfReceiptExport/ObservedShortageOrExcess=8400.001")
		}},
		"more refused than there is": {"4481", nil, func(f *fixture) {
			f.later(emcstest.Receipt(emcs.V323, now, "4"), "BodyReportOfReceiptExport/RefusedQuantity=8401")
		}},
		"arrived before dispatch": {"4478", nil, func(f *fixture) { f.later(emcstest.Receipt(emcs.V323, now.AddDate(0, 0, -1), "1")) }},
		"unknown reason": {"4474", nil, func(f *fixture) {
			f.later(emcstest.Receipt(emcs.V323, now, "2"), "BodyReportOfReceiptExport/UnsatisfactoryReason/UnsatisfactoryReasonCode=6")
		}},
		"about another destination": {"4492", nil, func(f *fixture) { f.delayOf("7") }},
	} {
		f := newFixture(t)
		f.send(draft(emcs.V323))
		if c.before != nil {
			c.before(f)
		}
		before := f.life()
		c.send(f)
		after := f.life()
		if len(after.Refusals) != 1 || after.Refusals[0].Number != c.number || after.Refusals[0].Refused != "TW-1" || after.State != before.State || after.Stage != before.Stage {
			t.Errorf("%s: %+v", name, after.Refusals)
		}
	}
}

// delayOf sends an explanation about a destination.
func (f *fixture) delayOf(sequence string) {
	f.t.Helper()
	if answer := f.send(emcstest.Delay(emcs.V323, now), "ExciseMovement/AdministrativeReferenceCode="+f.life().ARC, "ExciseMovement/SequenceNumber="+sequence); answer.Status != http.StatusAccepted {
		f.t.Fatalf("%+v", answer)
	}
}

// What cannot be read, does not fit or breaks a rule is answered at once and leaves nothing behind.
func TestAnsweredAtOnce(t *testing.T) {
	f := newFixture(t)
	f.send(draft(emcs.V323))
	arc := f.life().ARC
	before := len(f.Deliveries("", time.Time{}, parties...))
	for _, c := range []struct {
		status int
		text   string
		answer emcssim.Answer
	}{
		{400, "XML error", f.Submit(emcssim.Call{Document: []byte("<a"), At: now})},
		{400, "Invalid message type", f.Submit(emcssim.Call{Document: []byte("<IE999/>"), At: now})},
		{400, "Invalid message type", f.asDraft(emcstest.Cancellation(emcs.V323, now))},
		{400, "Duplicate LRN error", f.send(draft(emcs.V323))},
		{404, "Movement not found", f.Submit(emcssim.Call{Movement: "none", Document: f.encoded(emcstest.Cancellation(emcs.V323, now)), At: now})},
		{400, "Message type is invalid", f.Submit(emcssim.Call{Movement: f.id, Document: f.encoded(emcstest.Closure(now, "1")), At: now})},
		{400, "Message does not match movement", f.send(emcstest.Receipt(emcs.V323, now, "1"))},
		{400, "Message does not match movement", f.send(emcstest.Receipt(emcs.V323, now, "1"), "ExciseMovement/AdministrativeReferenceCode="+arc, "ConsigneeTrader/Traderid=GBWK000000001")},
		{400, "Message missing key information", f.send(emcstest.Receipt(emcs.V323, now, "1"), "ExciseMovement/AdministrativeReferenceCode="+arc, "-ConsigneeTrader/Traderid")},
		{422, "Validation error", f.send(emcstest.Receipt(emcs.V323, now, "4"), "ExciseMovement/AdministrativeReferenceCode="+arc, "-BodyReportOfReceiptExport/RefusedQuantity")},
		{422, "Validation error", f.send(draft(emcs.V323), "EadEsadDraft/LocalReferenceNumber=OTHER", "EadEsadDraft/DateOfDispatch=2020-01-01")},
		{400, "Invalid request", f.steer("explode", draft(emcs.V323), "EadEsadDraft/LocalReferenceNumber=OTHER")},
		{403, "ERN validation error", f.Submit(emcssim.Call{ERNs: []string{emcstest.Consignee}, Document: f.encoded(draft(emcs.V323)), At: now})},
	} {
		if c.answer.Status != c.status || c.answer.Message != c.text || (c.status == 422) != (len(c.answer.Findings) > 0) {
			t.Errorf("%d %s: %+v", c.status, c.text, c.answer)
		}
	}
	if after := len(f.Deliveries("", time.Time{}, parties...)); after != before {
		t.Errorf("%d messages, not %d", after, before)
	}
}

func (f *fixture) asDraft(m emcs.Message) emcssim.Answer {
	return f.Submit(emcssim.Call{Document: f.encoded(m), At: now})
}

func (f *fixture) encoded(m emcs.Message) []byte {
	f.t.Helper()
	data, err := emcs.Encode(m)
	if err != nil {
		f.t.Fatal(err)
	}
	return data
}

// X-Simulate refuses with a number, or says nothing; a repeat of a draft that was not answered is the same movement, and a refused LRN is free again.
func TestSteering(t *testing.T) {
	f := newFixture(t)
	f.steer("silent", draft(emcs.V323))
	first := f.id
	if got := f.kinds(emcstest.Consignor, now); got != "" {
		t.Errorf("%s", got)
	}
	if f.send(draft(emcs.V323)); f.id != first {
		t.Error("a repeat made another movement")
	}
	f = newFixture(t)
	f.steer("reject 4403", draft(emcs.V323))
	if l := f.life(); l.State != life.Rejected || len(l.Refusals) != 1 || l.Refusals[0].Number != "4403" || l.LRN != emcstest.LRN {
		t.Errorf("%+v", l)
	}
	first = f.id
	if f.send(draft(emcs.V323)); f.id == first || f.life().State != life.InTransit {
		t.Error("the LRN of a refused draft is not free")
	}
}

// A draft with a code that does not exist is refused later, with HMRC's number and location.
func TestUnknownCodeInDraft(t *testing.T) {
	f := newFixture(t)
	f.send(draft(emcs.V323), "TransportMode/TransportModeCode=6")
	if l := f.life(); l.State != life.Rejected || len(l.Refusals) != 1 || l.Refusals[0].Number != "4440" || l.Refusals[0].Field != "message.submittedDraftOfEADESAD.transportMode.transportModeCode" {
		t.Errorf("%+v", l)
	}
}

// The calls of a journal make the same state, with the same identifiers.
func TestReplay(t *testing.T) {
	f := newFixture(t)
	for _, story := range emcssim.Stories() {
		f.send(draft(emcs.V323), "EadEsadDraft/LocalReferenceNumber="+story.LRN)
	}
	f.send(draft(emcs.V313))
	f.later(emcstest.Receipt(emcs.V313, now, "3"))
	f.later(emcstest.Change(emcs.V313, now))
	var again emcssim.Simulator
	for c := range f.Records() {
		again.Apply(c)
	}
	want, got := f.Deliveries("", time.Time{}, parties...), again.Deliveries("", time.Time{}, parties...)
	if len(want) < 40 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d messages, not %d", len(got), len(want))
	}
}
