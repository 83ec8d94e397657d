package chart

import "math/big"

// axis is a scale with round amounts at equal distances.
type axis struct {
	top   *big.Int
	ticks []*big.Int // from nothing upwards
}

// mostTicks is how many lines an axis has at most, besides that of nothing.
const mostTicks = 4

// newAxis reaches the largest amount.
func newAxis(largest *big.Int) axis {
	step := stepFor(largest)
	a := axis{top: new(big.Int), ticks: []*big.Int{new(big.Int)}}
	for a.top.Cmp(largest) < 0 {
		a.top = new(big.Int).Add(a.top, step)
		a.ticks = append(a.ticks, a.top)
	}
	return a
}

// stepFor is the least of 1, 2 and 5, with as many zeros as it takes, that reaches an
// amount in few steps.
func stepFor(largest *big.Int) *big.Int {
	for ten := big.NewInt(1); ; ten = new(big.Int).Mul(ten, big.NewInt(10)) {
		for _, times := range []int64{1, 2, 5} {
			step := new(big.Int).Mul(ten, big.NewInt(times))
			if new(big.Int).Mul(step, big.NewInt(mostTicks)).Cmp(largest) >= 0 {
				return step
			}
		}
	}
}
