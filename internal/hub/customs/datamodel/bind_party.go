package datamodel

import "github.com/tidewaiter/tidewaiter/internal/hmrc/wco"

func bindAddress(b *binder, a *Address, e *wco.Address) {
	b.text(&a.City, &e.CityName)
	b.text(&a.Country, &e.CountryCode)
	b.text(&a.SubdivisionCode, &e.CountrySubDivisionCode)
	b.text(&a.SubdivisionName, &e.CountrySubDivisionName)
	b.text(&a.Line, &e.Line)
	b.text(&a.Postcode, &e.PostcodeID)
}

func bindSafetyAddress(b *binder, a *SafetyAddress, e *wco.TypedAddress) {
	b.text(&a.Type, &e.TypeCode)
	b.text(&a.City, &e.CityName)
	b.text(&a.Country, &e.CountryCode)
	b.text(&a.SubdivisionCode, &e.CountrySubDivisionCode)
	b.text(&a.SubdivisionName, &e.CountrySubDivisionName)
	b.text(&a.Line, &e.Line)
	b.text(&a.Postcode, &e.PostcodeID)
}

func bindCommunication(b *binder, c *Communication, e *wco.Communication) {
	b.text(&c.ID, &e.ID)
	b.text(&c.Type, &e.TypeCode)
}

func bindTrader(b *binder, t *Trader, e *wco.Trader) {
	b.text(&t.Name, &e.Name)
	b.text(&t.EORI, &e.ID)
	one(b, "address", &t.Address, &e.Address, bindAddress)
	b.text(&t.ContactName, &e.Contact.Name)
	one(b, "communication", &t.Communication, &e.Communication, bindCommunication)
}

func bindParty(b *binder, p *Party, e *wco.Party) {
	b.text(&p.Name, &e.Name)
	b.text(&p.EORI, &e.ID)
	one(b, "address", &p.Address, &e.Address, bindAddress)
}

func bindSafetyParty(b *binder, p *SafetyParty, e *wco.Consignor) {
	b.text(&p.Name, &e.Name)
	b.text(&p.EORI, &e.ID)
	one(b, "address", &p.Address, &e.Address, bindSafetyAddress)
}

func bindCarrier(b *binder, c *Carrier, e *wco.Carrier) {
	b.text(&c.Name, &e.Name)
	b.text(&c.EORI, &e.ID)
	one(b, "address", &c.Address, &e.Address, bindAddress)
	one(b, "communication", &c.Communication, &e.Communication, bindCommunication)
}

func bindRole(b *binder, _ int, r *Role, e *wco.RoledParty) {
	b.text(&r.ID, &e.ID)
	b.text(&r.Role, &e.RoleCode)
}

// representations are the codes of DE 3/21 that have a word.
var representations = map[string]string{Direct: wco.Direct, Indirect: wco.Indirect}

func bindRepresentation(b *binder, r *Representation, e *wco.Agent) {
	if !b.decode && r.Type == Self {
		return
	}
	b.text(&r.Name, &e.Name)
	b.text(&r.EORI, &e.ID)
	b.text(&r.Type, &e.FunctionCode)
	for word, code := range representations {
		switch {
		case b.decode && r.Type == code:
			r.Type = word
		case !b.decode && r.Type == word:
			e.FunctionCode = code
		}
	}
	one(b, "address", &r.Address, &e.Address, bindAddress)
}

func bindCharge(b *binder, _ int, c *Charge, e *wco.ChargeDeduction) {
	b.text(&c.Code, &e.ChargesTypeCode)
	b.amount("amount", &c.Amount, &e.OtherChargeDeductionAmount)
}

func bindPreviousDocument(b *binder, _ int, d *PreviousDocument, e *wco.PreviousDocument) {
	b.text(&d.Category, &e.CategoryCode)
	b.text(&d.Reference, &e.ID)
	b.text(&d.Type, &e.TypeCode)
	b.count("goodsItem", &d.GoodsItem, &e.LineNumeric)
}

func bindDestination(b *binder, d *Destination, e *wco.Destination) {
	b.text(&d.Country, &e.CountryCode)
	b.text(&d.Region, &e.RegionID)
}

func bindUCR(b *binder, u *UCR, e *wco.UCR) {
	b.text(&u.Reference, &e.ID)
	b.text(&u.TraderReference, &e.TraderAssignedReferenceID)
}

func bindGuarantee(b *binder, _ int, g *Guarantee, e *wco.ObligationGuarantee) {
	b.amount("amount", &g.Amount, &e.AmountAmount)
	b.text(&g.Reference, &e.ID)
	b.text(&g.OtherReference, &e.ReferenceID)
	b.text(&g.Type, &e.SecurityDetailsCode)
	b.text((*string)(&g.AccessCode), &e.AccessCode)
	b.text(&g.Office, &e.GuaranteeOffice.ID)
}
