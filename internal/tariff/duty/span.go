package duty

import "math/big"

// span is what is known of an amount: it lies between two bounds. A nil bound is unlimited; the amount is known if both are
// the same.
type span struct{ low, high *big.Rat }

var zero = new(big.Rat)

func exactly(r *big.Rat) span { return span{r, r} }

// unknownAmount is an amount of which nothing is known, but that it is not negative.
func unknownAmount() span { return span{low: zero} }

// value returns the amount; nil unless it is known.
func (s span) value() *big.Rat {
	if s.low != nil && s.high != nil && s.low.Cmp(s.high) == 0 {
		return s.low
	}
	return nil
}

func (s span) plus(t span) span { return span{sum(s.low, t.low), sum(s.high, t.high)} }

func (s span) minus(t span) span { return s.plus(span{negative(t.high), negative(t.low)}) }

// atLeast is the greater one of both.
func (s span) atLeast(t span) span {
	low := s.low
	if low == nil || t.low != nil && t.low.Cmp(low) > 0 {
		low = t.low
	}
	if s.high == nil || t.high == nil {
		return span{low, nil}
	}
	return span{low, greater(s.high, t.high)}
}

// atMost is the lesser one of both.
func (s span) atMost(t span) span {
	high := s.high
	if high == nil || t.high != nil && t.high.Cmp(high) < 0 {
		high = t.high
	}
	if s.low == nil || t.low == nil {
		return span{nil, high}
	}
	return span{lesser(s.low, t.low), high}
}

func sum(a, b *big.Rat) *big.Rat {
	if a == nil || b == nil {
		return nil
	}
	return new(big.Rat).Add(a, b)
}

func negative(a *big.Rat) *big.Rat {
	if a == nil {
		return nil
	}
	return new(big.Rat).Neg(a)
}

func greater(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

func lesser(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}
