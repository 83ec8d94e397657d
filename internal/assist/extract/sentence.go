package extract

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
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
			if f := r.dueIn(c); f != nil {
				return f
			}
		}
	}
	return r.payAfter()
}

// dayFollows matches a day behind at most one small word: "due on 4 March".
var dayFollows = lazyregexp.New(`^ (?:\p{Ll}{1,4} )?\d{1,4}[.,/ -]`)

// dueIn reads the date of a sentence about payment: the first behind a word for until that follows one for payment or an amount, or the
// day behind "due".
func (r *reading) dueIn(c *cell) *Text {
	pays := false
	for _, w := range c.words {
		pays = pays || slices.Contains(w.concepts, "payment") || slices.Contains(w.concepts, "due") || strings.Contains(w.plain, "uberweis")
		rest := c.Text[w.end:]
		switch {
		case slices.Contains(w.concepts, "due") && dayFollows.MatchString(rest), pays && slices.Contains(w.concepts, "until"):
		case slices.Contains(w.concepts, "until") && r.statesAmount(c.Text[:w.start], c):
		default:
			continue
		}
		if v, sure, ok := r.date(candidate{text: rest}); ok {
			return field(v, candidate{cell: c, sure: behindLabel}, sure)
		}
	}
	return nil
}

// statesAmount reports whether a word for an amount and no date stands at the beginning of a sentence: "from … to …" is a period.
func (r *reading) statesAmount(before string, c *cell) bool {
	_, dated := findDate(before, r.order)
	return !dated && slices.ContainsFunc(c.words, func(w word) bool { return w.end <= len(before) && slices.Contains(w.concepts, "amount") })
}

// payAfter reads the date of a sentence such as "Payment within 30 days, that is on 14/02/2026": the first behind a time to pay.
func (r *reading) payAfter() *Text {
	for _, c := range r.sentences() {
		term := days.FindStringIndex(c.Text)
		if term == nil || !c.speaksOf("payment", "due") {
			continue
		}
		if v, sure, ok := r.date(candidate{text: c.Text[term[1]:]}); ok {
			return field(v, candidate{cell: c, sure: behindLabel}, sure.times(fair))
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
