package schema

import (
	"strings"
	"unicode/utf8"
)

// The patterns of HMRC's simple types (schema v11-2, 2026-06-10), each as a function.

func all(text string, is func(byte) bool) bool {
	for i := range len(text) {
		if !is(text[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool          { return '0' <= c && c <= '9' }
func isCapital(c byte) bool        { return 'A' <= c && c <= 'Z' }
func isSmallOrCapital(c byte) bool { return isCapital(c) || 'a' <= c && c <= 'z' }

func areDigits(text string) bool   { return all(text, isDigit) }
func areCapitals(text string) bool { return all(text, isCapital) }

func areCapitalsOrDigits(text string) bool {
	return all(text, func(c byte) bool { return isCapital(c) || isDigit(c) })
}

func isLetter(text string) bool   { return len(text) == 1 && all(text, isSmallOrCapital) }
func isLanguage(text string) bool { return len(text) == 2 && all(text, isSmallOrCapital) }
func isCountry(text string) bool  { return len(text) == 2 && areCapitals(text) }

func isOffice(text string) bool {
	return len(text) == 8 && all(text[:2], isSmallOrCapital) &&
		all(text[2:], func(c byte) bool { return isSmallOrCapital(c) || isDigit(c) })
}

func digits(least, most int) func(string) bool {
	return func(text string) bool { return len(text) >= least && len(text) <= most && areDigits(text) }
}

// characters matches a number of any characters but the ends of lines.
func characters(least, most int) func(string) bool {
	return func(text string) bool {
		n := utf8.RuneCountInString(text)
		return n >= least && n <= most && !strings.ContainsAny(text, "\n\r\u2028\u2029")
	}
}

func isPlace(text string) bool {
	return len(text) > 2 && all(text[:2], isSmallOrCapital) && characters(1, 33)(text[2:])
}

// isEORI is the pattern of identification numbers of traders. Their length is checked after it.
func isEORI(text string) bool {
	return len(text) >= 2 && areCapitals(text[:2]) && all(text, func(c byte) bool { return c < 0x80 && c != '\n' && c != '\r' })
}

func isMRN(text string) bool {
	return len(text) == 18 && areDigits(text[:2]) && areCapitals(text[2:4]) && areCapitalsOrDigits(text[4:17]) && isDigit(text[17])
}

// isClock matches HHMM.
func isClock(text string) bool {
	return len(text) == 4 && areDigits(text) && text[:2] <= "23" && text[2:] <= "59"
}

// isDay matches YYMMDD.
func isDay(text string) bool {
	return len(text) == 6 && areDigits(text[:2]) && isDayOfYear(text[2:])
}

// isMoment matches YYYYMMDDHHMM.
func isMoment(text string) bool {
	return len(text) == 12 && areDigits(text[:4]) && text[0] != '0' && isDayOfYear(text[4:8]) && isClock(text[8:])
}

// longest are the days of the months. HMRC's pattern takes February 29 in every year, and has a vertical bar in its lists of
// digits, so that it also takes "0|" and "1|" as months of 31 days.
var longest = map[string]string{
	"01": "31", "02": "29", "03": "31", "04": "30", "05": "31", "06": "30", "07": "31", "08": "31", "09": "30", "10": "31", "11": "30", "12": "31",
	"0|": "31", "1|": "31",
}

// isDayOfYear matches MMDD.
func isDayOfYear(text string) bool {
	last, ok := longest[text[:2]]
	return ok && areDigits(text[2:]) && text[2:] >= "01" && text[2:] <= last
}
