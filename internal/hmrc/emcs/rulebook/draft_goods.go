package rulebook

import (
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

const (
	items       = "BodyEadEsad"
	packages    = "BodyEadEsad/Package"
	wines       = "BodyEadEsad/WineProduct"
	productCode = "ExciseProductCode"
	strength    = "AlcoholicStrengthByVolumeInPercentage"
)

// draftGoodsRules are about items, packages and wine.
var draftGoodsRules = []rule{
	{number: 8067, list: items, at: productCode, broken: func(f *facts, e *emcs.Element) bool {
		return f.guarantor == noGuarantorInUK && isNot(product(e), "B000 W200 W300")
	}, text: "Only beer and wine (B000, W200, W300) can move without a guarantor."},
	{number: 8068, list: items, at: productCode, broken: func(f *facts, e *emcs.Element) bool { return f.destination == unknown && lacks(product(e), "E") },
		text: "Only energy products can go to an unknown destination."},
	{number: 8153, list: items, at: productCode, broken: func(f *facts, e *emcs.Element) bool { return f.guarantor == noGuarantorToEU && lacks(product(e), "E") },
		text: "Only energy products can go to the EU without a guarantor."},
	{number: 8097, list: items, at: productCode, broken: func(_ *facts, e *emcs.Element) bool { return product(e) != "" && !productForm.MatchString(product(e)) },
		text: "The excise product code must be one of the letters E, T, W, B, I and S with three digits."},
	{number: 8086, list: items, at: "CnCode", broken: func(_ *facts, e *emcs.Element) bool {
		return product(e) == "S500" && isNot(e.Value("CnCode"), "10000000")
	},
		text: "The CN code of the excise product S500 is 10000000."},
	{number: 8504, list: items, at: "CnCode", broken: func(_ *facts, e *emcs.Element) bool { return e.Value("CnCode") == "00000000" }, text: "The CN code must not be zero."},
	{number: 8169, list: items, at: strength, broken: func(_ *facts, e *emcs.Element) bool { return more(e.Value(strength), "100") }, text: "The alcoholic strength is above 100 per cent."},
	{number: 8218, list: items, at: strength, broken: func(_ *facts, e *emcs.Element) bool { return more("0.5", e.Value(strength)) }, text: "The alcoholic strength is below 0.5 per cent."},
	{number: 8217, list: items, at: "GrossMass", broken: func(_ *facts, e *emcs.Element) bool { return more(e.Value("NetMass"), e.Value("GrossMass")) },
		text: "The gross mass is less than the net mass."},
	{number: 8505, list: packages, broken: func(f *facts, e *emcs.Element) bool {
		return unpacked(e) && has(e, "ShippingMarks") && !f.packed[e.Value("ShippingMarks")]
	},
		text: "Goods with 0 packages are packed with others, so that another package must have the same shipping marks and a number."},
	{number: 8506, list: packages, lacks: "ShippingMarks", broken: func(_ *facts, e *emcs.Element) bool { return unpacked(e) && !has(e, "ShippingMarks") },
		text: "Goods with 0 packages need the shipping marks of the packages that they are in."},
	{number: 8072, list: items, at: "WineProduct", broken: func(_ *facts, e *emcs.Element) bool { return has(e, "WineProduct") && lacks(product(e), "W") },
		text: "Only wine has data of a wine product."},
	{number: 8073, list: wines, broken: func(_ *facts, e *emcs.Element) bool { return contradicting(e) }, text: "The wine operation 0 stands for none, and cannot be with others."},
	{number: 8074, list: wines, lacks: "ThirdCountryOfOrigin", broken: func(_ *facts, e *emcs.Element) bool {
		return e.Value("WineProductCategory") == importedWine && missing(e, "ThirdCountryOfOrigin")
	}, text: "The country of origin of imported wine is missing."},
	{number: 8076, list: wines, at: "ThirdCountryOfOrigin", broken: func(_ *facts, e *emcs.Element) bool {
		return isNot(e.Value("WineProductCategory"), importedWine) && has(e, "ThirdCountryOfOrigin")
	}, text: "Only imported wine has a country of origin."},
	{number: 8077, list: wines, at: "WineOperation", broken: func(_ *facts, e *emcs.Element) bool { return repeats(e, "WineOperation", "WineOperationCode") },
		text: "A wine operation is there twice."},
	{number: 8704, list: wines, at: "WineProductCategory", broken: func(f *facts, e *emcs.Element) bool {
		return begins(f.from, "GB") && is(e.Value("WineProductCategory"), "1 2 3")
	}, text: "Wine of a consignor in Great Britain must have the category 4 or 5."},
	{number: 8724, list: items, at: productCode, broken: func(f *facts, e *emcs.Element) bool { return f.submission != dutyPaid && product(e) == "S600" },
		text: "The excise product S600 moves with duty paid only."},
}

var productForm = lazyregexp.New(`^[ETWBIS][0-9]{3}$`)

// importedWine is the code of a category of wine.
const importedWine = "4"

func product(item *emcs.Element) string { return item.Value(productCode) }

func unpacked(p *emcs.Element) bool { return p.Value("NumberOfPackages") == "0" }

// packedMarks returns the shipping marks of all packages of all items that have a number.
func packedMarks(draft *emcs.Element) map[string]bool {
	marks := map[string]bool{}
	for item := range draft.All("BodyEadEsad") {
		for p := range item.All("Package") {
			if isNot(p.Value("NumberOfPackages"), "0") {
				marks[p.Value("ShippingMarks")] = true
			}
		}
	}
	return marks
}

// contradicting reports whether a wine has no operation and others.
func contradicting(wine *emcs.Element) bool {
	none, n := false, 0
	for operation := range wine.All("WineOperation") {
		n++
		none = none || strings.Trim(operation.Value("WineOperationCode"), "0") == ""
	}
	return none && n > 1
}

// more reports whether both texts are numbers and the first is greater.
func more(a, b string) bool {
	x, ok := new(big.Rat).SetString(a)
	y, also := new(big.Rat).SetString(b)
	return ok && also && x.Cmp(y) > 0
}
