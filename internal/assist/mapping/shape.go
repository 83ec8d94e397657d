package mapping

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Shapes of values that show what a column holds, whatever its header is.
var (
	ukEORI      = lazyregexp.New(`^(GB|XI)[0-9]{12}([0-9]{3})?$`)
	euEORI      = lazyregexp.New(`^[A-Z]{2}[A-Z0-9]{0,9}[0-9]{5,15}[A-Z0-9]{0,3}$`)
	ukVAT       = lazyregexp.New(`^(GB|XI)[0-9]{9}([0-9]{3})?$`)
	euVAT       = lazyregexp.New(`^(ATU[0-9]{8}|BE[01]?[0-9]{9}|BG[0-9]{9,10}|CHE[0-9]{9}(MWST|TVA|IVA|TPV)?|CY[0-9]{8}[A-Z]|CZ[0-9]{8,10}|DE[0-9]{9}|DK[0-9]{8}|EE[0-9]{9}|EL[0-9]{9}|ES[A-Z0-9][0-9]{7}[A-Z0-9]|FI[0-9]{8}|FR[A-Z0-9]{2}[0-9]{9}|HR[0-9]{11}|HU[0-9]{8}|IE[0-9][A-Z0-9][0-9]{5}[A-Z]{1,2}|IT[0-9]{11}|LT([0-9]{9}|[0-9]{12})|LU[0-9]{8}|LV[0-9]{11}|MT[0-9]{8}|NL[0-9]{9}B?[0-9]{0,2}|(NO)?[0-9]{9}MVA|PL[0-9]{10}|PT[0-9]{9}|RO[0-9]{2,10}|SE[0-9]{12}|SI[0-9]{8}|SK[0-9]{10})$`)
	bareVAT     = lazyregexp.New(`^[A-Z]?[0-9]{8,12}[A-Z]?[0-9]{0,2}$`)
	emailShape  = lazyregexp.New(`^[^@\s]+@[^@\s]+\.[^@\s.]{2,}$`)
	ukPostcode  = lazyregexp.New(`^[A-Z]{1,2}[0-9][0-9A-Z]?[0-9][A-Z]{2}$`)
	postcodes   = lazyregexp.New(`^([0-9]{4,8}|[0-9]{4}[A-Z]{2}|[A-Z][0-9]{2}[A-Z0-9]{4}|[A-Z]{1,2}[0-9]{4,5})$`)
	telephone   = lazyregexp.New(`^(\+[0-9]{7,15}|00[0-9]{8,14}|0[0-9]{8,13})$`)
	dateShape   = lazyregexp.New(`^([0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2,4})([T ].*)?$`)
	amountShape = lazyregexp.New(`^[-+£€$]?\s?[0-9][0-9 ,.']*[.,][0-9]{1,3}$`)
	codeShape   = lazyregexp.New(`^[A-Z]{0,5}[-/._ ]?[A-Z]{0,3}[0-9]{1,8}([-/.][A-Z0-9]{1,5})?$`)
	longNumber  = lazyregexp.New(`^[0-9]{9,}$`)
)

// is reports whether a value has a shape.
type is func(string) bool

func isUKEORI(v string) bool { return ukEORI.MatchString(squeezed(v)) }

// isEORI also accepts EORI numbers of the EU. UK ones have twelve digits; one with nine is a
// VAT number.
func isEORI(v string) bool {
	v = squeezed(v)
	home := strings.HasPrefix(v, "GB") || strings.HasPrefix(v, "XI")
	return ukEORI.MatchString(v) || !home && euEORI.MatchString(v)
}

func isEmail(v string) bool { return emailShape.MatchString(v) }
func isDate(v string) bool  { return dateShape.MatchString(v) }

// isVAT accepts numbers with a country prefix or with valid check digits.
func isVAT(v string) bool {
	v = squeezed(v)
	if len(v) == 9 && isDigits(v) {
		vrn, err := ident.ParseVRN(v)
		return err == nil && vrn.ValidChecksum()
	}
	return ukVAT.MatchString(v) && !isUKEORI(v) || euVAT.MatchString(v)
}

// isVATLike also accepts a number without country.
func isVATLike(v string) bool { return isVAT(v) || bareVAT.MatchString(squeezed(v)) }

func isUKPostcode(v string) bool { return ukPostcode.MatchString(squeezed(v)) }

func isPostcode(v string) bool { return isUKPostcode(v) || postcodes.MatchString(squeezed(v)) }

var phoneMarks = strings.NewReplacer(" ", "", "-", "", "(", "", ")", "", ".", "", "/", "")

func isPhone(v string) bool { return telephone.MatchString(phoneMarks.Replace(v)) }

// isCountry accepts a country code as an import does.
func isCountry(v string) bool {
	_, err := ident.ParseCountry(strings.TrimSpace(v))
	return err == nil
}

// isCountryLike also accepts names of countries and lower case.
func isCountryLike(v string) bool {
	v = strings.ToLower(folded(strings.TrimSpace(v)))
	if _, known := ident.FindCountry(v); known {
		return true
	}
	return places().countries[v]
}

var roles = []string{"importer", "exporter", "both", "import", "export", "importer/exporter", "import/export", "importeur", "exporteur", "importateur", "exportateur", "importador", "exportador"}

var answers = []string{"yes", "no", "y", "n", "true", "false", "ja", "nein", "nee", "oui", "non", "si", "tak", "nie", "sim", "nao", "da", "nu", "evet", "hayir", "是", "否"}

func isYesNo(v string) bool { return slices.Contains(answers, strings.ToLower(folded(v))) }

func isRole(v string) bool {
	return slices.Contains(roles, strings.ToLower(folded(strings.TrimSpace(v))))
}

// isCompany accepts names that end like companies (Ltd, GmbH, Sp. z o.o.) or join two names.
func isCompany(v string) bool {
	if strings.Contains(v, " & ") || strings.HasSuffix(v, "公司") {
		return true
	}
	words := strings.Fields(strings.ToLower(folded(strings.ReplaceAll(v, ".", ""))))
	last := ""
	for i := len(words) - 1; i > 0 && i >= len(words)-3; i-- {
		last = strings.Trim(words[i], ",()") + last
		if places().companies[last] {
			return true
		}
	}
	return false
}

// isStreet accepts a word for a street with a number.
func isStreet(v string) bool {
	if !strings.ContainsAny(v, "0123456789") || isCompany(v) {
		return false
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(folded(v)), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if places().streets[w] {
			return true
		}
		for _, ending := range places().endings {
			if len(w) > len(ending)+2 && strings.HasSuffix(w, ending) {
				return true
			}
		}
	}
	return false
}

func isCity(v string) bool { return places().cities[strings.ToLower(folded(strings.TrimSpace(v)))] }

func isCode(v string) bool {
	v = strings.ToUpper(strings.TrimSpace(v))
	return codeShape.MatchString(v) && !longNumber.MatchString(v)
}

// isPerson accepts two to four words with capitals, without digits, that are not a company,
// street or town.
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

// isWords accepts text that is mostly letters.
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

// squeezed returns a value in capitals without blanks.
func squeezed(v string) string {
	return strings.ToUpper(valueMarks.Replace(v))
}

var valueMarks = strings.NewReplacer(" ", "", "-", "", ".", "", "\u00a0", "")

// IsValue reports whether a cell of the first row is clearly not a header.
func IsValue(cell string) bool {
	cell = strings.TrimSpace(cell)
	return isUKEORI(cell) || isEmail(cell) || isVAT(cell) || isUKPostcode(cell) && strings.Contains(cell, " ") || isPhone(cell) && len(cell) > 8
}
