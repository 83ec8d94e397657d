package check

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// party is a person in a declaration.
type party struct {
	role, at, nameTag, idTag string // the pointer of the section, and its tags
	name, id                 string
	address                  wco.Address
}

func (i *inspector) parties() []party {
	s := &i.GoodsShipment
	of := func(role, at, name, id string, t wco.Trader) party {
		return party{role: role, at: at, nameTag: name, idTag: id, name: t.Name, id: t.ID, address: t.Address}
	}
	plain := func(p wco.Party) wco.Trader { return wco.Trader{Name: p.Name, ID: p.ID, Address: p.Address} }
	return []party{
		of("declarant", "42A.57B", "R124", "R123", i.Declarant),
		of("exporter", "42A.57A", "R031", "R032", i.Exporter),
		of("importer", "42A.67A.74A", "R037", "R038", s.Importer),
		of("consignee", "42A.67A.27A", "R014", "R015", plain(s.Consignee)),
		of("buyer", "42A.67A.16A", "R009", "R010", s.Buyer),
		of("seller", "42A.67A.09B", "R050", "R051", s.Seller),
		of("carrier", "42A.28A.18A", "R011", "R012", wco.Trader{Name: i.Consignment.Carrier.Name, ID: i.Consignment.Carrier.ID, Address: i.Consignment.Carrier.Address}),
		of("representative", "42A.05A", "R003", "R004", wco.Trader{Name: i.Agent.Name, ID: i.Agent.ID, Address: i.Agent.Address}),
	}
}

// inspectParties checks EORIs and that a party without one has a name and an address.
func (i *inspector) inspectParties() {
	for _, p := range i.parties() {
		i.inspectEORI(p.id, p.at+"."+p.idTag, p.role)
		if p.id == "" && p.name != "" {
			i.inspectAddress(p)
		}
	}
	for n, h := range i.AuthorisationHolder {
		i.inspectEORI(h.ID, place("42A.17C[%d].R144", n), "holder of the authorisation")
		if h.ID == "" || h.CategoryCode == "" {
			i.refuse(Missing, place("42A.17C[%d].R144", n), "An authorisation needs the EORI of its holder and its type.")
		}
	}
	i.inspectObligedParties()
	i.inspectSameParties()
}

// inspectEORI checks the form of an identification number. Those of other countries have forms of their own.
func (i *inspector) inspectEORI(id, at, role string) {
	if id == "" {
		return
	}
	if strings.HasPrefix(id, "GB") || strings.HasPrefix(id, "XI") {
		if _, err := ident.ParseEORI(id); err != nil && !isPrivate(id) {
			i.refuse(unknownParty, at, "The EORI %q of the %s %v.", id, role, err)
		}
	}
}

// isPrivate reports whether an identification stands for a person who has no EORI, such as GBPR or GBUNREG.
func isPrivate(id string) bool { return isOneOf(id, "GBPR GBUNREG XIPR XIUNREG GBCIIMP GBXIMP") }

// inspectAddress requires all parts of an address; of bodies that name no data set only the country is checked.
func (i *inspector) inspectAddress(p party) {
	i.country(p.address.CountryCode, p.at+".04A.242", "country of the "+p.role)
	if i.options.Lenient {
		return
	}
	for _, part := range []struct{ value, tag, name string }{
		{p.address.Line, "239", "street"}, {p.address.CityName, "241", "town"}, {p.address.CountryCode, "242", "country"}, {p.address.PostcodeID, "245", "postcode"},
	} {
		if part.value == "" {
			i.refuse(Missing, p.at+".04A."+part.tag, "The address of the %s has no %s.", p.role, part.name)
		}
	}
}

// inspectObligedParties requires the parties of which name or EORI must be there. HMRC accepted an export of a
// representative that names the holder of an authorisation and no exporter.
func (i *inspector) inspectObligedParties() {
	s := &i.GoodsShipment
	switch {
	case i.set == "FSD":
	case i.export && i.Exporter.ID == "" && i.Exporter.Name == "" && (i.Agent.FunctionCode == "" || len(i.AuthorisationHolder) == 0):
		i.refuse(Missing, "42A.57A.R032", "There is no exporter.")
	case !i.export && s.Importer.ID == "" && s.Importer.Name == "":
		i.refuse(Missing, "42A.67A.74A.R038", "There is no importer.")
	}
	if s.Consignee.Name != "" && s.Consignee.ID != "" {
		i.refuse("CDS12084", "42A.67A.27A.R015", "The consignee has a name and an EORI, and customs accepts only one of them.")
	}
	if c := i.Consignment.Carrier; c.Name != "" && c.ID != "" {
		i.refuse("CDS12086", "42A.28A.18A.R012", "The carrier has a name and an EORI, and customs accepts only one of them.")
	}
	if i.Agent.FunctionCode != "" && i.Agent.ID == "" && i.Agent.Name == "" && i.Agent.Address != (wco.Address{}) {
		i.refuse("CDS12088", "42A.05A.R003", "The representative has an address, but neither a name nor an EORI.")
	}
}

// inspectSameParties refuses pairs of roles that one person cannot have.
func (i *inspector) inspectSameParties() {
	s := &i.GoodsShipment
	exporter := i.Exporter.ID
	if i.set != "H1" || i.states(domestic) {
		exporter = "" // movements to Northern Ireland and simplified declarations may be between branches of one trader
	}
	for _, pair := range []struct{ code, at, one, other, text string }{
		{"CDS12081", "42A.67A.74A.R038", s.Importer.ID, exporter, "The importer and the exporter are the same."},
		{"CDS12091", "42A.67A.27A.R015", s.Consignee.ID, i.Exporter.ID, "The consignee and the exporter are the same."},
		{"CDS12092", "42A.67A.09B.R051", s.Seller.ID, i.Exporter.ID, "The seller and the exporter are the same."},
		{"CDS12117", "42A.67A.16A.R010", s.Buyer.ID, s.Importer.ID, "The buyer and the importer are the same."},
	} {
		if pair.one != "" && pair.one == pair.other {
			i.refuse(pair.code, pair.at, "%s", pair.text)
		}
	}
}
