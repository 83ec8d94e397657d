package cdssim_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/cdssim"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// A declaration that nothing is wrong with gets the messages of its kind, in order;
// one that is steered gets what was asked for.
func TestCourses(t *testing.T) {
	simple := ofType(anImport("TWS3"), "IMC")
	simple.AuthorisationHolder = []wco.AuthorisationHolder{{ID: "GB123456789000", CategoryCode: "SDE"}}
	simple.GoodsShipment.GovernmentAgencyGoodsItem[0].AdditionalDocument = append(simple.GoodsShipment.GovernmentAgencyGoodsItem[0].AdditionalDocument,
		wco.AdditionalDocument{CategoryCode: "C", TypeCode: "512", ID: "GBSDE123456789000"})
	var all collection
	t.Run("kinds", func(t *testing.T) {
		for _, test := range []struct {
			name string
			d    wco.Declaration
			want string
		}{
			{"arrived import", anImport("TWS1"), "01 13/67 13/4 09"},
			{"pre-lodged import", ofType(anImport("TWS2"), "IMD"), "02 01 13/67 13/4 09"},
			{"simplified import", simple, "01 09"},
			{"arrived export", anExport("TWS4"), "01 09"},
			{"pre-lodged export", ofType(anExport("TWS5"), "EXD"), "02 01 09"},
			{"B", withDocument(anImport("TWSBCDS12056"), "SIM-BCDS12056"), "03"},
			{"C", withDocument(anImport("TWSC0"), "SIM-C0"), "01 13/67 13/4 09"},
			{"D", withDocument(anImport("TWSD0"), "SIM-D0"), "01 13/67 06"},
			{"G", withDocument(anImport("TWSG0"), "SIM-G0"), "01"},
			{"K", withDocument(anImport("TWSK0"), "SIM-K0"), "02 03"},
			{"L", withDocument(anImport("TWSL0"), "SIM-L0"), "01 10"},
			{"N", withDocument(anImport("TWSN0"), "SIM-N0"), "01 13/67 08"},
			{"Q", withDocument(anImport("TWSQ0"), "SIM-Q0"), "01 51"},
			{"R", withDocument(anImport("TWSR0"), "SIM-R0"), "02"},
			{"U", withDocument(anImport("TWSU0"), "SIM-U0"), "01 13/67 05"},
			{"X", withDocument(anImport("TWSX0"), "SIM-X0"), "01 13/67 13/4 09"},
			{"X of an export", withDocument(anExport("TWSX0S"), "SIM-X0S"), "01 09 16/A1"},
			{"X of a pre-lodged export", ofType(withDocument(anExport("TWSX0P"), "SIM-X0P"), "EXD"), "02 01 09 16/A1"},
			{"D of an export", withDocument(anExport("TWSD0X"), "SIM-D0X"), "01 06"},
			{"G of a pre-lodged import", ofType(withDocument(anImport("TWSG0D"), "SIM-G0D"), "IMD"), "02 01"},
			{"tax liability", withDocument(anImport("TWSTAXLIABILITY1"), "SIM-TAX_LIABILITY1"), "01 13/67"},
			{"insufficient", withDocument(anImport("TWSINSUFFICIENT1"), "SIM-INSUFFICIENT1"), "01 13/67 14"},
			{"reminder", withDocument(anImport("TWSREMINDER1"), "SIM-REMINDER1"), "01 13/67 14 15"},
			{"by document", withDocument(anImport("TWS6"), "SIM-G0-1"), "01"},
			{"by document in small letters", withDocument(anImport("TWS7"), "sim-q0-1"), "01 51"},
			{"the trader's own reference", withUCR(anImport("TWS8"), "SIM-R0"), "02"},
			{"other letters", withDocument(anImport("TWS9"), "SIM-1"), "01 13/67 13/4 09"},
			{"an LRN", anImport("BCDS12056"), "01 13/67 13/4 09"},
			{"an invoice", withDocument(anImport("TWS10"), "BDX/26/1133"), "01 13/67 13/4 09"},
			{"a bill of lading", withDocument(anImport("TWS11"), "BL-2026-17"), "01 13/67 13/4 09"},
			{"a debit note", withDocument(anImport("TWS12"), "DN44"), "01 13/67 13/4 09"},
		} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				b := start(t, nil)
				id := b.submitPlain(test.d)
				received := b.receiver.wait(len(strings.Fields(test.want)))
				if got := codes(received, id); got != test.want {
					t.Fatalf("the messages are %s, want %s", got, test.want)
				}
				checkIdentity(t, b, received, test.d.FunctionalReferenceID)
				if last, twice := received[len(received)-1], strings.HasPrefix(test.want, "02 01"); (last.VersionID == "2") != twice {
					t.Errorf("the last message is of version %s", last.VersionID)
				}
				all.add(received)
			})
		}
	})
	validate(t, all.all)
}

// A body that names a data set is strict: pre-lodged goods wait for their presentation, an arrived export needs an
// authorisation, and a warehouse entry is not taxed.
func TestStrictCourses(t *testing.T) {
	bare := anExport("TWS3")
	bare.AuthorisationHolder = nil
	warehouse := anImport("TWS4")
	warehouse.AuthorisationHolder = []wco.AuthorisationHolder{{ID: "GB123456789000", CategoryCode: "CWP"}}
	warehouse.GoodsShipment.Warehouse = wco.Warehouse{ID: "1234567GB", TypeCode: "R"}
	goods := &warehouse.GoodsShipment.GovernmentAgencyGoodsItem[0]
	goods.GovernmentProcedure[0].CurrentCode = "71"
	goods.AdditionalDocument = append(goods.AdditionalDocument, wco.AdditionalDocument{CategoryCode: "C", TypeCode: "517", ID: "GBCWP1"})
	for _, test := range []struct {
		d    wco.Declaration
		want string
	}{
		{ofType(anImport("TWS1"), "IMD"), "02"}, {ofType(anExport("TWS2"), "EXD"), "02"}, {bare, "03"}, {warehouse, "01 09"},
	} {
		b := start(t, nil)
		id := b.submit(test.d)
		if got := codes(b.receiver.wait(len(strings.Fields(test.want))), id); got != test.want || len(b.Transcript()) != len(strings.Fields(test.want)) {
			t.Errorf("%s %s: %s, want %s", test.d.TypeCode, test.d.FunctionalReferenceID, got, test.want)
		}
	}
}

// What no list decides comes with the first message, and changes nothing else.
func TestUndecided(t *testing.T) {
	for _, typeCode := range []string{"IMA", "IMD"} {
		b := start(t, nil)
		d := ofType(anImport("TWS1"), typeCode)
		d.GoodsShipment.Consignment.GoodsLocation.Name = "DVRDVRDVR"
		id := b.submitPlain(d)
		want := map[string]string{"IMA": "01 13/67 13/4 09", "IMD": "02 01 13/67 13/4 09"}[typeCode]
		received := b.receiver.wait(len(strings.Fields(want)))
		if codes(received, id) != want || errorCodes(received[0]) != "CDS13000 42A.67A.28A.64A.L016" || errorCodes(received[1]) != "" {
			t.Errorf("%s: %s, %s", typeCode, codes(received, id), errorCodes(received[0]))
		}
		if !strings.Contains(received[0].Errors[0].Description, "GBAUDVRDVRDVR") {
			t.Errorf("it says %q", received[0].Errors[0].Description)
		}
		validate(t, received)
	}
}

// checkIdentity wants one MRN that checks out, the LRN, and another id on every message.
func checkIdentity(t *testing.T, b *bench, received []arrival, lrn string) {
	t.Helper()
	seen := map[string]bool{}
	for _, a := range received {
		if a.MRN != received[0].MRN || a.LRN != lrn || !ident.MRN(a.MRN).ValidChecksum() || !strings.HasPrefix(a.MRN, "26GB") {
			t.Errorf("message %s is of %s, %s", a.FunctionCode, a.LRN, a.MRN)
		}
		if seen[a.MessageID] || len(a.MessageID) != 32 {
			t.Errorf("the message id is %q", a.MessageID)
		}
		seen[a.MessageID] = true
		if !a.IssuedAt.Time.Equal(b.clock.now()) || !strings.HasSuffix(a.IssuedAt.Text, "Z") {
			t.Errorf("it was issued at %s", a.IssuedAt.Text)
		}
		if a.header.Get("Content-Type") != "application/xml; charset=UTF-8" || a.header.Get("Accept") != "application/xml" {
			t.Errorf("the headers are %v", a.header)
		}
	}
}

// P is silence: what comes next is of the declaration after it.
func TestSilence(t *testing.T) {
	b := start(t, nil)
	silent := b.submit(withDocument(anImport("TWSP0"), "SIM-P0"))
	other := b.submit(anImport("TWS1"))
	received := b.receiver.wait(4)
	if got := codes(received, silent); got != "" || codes(received, other) == "" {
		t.Fatalf("the silent conversation says %s", got)
	}
	if n := len(b.Transcript()); n != 4 {
		t.Fatalf("%d messages are planned", n)
	}
}

// A digit in the second place is the delay between messages in seconds, and
// messages are issued as far apart.
func TestDelayBySteering(t *testing.T) {
	t.Parallel()
	b := start(t, nil)
	b.submit(withDocument(anImport("TWSG1S"), "SIM-G1S"))
	received := b.receiver.wait(1)
	if got := received[0].IssuedAt.Time.Sub(b.clock.now()).Seconds(); got != 1 {
		t.Fatalf("the first message was issued after %v s", got)
	}
}

// DMSTAX has a duty and a VAT line for each item, with the figures of the tariff to
// the penny.
func TestTaxes(t *testing.T) {
	b := start(t, nil)
	d := anImport("TWS1")
	second := d.GoodsShipment.GovernmentAgencyGoodsItem[0]
	second.Commodity.InvoiceLine.ItemChargeAmount.Value = "10.05"
	d.GoodsShipment.GovernmentAgencyGoodsItem = append(d.GoodsShipment.GovernmentAgencyGoodsItem, second)
	d.GoodsItemQuantity = "2"
	b.submit(d)
	final := b.receiver.wait(4)[2]
	var got []string
	for _, x := range final.Taxes {
		got = append(got, strings.Join([]string{x.Type, x.Regime, x.Rate, x.Base.Value.Fixed(), x.Deducted.Value.Fixed(), x.Assessed.Value.Fixed(), x.Payable.Value.Fixed(), x.Assessed.Currency}, " "))
	}
	want := "A00 100 12.00 1850.00 0.00 222.00 222.00 GBP|B00 100 20.00 2072.00 0.00 414.40 414.40 GBP|" +
		"A00 100 12.00 10.05 0.00 1.20 1.20 GBP|B00 100 20.00 11.25 0.00 2.25 2.25 GBP"
	if s := strings.Join(got, "|"); s != want || final.Taxes[3].Item != 2 || final.Bank.BIC == "" {
		t.Fatalf("the taxes are\n%s, want\n%s", s, want)
	}
}

// The largest declaration is taxed item by item, and outlives a restart.
func TestLargest(t *testing.T) {
	const items = 999
	b := start(t, func(o *cdssim.Options) { o.Folder = t.TempDir() })
	d := anImport("TWS1")
	d.GoodsShipment.GovernmentAgencyGoodsItem = slices.Repeat(d.GoodsShipment.GovernmentAgencyGoodsItem, items)
	d.GoodsItemQuantity = wco.Count(items)
	b.receiver.down.Store(503)
	b.submit(d)
	b.receiver.waitRefused(1)
	b.stop()
	b.receiver.down.Store(0)
	received := open(t, b.clock, b.receiver, b.options).receiver.wait(4)
	if n := len(received[2].Taxes); n != 2*items || received[2].Taxes[n-1].Item != items {
		t.Fatalf("%d taxes", n)
	}
	validate(t, received)
}

// Postponed VAT is assessed and not payable.
func TestPostponedVAT(t *testing.T) {
	b := start(t, nil)
	d := anImport("TWS1")
	d.GoodsShipment.DomesticDutyTaxParty = []wco.RoledParty{{ID: "GB123456789", RoleCode: "FR1"}}
	b.submit(d)
	vat := b.receiver.wait(4)[2].Taxes[1]
	if vat.Type != "B00" || vat.Assessed.Value.Fixed() != "414.40" || vat.Payable.Value.Fixed() != "0.00" {
		t.Fatalf("VAT is %+v", vat)
	}
}

// What a special procedure suspends is assessed and not payable, and what is secured has no payable amount.
func TestSuspendedAndSecured(t *testing.T) {
	b := start(t, nil)
	d := anImport("TWS1")
	item := &d.GoodsShipment.GovernmentAgencyGoodsItem[0]
	item.GovernmentProcedure[0].CurrentCode = "42"
	item.Commodity.DutyTaxFee = []wco.DutyTaxFee{{TypeCode: "A00", DutyRegimeCode: "100", Payment: wco.Payment{MethodCode: "S"}}}
	b.submit(d)
	taxes := b.receiver.wait(4)[2].Taxes
	duty, vat := &taxes[0], &taxes[1]
	if duty.Type != "A00" || duty.Assessed.Value.Fixed() != "222.00" || duty.Payable.Value != nil {
		t.Errorf("duty is %+v", duty)
	}
	if vat.Type != "B00" || vat.Assessed.Value.Fixed() != "414.40" || vat.Payable.Value.Fixed() != "0.00" {
		t.Errorf("VAT is %+v", vat)
	}
}

// A demand for payment names the sum of all taxes and the account that fell short.
func TestDemand(t *testing.T) {
	b := start(t, nil)
	b.submit(withDocument(anImport("TWSINSUFFICIENT1"), "SIM-INSUFFICIENT1"))
	demand := b.receiver.wait(3)[2]
	if p := demand.Payments; len(p) != 1 || p[0].Payable.Value.Fixed() != "636.40" || p[0].Account != "GB123456789000" {
		t.Fatalf("the demand is %+v", p)
	}
}

// What comes with the messages is what facts about them say: deadline, exit office,
// release, query.
func TestStatements(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		d                      wco.Declaration
		at                     int
		kind, code, text, want string
	}{
		{withDocument(anImport("TWSD0"), "SIM-D0"), 2, "ACA", "ACA", "", "20261221100000Z"},
		{withDocument(anImport("TWSN0"), "SIM-N0"), 2, "AFB", "A1", "", ""},
		{withDocument(anImport("TWSC0"), "SIM-C0"), 3, "AFB", "A2", "", ""},
		{withDocument(anExport("TWSX0"), "SIM-X0"), 2, "CEX", "", "GB000060", ""},
		{withDocument(anImport("TWSQ0"), "SIM-Q0"), 1, "QRY", "Q01", "Please describe the goods in more detail.", ""},
	} {
		b := start(t, nil)
		b.submit(test.d)
		i := b.receiver.wait(test.at + 1)[test.at].Information
		if len(i) != 1 || i[0].Type != test.kind || i[0].Code != test.code || i[0].Text != test.text || i[0].LimitAt.Text != test.want {
			t.Errorf("%s: the statement is %+v", test.d.FunctionalReferenceID, i)
		}
	}
}

// The same seed gives the same ids, MRNs and messages to the same declarations;
// another seed gives others.
func TestSameSeedSameTranscript(t *testing.T) {
	transcript := func(seed uint64) []cdssim.Entry {
		b := start(t, func(o *cdssim.Options) {
			o.Seed, o.Repeat, o.Drop, o.Reorder = seed, 30, 30, true
		})
		for _, lrn := range []string{"TWS1", "TWS2", "BX", "TWS1", "D0"} {
			b.submit(anImport(lrn))
		}
		return b.Transcript()
	}
	first, again, other := transcript(1), transcript(1), transcript(2)
	if !equal(first, again) || equal(first, other) || len(first) == 0 {
		t.Fatalf("\n%v\n%v\n%v", first, again, other)
	}
}

func equal(a, b []cdssim.Entry) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
