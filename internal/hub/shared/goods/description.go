// Package goods judges the words that goods are described in, as customs does of
// every declaration.
package goods

import (
	"slices"
	"strings"
	"unicode"
)

// Words that leave customs guessing. A filler says nothing, however many stand
// together. A class says something only beside another word that is no filler:
// “toys” and “plastic goods” do not do, “plastic toys” does.
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

// refused are descriptions that the Union's import control system refuses as a whole,
// though their words may tell something beside others.
var refused = map[string]bool{
	"birthday gifts": true, "cnsl": true, "decorative crafts": true, "decorative items": true, "docs": true, "dox": true,
	"fruit pulp": true, "line": true, "mail": true, "n a": true, "pad": true,
}

// Vague tells whether nothing in a description says what the goods are: each
// thing that it joins to another is vague by itself.
func Vague(description string) bool {
	if refused[strings.Join(Words(strings.ToLower(description)), " ")] {
		return true
	}
	joined := strings.ReplaceAll(strings.ToLower(description), " and ", "&")
	things := strings.FieldsFunc(joined, func(r rune) bool { return strings.ContainsRune("&/+", r) })
	return !slices.ContainsFunc(things, isSpecific)
}

func isSpecific(thing string) bool {
	var told []string
	for _, w := range Words(thing) {
		if !fillers[w] && strings.IndexFunc(w, unicode.IsDigit) < 0 {
			told = append(told, w)
		}
	}
	return len(told) > 1 || len(told) == 1 && !classes[told[0]]
}

var hedges = strings.Fields("misc miscellaneous various sundry sundries etc tbc unknown")

// Hedge is a word that leaves the rest of the consignment open, if there is one.
func Hedge(description string) string {
	for w := range strings.FieldsFuncSeq(strings.ToLower(description), between) {
		if slices.Contains(hedges, w) {
			return w
		}
	}
	return ""
}

// Words are the runs of letters and digits of a text.
func Words(text string) []string {
	return strings.FieldsFunc(text, between)
}

// between tells whether a rune stands between words.
func between(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}
