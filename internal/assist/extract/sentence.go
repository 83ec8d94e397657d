package extract

import (
	"slices"
	"strings"
)

// inTitle is the factor for what a title says after other words.
const inTitle Confidence = 90

// readTitle reads number and date from a title in which other words stand before the number, such as "Final account -
// invoice no. 47 of 3 May 2026". Without a word for an invoice a date must follow the number.
func (r *reading) readTitle(d *TradeDocument) {
	for _, row := range r.rows[:min(len(r.rows), titleLines)] {
		for _, c := range row.cells {
			if c.taken || c.label != "" {
				continue
			}
			end, named := r.titleNumber(c)
			if end == 0 {
				continue
			}
			from := candidate{text: c.Text[end:], cell: c, label: c, sure: behindLabel}
			number, sure, ok := r.identifier(from)
			day, sureDay, dated := r.date(from)
			if !dated && c.number < len(row.cells) { // set apart from the title
				day, sureDay, dated = r.date(candidate{text: row.cells[len(row.cells)-1].Text})
			}
			if !ok || !named && !dated {
				continue
			}
			if !named {
				sure, sureDay = sure.times(inTitle), sureDay.times(inTitle)
			}
			d.InvoiceNumber = field(number, from, sure.times(inTitle))
			if dated && d.InvoiceDate == nil {
				d.InvoiceDate = field(day, from, sureDay.times(inTitle))
			}
			return
		}
	}
}

// titleNumber returns where the number in a title begins, or 0, and whether the word before it is one for an invoice.
// Otherwise words of orders, deliveries and parties make it another number.
func (r *reading) titleNumber(c *cell) (end int, named bool) {
	other := false
	for i, w := range c.words {
		if i > 0 && slices.Contains(w.concepts, numero) {
			named = slices.Contains(c.words[i-1].concepts, "invoice")
			if named || !other && !c.words[i-1].isFiller() {
				return w.end, named
			}
		}
		for _, k := range w.concepts {
			other = other || !slices.Contains(titleConcepts, k)
		}
	}
	return 0, false
}

// titleConcepts are what words in the title of an invoice mean.
var titleConcepts = []concept{"invoice", "document", "commercial", "credit", "tax", "final", "total", "payment", "code", filler}

// payUntil reads the date of a sentence such as "Please pay by 30 May 2026": the first after words for payment and
// until.
func (r *reading) payUntil() *Text {
	for _, row := range r.rows {
		for _, c := range row.cells {
			if c.taken || len(c.words) > maxSentence {
				continue
			}
			pays := false
			for _, w := range c.words {
				concepts := w.concepts
				pays = pays || slices.Contains(concepts, "payment") || slices.Contains(concepts, "due") || strings.Contains(w.plain, "uberweis")
				if !pays || !slices.Contains(concepts, "until") {
					continue
				}
				if v, sure, ok := r.date(candidate{text: c.Text[w.end:]}); ok {
					return field(v, candidate{cell: c, sure: behindLabel}, sure)
				}
			}
		}
	}
	return nil
}

// maxSentence is the number of words in a sentence about payment.
const maxSentence = 30

// Words of a sentence about a payment that is collected.
const shortestSentence = 8

// collectedOn reads the date of a sentence such as "The amount of EUR 12.00 will be debited from your account on 20 March
// 2026": it names a bank's account, and its first date is not before that of the invoice.
func (r *reading) collectedOn(issued *Text) *Text {
	for _, row := range r.rows {
		for _, c := range row.cells {
			if c.taken || len(c.words) < shortestSentence || len(c.words) > maxSentence || issued == nil {
				continue
			}
			bank := slices.ContainsFunc(c.words, func(w word) bool { return slices.Contains(w.concepts, "bank") })
			code, _ := findCurrency(c.Text)
			if v, sure, ok := r.date(candidate{text: c.Text}); ok && bank && code != "" && v >= issued.Value {
				return field(v, candidate{cell: c, sure: behindLabel}, sure.times(fair))
			}
		}
	}
	return nil
}
