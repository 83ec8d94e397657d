package ident

import "fmt"

// ARC is the administrative reference code that EMCS gives a movement of excise goods: two digits of the year, a
// country, sixteen characters and a check digit.
type ARC string

var arcShape = newShape(`[0-9]{2}[A-Z]{2}[A-Z0-9]{16}[0-9]`,
	"must be 21 characters: two digits of the year, two letters of the country, 16 letters or digits and a check digit")

// arcSerial is the number of characters between country and check digit.
const arcSerial = 16

// ParseARC reads an ARC; its check digit may be wrong.
func ParseARC(text string) (ARC, error) {
	s, err := arcShape.parse(text)
	return ARC(s), err
}

// ValidChecksum reports whether the check digit is right.
func (a ARC) ValidChecksum() bool { return validCheckDigit(string(a)) }

// ARC returns a new administrative reference code for a year and a country such as GB. It has only digits, like HMRC's:
// a P before the check digit would mean that duty has been paid.
func (s *Source) ARC(year int, country string) string {
	open := fmt.Sprintf("%02d%s%s", year%100, country, s.Text(digits, arcSerial))
	return open + string(checkDigit(open))
}
