package chart

import (
	"math/big"
	"strings"
)

// Unit is a format for amounts, which are counted in the smallest unit, such as pence.
type Unit struct {
	Before, After string // around the number, such as £ and t
	Scale         int    // decimal places, such as 2 for pence shown as pounds
	Fixed         bool   // whether trailing zeros are written, as for money
}

// The units used in the console.
var (
	Pieces = Unit{}
	Pounds = Unit{Before: "£", Scale: 2, Fixed: true} // of pence
	Tonnes = Unit{After: "\u00a0t", Scale: 6}         // of grams
)

// Text returns the exact amount, with commas between thousands.
func (u Unit) Text(amount *big.Int) string {
	digits := new(big.Int).Abs(amount).String()
	if missing := u.Scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole, fraction := digits[:len(digits)-u.Scale], digits[len(digits)-u.Scale:]
	if !u.Fixed {
		fraction = strings.TrimRight(fraction, "0")
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	sign := ""
	if amount.Sign() < 0 {
		sign = "−"
	}
	return sign + u.Before + grouped(whole) + fraction + u.After
}

// grouped inserts commas between thousands.
func grouped(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// magnitudes are the suffixes for large amounts.
var magnitudes = []struct {
	zeros int
	name  string
}{{12, "tn"}, {9, "bn"}, {6, "m"}, {3, "k"}}

// Short returns a round amount in short form for an axis, such as £50k.
func (u Unit) Short(amount *big.Int) string {
	one := power(u.Scale)
	for _, m := range magnitudes {
		if new(big.Int).Abs(amount).Cmp(new(big.Int).Mul(one, power(m.zeros))) >= 0 {
			return Unit{Before: u.Before, After: m.name + u.After, Scale: u.Scale + m.zeros}.Text(amount)
		}
	}
	return Unit{Before: u.Before, After: u.After, Scale: u.Scale}.Text(amount)
}

func power(zeros int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(zeros)), nil)
}
