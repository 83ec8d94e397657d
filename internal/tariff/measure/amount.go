package measure

import (
	"math/big"
	"strings"
)

// maxAmount is more than the length of any amount, in bytes.
const maxAmount = 40

// ParseAmount reads a decimal number, which may be negative, without an exponent; false for another text.
func ParseAmount(text string) (*big.Rat, bool) {
	if len(text) > maxAmount || strings.Trim(strings.TrimPrefix(text, "-"), "0123456789.") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
