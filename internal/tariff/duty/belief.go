package duty

import (
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// belief is what an outcome assumes of one unknown fact: that a document is held or not, or that a quantity or price lies
// within limits.
type belief struct {
	key    string   // names the fact
	lack   *missing // the question for it; nil if the request cannot answer it, such as for a missing exchange rate
	held   bool     // of a document
	limits *limits  // of a number; nil for a document, and for a threshold that is not held
}

// limits are the values that a number can have. A nil bound is none.
type limits struct {
	low, high    *big.Rat
	above, below bool // the bound itself is excluded
}

// limitsOf are the limits of a number, which is not negative, that meets a condition, or that does not meet it.
func limitsOf(c *measure.Condition, met bool) *limits {
	bound := c.Threshold.Amount
	switch c.Comparison() {
	case measure.AtMost:
		if met {
			return &limits{low: zero, high: bound}
		}
		return &limits{low: bound, above: true}
	case measure.Above:
		if met {
			return &limits{low: bound, above: true}
		}
		return &limits{low: zero, high: bound}
	}
	if met {
		return &limits{low: bound}
	}
	return &limits{low: zero, high: bound, below: true}
}

// and returns the values within both limits.
func (l *limits) and(o *limits) *limits {
	n := *l
	if n.low == nil || o.low != nil && (o.low.Cmp(n.low) > 0 || o.low.Cmp(n.low) == 0 && o.above) {
		n.low, n.above = o.low, o.above
	}
	if n.high == nil || o.high != nil && (o.high.Cmp(n.high) < 0 || o.high.Cmp(n.high) == 0 && o.below) {
		n.high, n.below = o.high, o.below
	}
	return &n
}

// empty reports whether no value is within the limits.
func (l *limits) empty() bool {
	if l.low == nil || l.high == nil {
		return false
	}
	order := l.low.Cmp(l.high)
	return order > 0 || order == 0 && (l.above || l.below)
}

// and returns the belief in both; false if they exclude each other.
func (b *belief) and(o *belief) (belief, bool) {
	if b.limits == nil {
		return *b, b.held == o.held
	}
	n := *b
	n.limits = b.limits.and(o.limits)
	return n, !n.limits.empty()
}

// with adds a belief to others, of which each is of another fact; false if it excludes one of them.
func with(all []belief, b belief) ([]belief, bool) {
	for i := range all {
		if all[i].key != b.key {
			continue
		}
		both, ok := all[i].and(&b)
		if !ok {
			return nil, false
		}
		changed := append([]belief(nil), all...)
		changed[i] = both
		return changed, true
	}
	if b.limits != nil && b.limits.empty() {
		return nil, false
	}
	return append(all[:len(all):len(all)], b), true
}

// withAll adds beliefs to others.
func withAll(all, more []belief) ([]belief, bool) {
	ok := true
	for i := range more {
		if all, ok = with(all, more[i]); !ok {
			return nil, false
		}
	}
	return all, true
}

// conflict returns the only fact of which two outcomes believe the contrary; nil if there is none, or more than one.
func conflict(a, b []belief) (only *belief) {
	for i := range a {
		for j := range b {
			if a[i].key != b[j].key {
				continue
			}
			if _, ok := a[i].and(&b[j]); ok {
				continue
			}
			if only != nil {
				return nil
			}
			only = &a[i]
		}
	}
	return only
}
