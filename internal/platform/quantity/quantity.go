// Package quantity holds the exact numbers of a declaration: money in pounds to the penny, mass in kilograms to the
// milligram, and counts of supplementary units. It uses no binary floating point, so 0.1 + 0.2 is 0.3.
package quantity

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/govalues/decimal"
)

// Decimal places of declarations (DE 4/14 n..16,2 and DE 6/1 n..16,6).
const (
	MoneyPlaces = 2
	SumPlaces   = 3
	RatePlaces  = 5
	MassPlaces  = 6
)

const (
	maxIntegerDigits = 11 // sums of 999 items have fewer than 19 significant digits
	maxSumDigits     = 13 // of a Sum, before the decimal point: 16 digits in all
	exponentDigits   = 2
)

var (
	errNotANumber = errors.New("must be a number")
	errTooLarge   = tooLarge(maxIntegerDigits)
)

func tooLarge(digits int) error {
	return fmt.Errorf("must have at most %d digits before the decimal point", digits)
}

// exact is a decimal with at most a given number of places.
type exact struct{ d decimal.Decimal }

// String returns the shortest plain form without trailing zeros, such as 12.5.
func (e exact) String() string { return e.d.Trim(0).String() }

// MarshalJSON writes the plain form as a JSON number.
func (e exact) MarshalJSON() ([]byte, error) { return []byte(e.String()), nil }

// Sign returns -1, 0 or 1.
func (e exact) Sign() int { return e.d.Sign() }

// IsZero reports whether the number is zero.
func (e exact) IsZero() bool { return e.d.IsZero() }

// powersOfTen are the denominators of decimals, by their scale.
var powersOfTen = func() (all [decimal.MaxScale + 1]uint64) {
	all[0] = 1
	for n := 1; n < len(all); n++ {
		all[n] = all[n-1] * 10
	}
	return all
}()

// Rat returns the number as an exact fraction, for arithmetic without rounding.
func (e exact) Rat() *big.Rat {
	numerator, denominator := new(big.Int).SetUint64(e.d.Coef()), new(big.Int).SetUint64(powersOfTen[e.d.Scale()])
	if e.d.IsNeg() {
		numerator.Neg(numerator)
	}
	return new(big.Rat).SetFrac(numerator, denominator)
}

func parse(text string, places int) (exact, error) {
	return parseDigits(text, maxIntegerDigits, places)
}

// parseDigits parses a number with at most the given digits before and after the decimal point.
func parseDigits(text string, digits, places int) (exact, error) {
	d, err := parsePlain(text)
	if err != nil {
		return exact{}, err
	}
	d = d.Trim(0)
	if d.Scale() > places {
		return exact{}, fmt.Errorf("must have at most %d decimal places", places)
	}
	if d.Prec()-d.Scale() > digits {
		return exact{}, tooLarge(digits)
	}
	return exact{d}, nil
}

// parsePlain reads a JSON number, with small exponents.
func parsePlain(text string) (decimal.Decimal, error) {
	if strings.HasPrefix(text, "+") || strings.HasPrefix(text, ".") || len(text) > 64 {
		return decimal.Decimal{}, errNotANumber
	}
	d, err := decimal.Parse(text)
	if digits := strings.Count(text, "") - 1 - strings.Count(text, ".") - strings.Count(text, "-"); err == nil && digits > decimal.MaxPrec {
		err = errTooLarge
	}
	if err == nil && !keeps(d, text) {
		err = errNotANumber
	}
	if err != nil {
		return decimal.Decimal{}, fmt.Errorf("%w of at most 19 digits", errNotANumber)
	}
	return d, nil
}

// keeps reports whether a decimal is exactly the number that was written: with an exponent it can have more places than
// a decimal stores, which the library rounds.
func keeps(d decimal.Decimal, text string) bool {
	_, exponent, found := strings.Cut(strings.ToLower(text), "e")
	if !found {
		return true
	}
	if len(strings.TrimLeft(exponent, "+-0")) > exponentDigits {
		return false
	}
	r, ok := new(big.Rat).SetString(text)
	return ok && r.Cmp(exact{d}.Rat()) == 0
}

func unmarshal(data []byte, places int) (exact, error) {
	if len(data) == 0 || data[0] == '"' {
		return exact{}, errNotANumber
	}
	return parse(string(data), places)
}

// floor truncates to the given places, towards zero, as CDS does.
func floor(r *big.Rat, places int) (exact, error) {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	n := new(big.Int).Mul(r.Num(), scale)
	n.Quo(n, r.Denom())
	if !n.IsInt64() {
		return exact{}, errTooLarge
	}
	d, err := decimal.New(n.Int64(), places)
	if err != nil {
		return exact{}, errTooLarge
	}
	return exact{d}, nil
}

// Money is an exact amount in pounds sterling to the penny.
type Money struct{ exact }

// ParseMoney reads pounds such as "1234.50"; a third decimal place is an error and is not rounded.
func ParseMoney(text string) (Money, error) {
	e, err := parse(text, MoneyPlaces)
	return Money{e}, err
}

// MustMoney is ParseMoney for constants.
func MustMoney(text string) Money { return must(ParseMoney(text)) }

// TruncateMoney truncates a fraction of pounds to the penny, as CDS does with duty and VAT.
func TruncateMoney(r *big.Rat) (Money, error) {
	e, err := floor(r, MoneyPlaces)
	return Money{e}, err
}

// UnmarshalJSON reads a JSON number with at most two decimal places.
func (m *Money) UnmarshalJSON(data []byte) (err error) {
	m.exact, err = unmarshal(data, MoneyPlaces)
	return err
}

// Add returns the exact sum.
func (m Money) Add(n Money) Money { return Money{add(m.exact, n.exact)} }

// Sub returns the exact difference.
func (m Money) Sub(n Money) Money { return Money{exact{must(m.d.Sub(n.d))}} }

// Cmp returns -1, 0 or 1 if m is less than, equal to or greater than n.
func (m Money) Cmp(n Money) int { return m.d.Cmp(n.d) }

// Fixed always has two decimal places, such as 12.50.
func (m Money) Fixed() string { return m.d.Pad(MoneyPlaces).String() }

// Pence returns the amount in pence.
func (m Money) Pence() int64 {
	whole, pence, _ := m.d.Int64(MoneyPlaces)
	return whole*100 + pence
}

// PoundsOf returns an amount of pence.
func PoundsOf(pence int64) Money {
	return Money{exact{must(decimal.New(pence, MoneyPlaces))}}
}

// Mass is an exact mass in kilograms to the milligram.
type Mass struct{ exact }

// ParseMass reads kilograms such as "0.000125".
func ParseMass(text string) (Mass, error) {
	e, err := parse(text, MassPlaces)
	return Mass{e}, err
}

// MustMass is ParseMass for constants.
func MustMass(text string) Mass { return must(ParseMass(text)) }

// UnmarshalJSON reads a JSON number with at most six decimal places.
func (m *Mass) UnmarshalJSON(data []byte) (err error) {
	m.exact, err = unmarshal(data, MassPlaces)
	return err
}

// Add returns the exact sum.
func (m Mass) Add(n Mass) Mass { return Mass{add(m.exact, n.exact)} }

// Cmp returns -1, 0 or 1 if m is less than, equal to or greater than n.
func (m Mass) Cmp(n Mass) int { return m.d.Cmp(n.d) }

// Number is an exact count or measure without a unit, such as litres or pieces.
type Number struct{ exact }

// ParseNumber reads a plain decimal of at most six places.
func ParseNumber(text string) (Number, error) {
	e, err := parse(text, MassPlaces)
	return Number{e}, err
}

// MustNumber is ParseNumber for constants.
func MustNumber(text string) Number { return must(ParseNumber(text)) }

// UnmarshalJSON reads a JSON number with at most six decimal places.
func (n *Number) UnmarshalJSON(data []byte) (err error) {
	n.exact, err = unmarshal(data, MassPlaces)
	return err
}

// Cmp returns -1, 0 or 1 if n is less than, equal to or greater than o.
func (n Number) Cmp(o Number) int { return n.d.Cmp(o.d) }

// Sum is an exact amount in any currency, to three decimal places.
type Sum struct{ exact }

// ParseSum reads a plain decimal of at most three places.
func ParseSum(text string) (Sum, error) {
	e, err := parseDigits(text, maxSumDigits, SumPlaces)
	return Sum{e}, err
}

// MustSum is ParseSum for constants.
func MustSum(text string) Sum { return must(ParseSum(text)) }

// SumOf returns an amount of pounds.
func SumOf(m Money) Sum { return Sum(m) }

// AddSums returns the exact sum; an error if it is too large.
func AddSums(a, b Sum) (Sum, error) {
	d, err := a.d.Add(b.d)
	if err != nil {
		return Sum{}, tooLarge(maxSumDigits)
	}
	return ParseSum(d.String())
}

// UnmarshalJSON reads a JSON number with at most three decimal places.
func (s *Sum) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] == '"' {
		return errNotANumber
	}
	read, err := ParseSum(string(data))
	*s = read
	return err
}

// Rate is an exact exchange rate or rate of a tax, to five decimal places.
type Rate struct{ exact }

// ParseRate reads a plain decimal of at most five places.
func ParseRate(text string) (Rate, error) {
	e, err := parse(text, RatePlaces)
	return Rate{e}, err
}

// MustRate is ParseRate for constants.
func MustRate(text string) Rate { return must(ParseRate(text)) }

// UnmarshalJSON reads a JSON number with at most five decimal places.
func (r *Rate) UnmarshalJSON(data []byte) (err error) {
	r.exact, err = unmarshal(data, RatePlaces)
	return err
}

func add(a, b exact) exact { return exact{must(a.d.Add(b.d))} }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Grouped returns a decimal number with commas between its thousands: -1,234,567.5. Any other text is returned as it is.
func Grouped(number string) string {
	whole, fraction, point := strings.Cut(number, ".")
	if strings.Trim(whole, "-0123456789") != "" {
		return number
	}
	for at := len(whole) - 3; at > 0 && whole[at-1] != '-'; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if point {
		whole += "." + fraction
	}
	return whole
}
