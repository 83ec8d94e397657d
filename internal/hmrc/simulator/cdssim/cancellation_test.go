package cdssim_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// A granted request is answered in its own conversation, and ends the declaration
// in the declaration's: accepted, it is invalidated; only registered, it is rejected
// without an error. Another request finds nothing left to cancel.
func TestCancellationGranted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		d     wco.Declaration
		heard int
		want  string
	}{
		{withDocument(anImport("TWS1"), "SIM-G0S"), 1, "01 10"},
		{ofType(withDocument(anImport("TWS1"), "SIM-R0S"), "IMD"), 1, "02 03"},
		{anImport("TWS1"), 4, "01 13/67 13/4 09 10"},
		{withDocument(anExport("TWSG0S"), "SIM-G0S"), 1, "01 10"},
	} {
		b := start(t, nil)
		original := b.submit(test.d)
		mrn := b.receiver.wait(test.heard)[0].MRN
		request := b.cancel(mrn)
		received := b.receiver.wait(test.heard + 2)
		if got := codes(received, original); got != test.want {
			t.Errorf("the declaration's messages are %s, want %s", got, test.want)
		}
		if got := codes(received, request); got != "11/39" {
			t.Errorf("the request's messages are %s", got)
		}
		for _, a := range received {
			if a.MRN != mrn || a.conversation == request && a.LRN != "TWSREQUEST" || a.conversation == original && a.LRN != test.d.FunctionalReferenceID {
				t.Errorf("message %s is of %s, %s", a.FunctionCode, a.LRN, a.MRN)
			}
			if a.FunctionCode == "03" && len(a.Errors) != 0 {
				t.Errorf("the withdrawal has the errors %s", errorCodes(a))
			}
			if a.FunctionCode == "10" && (a.CancelledAt.Time.IsZero() || a.Information[0].Text != "The declaration is no longer required.") {
				t.Errorf("the invalidation is %+v", a.Notification)
			}
		}
		again := b.cancel(mrn)
		received = b.receiver.wait(test.heard + 3)
		if codes(received, again) != "03" || errorCodes(received[test.heard+2]) != "CDS12015 42A.D014" {
			t.Errorf("another request gets %s", codes(received, again))
		}
		validate(t, received)
	}
}

// A steered declaration without an S in the third place is not cancelled, and goes on.
func TestCancellationDenied(t *testing.T) {
	b := start(t, nil)
	original := b.submit(withDocument(anImport("TWSG0"), "SIM-G0"))
	request := b.cancel(b.receiver.wait(1)[0].MRN)
	received := b.receiver.wait(2)
	if codes(received, request) != "11/41" || codes(received, original) != "01" {
		t.Fatalf("request %s, declaration %s", codes(received, request), codes(received, original))
	}
	validate(t, received)
}

// What customs does not know, has rejected or has ended already cannot be cancelled.
func TestNothingToCancel(t *testing.T) {
	b := start(t, nil)
	b.submit(withDocument(anImport("TWSBCDS12056"), "SIM-BCDS12056"))
	b.submit(withDocument(anImport("TWSL0S"), "SIM-L0S"))
	mrns := map[string]bool{"26GB0000000000000A": true}
	for _, a := range b.receiver.wait(3) {
		mrns[a.MRN] = true
	}
	heard := 3
	for mrn := range mrns {
		request := b.cancel(mrn)
		heard++
		received := b.receiver.wait(heard)
		if codes(received, request) != "03" || errorCodes(received[heard-1]) != "CDS12015 42A.D014" {
			t.Errorf("a request for %s gets %s", mrn, codes(received, request))
		}
	}
	if heard != 6 {
		t.Errorf("%d MRNs were tried", heard-3)
	}
}

// A request in the middle of a course stops it: later messages are not sent.
func TestCancellationDropsUnsentMessages(t *testing.T) {
	t.Parallel()
	b := start(t, nil)
	b.receiver.down.Store(503)
	original := b.submit(anImport("TWS1"))
	mrn := b.Transcript()[0].MRN
	b.receiver.waitRefused(1)
	request := b.cancel(mrn)
	b.receiver.down.Store(0)
	b.receiver.wait(2)
	b.submit(withDocument(anExport("TWSG0"), "SIM-G0"))
	received := b.receiver.wait(3)
	for codes(received, request) == "" || codes(received, original) == "01" { // the export's may come first
		received = b.receiver.wait(len(received) + 1)
	}
	got := codes(received, original)
	if got != "01 10" && got != "03" && got != "10" || codes(received, request) != "11/39" {
		t.Fatalf("declaration %s, request %s", got, codes(received, request))
	}
}

// The header of a cancellation request decides it, whatever the steering of the declaration.
func TestCancellationDecidedByHeader(t *testing.T) {
	t.Parallel()
	for decision, want := range map[string]string{"grant": "11/39", "deny": "11/41"} {
		messages := map[string]int{"grant": 3, "deny": 2}[decision] // a cancelled declaration gets one more
		for _, reference := range []string{"SIM-G0", "SIM-G0S"} {
			b := start(t, nil)
			b.submit(withDocument(anImport("TWS1"), reference))
			mrn := b.receiver.wait(1)[0].MRN
			client := b.client.WithHeader(simulator.Request{Simulate: decision}.Header())
			request := b.accepted(client.Cancel(t.Context(), b.as, cancellation(t, mrn)))
			if got := codes(b.receiver.wait(messages), request); got != want {
				t.Errorf("%s of %s gets %s, want %s", decision, reference, got, want)
			}
		}
	}
	b := start(t, nil)
	client := b.client.WithHeader(simulator.Request{Simulate: "perhaps"}.Header())
	if outcome, ok := client.Cancel(t.Context(), b.as, cancellation(t, "26GB0000000000000A")).(interface{ Error() string }); !ok || !strings.Contains(outcome.Error(), "grant or deny") {
		t.Errorf("another decision is %v", outcome)
	}
}
