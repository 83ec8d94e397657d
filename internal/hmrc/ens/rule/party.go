package rule

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
)

// party are the elements of a trader in a declaration. Of its rules, HMRC's numbers follow one another in the order of parts.
type party struct {
	at, who      string
	eori         string    // the element with its EORI
	parts        [5]string // the elements of its name and address, as in partNames
	unidentified int       // the first number of the rules for a party without an EORI, which needs them
	british      int       // for an EORI of GB, which must not have them
	foreign      int       // for any other EORI, which needs them
}

var partNames = [5]string{"name", "street and number", "postcode", "city", "country"}

var (
	consignor = party{"TRACONCO1", "consignor", "TINCO159",
		[5]string{"NamCO17", "StrAndNumCO122", "PosCodCO123", "CitCO124", "CouCO125"}, 8120, 8626, 8220}
	consignee = party{"TRACONCE1", "consignee", "TINCE159",
		[5]string{"NamCE17", "StrAndNumCE122", "PosCodCE123", "CitCE124", "CouCE125"}, 8125, 8631, 8225}
	notified = party{"NOTPAR670", "notify party", "TINNOTPAR671",
		[5]string{"NamNOTPAR672", "StrNumNOTPAR673", "PosCodNOTPAR676", "CitNOTPAR674", "CouCodNOTPAR675"}, 8130, 8636, 8230}
	itemConsignor = party{"GOOITEGDS/TRACONCO2", "item's consignor", "TINCO259",
		[5]string{"NamCO27", "StrAndNumCO222", "PosCodCO223", "CitCO224", "CouCO225"}, 8137, 8641, 8237}
	itemConsignee = party{"GOOITEGDS/TRACONCE2", "item's consignee", "TINCE259",
		[5]string{"NamCE27", "StrAndNumCE222", "PosCodCE223", "CitCE224", "CouCE225"}, 8142, 8646, 8242}
	itemNotified = party{"GOOITEGDS/PRTNOT640", "item's notify party", "TINPRTNOT641",
		[5]string{"NamPRTNOT642", "StrNumPRTNOT646", "PstCodPRTNOT644", "CtyPRTNOT643", "CouCodGINOT647"}, 8154, 8651, 8254}
	carrier = party{"TRACARENT601", "carrier", "TINTRACARENT602",
		[5]string{"NamTRACARENT604", "StrNumTRACARENT607", "PstCodTRACARENT606", "CtyTRACARENT603", "CouCodTRACARENT605"}, 8159, 8666, 8259}

	// These two have no name and address at all.
	representative = party{at: "TRAREP", who: "representative", british: 8656,
		parts: [5]string{"NamTRE1", "StrAndNumTRE1", "PosCodTRE1", "CitTRE1", "CouCodTRE1"}}
	declarant = party{at: "PERLODSUMDEC", who: "person lodging the declaration", british: 8661,
		parts: [5]string{"NamPLD1", "StrAndNumPLD1", "PosCodPLD1", "CitPLD1", "CouCodPLD1"}}
)

// isBritish reports whether an EORI begins with GB, at its first character.
func isBritish(path string) test { return begins(path, "GB") }

// rules are the rules for a party without an EORI, between further ones, and those for each part if its EORI is of GB.
func (p party) rules(before, after []rule) []block {
	main := block{at: p.at, rules: before}
	for i, part := range p.parts {
		main.rules = append(main.rules, rule{p.unidentified + i, fmt.Sprintf("The %s has no EORI, so it needs the %s.", p.who, partNames[i]),
			either(has(p.eori), has(part)), ""})
	}
	main.rules = append(main.rules, after...)
	all := []block{main}
	for i, part := range p.parts {
		all = append(all, block{at: p.at + "/" + part, rules: []rule{{p.british + i,
			fmt.Sprintf("The %s has an EORI of GB, so it must not have the %s.", p.who, partNames[i]), not(isBritish("../" + p.eori)), ""}}})
	}
	return all
}

// addressRules are the rules for a party that must have no name and address.
func (p party) addressRules() (all []block) {
	for i, part := range p.parts {
		all = append(all, block{at: p.at + "/" + part, rules: []rule{{p.british + i, fmt.Sprintf("The %s must not have the %s.", p.who, partNames[i]), never, ""}}})
	}
	return all
}

// foreignRules are the rules for parties with an EORI that is not of GB. HMRC applies them last.
func foreignRules(parties ...party) (all []block) {
	for _, p := range parties {
		b := block{at: p.at}
		for i, part := range p.parts {
			b.rules = append(b.rules, rule{p.foreign + i, fmt.Sprintf("The %s has an EORI that is not of GB, so it needs the %s.", p.who, partNames[i]),
				either(lacks(p.eori), isBritish(p.eori), has(part)), ""})
		}
		all = append(all, b)
	}
	return all
}

// toOrder is the special mention of a negotiable bill of lading "to order blank endorsed": the consignee is not known, so a
// party to notify replaces it.
const toOrder = "10600"

const (
	mention      = "SPEMENMT2/AddInfCodMT23"
	circumstance = "HEAHEA/SpeCirIndHEA1" // below the root
	operator     = "E"                    // the circumstance of authorised economic operators
)

var consigneeRules = []rule{
	{8204, "A consignee in the header is not allowed if an item has the special mention 10600.", not(some("../GOOITEGDS/"+mention, toOrder)), ""},
	{8105, "The consignee needs an EORI under the circumstance E.", either(has("TINCE159"), not(is("../"+circumstance, operator))), ""},
}

var notifiedRules = []rule{
	{8619, "A notify party in the header is allowed only if all items have the special mention 10600.", allToOrder, ""},
}

var itemConsigneeRules = []rule{
	{8624, "An item with the special mention 10600 must not have a consignee.", not(some("../"+mention, toOrder)), ""},
	{8625, "The consignee stands in the header or at the items, not at both.", lacks("../../TRACONCE1"), ""},
	{8208, "The item's consignee needs an EORI under the circumstance E.", either(has("TINCE259"), not(is("../../"+circumstance, operator))), ""},
}

var itemNotifiedRules = []rule{
	{8620, "An item has a notify party only with the special mention 10600.", some("../"+mention, toOrder), ""},
	{8621, "The notify party stands in the header or at the items, not at both.", lacks("../../NOTPAR670"), ""},
}

var carrierRules = []rule{
	{8164, "The carrier needs an EORI for the modes of transport 1, 4, 8, 10 and 11.",
		either(has("TINTRACARENT602"), not(equals("../HEAHEA/"+headerMode, 1, 4, 8, 10, 11))), ""},
}

var carrierEORI = []block{{at: "TRACARENT601/TINTRACARENT602", rules: []rule{
	{8195, "The carrier must differ from the person lodging the declaration.", carriedByAnother, ""},
}}}

var declarantEORI = []block{{at: "PERLODSUMDEC/TINPLD1", rules: []rule{
	{8692, "The person lodging the declaration needs an EORI of GB.", isBritish("."), ""},
}}}

func carriedByAnother(e *element.Element) bool {
	return e.RawText(".") != e.RawText("../../PERLODSUMDEC/TINPLD1")
}

// allToOrder holds if every item has the special mention.
func allToOrder(e *element.Element) bool {
	return e.Each("../GOOITEGDS", some(mention, toOrder))
}
