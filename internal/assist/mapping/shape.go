package mapping

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/ident"
)

// Shapes of values that tell what a column holds, whatever its header says.
var (
	ukEORI       = regexp.MustCompile(`^(GB|XI)[0-9]{12}([0-9]{3})?$`)
	euEORI       = regexp.MustCompile(`^[A-Z]{2}[A-Z0-9]{0,9}[0-9]{5,15}[A-Z0-9]{0,3}$`)
	ukVAT        = regexp.MustCompile(`^(GB|XI)[0-9]{9}([0-9]{3})?$`)
	euVAT        = regexp.MustCompile(`^(ATU[0-9]{8}|BE[01]?[0-9]{9}|BG[0-9]{9,10}|CY[0-9]{8}[A-Z]|CZ[0-9]{8,10}|DE[0-9]{9}|DK[0-9]{8}|EE[0-9]{9}|EL[0-9]{9}|ES[A-Z0-9][0-9]{7}[A-Z0-9]|FI[0-9]{8}|FR[A-Z0-9]{2}[0-9]{9}|HR[0-9]{11}|HU[0-9]{8}|IE[0-9][A-Z0-9][0-9]{5}[A-Z]{1,2}|IT[0-9]{11}|LT([0-9]{9}|[0-9]{12})|LU[0-9]{8}|LV[0-9]{11}|MT[0-9]{8}|NL[0-9]{9}B?[0-9]{0,2}|PL[0-9]{10}|PT[0-9]{9}|RO[0-9]{2,10}|SE[0-9]{12}|SI[0-9]{8}|SK[0-9]{10})$`)
	bareVAT      = regexp.MustCompile(`^[A-Z]?[0-9]{8,12}[A-Z]?[0-9]{0,2}$`)
	emailShape   = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s.]{2,}$`)
	ukPostcode   = regexp.MustCompile(`^[A-Z]{1,2}[0-9][0-9A-Z]?[0-9][A-Z]{2}$`)
	postcodes    = regexp.MustCompile(`^([0-9]{4,8}|[0-9]{4}[A-Z]{2}|[A-Z][0-9]{2}[A-Z0-9]{4}|[A-Z]{1,2}[0-9]{4,5})$`)
	telephone    = regexp.MustCompile(`^(\+[0-9]{7,15}|00[0-9]{8,14}|0[0-9]{8,13})$`)
	dateShape    = regexp.MustCompile(`^([0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2,4})([T ].*)?$`)
	amountShape  = regexp.MustCompile(`^[-+£€$]?\s?[0-9][0-9 ,.']*[.,][0-9]{1,3}$`)
	companyShape = regexp.MustCompile(`(?i)(^|[\s,])(ltd|limited|plc|llp|inc|llc|corp|gmbh|ag|kg|ohg|ug|e\.?k|b\.?\s?v|n\.?v|v\.?o\.?f|s\.?a|s\.?a\.?s|sarl|s\.?a\.?r\.?l|eurl|s\.?l|s\.?l\.?u|s\.?p\.?a|s\.?r\.?l|s\.?r\.?o|a\.?s|a\.?ş|ş?ti|lda|oy|ab|a/s|aps|sp\.?\s?z\s?o\.?\s?o|sp\.?\s?j|kft|co|company|group|holdings?|partners|& sons?|brothers|bros|trading|imports?|exports?|公司)\.?$`)
	streetShape  = regexp.MustCompile(`(?i)\b(street|st|road|rd|lane|ln|avenue|ave|way|drive|close|court|house|hill|quay|dock|yard|park|estate|unit|wharf|square|crescent|terrace|row|mews|gardens?|rue|quai|place|avenida|avda|calle|carrer|rua|via|viale|piazza|corso|ul|ulica|al|aleja|strada|str|bd|bulevardul|sokak|sok|cadde|cad|mah|straat|weg|laan|gracht|plein|kade|allee|platz|markt)\b|stra(ss|ß)e|str\.|weg\b|gasse|ring\b|straat|laan\b|c/`)
	codeShape    = regexp.MustCompile(`^[A-Z]{0,5}[-/._ ]?[A-Z]{0,3}[0-9]{1,8}([-/.][A-Z0-9]{1,5})?$`)
	longNumber   = regexp.MustCompile(`^[0-9]{9,}$`)
)

// is tells whether a value has a shape.
type is func(string) bool

func isUKEORI(v string) bool { return ukEORI.MatchString(squeezed(v)) }
func isEORI(v string) bool   { v = squeezed(v); return ukEORI.MatchString(v) || euEORI.MatchString(v) }
func isEmail(v string) bool  { return emailShape.MatchString(v) }
func isDate(v string) bool   { return dateShape.MatchString(v) }

// isVAT holds for what has a country before it, or check digits that fit.
func isVAT(v string) bool {
	v = squeezed(v)
	if len(v) == 9 && isDigits(v) {
		vrn, err := ident.ParseVRN(v)
		return err == nil && vrn.ChecksOut()
	}
	return ukVAT.MatchString(v) && !isUKEORI(v) || euVAT.MatchString(v)
}

// isVATLike is also a number without country.
func isVATLike(v string) bool { return isVAT(v) || bareVAT.MatchString(squeezed(v)) }

func isUKPostcode(v string) bool { return ukPostcode.MatchString(squeezed(v)) }

func isPostcode(v string) bool { return isUKPostcode(v) || postcodes.MatchString(squeezed(v)) }

var phoneMarks = strings.NewReplacer(" ", "", "-", "", "(", "", ")", "", ".", "", "/", "")

func isPhone(v string) bool { return telephone.MatchString(phoneMarks.Replace(v)) }

// isCountry is a code as an import takes it.
func isCountry(v string) bool {
	_, err := ident.ParseCountry(strings.TrimSpace(v))
	return err == nil
}

// isCountryLike is a country by name or in small letters, too.
func isCountryLike(v string) bool {
	v = strings.ToLower(folded(strings.TrimSpace(v)))
	return isCountry(strings.ToUpper(v)) || places.countries[v]
}

var roles = []string{"importer", "exporter", "both", "import", "export", "importer/exporter", "import/export", "importeur", "exporteur", "importateur", "exportateur", "importador", "exportador"}

func isRole(v string) bool {
	return slices.Contains(roles, strings.ToLower(folded(strings.TrimSpace(v))))
}

func isCompany(v string) bool {
	return companyShape.MatchString(v) || strings.Contains(v, " & ") || strings.HasSuffix(v, "公司")
}

func isStreet(v string) bool {
	return strings.ContainsAny(v, "0123456789") && streetShape.MatchString(folded(v)) && !isCompany(v)
}

func isCity(v string) bool { return places.cities[strings.ToLower(folded(strings.TrimSpace(v)))] }

func isCode(v string) bool {
	v = strings.ToUpper(strings.TrimSpace(v))
	return codeShape.MatchString(v) && !longNumber.MatchString(v)
}

// isPerson is two to four words that begin with capitals, without digits, and no
// company, street or town.
func isPerson(v string) bool {
	words := strings.Fields(v)
	if len(words) < 2 || len(words) > 4 || isCompany(v) || isCity(v) || isStreet(v) {
		return false
	}
	for i, w := range words {
		first := []rune(w)[0]
		if strings.ContainsAny(w, "0123456789@&,:") || i != 1 && !unicode.IsUpper(first) || len(w) > 3 && w == strings.ToUpper(w) {
			return false
		}
	}
	return !strings.EqualFold(words[0], "the")
}

// isWords is text with more letters than anything else.
func isWords(v string) bool {
	letters, all := 0, 0
	for _, r := range v {
		if unicode.IsLetter(r) {
			letters++
		}
		if !unicode.IsSpace(r) {
			all++
		}
	}
	return letters > 0 && 2*letters > all && !isEmail(v) && !isVAT(v) && !isUKEORI(v) && !isUKPostcode(v) && !isDate(v)
}

// squeezed is a value in capitals without blanks.
func squeezed(v string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "", ".", "", "\u00a0", "").Replace(v))
}

// IsValue tells whether a cell of the first line is plainly no header.
func IsValue(cell string) bool {
	cell = strings.TrimSpace(cell)
	return isUKEORI(cell) || isEmail(cell) || isVAT(cell) || isUKPostcode(cell) && strings.Contains(cell, " ") || isPhone(cell) && len(cell) > 8 || isDate(cell)
}
