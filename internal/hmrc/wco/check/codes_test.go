package check_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/cdscode"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

type change = func(*wco.Declaration)

// stating adds statements to the first item.
func stating(codes ...string) change {
	return func(d *wco.Declaration) {
		for _, c := range codes {
			item(d).AdditionalInformation = append(item(d).AdditionalInformation, statement(c))
		}
	}
}

// twice repeats the item and changes the second one.
func twice(second func(*wco.GovernmentAgencyGoodsItem)) change {
	return func(d *wco.Declaration) {
		items := &d.GoodsShipment.GovernmentAgencyGoodsItem
		*items = append(*items, (*items)[0])
		d.GoodsItemQuantity = "2"
		(*items)[1].AdditionalInformation = slices.Clone((*items)[0].AdditionalInformation)
		second(&(*items)[1])
	}
}

func both(changes ...change) change {
	return func(d *wco.Declaration) {
		for _, c := range changes {
			c(d)
		}
	}
}

func asType(code string) change { return func(d *wco.Declaration) { d.TypeCode = code } }

func papered(documents ...wco.AdditionalDocument) change {
	return func(d *wco.Declaration) {
		item(d).AdditionalDocument = append(item(d).AdditionalDocument, documents...)
	}
}

var wrongImports = map[string]change{
	"CDS10001": func(d *wco.Declaration) { d.TotalPackageQuantity = "" },
	"CDS10002": func(d *wco.Declaration) { d.ExitOffice.ID = "GB000060" },
	"CDS10003": func(d *wco.Declaration) {
		item(d).AdditionalInformation = slices.Repeat([]wco.AdditionalInformation{statement("00600")}, 100)
	},
	"CDS10004": func(d *wco.Declaration) { item(d).Commodity.Classification = item(d).Commodity.Classification[:1] },
	"CDS10020": func(d *wco.Declaration) { d.GoodsShipment.Destination.CountryCode = "YY" },
	"CDS10021": func(d *wco.Declaration) { item(d).StatisticalValueAmount.Value = "-1" },
	"CDS11003": func(d *wco.Declaration) { d.GoodsItemQuantity = "7" },
	"CDS11005": both(stating("00100"), twice(func(g *wco.GovernmentAgencyGoodsItem) {
		g.GovernmentProcedure = []wco.GovernmentProcedure{{CurrentCode: "53", PreviousCode: "00"}, {CurrentCode: "000"}}
	})),
	"CDS11006": func(d *wco.Declaration) { item(d).Commodity.GoodsMeasure.NetNetWeightMeasure.Value = "131.1" },
	"CDS12005": func(d *wco.Declaration) { d.Declarant.ID = "GB12" },
	"CDS12016": func(d *wco.Declaration) {
		d.AcceptanceDateTime = wco.DateTime{Value: "20301231000000Z", Format: "304"}
	},
	"CDS12022": func(d *wco.Declaration) { item(d).SequenceNumeric = "5" },
	"CDS12050": func(d *wco.Declaration) { item(d).GovernmentProcedure = nil },
	"CDS12052": asType("ZZZ"),
	"CDS12056": func(d *wco.Declaration) { item(d).GovernmentProcedure[1].CurrentCode = "D05" },
	"CDS12057": twice(func(g *wco.GovernmentAgencyGoodsItem) { g.Commodity.InvoiceLine.ItemChargeAmount.Currency = "USD" }),
	"CDS12058": func(d *wco.Declaration) {
		item(d).Packaging = []wco.Packaging{{MarksNumbersID: "1", QuantityQuantity: "0", TypeCode: "CT"}}
	},
	"CDS12070": func(d *wco.Declaration) { item(d).Commodity.DutyTaxFee[0].DutyRegimeCode = "120" },
	"CDS12071": func(d *wco.Declaration) { item(d).TransactionNatureCode = "3" },
	"CDS12073": func(d *wco.Declaration) { d.GoodsShipment.TransactionNatureCode = "" },
	"CDS12074": func(d *wco.Declaration) { d.Agent.FunctionCode = "" },
	"CDS12078": func(d *wco.Declaration) { d.AdditionalDocument = nil },
	"CDS12079": func(d *wco.Declaration) {
		d.GoodsShipment.DomesticDutyTaxParty = []wco.RoledParty{{ID: "GB987654321", RoleCode: "FR1"}}
		item(d).Commodity.DutyTaxFee = append(item(d).Commodity.DutyTaxFee, wco.DutyTaxFee{TypeCode: "B00", Payment: wco.Payment{MethodCode: "E"}})
	},
	"CDS12081": func(d *wco.Declaration) { d.Exporter.ID = other },
	"CDS12082": func(d *wco.Declaration) { d.InvoiceAmount = wco.Amount{Value: "9", Currency: "USD"} },
	"CDS12083": func(d *wco.Declaration) {
		item(d).Origin = append(item(d).Origin, wco.Origin{CountryCode: "FR", TypeCode: "2"}, wco.Origin{CountryCode: "EU", TypeCode: "2"})
	},
	"CDS12088": func(d *wco.Declaration) { d.Agent.Address.CityName = "Hull" },
	"CDS12092": func(d *wco.Declaration) { d.Exporter.ID, d.GoodsShipment.Seller.ID = trader, trader },
	"CDS12096": func(d *wco.Declaration) {
		d.AuthorisationHolder = append(d.AuthorisationHolder, wco.AuthorisationHolder{ID: other, CategoryCode: "EUS"})
	},
	"CDS12099": func(d *wco.Declaration) { d.GoodsShipment.Consignment.GoodsLocation.TypeCode = "Q" },
	"CDS12102": both(func(d *wco.Declaration) {
		item(d).Commodity.DutyTaxFee[0].Payment.MethodCode = "P"
		item(d).AdditionalDocument = item(d).AdditionalDocument[:1]
		d.AuthorisationHolder = nil
	}),
	"CDS12103": both(asType("COA"), func(d *wco.Declaration) { d.GoodsShipment.Destination.CountryCode = "" }),
	"CDS12104": func(d *wco.Declaration) { item(d).GovernmentProcedure[0].CurrentCode = "10" },
	"CDS12110": func(d *wco.Declaration) { item(d).Commodity.DutyTaxFee[0].QuotaOrderID = "057012" },
	"CDS12111": func(d *wco.Declaration) {
		item(d).Commodity.DutyTaxFee[0].Payment.PaymentAmount = wco.Amount{Value: "5", Currency: "USD"}
		stating("OVR01")(d)
	},
	"CDS12113": func(d *wco.Declaration) {
		d.AuthorisationHolder = append(d.AuthorisationHolder, wco.AuthorisationHolder{ID: other, CategoryCode: "CGU"})
		d.ObligationGuarantee = []wco.ObligationGuarantee{{ReferenceID: "1", SecurityDetailsCode: "3"}}
		papered(document("C505", "GBCGU1", ""))(d)
	},
	"CDS12117": func(d *wco.Declaration) { d.GoodsShipment.Buyer.ID = other },
	"CDS12120": both(asType("IMC"), func(d *wco.Declaration) { d.AuthorisationHolder[0].CategoryCode = "DPO" }),
	"CDS12121": both(func(d *wco.Declaration) { d.Agent.FunctionCode = "" }, stating("00500", "00400")),
	"CDS12123": func(d *wco.Declaration) { item(d).Commodity.GoodsMeasure.NetNetWeightMeasure.Value = "0" },
	"CDS12135": func(d *wco.Declaration) { d.GoodsShipment.ExportCountry.ID = "" },
	"CDS12137": func(d *wco.Declaration) {
		d.GoodsShipment.PreviousDocument = []wco.PreviousDocument{{CategoryCode: "Z", TypeCode: "MCR", ID: "A:LON1"}, {CategoryCode: "Z", TypeCode: "MCR", ID: "A:LON2"}}
	},
	"CDS12139": func(d *wco.Declaration) { item(d).Commodity.DutyTaxFee[0].Payment.PaymentAmount = pounds("5") },
	"CDS12141": stating("NIDOM", "NIIMP"),
	"CDS12143": stating("NIDOM", "NIREM", "NIAID"),
	"CDS12146": stating("OSR42"),
	"CDS12147": stating("UVC01"),
	"CDS12148": func(d *wco.Declaration) {
		item(d).Commodity.DutyTaxFee[0].Payment.MethodCode = "P"
		d.AdditionalDocument = nil
	},
	"CDS12149": func(d *wco.Declaration) {
		item(d).GovernmentProcedure = append(item(d).GovernmentProcedure, wco.GovernmentProcedure{CurrentCode: "C07"})
	},
	"CDS12151": papered(
		wco.AdditionalDocument{CategoryCode: "L", TypeCode: "001", ID: "L1", LPCOExemptionCode: "EE", WriteOff: wco.WriteOff{QuantityQuantity: wco.Measure{Value: "1", Unit: "KGM"}}},
		wco.AdditionalDocument{CategoryCode: "L", TypeCode: "001", ID: "L1", LPCOExemptionCode: "EE", WriteOff: wco.WriteOff{QuantityQuantity: wco.Measure{Value: "1", Unit: "KGM"}}}),
	"CDS12152": func(d *wco.Declaration) { item(d).GovernmentProcedure[1].CurrentCode = "1H7" },
	"CDS12154": both(stating("NIDOM"), papered(document("999L", "CDS WAIVER", "AC"))),
	"CDS12155": papered(document("999L", "CDS WAIVER", "AC"), document("999L", "CDS WAIVER", "AC")),
	"CDS12156": both(asType("IMZ"), func(d *wco.Declaration) {
		d.AuthorisationHolder = append(d.AuthorisationHolder, wco.AuthorisationHolder{ID: other, CategoryCode: "EIR"})
		papered(document("C514", "GBEIR1", ""))(d)
	}),
	"CDS40070": both(stating("NIIMP"), twice(func(g *wco.GovernmentAgencyGoodsItem) { g.AdditionalInformation = nil })),
	"CDS40071": both(stating("NIDOM"), twice(func(g *wco.GovernmentAgencyGoodsItem) { g.AdditionalInformation = nil })),
	"CDS40072": both(stating("NIEXP"), twice(func(g *wco.GovernmentAgencyGoodsItem) { g.AdditionalInformation = nil })),
	"CDS40073": stating("NIREM"),
	"CDS40074": stating("NIAID"),
	"CDS40045": func(d *wco.Declaration) {
		item(d).CustomsValuation.MethodCode = "4"
		item(d).AdditionalDocument = item(d).AdditionalDocument[1:]
	},
	"CDS77000": papered(document("N271", "", "AC")),
	"CDS77001": papered(wco.AdditionalDocument{CategoryCode: "L", TypeCode: "001", ID: "L1", LPCOExemptionCode: "EE", WriteOff: wco.WriteOff{QuantityQuantity: wco.Measure{Unit: "KGM"}}}),
	"CDS77002": papered(document("N271", "1", "")),
	"CDS77005": papered(document("Y900", "", "")),
}

var wrongExports = map[string]change{
	"CDS11004": func(d *wco.Declaration) { item(d).GovernmentProcedure[0].CurrentCode = "40" },
	"CDS12084": func(d *wco.Declaration) {
		d.GoodsShipment.Consignee = wco.Party{Name: "A", ID: trader, Address: wco.Address{CountryCode: "US"}}
	},
	"CDS12086": func(d *wco.Declaration) { d.Consignment.Carrier = wco.Carrier{Name: "A", ID: trader} },
	"CDS12091": func(d *wco.Declaration) { d.GoodsShipment.Consignee.ID = other },
	"CDS12108": func(d *wco.Declaration) { d.GoodsShipment.PreviousDocument = nil },
	"CDS12132": func(d *wco.Declaration) { d.GoodsShipment.PreviousDocument[0].ID = "REF1" },
	"CDS12133": func(d *wco.Declaration) {
		d.GoodsShipment.PreviousDocument = append(d.GoodsShipment.PreviousDocument, wco.PreviousDocument{CategoryCode: "Z", TypeCode: "MCR", ID: "?"})
	},
}

// byTariff are refused by an imported tariff.
var byTariff = map[string]check.Commodity{
	"CDS40011": {Listed: true, Unit: "NAR", Complete: true},
	"CDS40012": {Complete: true},
}

// Every code that the checks have is given to a declaration that deserves it, as the only refusal, with a pointer that leads
// somewhere, words and a cure.
func TestCodes(t *testing.T) {
	run := func(d wco.Declaration, change change, code string, o check.Options) {
		change(&d)
		o.Day = today
		found := false
		for _, f := range check.Run(&d, o) {
			if f.Severity != check.Refusal {
				continue
			}
			p, err := pointer.Parse(f.Pointer)
			if err != nil || !p.Known() || f.Message == "" || f.Cure == "" {
				t.Errorf("%s: %+v is incomplete (%v)", code, f, err)
			}
			if f.Code != code {
				t.Errorf("%s: also %s %s", code, f.Code, f.Message)
			}
			found = found || f.Code == code
		}
		if !found {
			t.Errorf("%s is not given", code)
		}
		if !cdscode.Explain(code).Known {
			t.Errorf("%s is no code of customs", code)
		}
	}
	for code, change := range wrongImports {
		run(anImport(), change, code, check.Options{})
	}
	for code, change := range wrongExports {
		run(anExport(), change, code, check.Options{})
	}
	for code, c := range byTariff {
		run(anImport(), func(*wco.Declaration) {}, code, check.Options{Goods: func(string, string) check.Commodity { return c }})
	}
}

// elsewhere are codes of the simulator that no document alone deserves.
var elsewhere = []string{"CDS12003", "CDS12015", "CDS12046", "CDS13000"}

// Every code of customs is given above or by the simulator, or the documentation says why not.
func TestEveryCode(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "## Codes that are never given")
	if !found {
		t.Fatal("the documentation has no table of codes")
	}
	for e := range cdscode.All() {
		_, imported := wrongImports[e.Code]
		_, exported := wrongExports[e.Code]
		_, measured := byTariff[e.Code]
		given := imported || exported || measured || slices.Contains(elsewhere, e.Code)
		if explained := strings.Contains(table, "`"+e.Code+"`"); given == explained {
			t.Errorf("%s: given %t, explained %t", e.Code, given, explained)
		}
	}
}
