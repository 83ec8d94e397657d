package datamodel

import (
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// bindItem binds an item in full form.
func bindItem(b *binder, at int, i *Item, e *wco.GovernmentAgencyGoodsItem) {
	b.amount("customsValue", &i.CustomsValue, &e.CustomsValueAmount)
	b.sequence(&i.Number, &e.SequenceNumeric, at)
	b.amount("statisticalValue", &i.StatisticalValue, &e.StatisticalValueAmount)
	b.text(&i.TransactionNature, &e.TransactionNatureCode)
	list(b, "documents", &i.Documents, &e.AdditionalDocument, bindDocument)
	list(b, "additionalInformation", &i.AdditionalInformation, &e.AdditionalInformation, func(b *binder, _ int, s *Statement, e *wco.AdditionalInformation) {
		b.text(&s.Code, &e.StatementCode)
		b.text(&s.Text, &e.StatementDescription)
		b.text(&s.Type, &e.StatementTypeCode)
	})
	list(b, "supplyChainActors", &i.SupplyChainActors, &e.AEOMutualRecognitionParty, bindRole)
	one(b, "buyer", &i.Buyer, &e.Buyer, bindTrader)
	bindCommodity(b, i, &e.Commodity)
	one(b, "consignee", &i.Consignee, &e.Consignee, bindParty)
	one(b, "consignor", &i.Consignor, &e.Consignor, bindParty)
	b.text(&i.ValuationMethod, &e.CustomsValuation.MethodCode)
	list(b, "valuationAdjustments", &i.ValuationAdjustments, &e.CustomsValuation.ChargeDeduction, bindCharge)
	one(b, "destination", &i.Destination, &e.Destination, bindDestination)
	list(b, "fiscalReferences", &i.FiscalReferences, &e.DomesticDutyTaxParty, bindRole)
	b.text(&i.DispatchCountry, &e.ExportCountry.ID)
	list(b, "procedures", &i.Procedures, &e.GovernmentProcedure, func(b *binder, _ int, p *Procedure, e *wco.GovernmentProcedure) {
		b.text(&p.Current, &e.CurrentCode)
		b.text(&p.Previous, &e.PreviousCode)
	})
	list(b, "origins", &i.Origins, &e.Origin, func(b *binder, _ int, o *Origin, e *wco.Origin) {
		b.text(&o.Country, &e.CountryCode)
		b.text(&o.Region, &e.RegionID)
		b.text(&o.Type, &e.TypeCode)
	})
	list(b, "packages", &i.Packages, &e.Packaging, bindPackage)
	list(b, "previousDocuments", &i.PreviousDocuments, &e.PreviousDocument, bindPreviousDocument)
	one(b, "seller", &i.Seller, &e.Seller, bindTrader)
	one(b, "ucr", &i.UCR, &e.UCR, bindUCR)
	b.text(&i.ValuationIndicators, &e.ValuationAdjustment.AdditionCode)
}

func bindCommodity(b *binder, i *Item, c *wco.Commodity) {
	b.text(&i.Description, &c.Description)
	list(b, "classifications", &i.Classifications, &c.Classification, func(b *binder, _ int, m *Classification, e *wco.Classification) {
		b.text(&m.ID, &e.ID)
		b.text(&m.Type, &e.IdentificationTypeCode)
	})
	list(b, "dangerousGoods", &i.DangerousGoods, &c.DangerousGoods, func(b *binder, _ int, number *string, e *wco.DangerousGoods) {
		b.text(number, &e.UNDGID)
	})
	list(b, "taxLines", &i.TaxLines, &c.DutyTaxFee, bindTaxLine)
	b.mass("grossMassKg", &i.GrossMassKg, &c.GoodsMeasure.GrossMassMeasure)
	b.mass("netMassKg", &i.NetMassKg, &c.GoodsMeasure.NetNetWeightMeasure)
	number(b, "supplementaryUnits", quantity.ParseNumber, &i.SupplementaryUnits, &c.GoodsMeasure.TariffQuantity.Value)
	b.text(&i.SupplementaryUnit, &c.GoodsMeasure.TariffQuantity.Unit)
	b.amount("itemPrice", &i.ItemPrice, &c.InvoiceLine.ItemChargeAmount)
	list(b, "containers", &i.Containers, &c.TransportEquipment, func(b *binder, at int, m *ItemContainer, e *wco.ItemEquipment) {
		b.sequence(&m.Number, &e.SequenceNumeric, at)
		b.text(&m.ID, &e.ID)
		keepNumber(b, at, m, &m.Number)
	})
}

// documentCode is the length of a document code with its category (DE 2/3), in characters.
const documentCode = 4

func bindDocument(b *binder, _ int, d *ItemDocument, e *wco.AdditionalDocument) {
	b.text(&d.Category, &e.CategoryCode)
	b.instant("date", &d.Date, &e.EffectiveDateTime)
	b.text(&d.Reference, &e.ID)
	b.text(&d.Reason, &e.Name)
	b.text(&d.Type, &e.TypeCode)
	if !b.decode && d.Category == "" {
		if code := []rune(d.Type); len(code) == documentCode {
			e.CategoryCode, e.TypeCode = string(code[:1]), string(code[1:])
		}
	}
	if b.decode {
		if category, kind, ok := wco.SplitDocumentCode(e.CategoryCode + e.TypeCode); ok && category == e.CategoryCode && kind == e.TypeCode {
			d.Category, d.Type = "", category+kind
		}
	}
	b.text(&d.Status, &e.LPCOExemptionCode)
	one(b, "issuer", &d.Issuer, &e.Submitter, func(b *binder, i *Issuer, e *wco.DocumentIssuer) {
		b.text(&i.Name, &e.Name)
		b.text(&i.Role, &e.RoleCode)
	})
	one(b, "writeOff", &d.WriteOff, &e.WriteOff, func(b *binder, w *WriteOff, e *wco.WriteOff) {
		b.measure("quantity", &w.Quantity, &e.QuantityQuantity)
		b.amount("amount", &w.Amount, &e.AmountAmount)
	})
}

func bindTaxLine(b *binder, _ int, t *TaxLine, e *wco.DutyTaxFee) {
	b.amount("baseAmount", &t.BaseAmount, &e.AdValoremTaxBaseAmount)
	b.amount("deduction", &t.Deduction, &e.DeductAmount)
	b.text(&t.PreferenceCode, &e.DutyRegimeCode)
	b.measure("baseQuantity", &t.BaseQuantity, &e.SpecificTaxBaseQuantity)
	number(b, "rate", quantity.ParseRate, &t.Rate, &e.TaxRateNumeric)
	b.text(&t.Type, &e.TypeCode)
	b.text(&t.QuotaOrderNumber, &e.QuotaOrderID)
	b.text(&t.MethodOfPayment, &e.Payment.MethodCode)
	b.amount("assessed", &t.Assessed, &e.Payment.TaxAssessedAmount)
	b.amount("payable", &t.Payable, &e.Payment.PaymentAmount)
}

func bindPackage(b *binder, at int, p *Package, e *wco.Packaging) {
	b.sequence(&p.Number, &e.SequenceNumeric, at)
	b.text(&p.Marks, &e.MarksNumbersID)
	b.count("count", &p.Count, &e.QuantityQuantity)
	b.text(&p.Type, &e.TypeCode)
	b.text(&p.Material, &e.PackingMaterialDescription)
	b.count("length", &p.Length, &e.LengthMeasure)
	b.count("width", &p.Width, &e.WidthMeasure)
	b.count("height", &p.Height, &e.HeightMeasure)
	b.measure("volume", &p.Volume, &e.VolumeMeasure)
	keepNumber(b, at, p, &p.Number)
}
