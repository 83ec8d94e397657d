package bulk

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/ident"
)

// Shapes of values that tell what a column holds, whatever its header says.
var (
	eoriShape     = regexp.MustCompile(`^(GB|XI)[0-9]{12}([0-9]{3})?$`)
	vatShape      = regexp.MustCompile(`^(GB|XI)?[0-9]{9}$`)
	emailShape    = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s.]{2,}$`)
	postcodeShape = regexp.MustCompile(`^[A-Z]{1,2}[0-9][0-9A-Z]?[0-9][A-Z]{2}$`)
	phoneShape    = regexp.MustCompile(`^(\+|0)[0-9]{8,14}$`)
	companyShape  = regexp.MustCompile(`(?i)\b(ltd|limited|plc|llp|inc|gmbh|b\.?v|s\.?a|s\.?r\.?l|co)\.?$`)
)

func isEORI(v string) bool     { return eoriShape.MatchString(squeezed(v)) }
func isVAT(v string) bool      { return vatShape.MatchString(squeezed(v)) }
func isEmail(v string) bool    { return emailShape.MatchString(v) }
func isPostcode(v string) bool { return postcodeShape.MatchString(squeezed(v)) }
func isCompany(v string) bool  { return companyShape.MatchString(v) }

func isPhone(v string) bool {
	return phoneShape.MatchString(strings.NewReplacer(" ", "", "-", "", "(", "", ")", "", ".", "").Replace(v))
}

func isCountry(v string) bool {
	_, err := ident.ParseCountry(v)
	return err == nil
}

func isRole(v string) bool {
	return slices.Contains([]string{"IMPORTER", "EXPORTER", "BOTH"}, strings.ToUpper(v))
}

// isValue tells whether a cell of the first line is plainly no header.
func isValue(cell string) bool {
	cell = strings.TrimSpace(cell)
	return isEORI(cell) || isEmail(cell) || isVAT(cell)
}

// squeezed is a value in capitals without blanks.
func squeezed(v string) string { return strings.ToUpper(strings.Join(strings.Fields(v), "")) }

// share is how many of the values that are there have a shape, from 0 to 100.
func share(values []string, is func(string) bool) (percent, count int) {
	fit := 0
	for _, v := range values {
		if v = strings.TrimSpace(v); v == "" {
			continue
		}
		if count++; is(v) {
			fit++
		}
	}
	if count == 0 {
		return 0, 0
	}
	return fit * 100 / count, count
}
