package gvms

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// place is one end of a route, as far as its text tells.
type place struct {
	field, text string
	ports       []*port        // that the text names, each once
	code        ident.UNLOCODE // where the text is a code and nothing else
	inland      ident.Country  // of the town without ferries that it names
	said        ident.Country  // the country that it names besides, XI for Northern Ireland
}

// longestName is the number of words in the longest name of a port or country.
const longestName = 4

// read finds ports and countries in a text: a UN/LOCODE, a name, or both with words
// around them, as in “Port of Dover (GBDVR), UK”. A name goes before a code: DOVER,
// LARNE and PARIS are not in the Dominican Republic, Laos and Panama.
func read(field, text string) place {
	p := place{field: field, text: text}
	words := strings.Fields(fold(text))
	if code, ok := codeOf(text); ok && !isName(strings.Join(words, " ")) {
		p.code = code
		p.add(byCode[code])
		if among(inlandCodes, code) {
			p.inland = countryOf(code)
		}
		return p
	}
	for len(words) > 0 {
		words = words[p.take(words):]
	}
	p.abbreviated()
	return p
}

func isName(name string) bool {
	return byName[name] != nil || inlandTowns[name] != "" || countries[name] != ""
}

// take reads what the first words say and tells how many they are.
func (p *place) take(words []string) int {
	for n := min(longestName, len(words)); n > 0; n-- {
		name := strings.Join(words[:n], " ")
		switch {
		case byName[name] != nil:
			p.add(byName[name])
		case countries[name] != "":
			p.said = countries[name]
		case inlandTowns[name] != "":
			p.inland = inlandTowns[name]
		default:
			continue
		}
		return n
	}
	p.add(byCode[ident.UNLOCODE(strings.ToUpper(words[0]))])
	return 1
}

func (p *place) add(found *port) {
	if found != nil && !slices.Contains(p.ports, found) {
		p.ports = append(p.ports, found)
	}
}

// abbreviated reads a country's two capitals before or after the name, as in
// “Calais FR”; within it they may be anything, as in “PORT DE CALAIS”.
func (p *place) abbreviated() {
	words := strings.FieldsFunc(p.text, separates)
	if len(words) == 0 {
		return
	}
	for _, word := range []string{words[0], words[len(words)-1]} {
		if len(word) == 2 && strings.Contains(continent+" IE IM GG JE XI", word) {
			p.said = ident.Country(word)
		}
	}
}

// port is the one port that the text names, or nil.
func (p *place) port() *port {
	if len(p.ports) != 1 {
		return nil
	}
	return p.ports[0]
}

// country is where the place lies, XI for Northern Ireland, empty where the text
// does not tell.
func (p *place) country() ident.Country {
	switch {
	case p.port() != nil:
		return p.port().country()
	case len(p.ports) > 1:
		return ""
	case p.code != "":
		return countryOf(p.code)
	case p.inland != "":
		return p.inland
	}
	return p.said
}

// told tells whether the text names a place, be it one without ferries.
func (p *place) told() bool { return len(p.ports) > 0 || p.code != "" || p.inland != "" }

// isCountry tells whether the text is a country and no more.
func (p *place) isCountry() bool {
	return !p.told() && p.said != "" && (countries[fold(p.text)] != "" || len(strings.TrimSpace(p.text)) == 2)
}

// codeOf reads a text that is a UN/LOCODE and nothing else. A word such as Narni is
// none: nobody writes a code with one capital.
func codeOf(text string) (ident.UNLOCODE, bool) {
	text = strings.TrimSpace(text)
	if text != strings.ToUpper(text) && text != strings.ToLower(text) {
		return "", false
	}
	code, err := ident.ParseUNLOCODE(text)
	return code, err == nil
}

// countryOf is the country of a code, XI for places of Northern Ireland.
func countryOf(code ident.UNLOCODE) ident.Country {
	if among(northernIrish, code) {
		return ident.NorthernIreland
	}
	return code.Country()
}

// unmarked are letters without the marks that they have elsewhere.
var unmarked = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ä", "a", "å", "a", "ã", "a", "ā", "a", "æ", "ae", "ç", "c",
	"é", "e", "è", "e", "ê", "e", "ë", "e", "ė", "e", "í", "i", "î", "i", "ï", "i", "ī", "i", "ł", "l", "ñ", "n", "ń", "n",
	"ó", "o", "ö", "o", "ô", "o", "õ", "o", "ø", "o", "œ", "oe", "ś", "s", "ß", "ss", "ú", "u", "ù", "u", "û", "u", "ü", "u", "ż", "z", "þ", "th", "ð", "d")

// fold is a text in small letters without marks, one space between its words.
func fold(text string) string {
	return strings.Join(strings.FieldsFunc(unmarked.Replace(strings.ToLower(text)), separates), " ")
}

func separates(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
