package quantity

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// totalDigits is the maximum number of digits before the decimal point.
const totalDigits = 30

var errTotal = fmt.Errorf("must be a plain number that is not negative, of at most %d digits before the decimal point and %d after it", totalDigits, MassPlaces)

// Total is an exact sum of numbers that are not negative, to six decimal places. It is large enough for any number of
// addends in practice.
type Total struct{ hi, lo uint64 } // millionths

// ParseTotal reads a plain decimal of at most six places.
func ParseTotal(text string) (Total, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	if whole == "" || len(whole) > totalDigits || len(fraction) > MassPlaces || strings.HasSuffix(text, ".") {
		return Total{}, errTotal
	}
	var t Total
	for _, digit := range whole + fraction + strings.Repeat("0", MassPlaces-len(fraction)) {
		if digit < '0' || digit > '9' {
			return Total{}, errTotal
		}
		t = t.times10(uint64(digit - '0'))
	}
	return t, nil
}

// MustTotal is ParseTotal for constants.
func MustTotal(text string) Total { return must(ParseTotal(text)) }

// largestTotal replaces larger totals.
var largestTotal = must(ParseTotal(strings.Repeat("9", totalDigits) + "." + strings.Repeat("9", MassPlaces)))

// RoundTotal rounds to at most six places, half up. A negative fraction becomes zero, and one that is too large the
// largest total.
func RoundTotal(r *big.Rat, places int) Total {
	if r.Sign() <= 0 {
		return Total{}
	}
	rounded, _ := new(big.Rat).SetString(r.FloatString(places))
	millionths := new(big.Int).Quo(new(big.Int).Mul(rounded.Num(), big.NewInt(million)), rounded.Denom())
	if millionths.Cmp(largestTotal.millionths()) > 0 {
		return largestTotal
	}
	var b [16]byte
	millionths.FillBytes(b[:])
	return Total{binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])}
}

const million = 1_000_000

// Total returns the number as a total; a negative number becomes zero.
func (e exact) Total() Total {
	if e.d.Sign() <= 0 {
		return Total{}
	}
	return Total{lo: e.d.Pad(MassPlaces).Coef()}
}

// Add returns the exact sum.
func (t Total) Add(u Total) Total {
	lo, carry := bits.Add64(t.lo, u.lo, 0)
	hi, _ := bits.Add64(t.hi, u.hi, carry)
	return Total{hi, lo}
}

func (t Total) times10(plus uint64) Total {
	carry, lo := bits.Mul64(t.lo, 10)
	return Total{t.hi*10 + carry, lo}.Add(Total{lo: plus})
}

// Cmp returns -1, 0 or 1 if t is less than, equal to or greater than u.
func (t Total) Cmp(u Total) int {
	switch {
	case t == u:
		return 0
	case t.hi < u.hi || t.hi == u.hi && t.lo < u.lo:
		return -1
	}
	return 1
}

// IsZero reports whether the total is zero.
func (t Total) IsZero() bool { return t == Total{} }

func (t Total) millionths() *big.Int {
	n := new(big.Int).Lsh(new(big.Int).SetUint64(t.hi), 64)
	return n.Or(n, new(big.Int).SetUint64(t.lo))
}

// Rat returns the total as an exact fraction.
func (t Total) Rat() *big.Rat { return new(big.Rat).SetFrac(t.millionths(), big.NewInt(million)) }

// String returns the shortest plain form, such as 12.5.
func (t Total) String() string { return string(t.append(nil)) }

// Fixed returns the plain form with at most six decimal places; further ones are truncated.
func (t Total) Fixed(places int) string {
	digits := strconv.FormatUint(t.lo, 10)
	if t.hi > 0 {
		digits = t.millionths().String()
	}
	if missing := MassPlaces + 1 - len(digits); missing > 0 {
		digits = "0000000"[:missing] + digits
	}
	point := len(digits) - MassPlaces
	if places == 0 {
		return digits[:point]
	}
	return digits[:point] + "." + digits[point:point+places]
}

func (t Total) append(dst []byte) []byte {
	return append(dst, strings.TrimSuffix(strings.TrimRight(t.Fixed(MassPlaces), "0"), ".")...)
}

// MarshalJSON writes the plain form as a JSON number.
func (t Total) MarshalJSON() ([]byte, error) { return t.append(nil), nil }

// UnmarshalJSON reads a plain JSON number.
func (t *Total) UnmarshalJSON(data []byte) (err error) {
	*t, err = ParseTotal(string(data))
	return err
}

// Per returns how much of t there is for each unit of u, truncated after six places unless both are very large; ok is
// false if u is zero.
func (t Total) Per(u Total) (each Total, ok bool) {
	if u.IsZero() {
		return Total{}, false
	}
	if t.hi == 0 && u.hi == 0 {
		hi, lo := bits.Mul64(t.lo, million)
		whole := Total{hi / u.lo, 0}
		whole.lo, _ = bits.Div64(hi%u.lo, lo, u.lo)
		return whole, true
	}
	r := new(big.Rat).Quo(t.Rat(), u.Rat())
	return RoundTotal(r, MassPlaces), true
}
