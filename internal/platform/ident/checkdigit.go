package ident

// checkDigit is the digit that closes an MRN and an ARC, reckoned as ISO 6346 does:
// the values of the characters times rising powers of two, modulo 11, ten being 0.
func checkDigit(text string) byte {
	sum, weight := 0, 1
	for i := range len(text) {
		sum += characterValue(text[i]) * weight
		weight = weight * 2 % 11
	}
	return '0' + byte(sum%11%10)
}

// characterValue counts letters from A = 10 and leaves out the multiples of 11.
func characterValue(c byte) int {
	if c <= '9' {
		return int(c - '0')
	}
	letter := int(c - 'A')
	return 10 + letter + (letter+9)/10
}

// closes tells whether the last character is the check digit of those before it.
func closes(text string) bool {
	last := len(text) - 1
	return checkDigit(text[:last]) == text[last]
}
