// Package goods checks descriptions of goods, and headings of the Harmonised System.
package goods

import (
	"slices"
	"strings"
	"unicode"
)

// Words that do not identify goods. Any number of fillers is too vague. A class is specific only together with another
// word that is not a filler: “toys” and “plastic goods” are vague, “plastic toys” is not.
var (
	fillers = wordSet(`a accessories accessory addressed aid all an and any article articles as assorted attached bazaar bit
		bits box boxed boxes bulk cargo carton cartons case cases charity collected commerce commercial commodities
		commodity company component components consignment consol consolidated consolidation consumer contain content
		contents courier crafts customs dangerous described device devices didactic different drums dry e effects
		equipment etc exhibition express fak flammable for freight fresh from further gds general gift gifts gizmo
		gizmos good goods groupage hazardous hazmat household in industrial invoice item items joint kind kinds likewise
		list load loose lot manifest many material materials merchandise misc miscellaneous mixed model na name names
		new no non none novelty number odd of on online only or order ordered other others pack packaged packages
		packing packs pallet pallets parcel parcels part parts per personal piece pieces postal pre private product
		products promotional purposes receptacle receptacles retail retailer returned returns said sample samples see
		several shipment shipping some spare spares stc stock stuff substances sundries sundry supplies tba tbc tbd test
		the thing things to trade unknown upu use used value various wearing with without xx xxx`)
	classes = wordSet(`adapter adaptor agricultural alcohol animals apparel appliances arms artwork auto automobiles baggage bags
		battery biological board boards cables caps cards chemical chemicals cleaning clothes clothing decorations
		documentation documentations documents drink drinks drugs electrical electronic electronics firearm firearms
		fish food foods foodstuff foodstuffs footwear fruit fuel garments glass handicrafts hardware herbs iron label
		labels leather liquid liquids machine machinery machines meat medical medication medicine medicines metal metals
		oil packaging paper pharmaceutical pharmaceuticals pipes plant plants plastic plastics powder rubber sanitary
		scrap souvenirs sporting stationery steel supplements textile textiles tiles tobacco toiletries tool tools toys
		vegetable vegetables vehicle vehicles wires wood`)
)

// refused lists whole descriptions that the EU Import Control System (ICS2) rejects, although their words may be specific
// in other descriptions.
var refused = map[string]bool{
	"birthday gifts": true, "cnsl": true, "decorative crafts": true, "decorative items": true, "docs": true, "dox": true,
	"fruit pulp": true, "line": true, "mail": true, "n a": true, "pad": true,
}

// Vague reports whether a description does not identify the goods: each part between "and", "&", "/" or "+" is vague.
func Vague(description string) bool {
	lower := strings.ToLower(description)
	if isRefused(lower) {
		return true
	}
	joined := strings.ReplaceAll(lower, " and ", "&")
	for thing := range strings.FieldsFuncSeq(joined, func(r rune) bool { return r == '&' || r == '/' || r == '+' }) {
		if isSpecific(thing) {
			return false
		}
	}
	return true
}

// isRefused reports whether a text is one of the refused descriptions, which have one or two words.
func isRefused(lower string) bool {
	var words [2]string
	count := 0
	for w := range strings.FieldsFuncSeq(lower, between) {
		if count == len(words) {
			return false
		}
		words[count] = w
		count++
	}
	return refused[strings.Join(words[:count], " ")]
}

func isSpecific(thing string) bool {
	class := false // whether a word before was a class of goods
	for w := range strings.FieldsFuncSeq(thing, between) {
		switch {
		case fillers[w] || strings.IndexFunc(w, unicode.IsDigit) >= 0:
		case class || !classes[w]:
			return true
		default:
			class = true
		}
	}
	return false
}

var hedges = strings.Fields("misc miscellaneous various sundry sundries etc tbc unknown")

// Hedge returns a word such as "etc" that leaves part of the consignment undescribed, or "" if there is none.
func Hedge(description string) string {
	for w := range strings.FieldsFuncSeq(strings.ToLower(description), between) {
		if slices.Contains(hedges, w) {
			return w
		}
	}
	return ""
}

// Words splits a text into its runs of letters and digits.
func Words(text string) []string {
	return strings.FieldsFunc(text, between)
}

// between reports whether a rune separates words.
func between(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}
