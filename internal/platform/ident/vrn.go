package ident

import "strings"

// VRN is a VAT registration number without its GB or XI: nine digits, or GD (government departments) or HA (health
// authorities) and three digits.
type VRN string

var vrnShape = newShape(`(GB|XI)?([0-9]{9}([0-9]{3})?|GD[0-4][0-9]{2}|HA[5-9][0-9]{2})`,
	"must be nine digits, with or without GB or XI before them")

// vrnLength does not include the three digits of a branch.
const vrnLength = 9

// ParseVRN reads a VRN with or without country, branch, dots and dashes.
func ParseVRN(text string) (VRN, error) {
	s, err := vrnShape.parse(strings.NewReplacer("-", "", ".", "").Replace(text))
	if err != nil {
		return "", err
	}
	s = strings.TrimPrefix(strings.TrimPrefix(s, "GB"), "XI")
	return VRN(s[:min(len(s), vrnLength)]), nil
}

// ValidChecksum reports whether the two check digits are right: the weighted sum is 0 modulo 97, or 42 or 55 in the ranges
// that HMRC opened in 2010. They are wrong in test numbers and some newer ranges, so warn and do not reject.
func (v VRN) ValidChecksum() bool {
	if v[0] > '9' {
		return true // GD and HA have no check digits
	}
	sum := 10*int(v[7]-'0') + int(v[8]-'0')
	for i := range 7 {
		sum += (8 - i) * int(v[i]-'0')
	}
	switch sum % 97 {
	case 0:
		return true
	case 42, 55:
		return v[0] != '0'
	}
	return false
}
