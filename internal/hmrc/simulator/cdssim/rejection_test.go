package cdssim_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// errorCodes are a rejection's codes with what they point at.
func errorCodes(a arrival) string {
	var all []string
	for _, e := range a.Errors {
		all = append(all, strings.TrimSpace(e.Code+" "+e.Pointer().String()))
	}
	return strings.Join(all, ", ")
}

// Every violated obligation is reported with the CDS error code and its pointer.
func TestRejections(t *testing.T) {
	type goods = wco.GovernmentAgencyGoodsItem
	second := func(change func(*goods)) func(*wco.Declaration) {
		return func(d *wco.Declaration) {
			items := &d.GoodsShipment.GovernmentAgencyGoodsItem
			*items = append(*items, (*items)[0])
			d.GoodsItemQuantity = "2"
			change(&(*items)[1])
		}
	}
	var all collection
	t.Run("faults", func(t *testing.T) {
		for _, test := range []struct {
			name   string
			of     func(string) wco.Declaration
			change func(*wco.Declaration)
			want   string
		}{
			{"no declarant", anImport, func(d *wco.Declaration) { d.Declarant.ID = "" }, "CDS10001 42A.57B.R123"},
			{"no importer", anImport, func(d *wco.Declaration) { d.GoodsShipment.Importer.ID = "" }, "CDS10001 42A.67A.74A.R038"},
			{"no exporter", anExport, func(d *wco.Declaration) { d.Exporter.ID = "" }, "CDS10001 42A.57A.R032"},
			{"no LRN", anImport, func(d *wco.Declaration) { d.FunctionalReferenceID = "" }, "CDS10001 42A.D026"},
			{"no item", anImport, func(d *wco.Declaration) { d.GoodsShipment.GovernmentAgencyGoodsItem, d.GoodsItemQuantity = nil, "" },
				"CDS10001 42A.67A.68A"},
			{"miscounted", anImport, func(d *wco.Declaration) { d.GoodsItemQuantity = "7" }, "CDS11003 42A.228"},
			{"no code", anImport, second(func(g *goods) { g.Commodity.Classification = nil }), "CDS10004 42A.67A.68A[2].23A.21A[1].145"},
			{"eight digits", anImport, second(func(g *goods) { g.Commodity.Classification = g.Commodity.Classification[:1] }), "CDS10004 42A.67A.68A[2].23A.21A[1].145"},
			{"ten digits", anExport, func(d *wco.Declaration) {
				d.GoodsShipment.GovernmentAgencyGoodsItem[0].Commodity.Classification = []wco.Classification{{ID: "6109100010", IdentificationTypeCode: "TSP"}}
			}, "CDS10002 42A.67A.68A[1].23A.21A[2].145, CDS10004 42A.67A.68A[1].23A.21A[1].145"},
			{"no description", anImport, second(func(g *goods) { g.Commodity.Description = "" }), "CDS10001 42A.67A.68A[2].23A.137"},
			{"no net mass", anImport, second(func(g *goods) { g.Commodity.GoodsMeasure.NetNetWeightMeasure.Value = "" }), "CDS10001 42A.67A.68A[2].23A.65A.128"},
			{"no weight", anImport, second(func(g *goods) { g.Commodity.GoodsMeasure.NetNetWeightMeasure.Value = "0" }), "CDS12123 42A.67A.68A[2].23A.65A.128"},
			{"net over gross", anImport, second(func(g *goods) { g.Commodity.GoodsMeasure.NetNetWeightMeasure.Value = "131.000001" }), "CDS11006 42A.67A.68A[2].23A.65A.128"},
			{"no price", anImport, second(func(g *goods) { g.Commodity.InvoiceLine.ItemChargeAmount.Value = "" }), "CDS10001 42A.67A.68A[2].23A.79A.112"},
			{"no value", anExport, second(func(g *goods) { g.StatisticalValueAmount.Value = "" }), "CDS10001 42A.67A.68A[2].114"},
			{"no procedure", anImport, second(func(g *goods) { g.GovernmentProcedure, g.Commodity.Description = nil, "" }), "CDS12050 42A.67A.68A[2].70A[1].166"},
			{"no origin", anImport, second(func(g *goods) { g.Origin = nil }), "CDS10001 42A.67A.68A[2].92A[1].063"},
			{"document without status", anImport, second(func(g *goods) {
				g.AdditionalDocument = []wco.AdditionalDocument{{CategoryCode: "Y", TypeCode: "900", ID: "1"}, {CategoryCode: "C", TypeCode: "505", ID: "GBCGU1"}, {CategoryCode: "N", TypeCode: "271", ID: "1"}}
			}), "CDS77002 42A.67A.68A[2].02A[3].360"},
			{"document without reference", anImport, second(func(g *goods) {
				g.AdditionalDocument = []wco.AdditionalDocument{{CategoryCode: "N", TypeCode: "935", LPCOExemptionCode: "AC"}}
			}), "CDS77000 42A.67A.68A[2].02A[1].D005"},
			{"no DUCR", anExport, func(d *wco.Declaration) { d.GoodsShipment.PreviousDocument = nil }, "CDS12108 42A.67A.99A[1].D018"},
			{"a bad DUCR", anExport, func(d *wco.Declaration) { d.GoodsShipment.PreviousDocument[0].ID = "REF1" }, "CDS12132 42A.67A.99A[1].D018"},
			{"unrepresented", anImport, func(d *wco.Declaration) { d.Agent.FunctionCode = "" }, "CDS12074 42A.05A.102, CDS12074 42A.67A.68A[1].03A[1].226"},
			{"the exporter's statement", anImport, func(d *wco.Declaration) {
				d.Agent.FunctionCode = ""
				d.AdditionalInformation = []wco.HeaderInformation{{StatementCode: "00400"}}
			}, "CDS12074 42A.05A.102, CDS12074 42A.67A.68A[1].03A[1].226"},
			{"nature twice", anImport, func(d *wco.Declaration) {
				d.GoodsShipment.TransactionNatureCode = "1"
				d.GoodsShipment.GovernmentAgencyGoodsItem[0].TransactionNatureCode = "11"
			}, "CDS12071 42A.67A.68A[1].103"},
			{"no such type", anImport, func(d *wco.Declaration) { d.TypeCode = "ZZZ" }, "CDS12052 42A.D013"},
			{"no original", anImport, func(d *wco.Declaration) { d.FunctionCode = "13" }, "CDS10020 42A.017"},
		} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				b := start(t, nil)
				d := test.of("TWS1")
				test.change(&d)
				id := b.submit(d)
				received := b.receiver.wait(1)
				if codes(received, id) != "03" || errorCodes(received[0]) != test.want {
					t.Fatalf("%s: %s, want %s", codes(received, id), errorCodes(received[0]), test.want)
				}
				if received[0].MRN == "" || received[0].RejectedAt.Time.IsZero() {
					t.Errorf("a rejection has no MRN or date: %+v", received[0].Notification)
				}
				for _, e := range received[0].Errors {
					if !e.Pointer().Known() {
						t.Errorf("customs has no %s", e.Pointer())
					}
				}
				all.add(received)
			})
		}
	})
	validate(t, all.all)
}

// What is represented otherwise, or needs no status, is not rejected.
func TestNotRejected(t *testing.T) {
	self := anImport("TWS1")
	self.Agent.FunctionCode = ""
	self.AdditionalInformation = []wco.HeaderInformation{{StatementCode: "00500", StatementDescription: "IMPORTER"}}
	named := anImport("TWS1")
	named.GoodsShipment.Importer = wco.Trader{Name: "Harbour Textiles Ltd", Address: wco.Address{Line: "1 Quay", CityName: "Hull", CountryCode: "GB", PostcodeID: "HU1 1AA"}}
	waived := anImport("TWS1")
	waived.GoodsShipment.GovernmentAgencyGoodsItem[0].AdditionalDocument[0] = wco.AdditionalDocument{CategoryCode: "Y", TypeCode: "900", Name: "none"}
	territory := ofType(anImport("TWS1"), "COA")
	for _, d := range []wco.Declaration{self, named, waived, territory} {
		b := start(t, nil)
		b.submit(d)
		if received := b.receiver.wait(1); received[0].FunctionCode != "01" {
			t.Errorf("rejected with %s", errorCodes(received[0]))
		}
	}
}

// A steered rejection has the code that was asked for, a pointer that leads
// somewhere, and says why.
func TestSteeredRejection(t *testing.T) {
	t.Parallel()
	var all collection
	for reference, want := range map[string]string{
		"SIM-BCDS12056-7": "CDS12056 42A.67A.68A[1].23A.21A[1].145",
		"SIM-BCDS12005":   "CDS12005 42A.57B.R123",
		"SIM-BCDS40045":   "CDS40045 42A.67A.68A[1].02A[1].D006",
		"SIM-BCDS70711":   "CDS70711 42A",
		"SIM-BOGUS":       "CDS10020 42A.67A.68A[1].23A.137",
		"SIM-BCDS1205":    "CDS10020 42A.67A.68A[1].23A.137",
		"SIM-K0":          "CDS12046",
	} {
		b := start(t, nil)
		b.submit(withDocument(anImport("TWS1"), reference))
		n := 1
		if reference == "SIM-K0" {
			n = 2
		}
		received := b.receiver.wait(n)
		last := received[n-1]
		if errorCodes(last) != want || (n == 1 && !strings.Contains(last.Errors[0].Description, reference)) {
			t.Errorf("%s is %s (%s), want %s", reference, errorCodes(last), last.Errors[0].Description, want)
		}
		all.add(received)
	}
	validate(t, all.all)
}

// An LRN is good for one declaration in 48 hours, and a second one does not touch
// the first; after a rejection it may be used again.
func TestReusedLRN(t *testing.T) {
	b := start(t, nil)
	first := b.submit(anImport("TWS1"))
	b.receiver.wait(4)
	second := b.submit(anImport("TWS1"))
	received := b.receiver.wait(5)
	if codes(received, first) != "01 13/67 13/4 09" || codes(received, second) != "03" || errorCodes(received[4]) != "CDS12003 42A.D026" {
		t.Fatalf("first %s, second %s: %s", codes(received, first), codes(received, second), errorCodes(received[4]))
	}
	if received[4].MRN == received[0].MRN {
		t.Error("the second declaration has the MRN of the first")
	}
	other := anImport("TWS1")
	other.Declarant.ID = "GB111111111000"
	if id := b.submit(other); codes(b.receiver.wait(9), id) != "01 13/67 13/4 09" {
		t.Error("another declarant may not use the LRN")
	}
	b.clock.advance(48 * time.Hour)
	if id := b.submit(anImport("TWS1")); codes(b.receiver.wait(13), id) != "01 13/67 13/4 09" {
		t.Error("after 48 hours the LRN is not free")
	}
}

// An LRN that was only ever rejected is free.
func TestRejectedLRNIsFree(t *testing.T) {
	b := start(t, nil)
	bad := anImport("TWS1")
	bad.Declarant.ID = "GB123456789000"
	bad.GoodsShipment.Importer.ID = ""
	b.submit(bad)
	b.receiver.wait(1)
	if id := b.submit(anImport("TWS1")); codes(b.receiver.wait(5), id) != "01 13/67 13/4 09" {
		t.Error("the LRN of a rejected declaration is taken")
	}
}

// Of many declarations with one LRN at once, exactly one is taken.
func TestReusedLRNAtOnce(t *testing.T) {
	const callers = 16
	b := start(t, nil)
	document := encode(t, withDocument(anImport("TWSG0S"), "SIM-G0S"))
	if _, err := b.as.Token(t.Context()); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	for range callers {
		go func() { b.client.Submit(t.Context(), b.as, document); done <- struct{}{} }()
	}
	for range callers {
		<-done
	}
	accepted := 0
	for _, a := range b.receiver.wait(callers) {
		if a.FunctionCode == "01" {
			accepted++
		} else if errorCodes(a) != "CDS12003 42A.D026" {
			t.Errorf("refused with %s", errorCodes(a))
		}
	}
	if accepted != 1 {
		t.Fatalf("%d were accepted", accepted)
	}
}
