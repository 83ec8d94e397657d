package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// sentences returns the sentences that are not of a table and not too long.
func (r *reading) sentences() (all []*cell) {
	for _, row := range r.rows {
		for _, c := range row.cells {
			if c.taken {
				continue
			}
			for _, s := range c.sentences() {
				if len(s.words) > 1 && len(s.words) <= maxSentence {
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// sentenceEnd matches the end of a sentence and the beginning of the next one; the point of an abbreviation is none.
var sentenceEnd = lazyregexp.New(`(?:\pL{4,}|\d|\b(?:kgs?|lbs?|cbm|m3|m³)|\))[.;] +\p{Lu}`)

// sentences are the sentences of a cell; the cell itself if it is one.
func (c *cell) sentences() (all []*cell) {
	from := 0
	for _, at := range sentenceEnd.FindAllStringIndex(c.Text, -1) {
		_, last := utf8.DecodeLastRuneInString(c.Text[:at[1]])
		all = append(all, c.part(from, at[1]-last))
		from = at[1] - last
	}
	if from == 0 {
		return []*cell{c}
	}
	return append(all, c.part(from, len(c.Text)))
}

// numberBefore matches the number before a word for packages, with one word between them: "24 wooden ".
var numberBefore = lazyregexp.New(`(?:^|[ (])(\d[\d.,']*) (?:\pL{2,12} )?$`)

// packed returns where the packages of a sentence begin: a number before a word for packages. Those that a small word such as "in"
// comes before hold the others: "55 dozen packed in 11 bales".
func packed(c *cell) (from, to int, ok bool) {
	for i, w := range c.words {
		m := numberBefore.FindStringSubmatchIndex(c.Text[:w.start])
		if i == 0 || m == nil || !slices.Contains(w.concepts, "package") {
			continue
		}
		inside := slices.ContainsFunc(c.words[:i], func(o word) bool { return o.end == m[2]-1 && o.isFiller() })
		if !ok || inside {
			from, to, ok = m[2], w.end, true
		}
	}
	return from, to, ok
}

// apiece matches what follows the packages that hold one of the goods, or a part of them: "12 boxes per carton".
var apiece = lazyregexp.New(`^ (?:per|pro|je|par|por|each|a|à)\b`)

// packageSentence reads the packages of a sentence about packing, goods, masses or a total. In a document about packages any other may
// state them too.
func (r *reading) packageSentence() *Count {
	var found []*Count
	for _, c := range r.sentences() {
		from, to, ok := packed(c)
		if !ok || r.kind == Invoice && !c.speaksOf("packing", "goods", "shipping", "total", "gross", "net") || apiece.MatchString(c.Text[to:]) {
			continue
		}
		at := candidate{text: c.Text[from:to], cell: c, sure: phraseConfidence}
		if v, sure, ok := r.count(at); ok {
			found = append(found, field(v, at, sure))
		}
	}
	return only(found, func(a, b int64) bool { return a == b })
}

// only returns the first of several fields if all are equal: sentences that differ are about parts of the consignment.
func only[T any](all []*Field[T], equal func(a, b T) bool) *Field[T] {
	if len(all) == 0 || slices.ContainsFunc(all, func(f *Field[T]) bool { return !equal(f.Value, all[0].Value) }) {
		return nil
	}
	return all[0]
}

// speaksOf reports whether a text has a word with one of some meanings.
func (c *cell) speaksOf(what ...concept) bool {
	return slices.ContainsFunc(c.words, func(w word) bool {
		return slices.ContainsFunc(w.concepts, func(k concept) bool { return slices.Contains(what, k) })
	})
}

// Numbers with a unit of mass, behind at most a few words, or of volume.
var (
	massBehind   = lazyregexp.New(`(?i)^[^\d;]{0,40}?(\d[\d.,' ]*?) ?(?:kgs?|kilos?|kilogram(?:me|m)?s?|lbs?|tonnes?|t)\b`)
	volumeBehind = lazyregexp.New(`(?i)(?:^|[ ,;(])(\d[\d.,']*) ?(?:cbm|m3|m³|cubic met(?:re|er)s?)(?:$|[ ,.;)])`)
)

// massAhead matches the number of kilograms right before a word for gross or net, or with a word between them.
var massAhead = lazyregexp.New(`(?i)(?:^|[ (])(\d[\d.,' ]*?) ?(?:kgs?|kilos?|kilogram(?:me|m)?s?|lbs?|tonnes?|t)(?: (?:\pL{2,8} )?| ?\()$`)

// massSentence reads the mass that a sentence states behind a word for gross or net, "gross 1,900 kg, net 1,760 kg", or before it.
func (r *reading) massSentence(what concept) *Mass {
	var found []*Mass
	for _, c := range r.sentences() {
		measures := slices.DeleteFunc(slices.Clone(c.words), func(w word) bool { return !slices.Contains(w.concepts, "gross") && !slices.Contains(w.concepts, "net") })
		ahead := len(measures) > 0 && massAhead.MatchString(c.Text[:measures[0].start])
		for i, w := range measures {
			if !slices.Contains(w.concepts, what) {
				continue
			}
			from, to := w.end, len(c.Text)
			if i+1 < len(measures) {
				to = measures[i+1].start
			}
			m := massBehind.FindStringSubmatchIndex(c.Text[from:to])
			if ahead {
				if from = 0; i > 0 {
					from = measures[i-1].end
				}
				m = massAhead.FindStringSubmatchIndex(c.Text[from:w.start])
			}
			if m == nil {
				continue
			}
			at := candidate{text: strings.Trim(c.Text[from+m[2]:from+m[1]], " ("), cell: c, sure: phraseConfidence}
			if v, sure, ok := r.mass(at); ok {
				found = append(found, field(v, at, sure))
			}
		}
	}
	return only(found, func(a, b quantity.Mass) bool { return a.Cmp(b) == 0 })
}

// volumeSentence reads the volume in a sentence about a total, goods or packing.
func (r *reading) volumeSentence() *Amount {
	var found []*Amount
	for _, c := range r.sentences() {
		if m := volumeBehind.FindStringSubmatch(c.Text); m != nil && c.speaksOf("total", "goods", "packing", "shipping") {
			from := candidate{text: strings.TrimSpace(m[0]), cell: c, sure: phraseConfidence}
			if v, sure, ok := r.volume(from); ok {
				found = append(found, field(v, from, sure))
			}
		}
	}
	return only(found, func(a, b quantity.Number) bool { return a.Cmp(b) == 0 })
}

// days matches a time to pay.
var days = lazyregexp.New(`(?i)\b\d{1,3} ?(?:days?|tagen?|jours|d[ií]as|giorni|dagen|dagar|dage|dni)\b`)

// paymentSentence reads a sentence such as "Payment within 30 days of invoice date".
func (r *reading) paymentSentence() *Text {
	for _, c := range r.sentences() {
		if days.MatchString(c.Text) && c.speaksOf("payment") && len(c.Text) <= maxName {
			return field(strings.TrimSpace(c.Text), candidate{cell: c, sure: phraseConfidence}, certain)
		}
	}
	return nil
}

// moneyInText matches an amount of money with its currency.
var moneyInText = lazyregexp.New(`(?:\b[A-Z]{3} ?|[€$£] ?)\d[\d.,' ]*\d|\d[\d.,' ]*\d ?(?:[€£]|[A-Z]{3}\b)`)

// payable reads the amount of a sentence such as "Please pay GBP 4,410.00 by 30 June 2026": the only one in a sentence that begins with
// a word for payment, or has one before the amount.
func (r *reading) payable() *Amount {
	for _, c := range r.sentences() {
		found := moneyInText.FindAllStringIndex(c.Text, 2)
		if len(found) != 1 {
			continue
		}
		before := cell{words: slices.DeleteFunc(slices.Clone(c.words), func(w word) bool { return w.end > found[0][0] })}
		text := c.Text[found[0][0]:found[0][1]]
		if code, _ := findCurrency(text); code == "" || !before.speaksOf("payment") {
			continue
		}
		if v, sure, ok := r.amount(candidate{text: text}); ok {
			return field(v, candidate{cell: c, sure: phraseConfidence}, sure)
		}
	}
	return nil
}
