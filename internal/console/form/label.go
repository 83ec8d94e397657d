package form

import (
	"slices"
	"strings"
	"unicode"
)

// acronyms are terms that are written in capitals.
var acronyms = wordsOf(`EORI LRN MRN DUCR GMR ARC VAT CN HS ID UKIMS UN ERN ABV PSC ICO TRS CT600 ENS EHC SIEL OIEL CITES GB NI XI EU UK
	EXW FCA FAS FOB CFR CIF CPT CIP DAP DPU DDP IMO CRN UTR SIC URN WMD TSS CBAM GVMS EMCS ICS2 GBP EUR JSON CO2 CPC SHA`)

// abbreviations are the full words for abbreviations in names.
var abbreviations = map[string]string{
	"reg": "registration", "auth": "authorisation", "doc": "document", "tel": "telephone", "co2": "CO₂", "ukims": "UKIMS",
	"categorisation": "category",
}

// regions are the two ends of a movement.
var regions = map[string]bool{"GB": true, "NI": true, "EU": true, "UK": true}

// units are the endings of names that give the unit of a number.
var units = []struct{ end, unit string }{
	{"KgCo2", "kg CO₂"}, {"TonnesCo2", "t CO₂"}, {"Gbp", "£"}, {"Kg", "kg"}, {"Km", "km"}, {"Litres", "litres"}, {"Percent", "%"},
}

func wordsOf(text string) map[string]string {
	all := map[string]string{}
	for _, word := range strings.Fields(text) {
		all[strings.ToLower(word)] = word
	}
	return all
}

// wholeLabels are the labels of names that would not be clear by themselves.
var wholeLabels = map[string]string{"metadata": "Your own data", "uniqueReference": "Refuse another record with this reference"}

// Label returns the label of a member: customsValueGbp becomes Customs value (£).
func Label(member string) string {
	if label := wholeLabels[member]; label != "" {
		return label
	}
	name, unit := member, ""
	for _, u := range units {
		if before, found := strings.CutSuffix(name, u.end); found && before != "" {
			name, unit = before, " ("+u.unit+")"
			break
		}
	}
	words := split(name)
	if last := len(words) - 1; last > 0 && (words[last] == "at" || words[last] == "id" && (words[0] == "client" || words[0] == "shipment")) {
		words = words[:last]
	}
	return joinWords(words) + unit
}

// Words returns the text of an answer: NOT_AT_RISK becomes Not at risk.
func Words(answer string) string {
	if from, to, found := strings.Cut(answer, "_"); found && regions[from] && regions[to] {
		return from + " to " + to
	}
	return joinWords(strings.FieldsFunc(strings.ToLower(answer), func(r rune) bool { return r == '_' || r == '-' || r == ' ' }))
}

// split splits a name before capitals and digits.
func split(name string) (words []string) {
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words, word = append(words, strings.ToLower(string(word))), nil
		}
	}
	var before rune
	for _, r := range name {
		switch {
		case r == '_' || r == '-' || r == ' ' || r == '.':
			flush()
			before = 0
			continue
		case unicode.IsUpper(r) && !unicode.IsUpper(before), unicode.IsDigit(r) && !unicode.IsDigit(before):
			flush()
		}
		word, before = append(word, r), r
	}
	flush()
	return words
}

// joinWords joins words and starts with a capital letter.
func joinWords(words []string) string {
	written := make([]string, len(words))
	for i, word := range words {
		switch {
		case acronyms[word] != "":
			written[i] = acronyms[word]
		case abbreviations[word] != "":
			written[i] = abbreviations[word]
		default:
			written[i] = word
		}
	}
	text := []rune(strings.Join(written, " "))
	if len(text) > 0 {
		text[0] = unicode.ToUpper(text[0])
	}
	return string(text)
}

// singularEndings are endings of words that end with an s but are singular.
var singularEndings = []string{"ss", "is", "us"}

// Singular returns the singular of a label: Items becomes Item, and By basis stays.
func Singular(many string) string {
	if one, found := strings.CutSuffix(many, "ies"); found {
		return one + "y"
	}
	if slices.ContainsFunc(singularEndings, func(end string) bool { return strings.HasSuffix(many, end) }) {
		return many
	}
	return strings.TrimSuffix(many, "s")
}
