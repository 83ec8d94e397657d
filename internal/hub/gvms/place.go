package gvms

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// place is one end of a route, as understood from its text.
type place struct {
	field, text   string
	ports         []*port        // named in the text, each once
	code          ident.UNLOCODE // if the text is only a code
	inland        ident.Country  // country of a named town without ferries
	statedCountry ident.Country  // country named in the text, XI for Northern Ireland
}

// longestName is the number of words in the longest name of a port or country.
const longestName = 4

// readPlace finds ports and countries in a text: a UN/LOCODE, a name, or both among other words, such as “Port of Dover
// (GBDVR), UK”. A name has priority over a code: DOVER, LARNE and PARIS are not in the Dominican Republic, Laos and
// Panama.
func readPlace(field, text string) place {
	p := place{field: field, text: text}
	words := strings.Fields(normalise(text))
	if code, ok := codeOf(text); ok && !isName(strings.Join(words, " ")) {
		p.code = code
		p.add(byCode[code])
		if among(inlandCodes, code) {
			p.inland = countryOf(code)
		}
		return p
	}
	for len(words) > 0 {
		words = words[p.readName(words):]
	}
	p.readCountryCode()
	return p
}

func isName(name string) bool {
	return byName[name] != nil || inlandTowns[name] != "" || countries[name] != ""
}

// readName reads the name or code at the start of words and returns the number of words it used.
func (p *place) readName(words []string) int {
	for n := min(longestName, len(words)); n > 0; n-- {
		name := strings.Join(words[:n], " ")
		switch {
		case byName[name] != nil:
			p.add(byName[name])
		case countries[name] != "":
			p.statedCountry = countries[name]
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

// readCountryCode reads a country code before or after the name, as in “Calais FR”. Inside the name two capitals may be
// anything, as in “PORT DE CALAIS”.
func (p *place) readCountryCode() {
	words := strings.FieldsFunc(p.text, separates)
	if len(words) == 0 {
		return
	}
	for _, word := range []string{words[0], words[len(words)-1]} {
		if len(word) == 2 && strings.Contains(continent+" IE IM GG JE XI", word) {
			p.statedCountry = ident.Country(word)
		}
	}
}

// port returns the only port in the text, or nil if there is none or more than one.
func (p *place) port() *port {
	if len(p.ports) != 1 {
		return nil
	}
	return p.ports[0]
}

// country returns the country of the place, XI for Northern Ireland, or "" if it is unknown.
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
	return p.statedCountry
}

// known reports whether the text names a known place, with or without ferries.
func (p *place) known() bool { return len(p.ports) > 0 || p.code != "" || p.inland != "" }

// isCountry reports whether the text names only a country.
func (p *place) isCountry() bool {
	return !p.known() && p.statedCountry != "" && (countries[normalise(p.text)] != "" || len(strings.TrimSpace(p.text)) == 2)
}

// codeOf reads a text that is only a UN/LOCODE. A word such as Narni is not one, because codes are not capitalised.
func codeOf(text string) (ident.UNLOCODE, bool) {
	text = strings.TrimSpace(text)
	if text != strings.ToUpper(text) && text != strings.ToLower(text) {
		return "", false
	}
	code, err := ident.ParseUNLOCODE(text)
	return code, err == nil
}

// countryOf returns the country of a code, XI for places in Northern Ireland.
func countryOf(code ident.UNLOCODE) ident.Country {
	if among(northernIrish, code) {
		return ident.NorthernIreland
	}
	return code.Country()
}

// unmarked replaces letters that have diacritics.
var unmarked = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ä", "a", "å", "a", "ã", "a", "ā", "a", "æ", "ae", "ç", "c",
	"é", "e", "è", "e", "ê", "e", "ë", "e", "ė", "e", "í", "i", "î", "i", "ï", "i", "ī", "i", "ł", "l", "ñ", "n", "ń", "n",
	"ó", "o", "ö", "o", "ô", "o", "õ", "o", "ø", "o", "œ", "oe", "ś", "s", "ß", "ss", "ú", "u", "ù", "u", "û", "u", "ü", "u", "ż", "z", "þ", "th", "ð", "d")

// normalise returns a text in lower case without diacritics and punctuation, with one space between words.
func normalise(text string) string {
	return strings.Join(strings.FieldsFunc(unmarked.Replace(strings.ToLower(text)), separates), " ")
}

func separates(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
