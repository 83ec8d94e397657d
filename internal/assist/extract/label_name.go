package extract

import (
	"slices"
	"strings"
	"unicode"
)

// Words that begin the names of streets and companies as well as labels.
var (
	addressWords = strings.Fields("address addresses anschrift adresse adress indirizzo direccion adres") // these begin no street
	streetEnds   = []string{"strasse", "str", "straat", "street"}
	towards      = strings.Fields("an aan to from") // "An der Alster 72"
)

// isNoLabel reports whether a cell that begins with the words of a label is a name, a street or a sentence.
func (r *reading) isNoLabel(p *cell, first word) bool {
	if p.colon || p.rest == "" {
		return false
	}
	hasDigits := strings.ContainsFunc(p.rest, unicode.IsDigit)
	switch {
	case legalForm.MatchString(fold(p.rest)) && !isMeasure(p.label), isSentence(p.rest): // "Kunden AG", or "Invoice according to your order of 1 March"
	case isSum(p) && (!hasDigits && r.companyLike(p.rest) || isName(p.rest)): // "Port Marina Ltd", "Port House, 3 Dock Street"
	case (isSum(p) || p.label == "invoiceDate") && senderLine(p.Text) != nil: // "Total Sports · 4 Ring Road · Leeds LS1 4AP"
	case p.label == "invoiceDate" && p.named == 1 && !hasDigits: // "Le Comptoir", "Data Systems Ltd"
	case p.named == 1 && first.plain == "no": // "No. 88 Jiangnan Road"
	case p.named == 1 && slices.Contains(towards, first.plain) && !r.companyLike(p.rest):
	case isStreet(p, first):
	default:
		return false
	}
	return true
}

// isStreet reports whether a cell is a street whose name begins with a word for addresses, or ends with one before the number of a house.
func isStreet(p *cell, first word) bool {
	switch {
	case !slices.Contains(first.concepts, "address"), slices.Contains(addressWords, first.plain):
		return false
	case p.label == "address", p.label == "other":
		return true
	}
	return unicode.IsDigit(firstLetter(p.rest)) && slices.ContainsFunc(streetEnds, func(end string) bool { return strings.HasSuffix(first.plain, end) })
}

// shortestName is the number of words of a name after the word of a label.
const shortestName = 2

// isName reports whether a text of several words goes on as a name: its first word is in capitals and of no label, and no amount is at its end.
func isName(rest string) bool {
	words := wordsOf(rest)
	if len(words) < shortestName || len(words[0].concepts) > 0 || !unicode.IsUpper(firstLetter(rest)) || strings.Contains(rest, ":") {
		return false
	}
	last := words[len(words)-1]
	code, _ := findCurrency(rest[last.start:])
	return code == "" && unicode.IsLetter(firstLetter(rest[last.start:])) && last.end == len(rest)
}
