package ident

import "fmt"

// MRN is the movement reference number that CDS gives a declaration: two digits of the year, a country, thirteen
// characters and a check digit.
type MRN string

var mrnShape = newShape(`[0-9]{2}[A-Z]{2}[A-Z0-9]{13}[0-9]`,
	"must be 18 characters: two digits of the year, two letters of the country, 13 letters or digits and a check digit")

// mrnSerial is the number of characters between country and check digit.
const mrnSerial = 13

// ParseMRN reads an MRN; its check digit may be wrong.
func ParseMRN(text string) (MRN, error) {
	s, err := mrnShape.parse(text)
	return MRN(s), err
}

// ValidChecksum reports whether the check digit is right. It is wrong in some training systems, so warn and do not reject.
func (m MRN) ValidChecksum() bool { return validCheckDigit(string(m)) }

// MRN returns a new movement reference number for a year and a country such as GB.
func (s *Source) MRN(year int, country string) string {
	open := fmt.Sprintf("%02d%s%s", year%100, country, s.Text(crockford, mrnSerial))
	return open + string(checkDigit(open))
}
