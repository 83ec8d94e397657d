package wco_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// deferred is an import into free circulation by an agent who defers payment.
func deferred(kind string) wco.Declaration {
	location, _ := wco.SplitGoodsLocation("GBAUFXTFXTFXT")
	d := wco.Declaration{
		FunctionCode:          wco.FunctionOriginal,
		FunctionalReferenceID: "TW26NOV0000000001",
		TypeCode:              kind,
		GoodsItemQuantity:     wco.Count(1),
		TotalPackageQuantity:  wco.Count(12),
		AdditionalDocument:    []wco.HeaderDocument{{CategoryCode: "1", ID: "2209417", TypeCode: "DAN"}},
		Agent:                 wco.Agent{FunctionCode: wco.Direct},
		AuthorisationHolder:   []wco.AuthorisationHolder{{ID: "GB239355053000", CategoryCode: "DPO"}, {ID: "GB239355053000", CategoryCode: "CGU"}},
		BorderTransportMeans:  wco.BorderTransportMeans{RegistrationNationalityCode: "NO", ModeCode: "1"},
		Declarant:             wco.Trader{ID: "GB896458895015"},
		Exporter: wco.Trader{Name: "Fjord & Søn AS", Address: wco.Address{
			CityName: "Bergen", CountryCode: "NO", Line: "Bryggen 7", PostcodeID: "5003"}},
		GoodsShipment: wco.GoodsShipment{
			TransactionNatureCode: "11",
			Consignment: wco.Consignment{
				ContainerCode:         "0",
				ArrivalTransportMeans: wco.TransportMeans{ID: "9321483", IdentificationTypeCode: "10"},
				GoodsLocation:         location,
			},
			Destination:               wco.Destination{CountryCode: "GB"},
			ExportCountry:             wco.ExportCountry{ID: "NO"},
			GovernmentAgencyGoodsItem: []wco.GovernmentAgencyGoodsItem{importItem()},
			Importer:                  wco.Trader{ID: "GB239355053000"},
			PreviousDocument:          []wco.PreviousDocument{{CategoryCode: "Z", ID: "6GB896458895015-TW0001", TypeCode: "DCR"}},
			TradeTerms:                wco.TradeTerms{ConditionCode: "CIF", LocationID: "GBFXT"},
		},
		ObligationGuarantee: []wco.ObligationGuarantee{{ID: "Guaranteenotrequired", SecurityDetailsCode: "0"}},
	}
	return d
}

func importItem() wco.GovernmentAgencyGoodsItem {
	classification, _ := wco.ClassifyImport("8471300000")
	procedure, _ := wco.SplitProcedure("4000")
	return wco.GovernmentAgencyGoodsItem{
		StatisticalValueAmount: wco.Money(quantity.MustMoney("1999.5"), "GBP"),
		AdditionalDocument: []wco.AdditionalDocument{
			{CategoryCode: "C", ID: "GBDPO2209417", TypeCode: "506"},
			{CategoryCode: "N", ID: "INV-7731", TypeCode: "935", LPCOExemptionCode: "AC"},
		},
		Commodity: wco.Commodity{
			Description:    `Laptop computers, 14", 10 < 20 units`,
			Classification: classification,
			DutyTaxFee: []wco.DutyTaxFee{
				{DutyRegimeCode: "100", TypeCode: "A00", Payment: wco.Payment{MethodCode: "E"}},
				{TypeCode: "B00", Payment: wco.Payment{MethodCode: "E"}},
			},
			GoodsMeasure: wco.GoodsMeasure{
				GrossMassMeasure:    wco.Mass(quantity.MustMass("31.25")),
				NetNetWeightMeasure: wco.Mass(quantity.MustMass("28.000125")),
				TariffQuantity:      wco.Quantity(quantity.MustNumber("12")),
			},
			InvoiceLine: wco.InvoiceLine{ItemChargeAmount: wco.Money(quantity.MustMoney("26000"), "NOK")},
		},
		CustomsValuation:    wco.CustomsValuation{MethodCode: "1"},
		GovernmentProcedure: []wco.GovernmentProcedure{procedure, {CurrentCode: "000"}},
		Origin:              []wco.Origin{{CountryCode: "NO", TypeCode: wco.OriginNonPreferential}},
		Packaging:           []wco.Packaging{{MarksNumbersID: "TW 1-12", QuantityQuantity: wco.Count(12), TypeCode: "BX"}},
		ValuationAdjustment: wco.ValuationAdjustment{AdditionCode: "0000"},
	}
}

// cash is an import by the importer himself from a cash account.
func cash() wco.Declaration {
	d := deferred(wco.TypeImportArrived)
	d.Agent, d.AdditionalDocument, d.AuthorisationHolder = wco.Agent{}, nil, nil
	d.Declarant = wco.Trader{ID: "GB239355053000"}
	d.ObligationGuarantee = []wco.ObligationGuarantee{{ReferenceID: "GB239355053000", SecurityDetailsCode: "Y"}}
	item := &d.GoodsShipment.GovernmentAgencyGoodsItem[0]
	item.AdditionalDocument = item.AdditionalDocument[1:]
	item.AdditionalInformation = []wco.AdditionalInformation{{StatementCode: "00500", StatementDescription: "IMPORTER"}}
	for i := range item.Commodity.DutyTaxFee {
		item.Commodity.DutyTaxFee[i].Payment.MethodCode = "P"
	}
	return d
}

// export is a permanent export by the exporter himself.
func export(kind string) wco.Declaration {
	location, _ := wco.SplitGoodsLocation("GBAUDVRDOVDVRGVM")
	classification, _ := wco.ClassifyExport("7318163100")
	procedure, _ := wco.SplitProcedure("1040")
	vessel := wco.BorderTransportMeans{ID: "Skuld", IdentificationTypeCode: "11", RegistrationNationalityCode: "NO", ModeCode: "1"}
	return wco.Declaration{
		FunctionCode:          wco.FunctionOriginal,
		FunctionalReferenceID: "TW26NOV0000000002",
		TypeCode:              kind,
		GoodsItemQuantity:     wco.Count(1),
		InvoiceAmount:         wco.Money(quantity.MustMoney("8200"), "GBP"),
		TotalPackageQuantity:  wco.Count(3),
		BorderTransportMeans:  vessel,
		Consignment: wco.HeaderConsignment{
			Carrier:   wco.Carrier{ID: "GB025115100010"},
			Freight:   wco.Freight{PaymentMethodCode: "D"},
			Itinerary: []wco.Itinerary{{RoutingCountryCode: "GB"}, {RoutingCountryCode: "NO"}},
		},
		Declarant:  wco.Trader{ID: "GB427168118378"},
		ExitOffice: wco.Office{ID: "GB000060"},
		Exporter:   wco.Trader{ID: "GB427168118378"},
		GoodsShipment: wco.GoodsShipment{
			Consignee: wco.Party{Name: "Fjord & Søn AS", Address: wco.Address{
				CityName: "Bergen", CountryCode: "NO", Line: "Bryggen 7", PostcodeID: "5003"}},
			Consignment: wco.Consignment{
				ContainerCode:           "0",
				DepartureTransportMeans: wco.TransportMeans{ID: "Skuld", IdentificationTypeCode: "11", ModeCode: "1"},
				GoodsLocation:           location,
				TransportEquipment:      []wco.TransportEquipment{wco.NoSeals()},
			},
			Destination:   wco.Destination{CountryCode: "NO"},
			ExportCountry: wco.ExportCountry{ID: "GB"},
			GovernmentAgencyGoodsItem: []wco.GovernmentAgencyGoodsItem{{
				StatisticalValueAmount: wco.Money(quantity.MustMoney("8200"), "GBP"),
				TransactionNatureCode:  "11",
				AdditionalInformation:  []wco.AdditionalInformation{{StatementCode: "00400", StatementDescription: "EXPORTER"}},
				Commodity: wco.Commodity{
					Description:    "Blind rivets of stainless steel",
					Classification: classification,
					GoodsMeasure: wco.GoodsMeasure{
						GrossMassMeasure:    wco.Mass(quantity.MustMass("61")),
						NetNetWeightMeasure: wco.Mass(quantity.MustMass("58.4")),
					},
				},
				GovernmentProcedure: []wco.GovernmentProcedure{procedure, {CurrentCode: "000"}},
				Packaging:           []wco.Packaging{{MarksNumbersID: "BR/1-3", QuantityQuantity: wco.Count(3), TypeCode: "CT"}},
			}},
			PreviousDocument: []wco.PreviousDocument{{CategoryCode: "Z", ID: "6GB427168118378-TW0002", TypeCode: "DCR"}},
		},
	}
}

// examples are one of each kind of declaration that the service makes.
func examples() map[string]wco.Declaration {
	return map[string]wco.Declaration{
		"import arrived, agent":      deferred(wco.TypeImportArrived),
		"import prelodged, agent":    deferred(wco.TypeImportPrelodged),
		"import arrived, importer":   cash(),
		"export arrived, exporter":   export(wco.TypeExportArrived),
		"export prelodged, exporter": export(wco.TypeExportPrelodged),
	}
}

// withItems is an import of many items.
func withItems(n int) wco.Declaration {
	d := deferred(wco.TypeImportArrived)
	d.GoodsItemQuantity = wco.Count(n)
	d.GoodsShipment.GovernmentAgencyGoodsItem = nil
	for range n {
		d.GoodsShipment.GovernmentAgencyGoodsItem = append(d.GoodsShipment.GovernmentAgencyGoodsItem, importItem())
	}
	return d
}

// generated is an import with prose that is hard to write down, the same for the same seed.
func generated(seed uint64) wco.Declaration {
	random := rand.New(rand.NewPCG(seed, 1))
	d := withItems(1 + random.IntN(4))
	d.Exporter.Name = awkward(random)
	d.Exporter.Address.Line = awkward(random)
	d.GoodsShipment.TradeTerms.Description = awkward(random)
	for i := range d.GoodsShipment.GovernmentAgencyGoodsItem {
		item := &d.GoodsShipment.GovernmentAgencyGoodsItem[i]
		item.Commodity.Description = awkward(random)
		item.Packaging[0].MarksNumbersID = awkward(random)
		item.AdditionalInformation = []wco.AdditionalInformation{{StatementCode: "GEN45", StatementDescription: awkward(random)}, {}}
		item.AdditionalDocument[0].WriteOff = wco.WriteOff{
			QuantityQuantity: wco.Measure{Value: wco.Number(fmt.Sprintf("%d.%06d", random.IntN(1e9), random.IntN(1e6))), Unit: "KGM#G"},
		}
		item.Commodity.InvoiceLine.ItemChargeAmount.Value = wco.Number(fmt.Sprintf("%d.%03d", random.IntN(1e12), random.IntN(1000)))
	}
	return d
}

// awkward is text of any length with white space, markup, controls and broken UTF-8.
func awkward(random *rand.Rand) string {
	pieces := []string{"a", "Z", "9", " ", "  ", "\n", "\r\n", "\t", "&", "<", ">", `"`, "'", "]]>", "<!--", "é", "漢", "🚢",
		"\x00", "\x1b", "\x7f", "\u0085", "\u00a0", "\u2028", "\ufffe", "\uffff", "\ufffd", "\xff", "\xed\xa0\x80", "&#0;"}
	var text strings.Builder
	for range random.IntN(900) {
		text.WriteString(pieces[random.IntN(len(pieces))])
	}
	return text.String()
}
