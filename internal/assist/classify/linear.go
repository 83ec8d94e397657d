package classify

import (
	"math"
	"slices"
)

// Constants of learning.
const (
	passes       = 2     // over all examples
	learningRate = 0.5   // before AdaGrad
	damping      = 0.05  // added to AdaGrad's denominator, limits the first steps
	scale        = 4.0   // of a text's features
	minError     = 0.001 // smaller errors change no weight
	// maxHeadings is the largest number of headings that a feature may have weights for. A
	// feature of more headings helps little and costs most of the time.
	maxHeadings = 128
)

// linear holds learnt weights of features for headings. A feature has weights only for
// the headings of the examples that have it: that keeps the table small.
type linear struct{ weights lists[weight] }

// weight is a feature's weight for a heading.
type weight struct {
	heading int32
	weight  float32
}

// headingScores are scores of headings, and the headings that have one.
type headingScores struct {
	scores  []float64
	touched []int32
	marked  []bool
}

func newHeadingScores(headings int) *headingScores {
	return &headingScores{scores: make([]float64, headings), marked: make([]bool, headings)}
}

func (b *headingScores) clear() {
	for _, h := range b.touched {
		b.scores[h], b.marked[h] = 0, false
	}
	b.touched = b.touched[:0]
}

// learn learns the weights from one example after the other, in a fixed order (logistic
// regression by stochastic gradient descent with AdaGrad).
func learn(x *examples, vectors lists[entry], headings int, pause func() error) (*linear, error) {
	m := newLinear(x)
	squares := make([]float32, len(m.weights.all)) // sums of squared gradients
	b := newHeadingScores(headings)
	stride := strideFor(len(x.texts))
	for pass := range passes {
		for at := range x.texts {
			if err := everyFew(at, pause); err != nil {
				return nil, err
			}
			text := (pass + at*stride) % len(x.texts)
			m.step(vectors.of(int32(text)), x.texts[text].prefix[heading], b, squares) // #nosec G115 -- there are some 100,000 texts
		}
	}
	return m, nil
}

// strideFor is the distance between two examples that are learnt one after the other, so
// that neighbours in a table are not: a prime that does not divide their number.
func strideFor(texts int) int {
	const prime, other = 7919, 7907
	if texts%prime == 0 {
		return other
	}
	return prime
}

func newLinear(x *examples) *linear {
	m := &linear{lists[weight]{start: make([]int32, 1, x.postings.len()+1), all: make([]weight, 0, len(x.postings.all)/4)}}
	var found []int32
	for feature := range x.postings.len() {
		found = found[:0]
		for _, p := range x.postings.of(int32(feature)) { // #nosec G115 -- the tables are limited
			found = append(found, x.texts[p.id].prefix[heading])
		}
		slices.Sort(found)
		if found = slices.Compact(found); len(found) <= maxHeadings {
			for _, h := range found {
				m.weights.all = append(m.weights.all, weight{heading: h})
			}
		}
		m.weights.start = append(m.weights.start, int32(len(m.weights.all))) // #nosec G115 -- the tables are limited
	}
	m.weights.all = slices.Clip(m.weights.all)
	return m
}

// score adds the weights of a text's features for headings.
func (m *linear) score(v []entry, b *headingScores) {
	for _, e := range v {
		share := scale * float64(e.weight)
		for _, w := range m.weights.of(e.feature) {
			if !b.marked[w.heading] {
				b.marked[w.heading] = true
				b.touched = append(b.touched, w.heading)
			}
			b.scores[w.heading] += float64(float64(w.weight) * share)
		}
	}
}

// step moves the weights towards the heading of one example. Only one goroutine has the
// model while it learns; race detection here would triple the time of learning.
//
//go:norace
func (m *linear) step(v []entry, heading int32, b *headingScores, squares []float32) {
	m.score(v, b)
	b.softmax()
	for _, e := range v {
		share := scale * float64(e.weight)
		from, to := m.weights.start[e.feature], m.weights.start[e.feature+1]
		own, squares := m.weights.all[from:to], squares[from:to]
		for i := range own {
			wrong := b.scores[own[i].heading]
			if own[i].heading == heading {
				wrong--
			}
			if wrong < minError && wrong > -minError {
				continue
			}
			g := float64(wrong * share)
			squares[i] += float32(g * g)
			own[i].weight -= float32(learningRate * g / (damping + math.Sqrt(float64(squares[i]))))
		}
	}
	b.clear()
}

// softmax turns scores into probabilities. The scores belong to the caller alone.
//
//go:norace
func (b *headingScores) softmax() {
	if len(b.touched) == 0 {
		return
	}
	best := b.scores[b.touched[0]]
	for _, h := range b.touched {
		best = max(best, b.scores[h])
	}
	var sum float64
	for _, h := range b.touched {
		b.scores[h] = exp(b.scores[h] - best)
		sum += b.scores[h]
	}
	for _, h := range b.touched {
		b.scores[h] /= sum
	}
}

// exp is the exponential of a number up to 0, computed with products alone so that it is
// the same on every machine.
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
