package quantity

import (
	"fmt"
	"math/big"
	"strings"
)

// Decimal is an exact decimal number of any number of places. Its zero value is no number.
type Decimal struct{ *big.Rat }

// ParseDecimal reads a decimal number.
func ParseDecimal(text string) (d Decimal, err error) { return d, d.UnmarshalJSON([]byte(text)) }

// UnmarshalJSON reads a number as it is written.
func (d *Decimal) UnmarshalJSON(text []byte) error {
	r, ok := new(big.Rat).SetString(string(text))
	if !ok {
		return fmt.Errorf("%s is not a number", text)
	}
	d.Rat = r
	return nil
}

// MarshalJSON writes the number without an exponent and without needless zeros.
func (d Decimal) MarshalJSON() ([]byte, error) {
	if d.Rat == nil {
		return []byte("null"), nil
	}
	return []byte(d.Plain()), nil
}

// mostDecimals is more than the decimal places of any number that is read, and of a product of two.
const mostDecimals = 18

// Plain is the number in its shortest form, cut at eighteen decimal places.
func (d Decimal) Plain() string {
	if d.IsInt() {
		return d.Num().String()
	}
	return strings.TrimSuffix(strings.TrimRight(d.FloatString(mostDecimals), "0"), ".")
}
