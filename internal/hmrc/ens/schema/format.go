package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
)

// format is what the text of an element must be.
type format struct {
	what    string            // in words, for messages
	matches func(string) bool // HMRC's pattern; nil if there is none
	decimal bool              // of at most 11 digits with 3 after the point
	codes   []string          // nil if any
	least   int               // characters
	most    int               // characters; 0 if there is no limit
	asIs    bool              // white space counts; otherwise it is trimmed, and inside becomes one space
}

// The codes of messages (MessageTypes) and of functional errors by HMRC's schema v11-2, 2026-06-10.
var (
	messageCodes = strings.Fields("CC304A CC305A CC313A CC315A CC316A CC323A CC324A CC325A CC328A CC351A CD030C CD031C CD032C CD070B CD071B " +
		"CD301A CD302A CD303A CD319A CD411C CD412C CD906B CD912B CD913B CD914B CD916B CD917B CD931C CD932C CD971B")
	functionalCodes = strings.Fields("12 13 14 15 19 26 35 37 38 39 40 90 91 92 93")
)

var formats = map[string]format{
	"letter":      {what: "a letter", matches: isLetter, least: 1, most: 1},
	"capital":     {what: "a capital letter", matches: areCapitals, least: 1, most: 1},
	"capitals4":   {what: "up to 4 capital letters and digits", matches: areCapitalsOrDigits, most: 4},
	"language":    {what: "a language of two letters", matches: isLanguage, least: 2, most: 2},
	"country":     {what: "a country of two capital letters", matches: isCountry, least: 2, most: 2},
	"office":      {what: "a customs office of two letters and six letters or digits", matches: isOffice, least: 8, most: 8},
	"place":       {what: "two letters of the country and 1 to 33 further characters", matches: isPlace, most: 35},
	"eori":        {what: "two capital letters and 1 to 15 further characters of ASCII", matches: isEORI, least: 3, most: 17, asIs: true},
	"mrn":         {what: "an MRN of 18 characters", matches: isMRN},
	"day":         {what: "a day as YYMMDD", matches: isDay, least: 6, most: 6},
	"clock":       {what: "a time as HHMM", matches: isClock, least: 4, most: 4},
	"moment":      {what: "a time as YYYYMMDDHHMM", matches: isMoment, least: 12, most: 12},
	"heading":     {what: "4 to 8 digits", matches: digits(4, 8)},
	"digits1only": {what: "one digit", matches: digits(1, 1), least: 1, most: 1},
	"digits4only": {what: "four digits", matches: digits(4, 4), least: 4, most: 4},
	"text2only":   {what: "two characters", matches: characters(2, 2), least: 2, most: 2},
	"decimal":     {what: "a decimal of up to 11 digits, with up to 3 after the point", decimal: true},
	"flag":        {what: "0 or 1", codes: []string{"0", "1"}},
	"message":     {what: "a message type", codes: messageCodes},
	"functional":  {what: "a code of a functional error", codes: functionalCodes},
}

// formatOf returns a format by its name in the tables: one of formats, or text or digits with the greatest length.
func formatOf(name string) format {
	if f, ok := formats[name]; ok {
		return f
	}
	kind := strings.TrimRight(name, "0123456789")
	most, err := strconv.Atoi(name[len(kind):])
	switch {
	case err == nil && kind == "text":
		return format{what: fmt.Sprintf("1 to %d characters", most), matches: characters(1, most), most: most}
	case err == nil && kind == "digits":
		return format{what: fmt.Sprintf("1 to %d digits", most), matches: digits(1, most), most: most}
	default:
		panic("schema: the tables have an unknown format " + name)
	}
}

// fault returns HMRC's number for the first thing that is wrong with a text, or 0. The order is that of Xerces.
func (f format) fault(text string) int {
	if !f.asIs {
		text = collapse(text)
	}
	length := units(text)
	switch {
	case f.matches != nil && !f.matches(text):
		return numberPattern
	case f.decimal:
		return decimalFault(text)
	case f.most > 0 && length > f.most && f.least == f.most:
		return numberTooShort // a fixed length has one number for both
	case f.most > 0 && length > f.most:
		return numberTooLong
	case length < f.least:
		return numberTooShort
	case f.codes != nil && !slices.Contains(f.codes, text):
		return numberCode
	default:
		return 0
	}
}

// units is the length of a text as Xerces counts it: characters beyond the basic plane count twice.
func units(text string) int {
	n := utf8.RuneCountInString(text)
	for _, c := range text {
		if c > 0xFFFF {
			n++
		}
	}
	return n
}

// collapse does with white space what XML Schema does for the type token.
func collapse(text string) string {
	if !strings.ContainsAny(text, "\t\r\n") && !strings.Contains(text, "  ") && !strings.HasPrefix(text, " ") && !strings.HasSuffix(text, " ") {
		return text
	}
	return strings.Join(strings.FieldsFunc(element.Trim(text), func(c rune) bool { return strings.ContainsRune(" \t\r\n", c) }), " ")
}

// The digits of a mass.
const (
	maxDigits   = 11
	maxFraction = 3
)

func decimalFault(text string) int {
	whole, fraction, _ := strings.Cut(strings.TrimLeft(text, "+-"), ".")
	signs := len(text) - len(strings.TrimLeft(text, "+-"))
	if signs > 1 || whole+fraction == "" || !areDigits(whole) || !areDigits(fraction) {
		return numberNotDecimal
	}
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	switch {
	case len(fraction) > maxFraction:
		return numberFraction
	case len(whole)+len(fraction) > maxDigits:
		return numberTotalDigits
	default:
		return 0
	}
}
