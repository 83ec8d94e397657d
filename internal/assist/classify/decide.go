package classify

import (
	"cmp"
	"slices"
)

// What each kind of evidence counts for a heading.
const (
	nearShare   = 0.5  // texts that are alike
	leafShare   = 0.5  // words of the nomenclature
	linearShare = 0.8  // weights of words
	enoughLike  = 0.4  // likeness from which both of these count in full
	exactShare  = 2.0  // texts of the same words
	coverShare  = 0.3  // of words that a heading has anywhere, against those of one line
	shortText   = 12.0 // words up to which the weights of words count in full; labelled texts are short
	headings    = 12   // how many are looked into
)

// What each kind of evidence counts below a heading.
const (
	nearBelow   = 1.0
	enoughVotes = 0.2 // from which the texts that are alike count in full
	leafBelow   = 0.6
	knownBelow  = 0.15 // how often texts lead to a line
	otherBelow  = 0.02 // for the line that takes what is left
	evenBelow   = 0.02 // for each line, whatever it is
)

// Powers that set the best apart from the good.
const (
	headingPower = 10
	belowPower   = 8
	votePower    = 3
)

// evidence is what speaks for the codes that a question may lead to.
type evidence struct {
	terms    []term
	said     int       // how many of the terms were said
	known    bool      // whether one of them is a word of the nomenclature or a text
	tips     []float64 // by the words of the nomenclature
	near     []vote
	headings []float64 // what speaks for each
	alike    float64   // how far the texts that are most alike can be relied on
	whole    float64   // what could speak for any, were it all clear
}

// vote is what a text that is alike says.
type vote struct {
	similar
	weight float64
	own    bool // one of the organisation's own
}

// settled is the tip that every text of the same words leads to, one of them a text
// that settles a code; none where there is no such text or not one such tip.
func (e *evidence) settled() int32 {
	tip, sure := int32(none), false
	for _, v := range e.near {
		switch at := v.text.class[ten]; {
		case !v.exact:
		case at == none || tip != none && tip != at:
			return none
		default:
			tip, sure = at, sure || v.text.settles
		}
	}
	if !sure {
		return none
	}
	return tip
}

// choice is a tip with its share of all that speaks for any.
type choice struct {
	tip   int32
	share float64
}

// weigh gathers what speaks for codes.
func (x *Index) weigh(terms []term, own *History) *evidence {
	e := &evidence{terms: terms}
	for _, t := range terms {
		if !t.meant {
			e.said++
			e.known = e.known || x.leaves.knows(t.stem) || own.knows(t.stem)
		}
	}
	var covered []float64
	e.tips, covered = x.leaves.find(x, terms)
	for _, s := range x.texts.find(terms) {
		e.near = append(e.near, vote{similar: s, weight: power(s.sim, votePower)})
	}
	for _, s := range own.find(terms) {
		e.near = append(e.near, vote{similar: s, weight: ownWeight * power(s.sim, votePower), own: true})
	}
	e.headings = make([]float64, len(covered))
	x.addNear(e)
	x.addLeaf(e, covered)
	x.addLinear(e)
	return e
}

func (x *Index) addNear(e *evidence) {
	e.trustOwn()
	var all, exact, closest float64
	for _, v := range e.near {
		all += v.weight
		closest = max(closest, v.sim)
		if v.exact {
			exact += v.weight
		}
	}
	e.alike = min(1, closest/enoughLike)
	e.whole += nearShare
	if exact > 0 {
		e.whole += exactShare
	}
	for _, v := range e.near {
		share := nearShare * e.alike * v.weight / all
		if v.exact {
			share += exactShare * v.weight / exact
		}
		e.headings[v.text.class[heading]] += share
	}
}

// trustOwn lets an organisation's own texts of the same words stand before everybody's.
func (e *evidence) trustOwn() {
	if !slices.ContainsFunc(e.near, func(v vote) bool { return v.own && v.exact }) {
		return
	}
	for i := range e.near {
		e.near[i].exact = e.near[i].exact && e.near[i].own
	}
}

func (x *Index) addLeaf(e *evidence, covered []float64) {
	best := make([]float64, len(covered))
	var most, mostCovered, all float64
	for h := range best {
		best[h] = slices.Max(e.tips[x.first[heading][h]:x.first[heading][h+1]])
		most, mostCovered = max(most, best[h]), max(mostCovered, covered[h])
	}
	e.whole += leafShare
	if most == 0 {
		return
	}
	for h := range best {
		best[h] = power(float64((1-coverShare)*best[h])/most+float64(coverShare*covered[h])/mostCovered, headingPower)
		all += best[h]
	}
	for h := range best {
		e.headings[h] += leafShare * best[h] / all
	}
}

func (x *Index) addLinear(e *evidence) {
	b := newBallot(len(e.headings))
	x.linear.score(x.texts.vector(e.terms), b)
	b.share()
	weight := float64(linearShare * min(1, shortText/float64(max(1, e.said))))
	e.whole += weight
	weight *= e.alike
	for _, h := range b.met {
		e.headings[h] += float64(weight * b.scores[h])
	}
}

// repeated is what a further tip of the same heading counts against the one before it,
// so that a doubt about the heading shows in the list.
const repeated = 0.7

// decide gives the tips below the best headings, the best first.
func (x *Index) decide(e *evidence, day string) []choice {
	order := make([]int32, 0, len(e.headings))
	for h, share := range e.headings {
		if share > 0 {
			order = append(order, int32(h))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(e.headings[b], e.headings[a]), cmp.Compare(a, b))
	})
	var found []choice
	for _, h := range order[:min(len(order), headings)] {
		var below []choice
		x.descend(e, heading, h, e.headings[h]/e.whole, day, &below)
		sortChoices(below)
		repeat := 1.0
		for i := range below {
			below[i].share *= repeat
			repeat *= repeated
		}
		found = append(found, below[:min(len(below), MaxSuggestions)]...)
	}
	sortChoices(found)
	return found
}

func sortChoices(all []choice) {
	slices.SortFunc(all, func(a, b choice) int { return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.tip, b.tip)) })
}

// descend parts the share of a class among those below it, down to the tips that are
// in force.
func (x *Index) descend(e *evidence, level int, class int32, share float64, day string, found *[]choice) {
	from, to := x.first[level][class], x.first[level][class+1]
	if level == ten {
		if n := x.tree.At(x.tips[from].node); n.InForce(day) || !n.Declarable {
			*found = append(*found, choice{from, share})
		}
		return
	}
	low, high := x.tips[from].class[level+1], x.tips[to-1].class[level+1]
	parts := x.part(e, level+1, low, high)
	for i, p := range parts {
		x.descend(e, level+1, low+int32(i), share*p, day, found)
	}
}

// part gives the shares of classes that stand beside each other.
func (x *Index) part(e *evidence, level int, low, high int32) []float64 {
	n := int(high - low + 1)
	if n == 1 {
		return []float64{1}
	}
	votes, words, known, others := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for _, v := range e.near {
		if c := v.text.class[level]; c >= low && c <= high {
			votes[c-low] += v.weight
		}
	}
	for i := range n {
		c := low + int32(i)
		from, to := x.first[level][c], x.first[level][c+1]
		words[i] = slices.Max(e.tips[from:to])
		known[i] = x.known[level][c]
		if x.tips[from].other && to-from == 1 {
			others[i] = 1
		}
	}
	sharpen(words)
	sum := total(votes)
	parts := make([]float64, n)
	add(parts, votes, nearBelow*min(1, sum/enoughVotes))
	add(parts, words, leafBelow)
	add(parts, known, knownBelow)
	add(parts, others, otherBelow)
	for i := range parts {
		parts[i] += evenBelow / float64(n)
	}
	sum = total(parts)
	for i := range parts {
		parts[i] /= sum
	}
	return parts
}

// sharpen sets the best apart.
func sharpen(scores []float64) {
	if best := slices.Max(scores); best > 0 {
		for i := range scores {
			scores[i] = power(scores[i]/best, belowPower)
		}
	}
}

// add gives each part its share of a weight.
func add(parts, scores []float64, weight float64) {
	if sum := total(scores); sum > 0 {
		for i := range parts {
			parts[i] += weight * scores[i] / sum
		}
	}
}

func total(all []float64) (sum float64) {
	for _, f := range all {
		sum += f
	}
	return sum
}

// power is the n-th power, by products alone.
func power(x float64, n int) float64 {
	y := 1.0
	for range n {
		y = float64(y * x)
	}
	return y
}
