package cdssim_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/cdssim"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/amendment"
)

// amend requests that a declaration becomes another one. It returns the conversation of the request.
func (b *bench) amend(mrn string, before, after wco.Declaration, asked simulator.Request) string {
	b.t.Helper()
	request, err := amendment.Request("TWSAMEND", mrn, "28", "Wrong on the invoice", &before, &after)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.send(request, asked)
}

func (b *bench) send(request wco.Declaration, asked simulator.Request) string {
	b.t.Helper()
	return b.accepted(b.client.WithHeader(asked.Header()).Amend(b.t.Context(), b.as, encode(b.t, request)))
}

// worth returns an import of a value in pounds.
func worth(value string) wco.Declaration {
	d := anImport("TWS1")
	goods := &d.GoodsShipment.GovernmentAgencyGoodsItem[0]
	goods.StatisticalValueAmount.Value = wco.Number(value)
	goods.Commodity.InvoiceLine.ItemChargeAmount.Value = wco.Number(value)
	return d
}

// described returns an import with a description of the goods.
func described(text string) wco.Declaration {
	d := worth("1850.00")
	d.GoodsShipment.GovernmentAgencyGoodsItem[0].Commodity.Description = text
	return d
}

// A granted amendment is answered in its own conversation. If the taxes change, the declaration is taxed again in its own
// conversation, under the next version; otherwise nothing follows.
func TestAmendmentGranted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		steer string
		after wco.Declaration
		first int
		want  string
	}{
		{"", worth("2850.00"), 4, "01 13/67 13/4 09 13/4"},
		{"", described("Shirts of cotton"), 4, "01 13/67 13/4 09"},
		{"G", worth("2850.00"), 1, "01 13/67"},
		{"U", worth("2850.00"), 3, "01 13/67 05 13/67"},
	} {
		b := start(t, nil)
		before := worth("1850.00")
		original := b.accepted(b.client.WithHeader(simulator.Request{Simulate: test.steer}.Header()).Submit(t.Context(), b.as, encode(t, before)))
		mrn := b.receiver.wait(test.first)[0].MRN
		request := b.amend(mrn, before, test.after, simulator.Request{})
		received := b.receiver.wait(strings.Count(test.want, " ") + 3)
		if codes(received, request) != "02 11/39" || codes(received, original) != test.want {
			t.Errorf("steered %q: request %s, declaration %s", test.steer, codes(received, request), codes(received, original))
		}
		for _, a := range received {
			again := strings.Count(codes(received, original), "13/") > 0 && a.FunctionCode == "13" && a.VersionID == "2"
			if again && a.Taxes[0].Assessed.Value.Fixed() != "342.00" {
				t.Errorf("the duty of version 2 is %s", a.Taxes[0].Assessed.Value.Fixed())
			}
			if a.conversation == request && (a.LRN != "TWSAMEND" || a.MRN != mrn || a.VersionID != "1") {
				t.Errorf("the answer is of %s, %s, version %s", a.LRN, a.MRN, a.VersionID)
			}
		}
		validate(t, received)
	}
}

// An amendment in the middle of a course changes what is still to come, and is repeated before the clearance.
func TestAmendmentBeforeTheEnd(t *testing.T) {
	b := start(t, nil)
	before := worth("1850.00")
	original := b.submit(before)
	mrn := b.receiver.wait(1)[0].MRN
	b.receiver.down.Store(503)
	b.receiver.waitRefused(1)
	request := b.amend(mrn, before, worth("2850.00"), simulator.Request{})
	b.receiver.down.Store(0)
	received := b.receiver.wait(7)
	if codes(received, request) != "02 11/39" {
		t.Errorf("the request gets %s", codes(received, request))
	}
	if got := codes(received, original); got != "01 13/67 13/4 07 09" && got != "01 13/67 13/67 13/4 07" {
		t.Errorf("the declaration gets %s", got)
	}
	last := ""
	for _, a := range received {
		if a.FunctionCode == "07" && (len(a.Amendments) == 0 || a.Amendments[0].Reason != "28" || len(a.Amendments[0].Pointers) == 0) {
			t.Errorf("the repetition of the changes is %+v", a.Amendments)
		}
		if a.FunctionCode == "13" {
			last = a.VersionID + " " + a.Taxes[0].Assessed.Value.Fixed()
		}
	}
	if last != "2 342.00" {
		t.Errorf("the last taxes are %s", last)
	}
	validate(t, received)
}

// A second amendment changes what the first one made of the declaration, also if the simulator was started again in between.
func TestAmendmentOfAnAmendment(t *testing.T) {
	folder := t.TempDir()
	b := start(t, func(o *cdssim.Options) { o.Folder = folder })
	before := worth("1850.00")
	b.submit(before)
	mrn := b.receiver.wait(4)[0].MRN
	b.amend(mrn, before, worth("2850.00"), simulator.Request{})
	b.receiver.wait(7)
	b.stop()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, b.clock, b.receiver, b.options)
	third := worth("2850.00")
	third.GoodsShipment.GovernmentAgencyGoodsItem[0].Commodity.GoodsMeasure.NetNetWeightMeasure.Value = "140"
	request := again.amend(mrn, worth("2850.00"), third, simulator.Request{})
	received := b.receiver.wait(8)
	if codes(received, request) != "03" || errorCodes(received[7]) != "CDS11006 42A.67A.68A[1].23A.65A.128" {
		t.Errorf("a net mass above the gross mass gets %s %s", codes(received, request), errorCodes(received[7]))
	}
	request = again.amend(mrn, worth("2850.00"), worth("3850.00"), simulator.Request{})
	received = b.receiver.wait(11)
	if last := received[8:]; codes(received, request) != "02 11/39" || !slices.ContainsFunc(last, func(a arrival) bool { return a.VersionID == "3" }) {
		t.Errorf("the next request gets %s", codes(received, request))
	}
}

// Customs denies what the header says, and refuses with its codes what it cannot take. The declaration stays as it is.
func TestAmendmentRefused(t *testing.T) {
	t.Parallel()
	net := func(kg string) wco.Declaration {
		d := worth("1850.00")
		d.GoodsShipment.GovernmentAgencyGoodsItem[0].Commodity.GoodsMeasure.NetNetWeightMeasure.Value = wco.Number(kg)
		return d
	}
	before := worth("1850.00")
	good, err := amendment.Request("TWSAMEND", "", "28", "Wrong", &before, new(net("119")))
	if err != nil {
		t.Fatal(err)
	}
	twice, elsewhere, empty := good, good, good
	twice.Amendment = append(twice.Amendment, good.Amendment[0])
	elsewhere.Amendment = []wco.Amendment{{ChangeReasonCode: "28", Pointer: []wco.Pointer{{DocumentSectionCode: "42A", TagID: "D026"}}}}
	empty.Amendment = nil
	heavy, err := amendment.Request("TWSAMEND", "", "28", "Wrong", &before, new(net("999")))
	if err != nil {
		t.Fatal(err)
	}
	b := start(t, nil)
	b.submit(before)
	mrn := b.receiver.wait(4)[0].MRN
	heard := 4
	for _, test := range []struct {
		request wco.Declaration
		mrn     string
		asked   simulator.Request
		want    string
	}{
		{good, mrn, simulator.Request{Simulate: simulator.Deny}, "02 11/41"},
		{good, "26GB0000000000000A", simulator.Request{}, "03 CDS12015 42A.D014"},
		{good, mrn, simulator.Request{Organisation: "another"}, "03 CDS11007 42A"},
		{twice, mrn, simulator.Request{}, "03 CDS12026 42A[1].67A[1].68A[1].23A[1].65A[1].128"},
		{elsewhere, mrn, simulator.Request{}, "03 CDS11012 42A.D026"},
		{empty, mrn, simulator.Request{}, "03 CDS10001 42A.06A"},
		{heavy, mrn, simulator.Request{}, "03 CDS11006 42A.67A.68A[1].23A.65A.128"},
		{good, mrn, simulator.Request{Simulate: simulator.Grant}, "02 11/39"},
	} {
		test.request.ID = test.mrn
		id := b.send(test.request, test.asked)
		heard += 1 + strings.Count(test.want, "11/")
		received := b.receiver.wait(heard)
		got := strings.TrimSpace(codes(received, id) + " " + errorCodes(received[heard-1]))
		if got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
	validate(t, b.receiver.wait(heard))
	if outcome, ok := b.client.WithHeader(simulator.Request{Simulate: "C"}.Header()).Amend(t.Context(), b.as, encode(t, good)).(interface{ Error() string }); !ok || !strings.Contains(outcome.Error(), "BAD_REQUEST") {
		t.Errorf("another decision is %v", outcome)
	}
}

// A second request before the answer to the first is refused.
func TestAmendmentWhileOneIsOpen(t *testing.T) {
	b := start(t, nil)
	before := worth("1850.00")
	b.submit(before)
	mrn := b.receiver.wait(4)[0].MRN
	b.receiver.down.Store(503)
	first := b.amend(mrn, before, described("Linen shirts"), simulator.Request{}) // it is not registered
	b.receiver.waitRefused(2)                                                     // so that the simulator knows of the first refusal
	second := b.amend(mrn, before, worth("3850.00"), simulator.Request{})
	b.receiver.down.Store(0)
	received := b.receiver.wait(7)
	if codes(received, first) != "02 11/39" || codes(received, second) != "03" {
		t.Errorf("first %s, second %s, all %s", codes(received, first), codes(received, second), codes(received, ""))
	}
	for _, a := range received {
		if a.conversation == second && errorCodes(a) != "CDS12036 42A.D014" {
			t.Errorf("the second is refused with %s", errorCodes(a))
		}
	}
}

// A pre-lodged declaration that waits for its goods is amended before they arrive: it is taxed as amended.
func TestAmendmentOfAPrelodged(t *testing.T) {
	b := start(t, nil)
	before := ofType(worth("1850.00"), "IMD")
	original := b.submit(before)
	mrn := b.receiver.wait(1)[0].MRN
	request := b.amend(mrn, before, ofType(worth("2850.00"), "IMD"), simulator.Request{})
	b.receiver.wait(3)
	b.accepted(b.client.Present(t.Context(), b.as, encode(t, wco.Presentation("TWSGPR", mrn, "GB123456789000", nil))))
	received := b.receiver.wait(8)
	if codes(received, request) != "02 11/39" || codes(received, original) != "02 01 13/67 13/4 09" {
		t.Errorf("request %s, declaration %s", codes(received, request), codes(received, original))
	}
	for _, a := range received {
		if a.FunctionCode == "13" && a.Taxes[0].Assessed.Value.Fixed() != "342.00" {
			t.Errorf("the duty is %s", a.Taxes[0].Assessed.Value.Fixed())
		}
	}
}

// A simulator that no longer has a declaration grants its amendment and says that it checked nothing.
func TestAmendmentOfAForgottenDeclaration(t *testing.T) {
	b := start(t, nil)
	b.Forget()
	before := worth("1850.00")
	b.submit(before)
	mrn := b.receiver.wait(4)[0].MRN
	request := b.amend(mrn, before, worth("2850.00"), simulator.Request{})
	received := b.receiver.wait(6)
	if codes(received, request) != "02 11/39" || !strings.HasPrefix(errorCodes(received[5]), "CDS13000") || !bytes.Contains(received[5].body, []byte("was not checked")) {
		t.Errorf("the request gets %s %s", codes(received, request), errorCodes(received[5]))
	}
	validate(t, received)
}
