package classify

import (
	"math"
	"slices"
)

// How the weights are learnt.
const (
	passes = 2     // over all texts
	rate   = 0.5   // of a step, before what a weight has moved already (AdaGrad)
	start  = 0.05  // keeps the first steps in bounds
	scale  = 4.0   // of a text's features
	least  = 0.001 // a step that is smaller is not taken
	// widest is how many headings a feature may lead to: one that leads everywhere tells
	// little and costs most.
	widest = 128
)

// linear weighs features for headings. A feature has a weight for those headings
// alone that one of its texts leads to, which keeps it small and quick to learn.
type linear struct {
	first   []int32 // of a feature's weights, and the end
	weights []weight
}

// weight is what a feature weighs for a heading.
type weight struct {
	heading int32
	weight  float32
}

// ballot holds the scores of headings, and which of them have one.
type ballot struct {
	scores []float64
	met    []int32
	marked []bool
}

func newBallot(headings int) *ballot {
	return &ballot{scores: make([]float64, headings), marked: make([]bool, headings)}
}

func (b *ballot) clear() {
	for _, h := range b.met {
		b.scores[h], b.marked[h] = 0, false
	}
	b.met = b.met[:0]
}

// learn learns the weights from texts, one by one in an order that is always the same
// (logistic regression by stochastic gradient).
func learn(n *neighbours, headings int) *linear {
	m := newLinear(n)
	moved := make([]float32, len(m.weights)) // sums of squares of steps
	b := newBallot(headings)
	step := stride(len(n.texts))
	for pass := range passes {
		for at := range n.texts {
			text := (pass + at*step) % len(n.texts)
			m.step(n.vectors[text], n.texts[text].class[heading], b, moved)
		}
	}
	return m
}

// stride is how far one goes from text to text, so that those that stand together in a
// table are not learnt in a row: a prime that does not divide how many there are.
func stride(texts int) int {
	const prime, other = 7919, 7907
	if texts%prime == 0 {
		return other
	}
	return prime
}

func newLinear(n *neighbours) *linear {
	m := &linear{first: make([]int32, 1, len(n.postings)+1)}
	var own []int32
	for _, list := range n.postings {
		own = own[:0]
		for _, p := range list {
			own = append(own, n.texts[p.text].class[heading])
		}
		slices.Sort(own)
		if own = slices.Compact(own); len(own) <= widest {
			for _, h := range own {
				m.weights = append(m.weights, weight{heading: h})
			}
		}
		m.first = append(m.first, int32(len(m.weights))) // #nosec G115 -- the tables are limited
	}
	m.weights = slices.Clip(m.weights)
	return m
}

// score adds what the features of a text weigh for headings.
func (m *linear) score(v []entry, b *ballot) {
	for _, e := range v {
		share := scale * float64(e.share)
		for _, w := range m.weights[m.first[e.feature]:m.first[e.feature+1]] {
			if !b.marked[w.heading] {
				b.marked[w.heading] = true
				b.met = append(b.met, w.heading)
			}
			b.scores[w.heading] += float64(float64(w.weight) * share)
		}
	}
}

// step moves the weights towards what one text says. Nobody else has the model while it
// learns, and to look for races in that takes three times as long as the learning.
//
//go:norace
func (m *linear) step(v []entry, heading int32, b *ballot, moved []float32) {
	m.score(v, b)
	b.share()
	for _, e := range v {
		share := scale * float64(e.share)
		from, to := m.first[e.feature], m.first[e.feature+1]
		own, moved := m.weights[from:to], moved[from:to]
		for i := range own {
			wrong := b.scores[own[i].heading]
			if own[i].heading == heading {
				wrong--
			}
			if wrong < least && wrong > -least {
				continue
			}
			g := float64(wrong * share)
			moved[i] += float32(g * g)
			own[i].weight -= float32(rate * g / (start + math.Sqrt(float64(moved[i]))))
		}
	}
	b.clear()
}

// share turns scores into shares of one (softmax), in a ballot that is the caller's own.
//
//go:norace
func (b *ballot) share() {
	if len(b.met) == 0 {
		return
	}
	best := b.scores[b.met[0]]
	for _, h := range b.met {
		best = max(best, b.scores[h])
	}
	var sum float64
	for _, h := range b.met {
		b.scores[h] = exp(b.scores[h] - best)
		sum += b.scores[h]
	}
	for _, h := range b.met {
		b.scores[h] /= sum
	}
}

// exp is the exponential of a number up to 0, by products alone, so that it is the
// same on every machine.
func exp(x float64) float64 {
	const lowest, squarings = -30, 10
	if x < lowest {
		return 0
	}
	y := 1 + float64(x/(1<<squarings))
	for range squarings {
		y = float64(y * y)
	}
	return y
}
