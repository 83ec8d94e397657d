package rule

import (
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
)

// item are the rules for an item of goods.
var item = []block{
	{at: "GOOITEGDS", rules: []rule{
		{8207, "An item needs a description of the goods or a commodity code.", either(has("GooDesGDS23"), has("COMCODGODITM")), ""},
		{8687, "The place of unloading is needed in the header or at each item, but for the circumstance E.",
			either(has("PlaUnlGOOITE333"), has("../HEAHEA/PlaUnlGOOITE334"), is("../"+circumstance, operator)), ""},
		{8199, "The identity of the means of transport is needed in the header or at each item, but for transport by air (4).",
			either(has("IDEMEATRAGI970"), has("../HEAHEA/"+headerIdentity), equals("../HEAHEA/"+headerMode, 4)), ""},
		{8622, "An item with the special mention 10600 needs a notify party, there or in the header.",
			either(has("PRTNOT640"), not(some(mention, toOrder)), has("../NOTPAR670")), ""},
		{8623, "An item needs a consignee, there or in the header, or the special mention 10600.",
			either(has("TRACONCE2"), some(mention, toOrder), has("../TRACONCE1")), ""},
		{8612, "An item may have at most 999 means of transport.", atMost("IDEMEATRAGI970", 999), ""},
		{8103, "The gross mass is needed in the header or at each item, but for the circumstance E.",
			either(has("GroMasGDS46"), is("../"+circumstance, operator), has("../HEAHEA/"+headerMass)), ""},
		{8104, "The place of loading is needed in the header or at each item.", either(has("PlaLoaGOOITE333"), has("../HEAHEA/PlaLoaGOOITE334")), ""},
		{8170, "An item needs a document or a commercial reference, or the header a commercial reference.",
			either(has("PRODOCDC2"), has("ComRefNumGIM1"), has("../HEAHEA/ComRefNumHEA")), ""},
	}},
	{at: "GOOITEGDS/IteNumGDS7", rules: []rule{{8678, "The number of an item must have no leading zero.", unpadded("."), ""}}},
}

var itemMass = mass("GOOITEGDS/GroMasGDS46", rule{8679, "A mass must have no plus or minus sign.", not(contains(".", "+-")), ""})

// itemPlaces are the rules for what stands in the header or at the items.
var itemPlaces = []block{
	{at: "GOOITEGDS/MetOfPayGDI12", rules: []rule{
		{8135, "The method of payment stands in the header or at the items, not at both.", lacks("../../HEAHEA/TraChaMetOfPayHEA1"), ""}}},
	{at: "GOOITEGDS/PlaLoaGOOITE333", rules: []rule{
		{8136, "The place of loading stands in the header or at the items, not at both.", lacks("../../HEAHEA/PlaLoaGOOITE334"), ""}}},
	{at: "GOOITEGDS/PlaUnlGOOITE333", rules: []rule{
		{8171, "The place of unloading stands in the header or at the items, not at both.", lacks("../../HEAHEA/PlaUnlGOOITE334"), ""}}},
}

// itemTransport are the rules for the means of transport of an item.
var itemTransport = []block{
	{at: "GOOITEGDS/IDEMEATRAGI970", rules: []rule{
		{8147, "A means of transport needs its nationality, but for transport by rail (2).",
			either(has("NatIDEMEATRAGI973"), equals("../../HEAHEA/"+headerMode, 2)), ""},
		{8198, "An item has no means of transport if the header has one, or for transport by air (4).",
			both(lacks("../../HEAHEA/"+headerIdentity), not(equals("../../HEAHEA/"+headerMode, 4))), ""},
	}},
	{at: "GOOITEGDS/IDEMEATRAGI970/IdeMeaTraGIMEATRA971", rules: []rule{
		{8114, "The identity of a vessel is its IMO number of 7 digits or its ENI of 8 digits.",
			either(not(equals("../../../HEAHEA/"+headerMode, 1, 8)), matches(".", vesselNumber)), ""}}},
}

// Kinds of packages (UN/ECE Recommendation 21) for goods that have no packages to count.
var (
	bulk     = []string{"VQ", "VG", "VL", "VY", "VR", "VS", "VO"}
	unpacked = []string{"NE", "NF", "NG"}
)

const (
	kind     = "KinOfPacGS23"
	number24 = "NumOfPacGS24"
	pieces   = "NumOfPieGS25"
	marks    = "MarNumOfPacGSL21"
)

// packages are the rules for the packages of an item.
var packages = []block{
	{at: "GOOITEGDS/PACGS2", more: sharedPackages, rules: []rule{
		{8149, "Goods in bulk have neither a number of packages nor of pieces.", either(not(is(kind, bulk...)), both(lacks(number24), lacks(pieces))), ""},
		{8150, "Unpacked goods have a number of pieces, not of packages.", either(not(is(kind, unpacked...)), both(lacks(number24), has(pieces))), ""},
		{8151, "Packed goods have a number of packages, not of pieces.",
			either(is(kind, bulk...), is(kind, unpacked...), both(has(number24), lacks(pieces))), ""},
		{8152, "Packed goods need marks and numbers, but for a specific circumstance.",
			either(is(kind, bulk...), is(kind, unpacked...), has("../../HEAHEA/"+headerCase), has(marks)), ""},
	}},
	{at: "GOOITEGDS/PACGS2/NumOfPacGS24", rules: []rule{{8680, "The number of packages must have no leading zero.", unpadded("."), ""}}},
	{at: "GOOITEGDS/PACGS2/NumOfPieGS25", rules: []rule{{8681, "The number of pieces must have no leading zero.", unpadded("."), ""}}},
}

// sharedPackages is the rule for packages of goods that are packed with those of another item. The marks of all packages that
// have a number above zero are collected once for a document.
func sharedPackages(root *element.Element) []rule {
	var counted map[string]bool
	shares := func(e *element.Element) bool {
		if counted == nil {
			counted = countedMarks(root)
		}
		return e.Has(marks) && counted[e.Trimmed(marks)]
	}
	return []rule{{8153, "Zero packages mean that the goods are in packages of another item, which must have the same marks and a number above zero.",
		either(not(equals(number24, 0)), shares), ""}}
}

func countedMarks(root *element.Element) map[string]bool {
	counted := map[string]bool{}
	root.Each("GOOITEGDS/PACGS2", func(e *element.Element) bool {
		if n, ok := integer(e.RawText(number24)); ok && n > 0 && e.Has(marks) {
			counted[e.Trimmed(marks)] = true
		}
		return true
	})
	return counted
}
