package quantity

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// totalDigits is how many digits a total may have before the decimal point.
const totalDigits = 30

var errTotal = fmt.Errorf("must be a plain number that is not negative, of at most %d digits before the decimal point and %d after it", totalDigits, MassPlaces)

// Total is an exact sum of masses, of money or of what else is not negative, to six
// decimal places, with room for more addends than there can be.
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

// MustTotal is ParseTotal for numbers written in the program.
func MustTotal(text string) Total { return must(ParseTotal(text)) }

// largestTotal is what a total that would be larger becomes.
var largestTotal = must(ParseTotal(strings.Repeat("9", totalDigits) + "." + strings.Repeat("9", MassPlaces)))

// RoundTotal is the closest total of so many places, at most six; what lies in the
// middle is rounded up. A negative fraction is nothing, and one too large to be
// written down is the largest that can be.
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

// Total is the same number as a total; less than nothing is nothing.
func (e exact) Total() Total {
	if e.d.Sign() <= 0 {
		return Total{}
	}
	return Total{lo: e.d.Pad(MassPlaces).Coef()}
}

// Add is the exact sum of both.
func (t Total) Add(u Total) Total {
	lo, carry := bits.Add64(t.lo, u.lo, 0)
	hi, _ := bits.Add64(t.hi, u.hi, carry)
	return Total{hi, lo}
}

func (t Total) times10(plus uint64) Total {
	carry, lo := bits.Mul64(t.lo, 10)
	return Total{t.hi*10 + carry, lo}.Add(Total{lo: plus})
}

// Cmp is -1, 0 or 1 as t is less than, equal to or more than u.
func (t Total) Cmp(u Total) int {
	switch {
	case t == u:
		return 0
	case t.hi < u.hi || t.hi == u.hi && t.lo < u.lo:
		return -1
	}
	return 1
}

// IsZero tells whether it is nothing at all.
func (t Total) IsZero() bool { return t == Total{} }

func (t Total) millionths() *big.Int {
	n := new(big.Int).Lsh(new(big.Int).SetUint64(t.hi), 64)
	return n.Or(n, new(big.Int).SetUint64(t.lo))
}

// Rat is the same number as an exact fraction.
func (t Total) Rat() *big.Rat { return new(big.Rat).SetFrac(t.millionths(), big.NewInt(million)) }

// String is the shortest plain form, such as 12.5.
func (t Total) String() string { return string(t.append(nil)) }

// Fixed is the plain form with so many decimal places, at most six; the others are cut off.
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

// UnmarshalJSON takes a plain JSON number.
func (t *Total) UnmarshalJSON(data []byte) (err error) {
	*t, err = ParseTotal(string(data))
	return err
}

// Per is how much of t comes to each unit of u, cut off after six places where both
// are of usual size; ok is false when there is no u.
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
