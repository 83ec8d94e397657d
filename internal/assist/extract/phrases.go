package extract

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var (
	// countAhead matches the number at the beginning of "142 cartons household articles".
	countAhead = lazyregexp.New(`^(\d[\d.,']*(?: \d{3})*) ?x? ?`)
	// joiner matches the words between packages and what is in them.
	joiner = lazyregexp.New(`^\.? (?:of |with |containing |said to contain:? |s\.?t\.?c\.?:? |mit |de |di |con |avec |met )?(\pL.{2,})$`)
)

// goodsOf divides a sentence such as "142 cartons household articles" into the number, the kind of packages with at most one word before
// it, and the goods.
func goodsOf(text string) (count, kind, goods string, ok bool) {
	m := countAhead.FindStringSubmatchIndex(text)
	if m == nil {
		return "", "", "", false
	}
	behind := slices.DeleteFunc(wordsOf(text), func(w word) bool { return w.start < m[1] })
	for _, w := range behind[:min(len(behind), 2)] {
		if !slices.Contains(w.concepts, "package") && w.plain != "pieces" && w.plain != "pcs" {
			continue
		}
		if g := joiner.FindStringSubmatch(text[w.end:]); g != nil && !apiece.MatchString(text[w.end:]) {
			return text[m[2]:m[3]], text[m[1]:w.end], g[1], true
		}
	}
	return "", "", "", false
}

func statesGoods(text string) bool { _, _, _, ok := goodsOf(text); return ok }

// Confidence in what a sentence says.
const phraseConfidence Confidence = 85

// maxPhrase is the number of words of a sentence about the origin.
const maxPhrase = 10

// goodsInSentences makes lines of goods of sentences, if there is no table.
func (r *reading) goodsInSentences() (lines []LineItem) {
	for _, row := range r.rows {
		for _, c := range row.cells {
			first := c.sentences()[0]
			number, kind, content, stated := goodsOf(first.Text)
			if !stated || c.taken || c.label != "" || len(lines) >= maxItems {
				continue
			}
			from := candidate{text: number, cell: c, sure: phraseConfidence}
			if start, end, inside := packed(first); inside && start > 0 {
				from.text = first.Text[start:end] // "18 dozen lamps in 36 cartons"
				kind = strings.TrimLeft(from.text, "0123456789.,' ")
			}
			count, sure, ok := r.count(from)
			if !ok {
				continue
			}
			c.taken = true
			l := LineItem{PackageCount: field(count, from, sure), Packages: field(kind, from, certain)}
			goods := *c
			goods.Text = content
			if text := strings.Trim(r.details(&goods, &l), " ,;:-–"); countLetters(text) > 0 {
				l.Description = field(text, from, certain)
			}
			lines = append(lines, l)
		}
	}
	return lines
}

// countPackages adds the packages of the sentences, if no label states their number.
func (r *reading) countPackages(d *TradeDocument, lines []LineItem) {
	if d.PackageCount != nil || len(lines) == 0 {
		return
	}
	sum := *lines[0].PackageCount
	for _, l := range lines[1:] {
		sum.Value += l.PackageCount.Value
	}
	d.PackageCount = &sum
}

// originSentence reads sentences such as "Product of Vietnam": a word for goods or origin, and a country at the end.
func (r *reading) originSentence() *Text {
	for _, c := range r.sentences() {
		for at := range c.words[:min(len(c.words), maxPhrase)] {
			if code, ok := r.originAt(c, at); ok && len(c.words) <= maxPhrase {
				return field(code, candidate{cell: c, sure: phraseConfidence}, certain)
			}
		}
	}
	return nil
}

// originAt reads the country of a sentence whose word for origin or goods stands at a place: behind it, or as an adjective beside a
// word for origin.
func (r *reading) originAt(c *cell, at int) (code string, ok bool) {
	w := c.words[at]
	origin := slices.Contains(w.concepts, "origin")
	if !origin && !slices.Contains(w.concepts, "product") && !slices.Contains(w.concepts, "goods") {
		return "", false
	}
	if next := at + 1; origin && next < len(c.words) {
		if code, ok := countryOfAdjective(c.words[next].plain); ok {
			return code, true
		}
	}
	if origin && at > 0 {
		if code, ok := countryOfAdjective(c.words[at-1].plain); ok {
			return code, true
		}
	}
	if at+2 >= len(c.words) || !c.words[at+1].isFiller() && !slices.Contains(c.words[at+1].concepts, "origin") {
		return "", false
	}
	next := at + 1
	for next < len(c.words)-1 && len(c.words[next].concepts) > 0 {
		next++
	}
	return r.countries.country(c.Text[c.words[next].start:])
}
