package cdssim_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/inventory"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/cdssim"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

const (
	exportedDUCR = "6GB123456789000-REF1"
	firstMUCR    = "GB/123456789012-0203N1"
	secondMUCR   = "A:24682009062"
	quay         = "GBAUFXTFXTFXT"
)

// move sends a movement that must be accepted, and returns its conversation.
func (b *bench) move(r inventory.Request, simulate string) string {
	b.t.Helper()
	return b.accepted(b.tryMove(r, simulate))
}

func (b *bench) tryMove(r inventory.Request, simulate string) client.Outcome {
	b.t.Helper()
	document, err := r.Encode()
	if err != nil {
		b.t.Fatal(err)
	}
	return b.client.WithHeader(simulator.Request{Simulate: simulate, Organisation: "one"}.Header()).Move(b.t.Context(), b.as, []byte(document))
}

// lodge submits an export of the organisation of the movements, and waits for its messages.
func (b *bench) lodge(d wco.Declaration, codesOf string) string {
	b.t.Helper()
	id := b.accepted(b.client.WithHeader(simulator.Request{Organisation: "one"}.Header()).Submit(b.t.Context(), b.as, encode(b.t, d)))
	b.waitFor(id, codesOf)
	return id
}

// waitFor waits until a conversation has certain messages, and returns them.
func (b *bench) waitFor(id, want string) (all []arrival) {
	b.t.Helper()
	for n := 1; ; n++ {
		all = b.receiver.wait(n)
		if codes(all, id) == want {
			return all
		}
		if got := codes(all, id); !strings.HasPrefix(want, got) {
			b.t.Fatalf("messages %s, not %s", got, want)
		}
	}
}

func ofDUCR(code string) inventory.Request {
	return inventory.Request{Code: code, UCR: inventory.UCR{Number: exportedDUCR, Type: "D"}, Location: quay, Reference: "TWSMOVE"}
}

func ofMUCR(code, number string) inventory.Request {
	return inventory.Request{Code: code, UCR: inventory.UCR{Number: number, Type: "M"}, Location: quay, Reference: "TWSMOVE"}
}

func (b *bench) arrival(r inventory.Request) inventory.Request {
	r.ArrivesAt = b.clock.now()
	return r
}

func (b *bench) departure(r inventory.Request) inventory.Request {
	r.DepartsAt = b.clock.now()
	return r
}

func association(ucr inventory.UCR, master string) inventory.Request {
	return inventory.Request{Code: inventory.CodeAssociate, UCR: ucr, MasterUCR: master}
}

func shutting(master string) inventory.Request {
	return inventory.Request{Code: inventory.CodeShut, MasterUCR: master}
}

// errorsOf waits for the refusal of a movement and returns its error codes; empty for an acceptance.
func (b *bench) errorsOf(id string) string {
	b.t.Helper()
	for n := 1; ; n++ {
		for _, a := range b.receiver.wait(n) {
			if a.conversation == id {
				return a.Name
			}
		}
	}
}

// Goods arrive, and depart after that; then the message comes that they have left. The answers have the status.
func TestArrivalAndDeparture(t *testing.T) {
	b := start(t, nil)
	declaration := b.lodge(anExport("TWSEXPORT"), "01 09")
	expected := b.arrival(ofDUCR(inventory.CodeAnticipated))
	expected.ArrivesAt = expected.ArrivesAt.AddDate(0, 0, 7)
	b.waitFor(b.move(expected, ""), "EAA/1")
	arrived := b.move(b.arrival(ofDUCR(inventory.CodeArrival)), "")
	b.waitFor(arrived, "EAL/1 EAL")
	departed := b.move(b.departure(ofDUCR(inventory.CodeDeparture)), "")
	b.waitFor(departed, "EDL/1 EDL")
	for _, a := range b.waitFor(declaration, "01 09 16/A1") {
		r, err := inventory.Decode(a.body)
		if err != nil || r.Kind != inventory.MovementResponse {
			continue
		}
		want := inventory.Status{ROE: "6", SOE: "3"}
		if a.conversation == departed {
			want.SOE = "D"
		}
		if r.Status != want || r.CRC != "000" || r.Reference != "TWSMOVE" || r.UCR.Number != exportedDUCR || r.Location != quay {
			t.Errorf("report %+v", r)
		}
	}
}

// The arrival of a pre-lodged export lets its declaration go on.
func TestArrivalOfAPrelodgedExport(t *testing.T) {
	b := start(t, nil)
	declaration := b.lodge(ofType(anExport("TWSEXPORT"), "EXD"), "02")
	if got := b.errorsOf(b.move(b.departure(ofDUCR(inventory.CodeDeparture)), "")); got != inventory.ErrorNoArrival {
		t.Errorf("a departure before the arrival gets %q", got)
	}
	b.waitFor(b.move(b.arrival(ofDUCR(inventory.CodeArrival)), ""), "EAL/1 EAL")
	b.waitFor(declaration, "02 01 09")
	b.waitFor(b.move(b.departure(ofDUCR(inventory.CodeDeparture)), ""), "EDL/1 EDL")
	b.waitFor(declaration, "02 01 09 16/A1")
}

// A consolidation is made, shut, arrived and departed as a whole.
func TestConsolidation(t *testing.T) {
	b := start(t, nil)
	declaration := b.lodge(anExport("TWSEXPORT"), "01 09")
	one := inventory.UCR{Number: exportedDUCR, Type: "D"}
	b.waitFor(b.move(association(one, firstMUCR), ""), "EAC/1")
	b.waitFor(b.move(association(one, ""), ""), "EAC/1")
	b.waitFor(b.move(association(one, firstMUCR), ""), "EAC/1")
	b.waitFor(b.move(shutting(firstMUCR), ""), "CST/1")
	b.waitFor(b.move(association(inventory.UCR{Number: firstMUCR, Type: "M"}, secondMUCR), ""), "EAC/1")
	b.waitFor(b.move(inventory.Request{Code: inventory.CodeAssociate, MasterUCR: secondMUCR}, ""), "EAC/1") // shuts it
	b.waitFor(b.move(b.arrival(ofMUCR(inventory.CodeArrival, secondMUCR)), ""), "EAL/1 EAL EMR")
	departed := b.move(b.departure(ofMUCR(inventory.CodeDeparture, secondMUCR)), "")
	b.waitFor(departed, "EDL/1 EDL EMR")
	for _, a := range b.waitFor(declaration, "01 09 16/A1") {
		if r, err := inventory.Decode(a.body); err == nil && a.conversation == departed && r.Kind == inventory.TotalsResponse {
			if r.MasterSOE != "3" || r.MasterROE != "6" || r.DeclarationCount != "1" || len(r.Entries) != 1 || r.Entries[0].UCR.Number != exportedDUCR || r.Entries[0].Status.SOE != "D" {
				t.Errorf("totals %+v", r)
			}
		}
	}
}

// What HMRC refuses is refused with its code.
func TestRefusedMovements(t *testing.T) {
	b := start(t, nil)
	b.lodge(anExport("TWSEXPORT"), "01 09")
	one, unknown := inventory.UCR{Number: exportedDUCR, Type: "D"}, inventory.UCR{Number: "6GB123456789000-OTHER", Type: "D"}
	now := func(change func(*inventory.Request)) inventory.Request {
		r := b.arrival(ofDUCR(inventory.CodeArrival))
		change(&r)
		return r
	}
	for _, c := range []struct {
		name, want string
		request    inventory.Request
	}{
		{"an unknown DUCR", inventory.ErrorUnknownUCR, now(func(r *inventory.Request) { r.UCR = unknown })},
		{"an unknown MUCR", inventory.ErrorUnknownUCR, b.arrival(ofMUCR(inventory.CodeArrival, firstMUCR))},
		{"a DUCR as a MUCR", inventory.ErrorTypeOfUCR, now(func(r *inventory.Request) { r.UCR.Type = "M" })},
		{"no location", inventory.ErrorLocation, now(func(r *inventory.Request) { r.Location = "" })},
		{"a location in words", inventory.ErrorLocation, now(func(r *inventory.Request) { r.Location = "Dover docks" })},
		{"no time", inventory.ErrorTime, ofDUCR(inventory.CodeArrival)},
		{"a time too far ahead", inventory.ErrorFuture, now(func(r *inventory.Request) { r.ArrivesAt = r.ArrivesAt.Add(26 * time.Hour) })},
		{"a departure before the arrival", inventory.ErrorNoArrival, b.departure(ofDUCR(inventory.CodeDeparture))},
		{"an association of an unknown DUCR", inventory.ErrorUnknownUCR, association(unknown, firstMUCR)},
		{"an association with a DUCR", inventory.ErrorNotMaster, association(one, unknown.Number)},
		{"a removal of an unknown DUCR", inventory.ErrorUnknownMember, association(unknown, "")},
		{"a removal from nothing", inventory.ErrorNotAssociated, association(one, "")},
		{"an unknown MUCR to shut", inventory.ErrorNoConsolidation, shutting(firstMUCR)},
		{"an association of nothing", inventory.ErrorReferences, inventory.Request{Code: inventory.CodeAssociate}},
		{"an association", "", association(one, firstMUCR)},
		{"the same association", inventory.ErrorAssociated, association(one, firstMUCR)},
		{"an arrival inside a consolidation", inventory.ErrorNotAtTop, b.arrival(ofDUCR(inventory.CodeArrival))},
		{"an open MUCR as a member", inventory.ErrorMemberNotShut, association(inventory.UCR{Number: firstMUCR, Type: "M"}, secondMUCR)},
		{"a departure of an open MUCR", inventory.ErrorNotShut, b.departure(ofMUCR(inventory.CodeDeparture, firstMUCR))},
		{"the removal", "", association(one, "")},
		{"an empty MUCR to shut", inventory.ErrorEmptyMaster, shutting(firstMUCR)},
		{"the association again", "", association(one, firstMUCR)},
		{"the shutting", "", shutting(firstMUCR)},
		{"a shut MUCR to shut", inventory.ErrorAlreadyShut, shutting(firstMUCR)},
		{"an association with a shut MUCR", inventory.ErrorAlreadyShut, association(one, firstMUCR)},
		{"a removal from a shut MUCR", inventory.ErrorAlreadyShut, association(one, "")},
		{"a MUCR inside itself", inventory.ErrorAlreadyShut, association(inventory.UCR{Number: firstMUCR, Type: "M"}, firstMUCR)},
		{"the association with another MUCR", "", association(inventory.UCR{Number: firstMUCR, Type: "M"}, secondMUCR)},
		{"the shutting of the other MUCR", "", shutting(secondMUCR)},
		{"a departure elsewhere", inventory.ErrorNoArrival, b.departure(ofMUCR(inventory.CodeDeparture, secondMUCR))},
		{"the arrival", "", b.arrival(ofMUCR(inventory.CodeArrival, secondMUCR))},
		{"the departure", "", b.departure(ofMUCR(inventory.CodeDeparture, secondMUCR))},
		{"a second departure", inventory.ErrorDeparted, b.departure(ofMUCR(inventory.CodeDeparture, secondMUCR))},
	} {
		if got := b.errorsOf(b.move(c.request, "")); got != c.want {
			t.Errorf("%s gets %q, not %q", c.name, got, c.want)
		}
	}
}

// Goods that customs has not cleared cannot depart, and those of a cancelled declaration cannot move. Another organisation does not
// know them.
func TestMovementsFollowTheDeclaration(t *testing.T) {
	b := start(t, nil)
	held := withDocument(anExport("TWSHELD"), "SIM-G-1")
	b.lodge(held, "01")
	b.waitFor(b.move(b.arrival(ofDUCR(inventory.CodeArrival)), ""), "EAL/1 EAL")
	if got := b.errorsOf(b.move(b.departure(ofDUCR(inventory.CodeDeparture)), "")); got != inventory.ErrorNoPermission {
		t.Errorf("a departure before the clearance gets %q", got)
	}
	document, err := new(inventory.Request{Code: inventory.CodeArrival, UCR: inventory.UCR{Number: exportedDUCR, Type: "D"}, Location: quay, ArrivesAt: b.clock.now()}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	other := b.accepted(b.client.WithHeader(simulator.Request{Organisation: "two"}.Header()).Move(t.Context(), b.as, []byte(document)))
	if got := b.errorsOf(other); got != inventory.ErrorUnknownUCR {
		t.Errorf("another organisation gets %q", got)
	}
	mrn := b.receiver.wait(1)[0].MRN
	granted := b.accepted(b.client.WithHeader(simulator.Request{Organisation: "one", Simulate: simulator.Grant}.Header()).Cancel(t.Context(), b.as, cancellation(t, mrn)))
	b.waitFor(granted, "11/39")
	if got := b.errorsOf(b.move(b.arrival(ofDUCR(inventory.CodeArrival)), "")); got != inventory.ErrorCancelled {
		t.Errorf("an arrival after the cancellation gets %q", got)
	}
}

// The header selects the outcome of a movement.
func TestSteeredMovements(t *testing.T) {
	b := start(t, nil)
	b.lodge(anExport("TWSEXPORT"), "01 09")
	b.waitFor(b.move(b.departure(ofDUCR(inventory.CodeDeparture)), "accept"), "EDL/1 EDL")
	if got := b.errorsOf(b.move(b.arrival(ofDUCR(inventory.CodeArrival)), "reject 27")); got != "27" {
		t.Errorf("reject 27 gets %q", got)
	}
	if got := b.errorsOf(b.move(b.arrival(ofDUCR(inventory.CodeArrival)), "reject")); got != inventory.ErrorUnknownUCR {
		t.Errorf("reject gets %q", got)
	}
	silent := b.move(b.arrival(ofDUCR(inventory.CodeArrival)), "silent")
	b.waitFor(b.move(b.arrival(ofDUCR(inventory.CodeAnticipated)), ""), "EAA/1")
	if got := codes(b.receiver.wait(1), silent); got != "" {
		t.Errorf("silent gets %s", got)
	}
	refused, ok := b.tryMove(b.arrival(ofDUCR(inventory.CodeArrival)), "perhaps").(client.Refused)
	if !ok || refused.Status != http.StatusBadRequest {
		t.Errorf("an unknown outcome gets %v", refused)
	}
}

// A document that breaks the schema is refused at once, and so is a version that the API does not have.
func TestMovementsThatAreNoDocuments(t *testing.T) {
	b := start(t, nil)
	valid := b.arrival(ofDUCR(inventory.CodeArrival))
	text, err := valid.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"<goodsLocation>" + quay + "</goodsLocation>": "", "<ucrType>D": "<ucrType>X", "<messageCode>": "<x/><messageCode>", "</inventoryLinkingMovementRequest>": ""} {
		refused, ok := b.client.Move(t.Context(), b.as, []byte(strings.Replace(text, from, to, 1))).(client.Refused)
		if !ok || refused.Status != http.StatusBadRequest || refused.Code != "BAD_REQUEST" {
			t.Errorf("%s → %s: %v", from, to, refused)
		}
	}
	third, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/customs/inventory-linking/exports/", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	third.Header.Set("Accept", cds.Version3)
	answer, err := http.DefaultClient.Do(third)
	if err != nil || answer.StatusCode != http.StatusNotAcceptable {
		t.Errorf("version 3: %v, %v", answer, err)
	}
	_ = answer.Body.Close()
}

// After a restart the simulator knows the consignments, also when the journal was compacted.
func TestConsignmentsSurviveARestart(t *testing.T) {
	folder := t.TempDir()
	b := start(t, func(o *cdssim.Options) { o.Folder = folder })
	declaration := b.lodge(anExport("TWSEXPORT"), "01 09")
	b.waitFor(b.move(association(inventory.UCR{Number: exportedDUCR, Type: "D"}, firstMUCR), ""), "EAC/1")
	b.waitFor(b.move(shutting(firstMUCR), ""), "CST/1")
	b.waitFor(b.move(b.arrival(ofMUCR(inventory.CodeArrival, firstMUCR)), ""), "EAL/1 EAL EMR")
	for range 2 {
		b.clock.advance(72 * time.Hour) // the finished conversations expire
		b.stop()
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		b = open(t, b.clock, b.receiver, b.options)
	}
	b.waitFor(b.move(b.departure(ofMUCR(inventory.CodeDeparture, firstMUCR)), ""), "EDL/1 EDL EMR")
	if got := codes(b.receiver.wait(1), declaration); got != "01 09" {
		t.Errorf("the forgotten declaration gets %s", got)
	}
}
