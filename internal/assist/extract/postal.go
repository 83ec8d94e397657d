package extract

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// postcode matches a postcode before or after the name of a town, which may begin with a short word: "76600 Le Havre".
var postcode = lazyregexp.New(`(?:^|\s|[A-Z]{1,2}[ -])\d{4,5} (?:\pL{3,}|\p{Lu}\p{Ll}\.? \pL{3,}|\p{Lu}['’]\pL{3,})|(?:^|\s)\d{2}-\d{3} \pL{2,}|(?:^|\s)\d{4}-\d{3} \pL{2,}|(?:^|\s)\d{3} \d{2} \pL{3,}|\b[A-Z]{1,2}\d[A-Z0-9]? \d[A-Z]{2}\b|\b[A-Z]{2} \d{5}\b|\b\d{4} [A-Z]{2} \pL{3,}`)

// postalForms are forms of postcodes that only one country writes, or that begin with its code, in an order in which the
// first that fits counts: the country's code, or nothing if the first group has it.
var postalForms = []struct {
	form    *lazyregexp.Regexp
	country string
	sure    Confidence
}{
	{lazyregexp.New(`(?:^|, )([A-Z]{1,2})[- ]\d{4,5} (?:[A-Z]{2} )?\pL{2,}`), "", 90},
	{lazyregexp.New(`\b[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-Z]{2}\b`), "GB", 85},
	{lazyregexp.New(`\b[A-Z]{2} \d{5}(?:-\d{4})?\b(?:$|,)`), "US", 80},
	{lazyregexp.New(`\b\d{4} [A-Z]{2} \pL{3,}`), "NL", 85},
	{lazyregexp.New(`(?:^|, )\d{2}-\d{3} \pL{2,}`), "PL", 85},
	{lazyregexp.New(`(?:^|, )\d{4}-\d{3} \pL{2,}`), "PT", 85},
	{lazyregexp.New(`\b[A-Z]\d[A-Z] \d[A-Z]\d\b`), "CA", 85},
	{lazyregexp.New(`\b\d{5} \pL[\pL' -]+ \([A-Z]{2}\)`), "IT", 85},
}

// carCountry are the codes of countries before postcodes that are not those of ISO 3166.
var carCountry = map[string]string{"D": "DE", "F": "FR", "I": "IT", "A": "AT", "B": "BE", "E": "ES", "L": "LU", "P": "PT", "S": "SE"}

func (r *reading) implyCountry(p *TradeParty) {
	if p.Country != nil {
		return
	}
	imply := func(code string, from *Text, sure Confidence) {
		if code == "EL" {
			code = "GR"
		}
		if _, err := ident.ParseCountry(code); err == nil && p.Country == nil {
			p.Country = &Text{Value: code, Confidence: from.Confidence.times(sure), Found: from.Found}
		}
	}
	for _, f := range postalForms {
		if p.Address == nil {
			break
		}
		m := f.form.FindStringSubmatch(p.Address.Value)
		switch {
		case m == nil:
		case f.country != "":
			imply(f.country, p.Address, f.sure)
		case carCountry[m[1]] != "":
			imply(carCountry[m[1]], p.Address, f.sure)
		default:
			imply(m[1], p.Address, f.sure)
		}
	}
	if p.EORI != nil {
		imply(p.EORI.Value[:2], p.EORI, 85)
	}
	if p.VATNumber != nil && len(p.VATNumber.Value) > 2 {
		imply(p.VATNumber.Value[:2], p.VATNumber, 85)
	}
}

// domesticConfidence is the factor for the country of a party whose letter does not name it.
const domesticConfidence Confidence = 85

// domestic gives a party without a country that of the other one if their postcodes have the same form: the mail of a
// country does not name it.
func (r *reading) domestic(a, b *TradeParty) {
	if a == nil || b == nil || a.Address == nil || b.Address == nil {
		return
	}
	if a.Country == nil {
		a, b = b, a
	}
	if a.Country == nil || b.Country != nil {
		return
	}
	if form := postalForm(a.Address.Value); form != "" && form == postalForm(b.Address.Value) {
		country := a.Country.Value
		if m := overseas.FindStringSubmatch(b.Address.Value); country == "FR" && m != nil {
			country = cmp.Or(islands[m[1]+m[2]], departments[m[1]])
		}
		b.Country = &Text{Value: country, Confidence: a.Country.Confidence.times(domesticConfidence), Found: b.Address.Found}
	}
}

// overseas matches a French postcode of a part of France that has a country's code of its own (ISO 3166): its first three digits and the rest.
var overseas = lazyregexp.New(`(?:^|, )(97[1-6])(\d\d) \pL`)

// departments are the codes of the overseas departments by the beginning of their postcodes, and islands those of two islands with the
// beginning of another department (La Poste).
var (
	departments = map[string]string{"971": "GP", "972": "MQ", "973": "GF", "974": "RE", "975": "PM", "976": "YT"}
	islands     = map[string]string{"97133": "BL", "97150": "MF"}
)

// postalForm is a postcode with nines in place of its digits, without the code of a country before it.
func postalForm(address string) string {
	found := postcode.FindString(address)
	return strings.TrimLeft(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			return '9'
		case r == ' ', unicode.IsLetter(r):
			return -1
		}
		return r
	}, found), "-")
}
