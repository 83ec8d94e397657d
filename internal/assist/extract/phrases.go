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
const maxPhrase = 8

// goodsInSentences makes lines of goods of sentences, if there is no table.
func (r *reading) goodsInSentences() (lines []LineItem) {
	for _, row := range r.rows {
		for _, c := range row.cells {
			m := quantityOfGoods.FindStringSubmatch(c.Text)
			if m == nil || c.taken || c.label != "" || len(lines) >= maxItems {
				continue
			}
			from := candidate{text: m[1], cell: c, sure: phraseConfidence}
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
			at := slices.IndexFunc(c.words, func(w word) bool {
				return slices.ContainsFunc(w.concepts, func(k concept) bool { return k == "origin" || k == "product" || k == "goods" })
			})
			if at < 0 || at+2 >= len(c.words) || !c.words[at+1].isFiller() && !slices.Contains(c.words[at+1].concepts, "origin") {
				continue
			}
			next := at + 1
			for next < len(c.words)-1 && len(c.words[next].concepts) > 0 {
				next++
			}
			if code, ok := r.countries.country(c.Text[c.words[next].start:]); ok {
				return field(code, candidate{cell: c, sure: phraseConfidence}, certain)
			}
		}
	}
	return nil
}
