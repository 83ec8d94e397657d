package extract

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// quantityOfGoods matches "142 cartons household articles": a number, the kind of packages, and the goods.
var quantityOfGoods = lazyregexp.New(`(?i)^(\d[\d.,' ]*?) ?x? ?((?:\pL{2,8} )?(?:ctns?|cartons?|pkgs?|packages?|pallets?|plts?|cases?|boxes|bags|drums|rolls|crates|bales|colli|sacks|skids|bundles|kartons?|kisten?|paletten?|colis|cajas|bultos|cartoni|scatole|dozen|pieces|pcs))\.? (?:of |with |containing |said to contain:? |s\.?t\.?c\.?:? |mit |de |di |con |avec |met )?(\pL.{2,})$`)

// Confidence in what a sentence says.
const phraseConfidence Confidence = 85

// maxPhrase is the number of words of a sentence about the origin.
const maxPhrase = 10

// goodsInSentences makes lines of goods of sentences, if there is no table.
func (r *reading) goodsInSentences() (lines []LineItem) {
	for _, row := range r.rows {
		for _, c := range row.cells {
			m := quantityOfGoods.FindStringSubmatch(c.Text)
			if m == nil || c.taken || c.label != "" || len(lines) >= maxItems {
				continue
			}
			from := candidate{text: m[1], cell: c, sure: phraseConfidence}
			if start, end, inside := packed(c); inside && start > 0 {
				from.text = c.Text[start:end] // "18 dozen lamps in 36 cartons"
				m[2] = strings.TrimLeft(from.text, "0123456789.,' ")
			}
			count, sure, ok := r.count(from)
			if !ok {
				continue
			}
			c.taken = true
			l := LineItem{PackageCount: field(count, from, sure), Packages: field(m[2], from, certain)}
			goods := *c
			goods.Text = m[3]
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
	for _, row := range r.rows {
		for _, c := range row.cells {
			if c.taken || len(c.words) < 2 || len(c.words) > maxPhrase {
				continue
			}
			for at := range c.words {
				if code, ok := r.originAt(c, at); ok {
					return field(code, candidate{cell: c, sure: phraseConfidence}, certain)
				}
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
