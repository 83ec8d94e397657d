package classify

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// Limits of questions. balancedMass, maxChoices and contraryShare were chosen by test/accuracy on its development texts.
const (
	MaxAnswers    = 3 // questions that can be answered one after the other
	MaxAnswer     = 400
	maxChoices    = 7    // besides “none of these”
	leastMass     = 0.01 // share of what is left below which a choice is left out
	balancedMass  = 0.4  // share from which a choice is divided further
	settledMass   = 0.92 // of one choice, from which nothing is asked
	contraryShare = 0.03 // of a line's evidence that an answer against it leaves: people err
)

// Inquiry is the question whose answer best divides the codes that are left, with choices in the words of the tariff.
type Inquiry struct {
	Kind    string // what the choices differ by: material, use, dimensions, state or kind
	Choices []Choice
}

// Choice is an answer to choose from. Its key is an answer of the next question to the index.
type Choice struct{ Key, Text string }

// Prefixes of keys that say something else than which codes fit.
const (
	noneOf    = "none of "
	unknownOf = "unknown " // the person does not know
)

// reply is an answer: ranges of codes that fit, do not fit, or cannot be told apart.
type reply struct {
	kind   string // empty, noneOf or unknownOf
	ranges []codeRange
}

// codeRange is a range of codes of ten digits.
type codeRange struct{ from, to string }

func (r codeRange) contains(code string) bool { return r.from <= code && code <= r.to }

func (r codeRange) key() string {
	if r.from == r.to {
		return r.from
	}
	return r.from + "-" + r.to
}

// ValidAnswer reports whether a text is the key of a choice.
func ValidAnswer(key string) bool {
	_, ok := readReply(key)
	return ok
}

// HasAnswer reports whether the tariff has codes in each range of a valid answer. An answer from before another tariff may have none.
func (x *Index) HasAnswer(key string) bool {
	r, ok := readReply(key)
	return ok && !slices.ContainsFunc(r.ranges, func(c codeRange) bool {
		at := sort.Search(len(x.lines), func(i int) bool { return x.lines[i].code >= c.from })
		return at == len(x.lines) || !c.contains(x.lines[at].code)
	})
}

func readReply(key string) (r reply, ok bool) {
	for _, kind := range []string{noneOf, unknownOf} {
		if rest, found := strings.CutPrefix(key, kind); found {
			r.kind, key = kind, rest
		}
	}
	for _, part := range strings.Split(key, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		if !wholeCode(from) || !wholeCode(to) || from > to {
			return r, false
		}
		r.ranges = append(r.ranges, codeRange{from, to})
	}
	return r, len(key) <= MaxAnswer && (r.kind != "" || len(r.ranges) == 1)
}

func wholeCode(code string) bool {
	return len(code) == codeDigits && strings.Trim(code, "0123456789") == ""
}

// readReplies returns the replies in answers; others are left out.
func readReplies(answers []string) (all []reply) {
	for _, key := range answers[:min(len(answers), MaxAnswers)] {
		if r, ok := readReply(key); ok {
			all = append(all, r)
		}
	}
	return all
}

// positive reports whether a reply says which codes fit.
func positive(all []reply) bool {
	return slices.ContainsFunc(all, func(r reply) bool { return r.kind == "" })
}

// likelihood is how well the replies fit a code, up to 1.
func likelihood(all []reply, code string) float64 {
	fit := 1.0
	for _, r := range all {
		in := slices.ContainsFunc(r.ranges, func(c codeRange) bool { return c.contains(code) })
		if r.kind == "" && !in || r.kind == noneOf && in {
			fit *= contraryShare
		}
	}
	return fit
}

// branch is a node of the tariff with the lines that are left below it.
type branch struct {
	node     int
	mass     float64
	children []*branch
	lines    codeRange
}

// grow returns the branches of chapters with the lines that are left. If many headings are alike, none of
// the few that a question can name may fit; chapters hold more of what is left. A chapter with one heading is that heading.
func (x *Index) grow(left []ranked) (chapters []*branch, all float64) {
	byNode := map[int]*branch{}
	for _, c := range left {
		code := x.lines[c.line].code
		all += c.share
		var above *branch
		for _, node := range x.tree.Path(x.lines[c.line].node) {
			b, known := byNode[node]
			if !known {
				b = &branch{node: node, lines: codeRange{code, code}}
				byNode[node] = b
				if above != nil {
					above.children = append(above.children, b)
				} else {
					chapters = append(chapters, b)
				}
			}
			b.mass += c.share
			b.lines = codeRange{min(b.lines.from, code), max(b.lines.to, code)}
			above = b
		}
	}
	for i, b := range chapters {
		if len(b.children) == 1 {
			chapters[i] = b.children[0]
		}
	}
	return chapters, all
}

// forks follows a branch without a choice to the one that divides it; nil for a line.
func (b *branch) forks() []*branch {
	for len(b.children) == 1 {
		b = b.children[0]
	}
	return b.children
}

func sortBranches(all []*branch) {
	slices.SortFunc(all, func(a, b *branch) int { return cmp.Or(cmp.Compare(b.mass, a.mass), cmp.Compare(a.node, b.node)) })
}

// inquire returns the question that best divides the lines that are left; nil if there is none.
func (x *Index) inquire(left []ranked, replies []reply) *Inquiry {
	if len(replies) >= MaxAnswers {
		return nil
	}
	front, all := x.grow(left)
	front = divideFront(front, all)
	front = slices.DeleteFunc(front, func(b *branch) bool { return b.mass < leastMass*all || untold(replies, b.lines) })
	sortBranches(front)
	front = front[:min(len(front), maxChoices)]
	if len(front) < 2 || front[0].mass >= settledMass*all {
		return nil
	}
	return x.phrase(front)
}

// divideFront divides the branch with the most evidence again and again, until the branches are alike or too many.
func divideFront(front []*branch, all float64) []*branch {
	for {
		sortBranches(front)
		at := slices.IndexFunc(front, func(b *branch) bool { return b.mass > balancedMass*all && len(b.forks()) > 0 })
		if at < 0 {
			return front
		}
		forks := front[at].forks()
		front = slices.Concat(front[:at], front[at+1:], forks)
	}
}

// untold reports whether the person could not say whether the goods belong to a range.
func untold(replies []reply, lines codeRange) bool {
	return slices.ContainsFunc(replies, func(r reply) bool { return r.kind == unknownOf && slices.Contains(r.ranges, lines) })
}

// phrase writes the choices in the words of the tariff, from where their paths part.
func (x *Index) phrase(front []*branch) *Inquiry {
	slices.SortFunc(front, func(a, b *branch) int { return cmp.Compare(a.node, b.node) })
	paths := make([][]string, len(front))
	for i, b := range front {
		path := x.tree.Path(b.node)
		for _, node := range path[min(1, len(path)-1):] { // a heading speaks for itself
			paths[i] = append(paths[i], shortened(x.tree.At(node).Description))
		}
	}
	shared := 0
	for allShare(paths, shared) {
		shared++
	}
	q := &Inquiry{}
	var keys []string
	for i, b := range front {
		text := strings.Join(slices.Compact(paths[i][min(shared, len(paths[i])-1):]), " – ")
		q.Choices = append(q.Choices, Choice{b.lines.key(), text})
		keys = append(keys, b.lines.key())
	}
	q.Kind = kindOf(q.Choices)
	q.Choices = append(q.Choices, Choice{noneOf + strings.Join(keys, ","), "None of these"}, Choice{unknownOf + strings.Join(keys, ","), "I do not know"})
	return q
}

// allShare reports whether all paths have the same step at a place, and more below it.
func allShare(paths [][]string, at int) bool {
	for _, p := range paths {
		if at+1 >= len(p) || p[at] != paths[0][at] {
			return false
		}
	}
	return true
}

// Support returns how far a description supports each choice of a question: sums of the shares of their codes.
func (x *Index) Support(q Question, i *Inquiry) []float64 {
	sums := make([]float64, len(i.Choices))
	terms := x.lexicon.terms(q.Description)
	if len(terms) == 0 {
		return sums
	}
	e := x.gather(terms, q.Own)
	for _, c := range x.remaining(e, nil, q.Day) {
		for n := range i.Choices {
			if r, _ := readReply(i.Choices[n].Key); r.kind == "" && r.ranges[0].contains(x.lines[c.line].code) {
				sums[n] += c.share
			}
		}
	}
	return sums
}
