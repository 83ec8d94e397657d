package classify

import (
	"cmp"
	"slices"
)

// Weights of the kinds of evidence for a heading.
const (
	similarShare = 0.5  // similar examples
	keywordShare = 0.5  // words of the nomenclature
	linearShare  = 0.8  // learnt weights
	fullTrust    = 0.4  // similarity of the best example from which examples and learnt weights count in full
	exactShare   = 2.0  // examples with the same words
	coverShare   = 0.3  // words anywhere below a heading, against those of its best line
	shortText    = 12.0 // words up to which learnt weights count in full: the examples are short
	maxRanked    = 12   // headings whose lines are ranked
)

// Weights of the kinds of evidence below a heading.
const (
	similarBelow = 1.0
	fullVotes    = 0.2 // sum of votes from which similar examples count in full
	keywordBelow = 0.6
	countBelow   = 0.15 // number of examples for a line
	otherBelow   = 0.02 // for the residual line
	evenBelow    = 0.02 // for all lines together
)

// Exponents that increase the distance between the best score and the others.
const (
	headingPower = 10
	belowPower   = 8
	votePower    = 3
)

// evidence is the evidence for the codes that a question may lead to.
type evidence struct {
	terms    []term
	words    int       // number of terms that are not implied
	known    bool      // a word is one of the nomenclature or of an example
	lines    []float64 // score of each line by its words
	similar  []vote
	headings []float64 // score of each heading
	trust    float64   // 0 to 1, by the similarity of the best example
	max      float64   // the highest score that a heading could have
}

// vote is a similar example's vote for its code.
type vote struct {
	similar
	weight float64
	own    bool // from the organisation's history
}

// authoritative returns the line to which every example with the same words leads, if
// one of them is authoritative; otherwise none.
func (e *evidence) authoritative() int32 {
	line, found := int32(none), false
	for _, v := range e.similar {
		switch at := v.text.prefix[ten]; {
		case !v.exact:
		case at == none || line != none && line != at:
			return none
		default:
			line, found = at, found || v.text.authoritative
		}
	}
	if !found {
		return none
	}
	return line
}

// ranked is a line with its share of all evidence.
type ranked struct {
	line  int32
	share float64
}

// gather gathers the evidence for a question's terms.
func (x *Index) gather(terms []term, own *History) *evidence {
	e := &evidence{terms: terms}
	for _, t := range terms {
		if !t.implied {
			e.words++
			e.known = e.known || x.keywords.contains(t.stem) || own.contains(t.stem)
		}
	}
	var covered []float64
	e.lines, covered = x.keywords.find(x, terms)
	for _, s := range x.examples.find(terms) {
		e.similar = append(e.similar, vote{similar: s, weight: power(s.similarity, votePower)})
	}
	for _, s := range own.find(terms) {
		e.similar = append(e.similar, vote{similar: s, weight: ownWeight * power(s.similarity, votePower), own: true})
	}
	e.headings = make([]float64, len(covered))
	x.addSimilar(e)
	x.addKeywordScores(e, covered)
	x.addLinear(e)
	return e
}

func (x *Index) addSimilar(e *evidence) {
	e.preferOwn()
	var all, exact, closest float64
	for _, v := range e.similar {
		all += v.weight
		closest = max(closest, v.similarity)
		if v.exact {
			exact += v.weight
		}
	}
	e.trust = min(1, closest/fullTrust)
	e.max += similarShare
	if exact > 0 {
		e.max += exactShare
	}
	x.addOwn(e)
	for _, v := range e.similar {
		share := similarShare * e.trust * v.weight / all
		if v.exact {
			share += exactShare * v.weight / exact
		}
		e.headings[v.text.prefix[heading]] += share
	}
}

// addOwn adds the evidence of the organisation's own goods, as far as one of them is similar: what is like other goods than its own is
// left to the shared texts.
func (x *Index) addOwn(e *evidence) {
	var all, closest float64
	for _, v := range e.similar {
		if v.own {
			all += v.weight
			closest = max(closest, v.similarity)
		}
	}
	if all == 0 {
		return
	}
	weight := ownShare * power(min(1, closest/fullOwnTrust), ownTrustPower)
	e.max += weight
	for _, v := range e.similar {
		if v.own {
			e.headings[v.text.prefix[heading]] += float64(weight*v.weight) / all
		}
	}
}

// preferOwn makes only the organisation's own examples exact if it has any with the same words.
func (e *evidence) preferOwn() {
	if !slices.ContainsFunc(e.similar, func(v vote) bool { return v.own && v.exact }) {
		return
	}
	for i := range e.similar {
		e.similar[i].exact = e.similar[i].exact && e.similar[i].own
	}
}

func (x *Index) addKeywordScores(e *evidence, covered []float64) {
	best := make([]float64, len(covered))
	var most, mostCovered, all float64
	for h := range best {
		best[h] = slices.Max(e.lines[x.start[heading][h]:x.start[heading][h+1]])
		most, mostCovered = max(most, best[h]), max(mostCovered, covered[h])
	}
	e.max += keywordShare
	if most == 0 {
		return
	}
	for h := range best {
		best[h] = power(float64((1-coverShare)*best[h])/most+float64(coverShare*covered[h])/mostCovered, headingPower)
		all += best[h]
	}
	for h := range best {
		e.headings[h] += keywordShare * best[h] / all
	}
}

func (x *Index) addLinear(e *evidence) {
	b := newHeadingScores(len(e.headings))
	x.weights.score(x.examples.vector(e.terms), b)
	b.softmax()
	weight := float64(linearShare * min(1, shortText/float64(max(1, e.words))))
	e.max += weight
	weight *= e.trust
	for _, h := range b.touched {
		e.headings[h] += float64(weight * b.scores[h])
	}
}

// repeatWeight is the weight of each further line of a heading relative to the one before
// it, so that lines of other headings are in the list too if the heading is in doubt.
const repeatWeight = 0.7

// remaining returns the lines in force below the best headings, with their shares of the evidence and of the answers.
func (x *Index) remaining(e *evidence, replies []reply, day string) []ranked {
	order, fits := make([]int32, 0, len(e.headings)), make([]float64, len(e.headings))
	for h, share := range e.headings {
		if share > 0 {
			fits[h] = share * x.headingLikelihood(replies, int32(h)) // #nosec G115 -- the tables are limited
			order = append(order, int32(h))                          // #nosec G115 -- the tables are limited
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(fits[b], fits[a]), cmp.Compare(a, b))
	})
	var left []ranked
	for _, h := range order[:min(len(order), maxRanked)] {
		x.descend(e, heading, h, e.headings[h]/e.max, day, &left)
	}
	return x.weigh(left, replies)
}

// headingLikelihood is how well replies fit the line of a heading that they fit best.
func (x *Index) headingLikelihood(replies []reply, h int32) (best float64) {
	if len(replies) == 0 {
		return 1
	}
	for _, t := range x.lines[x.start[heading][h]:x.start[heading][h+1]] {
		best = max(best, likelihood(replies, t.code))
	}
	return best
}

// weigh multiplies the shares of lines by how well replies fit them. Their sum stays what it was; it is 1 if a reply says which codes fit,
// because the goods are then among them, however little the description says.
func (x *Index) weigh(left []ranked, replies []reply) []ranked {
	if len(replies) == 0 {
		return left
	}
	var before, after float64
	for i := range left {
		before += left[i].share
		left[i].share *= likelihood(replies, x.lines[left[i].line].code)
		after += left[i].share
	}
	sum := before
	if positive(replies) {
		sum = 1
	}
	for i := range left {
		left[i].share *= sum / after
	}
	return left
}

// rank returns the lines, the best line first.
func (x *Index) rank(left []ranked) []ranked {
	found := slices.Clone(left)
	sortRanked(found)
	seen := map[int32]int{}
	found = slices.DeleteFunc(found, func(c ranked) bool {
		h := x.lines[c.line].prefix[heading]
		seen[h]++
		return seen[h] > MaxSuggestions
	})
	clear(seen)
	for i := range found {
		h := x.lines[found[i].line].prefix[heading]
		found[i].share *= power(repeatWeight, seen[h])
		seen[h]++
	}
	sortRanked(found)
	return found
}

func sortRanked(all []ranked) {
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.line, b.line)) })
}

// descend divides the share of a prefix among those below it, down to the lines in force.
func (x *Index) descend(e *evidence, level int, prefix int32, share float64, day string, found *[]ranked) {
	from, to := x.start[level][prefix], x.start[level][prefix+1]
	if level == ten {
		if n := x.tree.At(x.lines[from].node); n.InForce(day) || !n.Declarable {
			*found = append(*found, ranked{from, share})
		}
		return
	}
	low, high := x.lines[from].prefix[level+1], x.lines[to-1].prefix[level+1]
	for i, part := range x.divide(e, level+1, low, high) {
		x.descend(e, level+1, low+int32(i), share*part, day, found)
	}
}

// divide returns the shares of the prefixes low to high of a level; their sum is 1.
func (x *Index) divide(e *evidence, level int, low, high int32) []float64 {
	n := int(high - low + 1)
	if n == 1 {
		return []float64{1}
	}
	votes, words, counts, others := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for _, v := range e.similar {
		if id := v.text.prefix[level]; id >= low && id <= high {
			votes[id-low] += v.weight
		}
	}
	for i := range n {
		id := low + int32(i)
		from, to := x.start[level][id], x.start[level][id+1]
		words[i] = slices.Max(e.lines[from:to])
		counts[i] = x.counts[level][id]
		if x.lines[from].other && to-from == 1 {
			others[i] = 1
		}
	}
	sharpen(words)
	sum := total(votes)
	shares := make([]float64, n)
	add(shares, votes, similarBelow*min(1, sum/fullVotes))
	add(shares, words, keywordBelow)
	add(shares, counts, countBelow)
	add(shares, others, otherBelow)
	for i := range shares {
		shares[i] += evenBelow / float64(n)
	}
	sum = total(shares)
	for i := range shares {
		shares[i] /= sum
	}
	return shares
}

// sharpen increases the distance between the best score and the others.
func sharpen(scores []float64) {
	if best := slices.Max(scores); best > 0 {
		for i := range scores {
			scores[i] = power(scores[i]/best, belowPower)
		}
	}
}

// add divides a weight among shares in proportion to scores.
func add(shares, scores []float64, weight float64) {
	if sum := total(scores); sum > 0 {
		for i := range shares {
			shares[i] += weight * scores[i] / sum
		}
	}
}

func total(all []float64) (sum float64) {
	for _, f := range all {
		sum += f
	}
	return sum
}

// power is the n-th power, computed with products alone.
func power(x float64, n int) float64 {
	y := 1.0
	for range n {
		y = float64(y * x)
	}
	return y
}
