package datamodel

import (
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// bindHeader binds everything but the type of the declaration and the items.
func bindHeader(b *binder, h *Header, d *wco.Declaration) {
	b.instant("taxPointAt", &h.TaxPointAt, &d.AcceptanceDateTime)
	b.text(&h.IssueLocation, &d.IssueLocationID)
	b.count("goodsItemCount", &h.GoodsItemCount, &d.GoodsItemQuantity)
	b.text(&h.DeclarationOffice, &d.DeclarationOfficeID)
	b.amount("invoiceTotal", &h.InvoiceTotal, &d.InvoiceAmount)
	b.count("loadingListCount", &h.LoadingListCount, &d.LoadingListQuantity)
	b.mass("totalGrossMassKg", &h.TotalGrossMassKg, &d.TotalGrossMassMeasure)
	b.count("totalPackages", &h.TotalPackages, &d.TotalPackageQuantity)
	b.text(&h.SpecificCircumstances, &d.SpecificCircumstancesCodeCode)
	one(b, "authentication", &h.Authentication, &d.Authentication, func(b *binder, s *Signature, e *wco.Authentication) {
		b.text(&s.Text, &e.Authentication)
		b.text(&s.Name, &e.Authenticator.Name)
	})
	one(b, "submitter", &h.Submitter, &d.Submitter, bindParty)
	list(b, "deferredPayments", &h.DeferredPayments, &d.AdditionalDocument, func(b *binder, _ int, p *DeferredPayment, e *wco.HeaderDocument) {
		b.text(&p.Category, &e.CategoryCode)
		b.text(&p.Account, &e.ID)
		b.text(&p.Type, &e.TypeCode)
	})
	list(b, "additionalInformation", &h.AdditionalInformation, &d.AdditionalInformation, func(b *binder, _ int, s *Statement, e *wco.HeaderInformation) {
		b.text(&s.Code, &e.StatementCode)
		b.text(&s.Text, &e.StatementDescription)
		b.text(&s.Type, &e.StatementTypeCode)
	})
	one(b, "representation", &h.Representation, &d.Agent, bindRepresentation)
	list(b, "authorisations", &h.Authorisations, &d.AuthorisationHolder, func(b *binder, _ int, a *Authorisation, e *wco.AuthorisationHolder) {
		b.text(&a.Holder, &e.ID)
		b.text(&a.Type, &e.CategoryCode)
	})
	bindRates(b, h, d)
	one(b, "declarant", &h.Declarant, &d.Declarant, bindTrader)
	b.text(&h.ExitOffice, &d.ExitOffice.ID)
	one(b, "exporter", &h.Exporter, &d.Exporter, bindTrader)
	list(b, "guarantees", &h.Guarantees, &d.ObligationGuarantee, bindGuarantee)
	b.text(&h.PresentationOffice, &d.PresentationOffice.ID)
	b.text(&h.SupervisingOffice, &d.SupervisingOffice.ID)
	bindBorder(b, h, d)
	one(b, "security", &h.Security, &d.Consignment, bindSecurity)
	bindShipment(b, h, &d.GoodsShipment)
}

// bindRates binds the exchange rates of contracts. Others are never declared.
func bindRates(b *binder, h *Header, d *wco.Declaration) {
	declared := make([]ExchangeRate, 0, len(h.ExchangeRates))
	for _, r := range h.ExchangeRates {
		if r.Source == FromContract || r.Source == "" {
			declared = append(declared, r)
		}
	}
	list(b, "exchangeRates", &declared, &d.CurrencyExchange, func(b *binder, _ int, r *ExchangeRate, e *wco.CurrencyExchange) {
		b.text(&r.Currency, &e.CurrencyTypeCode)
		number(b, "rate", quantity.ParseRate, &r.Rate, &e.RateNumeric)
		if b.decode {
			r.Source = FromContract
		}
	})
	if b.decode && len(declared) > 0 {
		h.ExchangeRates = declared
	}
}

func bindBorder(b *binder, h *Header, d *wco.Declaration) {
	bindTransport(b, h, "border", func(t *Transport) **Border { return &t.Border }, &d.BorderTransportMeans, func(b *binder, m *Border, e *wco.BorderTransportMeans) {
		b.text(&m.Name, &e.Name)
		b.text(&m.ID, &e.ID)
		b.text(&m.IDType, &e.IdentificationTypeCode)
		b.text(&m.Type, &e.TypeCode)
		b.text(&m.Nationality, &e.RegistrationNationalityCode)
		b.text(&m.Mode, &e.ModeCode)
	})
}

// bindTransport binds one of the means of transport, which are in different classes.
func bindTransport[M, E any](b *binder, h *Header, name string, of func(*Transport) **M, element *E, bind func(*binder, *M, *E)) {
	if !b.decode {
		if h.Transport != nil {
			one(b, name, of(h.Transport), element, bind)
		}
		return
	}
	var member *M
	if one(b, "transport."+name, &member, element, bind); member == nil {
		return
	}
	if h.Transport == nil {
		h.Transport = &Transport{}
	}
	*of(h.Transport) = member
}

func bindMeans(b *binder, m *Means, e *wco.TransportMeans) {
	b.text(&m.Name, &e.Name)
	b.text(&m.ID, &e.ID)
	b.text(&m.IDType, &e.IdentificationTypeCode)
	b.text(&m.Type, &e.TypeCode)
	b.text(&m.InlandMode, &e.ModeCode)
}

func bindSecurity(b *binder, s *Security, e *wco.HeaderConsignment) {
	one(b, "carrier", &s.Carrier, &e.Carrier, bindCarrier)
	list(b, "items", &s.Items, &e.ConsignmentItem, func(b *binder, at int, i *SecurityItem, e *wco.ConsignmentItem) {
		b.sequence(&i.Number, &e.SequenceNumeric, at)
		one(b, "consignor", &i.Consignor, &e.Consignor, bindSafetyParty)
		b.text(&i.TransportCharges, &e.Freight.PaymentMethodCode)
		keepNumber(b, at, i, &i.Number)
	})
	one(b, "consignor", &s.Consignor, &e.Consignor, bindSafetyParty)
	b.text(&s.TransportCharges, &e.Freight.PaymentMethodCode)
	list(b, "itinerary", &s.Itinerary, &e.Itinerary, func(b *binder, at int, c *RouteCountry, e *wco.Itinerary) {
		b.sequence(&c.Number, &e.SequenceNumeric, at)
		b.text(&c.Country, &e.RoutingCountryCode)
		keepNumber(b, at, c, &c.Number)
	})
}

func bindShipment(b *binder, h *Header, s *wco.GoodsShipment) {
	b.instant("exitAt", &h.ExitAt, &s.ExitDateTime)
	b.text(&h.TransactionNature, &s.TransactionNatureCode)
	list(b, "supplyChainActors", &h.SupplyChainActors, &s.AEOMutualRecognitionParty, bindRole)
	one(b, "buyer", &h.Buyer, &s.Buyer, bindTrader)
	one(b, "consignee", &h.Consignee, &s.Consignee, bindParty)
	bindConsignment(b, h, &s.Consignment)
	one(b, "consignor", &h.Consignor, &s.Consignor, bindParty)
	b.amount("freightCharge", &h.FreightCharge, &s.CustomsValuation.FreightChargeAmount)
	list(b, "valuationAdjustments", &h.ValuationAdjustments, &s.CustomsValuation.ChargeDeduction, bindCharge)
	one(b, "destination", &h.Destination, &s.Destination, bindDestination)
	list(b, "fiscalReferences", &h.FiscalReferences, &s.DomesticDutyTaxParty, bindRole)
	b.text(&h.DispatchCountry, &s.ExportCountry.ID)
	one(b, "importer", &h.Importer, &s.Importer, bindTrader)
	one(b, "invoice", &h.Invoice, &s.Invoice, func(b *binder, i *Invoice, e *wco.Invoice) {
		b.text(&i.Number, &e.ID)
		b.instant("issuedAt", &i.IssuedAt, &e.IssueDateTime)
	})
	one(b, "payer", &h.Payer, &s.Payer, bindParty)
	list(b, "previousDocuments", &h.PreviousDocuments, &s.PreviousDocument, bindPreviousDocument)
	one(b, "seller", &h.Seller, &s.Seller, bindTrader)
	one(b, "surety", &h.Surety, &s.Surety, bindParty)
	one(b, "deliveryTerms", &h.DeliveryTerms, &s.TradeTerms, func(b *binder, t *DeliveryTerms, e *wco.TradeTerms) {
		b.text(&t.Incoterm, &e.ConditionCode)
		b.text(&t.Relationship, &e.CountryRelationshipCode)
		b.text(&t.Description, &e.Description)
		b.text(&t.Place, &e.LocationID)
		b.text(&t.PlaceName, &e.LocationName)
	})
	one(b, "ucr", &h.UCR, &s.UCR, bindUCR)
	one(b, "warehouse", &h.Warehouse, &s.Warehouse, func(b *binder, w *Warehouse, e *wco.Warehouse) {
		b.text(&w.ID, &e.ID)
		b.text(&w.Type, &e.TypeCode)
	})
}

// Codes of DE 7/2.
const (
	inContainers    = "1"
	notInContainers = "0"
)

func bindConsignment(b *binder, h *Header, c *wco.Consignment) {
	switch {
	case b.decode && c.ContainerCode != "":
		yes := c.ContainerCode == inContainers
		h.Containerised = &yes
	case !b.decode && h.Containerised != nil && *h.Containerised:
		c.ContainerCode = inContainers
	case !b.decode && h.Containerised != nil:
		c.ContainerCode = notInContainers
	}
	bindTransport(b, h, "arrival", func(t *Transport) **Means { return &t.Arrival }, &c.ArrivalTransportMeans, bindMeans)
	bindTransport(b, h, "departure", func(t *Transport) **Means { return &t.Departure }, &c.DepartureTransportMeans, bindMeans)
	one(b, "location", &h.Location, &c.GoodsLocation, bindLocation)
	one(b, "loadingPlace", &h.LoadingPlace, &c.LoadingLocation, func(b *binder, p *LoadingPlace, e *wco.LoadingLocation) {
		b.text(&p.Name, &e.Name)
		b.text(&p.Code, &e.ID)
	})
	list(b, "equipment", &h.Equipment, &c.TransportEquipment, func(b *binder, at int, q *Equipment, e *wco.TransportEquipment) {
		b.sequence(&q.Number, &e.SequenceNumeric, at)
		b.text(&q.Container, &e.ID)
		list(b, "seals", &q.Seals, &e.Seal, func(b *binder, at int, s *Seal, e *wco.Seal) {
			b.sequence(&s.Number, &e.SequenceNumeric, at)
			b.text(&s.ID, &e.ID)
			keepNumber(b, at, s, &s.Number)
		})
		keepNumber(b, at, q, &q.Number)
	})
}

func bindLocation(b *binder, l *Location, e *wco.GoodsLocation) {
	b.text(&l.Name, &e.Name)
	b.text(&l.ID, &e.ID)
	b.text(&l.Type, &e.TypeCode)
	b.text(&l.Qualifier, &e.Address.TypeCode)
	b.text(&l.City, &e.Address.CityName)
	b.text(&l.Country, &e.Address.CountryCode)
	b.text(&l.Line, &e.Address.Line)
	b.text(&l.Postcode, &e.Address.PostcodeID)
}

// WCO returns the location as CDS receives it; nil for none.
func (l *Location) WCO() *wco.GoodsLocation {
	if l == nil {
		return nil
	}
	e := &wco.GoodsLocation{}
	bindLocation(&binder{}, l, e)
	return e
}
