package chart

import "math/big"

// axis is a scale with round amounts at equal distances.
type axis struct {
	top   *big.Int
	ticks []*big.Int // from zero upwards
}

// maxTicks is the maximum number of lines on an axis, not counting zero.
const maxTicks = 4

// newAxis returns an axis from zero to at least the largest amount.
func newAxis(largest *big.Int) axis {
	step := stepFor(largest)
	a := axis{top: new(big.Int), ticks: []*big.Int{new(big.Int)}}
	for a.top.Cmp(largest) < 0 {
		a.top = new(big.Int).Add(a.top, step)
		a.ticks = append(a.ticks, a.top)
	}
	return a
}

// stepFor returns the smallest step of the form 1, 2 or 5 times a power of ten that reaches an amount
// in at most maxTicks steps.
func stepFor(largest *big.Int) *big.Int {
	for ten := big.NewInt(1); ; ten = new(big.Int).Mul(ten, big.NewInt(10)) {
		for _, times := range []int64{1, 2, 5} {
			step := new(big.Int).Mul(ten, big.NewInt(times))
			if new(big.Int).Mul(step, big.NewInt(maxTicks)).Cmp(largest) >= 0 {
				return step
			}
		}
	}
}
