package ident

// checkDigit returns the check digit of an MRN or ARC, computed as in ISO 6346: the values of the characters times
// powers of two, modulo 11; 10 becomes 0.
func checkDigit(text string) byte {
	sum, weight := 0, 1
	for i := range len(text) {
		sum += characterValue(text[i]) * weight
		weight = weight * 2 % 11
	}
	return '0' + byte(sum%11%10)
}

// characterValue counts letters from A = 10 and skips multiples of 11.
func characterValue(c byte) int {
	if c <= '9' {
		return int(c - '0')
	}
	letter := int(c - 'A')
	return 10 + letter + (letter+9)/10
}

// validCheckDigit reports whether the last character is the check digit of the others.
func validCheckDigit(text string) bool {
	last := len(text) - 1
	return checkDigit(text[:last]) == text[last]
}
