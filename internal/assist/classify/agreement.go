package classify

import (
	"math"
	"strings"
)

// Agreement is how far a description supports a declared code: shares of all evidence, summed over the codes that begin
// alike.
type Agreement struct {
	Chapter float64 // of the declared chapter
	Heading float64 // of the declared heading
	Code    float64 // of the declared code
	Best    float64 // of the chapter with the most evidence
	Likely  string  // the code with the most evidence; empty if there is no evidence
}

// Doubt is how strongly a description contradicts a declared code.
type Doubt int

// All doubts.
const (
	NoDoubt        Doubt = iota
	HeadingInDoubt       // the goods may belong to another heading
	ChapterInDoubt       // the goods seem to belong to another chapter
)

// The points from which a code is in doubt, and what smoothes the shares. make fit repeats the fit: a logistic regression
// on training texts that were not in the index gives the weights 1, -1.5 and -3, and with -2 as many are found; ChapterPoint calls 2 % of right codes
// wrong there, HeadingPoint 2.5 %. make accuracy writes the curve into docs/accuracy.md.
const (
	smoothing     = 0.02
	chapterWeight = 1.5
	headingWeight = 2.0
	ChapterPoint  = 12.75 // of Contradiction
	HeadingPoint  = 7.5   // of HeadingContradiction
)

// Contradiction grows with the evidence for other chapters, and falls with that for the declared chapter and heading.
func (a Agreement) Contradiction() float64 {
	return rounded(a.HeadingContradiction() - float64(chapterWeight*logShare(a.Chapter)))
}

// HeadingContradiction grows with the evidence for other headings.
func (a Agreement) HeadingContradiction() float64 {
	return rounded(logShare(a.Best) - float64(headingWeight*logShare(a.Heading)))
}

func logShare(share float64) float64 { return math.Log(share + smoothing) }

// rounded rounds to 1/100: machines may differ in the last bits of a logarithm.
func rounded(x float64) float64 {
	const steps = 100
	return math.Round(x*steps) / steps
}

// Doubt is the doubt that the agreement leaves.
func (a Agreement) Doubt() Doubt {
	switch {
	case a.Likely == "" || strings.HasPrefix(a.Likely, "98") || strings.HasPrefix(a.Likely, "99"):
		return NoDoubt
	case a.Contradiction() >= ChapterPoint:
		return ChapterInDoubt
	case a.HeadingContradiction() >= HeadingPoint:
		return HeadingInDoubt
	}
	return NoDoubt
}

// Agreement compares a description with a declared code of at least four digits.
func (x *Index) Agreement(q Question, code string) (a Agreement) {
	terms := x.lexicon.terms(q.Description)
	if _, typed := typedCode(q.Description); typed || len(terms) == 0 || len(code) < digits[heading] {
		return a
	}
	e := x.gather(terms, q.Own)
	declared, chapters := code[:digits[heading]], map[string]float64{}
	for h, weight := range e.headings {
		first := x.lines[x.start[heading][h]].code
		chapters[first[:2]] += weight / e.max
		a.Best = max(a.Best, chapters[first[:2]])
		if weight > 0 && first[:digits[heading]] == declared {
			a.Heading = weight / e.max
			a.Code = x.shareOf(e, int32(h), code, q.Day) // #nosec G115 -- the tables are limited
		}
	}
	a.Chapter = chapters[code[:2]]
	if found := x.rank(x.remaining(e, nil, q.Day)); len(found) > 0 {
		a.Likely = x.lines[found[0].line].code
	}
	return a
}

// shareOf returns the share of the lines of a heading whose codes begin with a code.
func (x *Index) shareOf(e *evidence, h int32, code, day string) (share float64) {
	var below []ranked
	x.descend(e, heading, h, e.headings[h]/e.max, day, &below)
	for _, r := range below {
		if strings.HasPrefix(x.lines[r.line].code, trimmed(code)) {
			share += r.share
		}
	}
	return share
}
