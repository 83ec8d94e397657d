package tss

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var restrictedRules = ruleSet{
	{Code: "TSS-037", Severity: rules.Warning, Field: "commodityCode", Check: restrictedGoods, Source: "GOV.UK: Windsor Framework categories of goods (category 1); GOV.UK: Import controlled goods; Explosives (Fireworks) Regulations (Northern Ireland) 2002",
		Title: "Firearms, explosives, protected species, drugs, nuclear goods and waste need a licence or permit"},
}

// What restricted goods need to enter Northern Ireland.
const (
	needsFirearm  = "firearms, ammunition and explosives need a licence and a full declaration"
	needsFirework = "fireworks and other pyrotechnic articles are explosives in Northern Ireland, and need a licence of its Department of Justice"
	needsCITES    = "goods of protected species need a CITES permit also between Great Britain and Northern Ireland"
	needsDrug     = "controlled drugs and drug precursors need a licence"
	needsNuclear  = "nuclear and radioactive goods need a licence and a notification"
	needsWaste    = "shipments of waste need a notification or the document of Annex VII"
)

// restricted lists restricted goods by prefix of the commodity code (Harmonised System 2022).
var restricted = []struct{ codes, need string }{
	{"93 3601 3602 3603", needsFirearm},
	{"3604", needsFirework},
	{"010611 010612 010620 010631 010632 020840 030192 050710 050800 160431 410320 410640 411330 960110 970521 970522", needsCITES},
	{"121130 121140 121150 130211 284161 291431 291524 292146 292231 293294 293295 293333 293334 293353 293491 293911 293919 293941 293942 293944 293961 293962 293963 293972 300341 300342 300343 300441 300442 300443", needsDrug},
	{"2844 284510 261210 8401", needsNuclear},
	{`2618 2619 2620 2621 271091 271099 300692 3825 3915 400400 411520 4707 5003 5103 5104 5202 5505 6310 700100 7112 7204 7404 7503 7602 7802 7902 8002 810197 810297 810330
		810420 810530 810730 810830 810930 811213 811222 811252 811261 8549`, needsWaste},
}

func restrictedGoods(d *Declaration, _ rules.Facts) remarks {
	if !d.MovementType.intoNI() {
		return nil
	}
	const advice = "Apply for it before the goods move, and give it with the full declaration."
	code, err := ident.ParseCommodityCode(d.CommodityCode)
	if err == nil {
		for _, r := range restricted {
			if beginsWith(code, r.codes) {
				return rules.Remarks(fmt.Sprintf("%s is restricted: %s.", code, r.need), advice)
			}
		}
	}
	if need := restrictedByName(d.GoodsDescription, string(code)); need != "" {
		return remarks{{Field: "goodsDescription", Message: fmt.Sprintf("The description names restricted goods: %s.", need), Suggestion: advice}}
	}
	return nil
}

// restrictedByName returns what goods need by their description; empty for nothing.
func restrictedByName(description, code string) string {
	const sure = 0.7
	for _, e := range exportcontrol.Classify(exportcontrol.Item{Description: description, Code: code, Destination: string(ident.NorthernIreland)}).Entries {
		switch {
		case e.Confidence < sure:
		case slices.Contains(firearmEntries, e.Entry):
			return needsFirearm
		case e.Regime == exportcontrol.CITES:
			return needsCITES
		case e.Regime == exportcontrol.Drugs:
			return needsDrug
		case e.Regime == exportcontrol.DualUse && strings.HasPrefix(e.Entry, "0"):
			return needsNuclear
		}
	}
	switch words := goods.Words(strings.ToLower(description)); {
	case exportcontrol.Pyrotechnic(description):
		return needsFirework
	case exportcontrol.Explosive(description):
		return needsFirearm
	case isRadioactive(words):
		return needsNuclear
	case isWaste(words), isDiscarded(words):
		return needsWaste
	}
	return ""
}

// Words for radioactive goods, and elements whose isotopes are sold as sources, such as cobalt-60.
var (
	radioactive = strings.Fields("radioactive radioisotope radioisotopes radionuclide radionuclides")
	isotopes    = strings.Fields("caesium cesium cobalt iridium strontium americium iodine technetium selenium radium plutonium thorium polonium californium krypton nickel hydrogen carbon")
	sources     = strings.Fields("source sources sealed gauge irradiator brachytherapy isotope isotopes")
)

// isRadioactive reports whether words name radioactive goods: as such, as spent nuclear fuel, or as a source of an isotope.
func isRadioactive(words []string) bool {
	for i, w := range words {
		before := ""
		if i > 0 {
			before = words[i-1]
		}
		switch {
		case slices.Contains(radioactive, w) && before != "non" && before != "not", w == "fuel" && before == "nuclear":
			return true
		case isNumber(w) && slices.Contains(isotopes, before) && slices.ContainsFunc(words, func(o string) bool { return slices.Contains(sources, o) }):
			return true
		}
	}
	return false
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// Words for goods at the end of their use, and for what then becomes of them.
var (
	worn     = strings.Fields("used discarded old broken defective obsolete spent depolluted life")
	disposal = strings.Fields("recycling recovery dismantling disposal scrapping reprocessing shredding incineration landfill")
)

// isDiscarded reports whether words name goods at the end of their use that are moved to be recovered or disposed of: “used tyres for
// recycling”. Bins for recycling are new.
func isDiscarded(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(worn, w) }) && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(disposal, w) }) &&
		!slices.ContainsFunc(words, func(w string) bool { return slices.Contains(wasteThings, w) })
}

// firearmEntries are the entries of firearms, other arms, ammunition and explosives.
var firearmEntries = strings.Fields("ML1 ML2 ML3 ML4 ML8 PL9010 PL9011")

// Words for waste, and words after them that make other goods of it: “waste bins”.
var (
	wasteWords  = strings.Fields("waste wastes scrap scraps sludge refuse rubbish garbage slag")
	wasteThings = strings.Fields("bin bins bag bags basket baskets disposal pipe pipes trap traps container containers compactor compactors sack sacks caddy liners handling fitting fittings " +
		"pump pumps treatment management unit units shredder skip skips valve valves plug plugs paper-basket stacker book books booking yarn free outlet outlets drain drains heat separator chute chutes truck trucks collector")
)

// isWaste reports whether a description is of waste, and not of things for waste.
func isWaste(words []string) bool {
	for i, w := range words {
		if !slices.Contains(wasteWords, w) || i > 0 && (words[i-1] == "for" || words[i-1] == "zero" || words[i-1] == "no") {
			continue
		}
		after := words[i+1:]
		if len(after) > 2 {
			after = after[:2]
		}
		if !slices.ContainsFunc(after, func(w string) bool { return slices.Contains(wasteThings, w) }) {
			return true
		}
	}
	return false
}
