package cdssim_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/cdssim"
)

// The header takes precedence over the reference, and one that selects nothing is refused.
func TestSteeringHeader(t *testing.T) {
	t.Parallel()
	b := start(t, nil)
	submit := func(lrn, header string) any {
		client := b.client.WithHeader(simulator.Request{Organisation: "one", Simulate: header}.Header())
		return client.Submit(t.Context(), b.as, encode(t, withDocument(anImport(lrn), "SIM-R0")))
	}
	if err, ok := submit("TWS1", "NOTHING").(error); !ok || !strings.Contains(err.Error(), "selects no outcome") {
		t.Errorf("an unknown header is %v", err)
	}
	submit("TWS2", "reject CDS12056")
	if a := b.receiver.wait(1)[0]; a.FunctionCode != "03" || errorCodes(a) != "CDS12056 42A.67A.68A[1].23A.21A[1].145" {
		t.Errorf("the message is %s %s", a.FunctionCode, errorCodes(a))
	}
	if e := b.Transcript(); len(e) != 1 || e[0].Steered != "reject CDS12056" {
		t.Errorf("the transcript is %+v", e)
	}
}

// Every organisation has its own clock: messages are issued by it, and LRNs are free by it.
func TestClockOfOrganisation(t *testing.T) {
	t.Parallel()
	ahead := time.Date(2030, 5, 6, 7, 8, 9, 0, time.UTC)
	c := newClock()
	b := start(t, func(o *cdssim.Options) {
		o.Clock = func(organisation string) time.Time {
			if organisation == "ahead" {
				return ahead
			}
			return c.now()
		}
	})
	for n, organisation := range []string{"ahead", ""} {
		client := b.client.WithHeader(simulator.Request{Organisation: organisation, Simulate: "R"}.Header())
		b.accepted(client.Submit(t.Context(), b.as, encode(t, anImport("TWS"+organisation))))
		a := b.receiver.wait(n + 1)[n]
		if want := map[string]time.Time{"ahead": ahead, "": c.now()}[organisation]; !a.IssuedAt.Time.Equal(want) || a.MRN[:2] != want.Format("06") {
			t.Errorf("%q: issued at %v with MRN %s", organisation, a.IssuedAt.Time, a.MRN)
		}
	}
}
