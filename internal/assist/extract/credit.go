package extract

import (
	"slices"
	"strings"
	"unicode"
)

// creditNote is the kind of an invoice that takes an earlier one back, in whole or in part.
const creditNote = "credit_note"

// longestTitle is the number of words of a title with its number and date.
const longestTitle = 12

// readCredit finds out whether an invoice is a credit note: its title or the label of its number says so. A German “Gutschrift”
// with positive amounts may also be an invoice that the buyer writes.
func (r *reading) readCredit() *Text {
	for _, row := range r.rows {
		for _, c := range row.cells {
			if c.taken || row.index >= titleLines && c.label != "invoiceNumber" || !namesCredit(c) {
				continue
			}
			return field(creditNote, candidate{cell: c, sure: behindColon}, certain)
		}
	}
	return nil
}

// namesCredit reports whether a cell is the title of a credit note, before its number.
func namesCredit(c *cell) bool {
	credit := false
	for i, w := range c.words {
		if strings.ContainsFunc(tokenAt(c.Text, w.start), unicode.IsDigit) {
			break
		}
		switch {
		case i > longestTitle:
			return false
		case slices.Contains(w.concepts, "credit"):
			credit = true
		case !slices.ContainsFunc(w.concepts, func(k concept) bool { return slices.Contains(creditTitle, k) }):
			return false
		}
	}
	return credit
}

// creditTitle is what the other words in the title of a credit note mean.
var creditTitle = []concept{"invoice", "document", "commercial", "tax", "note", "original", numero, "ref", "code", "date", "issue", "your", "our", filler}

// tokenAt returns the text from a place up to the next space.
func tokenAt(text string, at int) string {
	before, _, _ := strings.Cut(text[at:], " ")
	return before
}

// splitCredit separates the number of a credit note from that of the invoice: labels that name the credit note have the
// first, and those that name an invoice beside them the second.
func (r *reading) splitCredit(d *TradeDocument) {
	var own, others []candidate
	for _, c := range r.candidates("invoiceNumber") {
		switch {
		case c.label == nil:
		case c.label.names("credit"):
			own = append(own, c)
		case c.label.names("invoice"):
			others = append(others, c)
		}
	}
	if number := firstOf(own, r.identifier); number != nil {
		d.InvoiceNumber = number
	}
	if d.InvoiceReference == nil && d.InvoiceNumber != nil {
		for _, c := range others {
			if v, sure, ok := r.identifier(c); ok && v != d.InvoiceNumber.Value {
				d.InvoiceReference = field(v, c, sure)
				break
			}
		}
	}
	if d.InvoiceReference == nil {
		d.InvoiceReference = r.creditedInvoice(d.InvoiceNumber)
	}
}

// names reports whether a label has a word of a meaning.
func (c *cell) names(what concept) bool {
	return slices.ContainsFunc(c.words[:min(len(c.words), c.named)], func(w word) bool { return slices.Contains(w.concepts, what) })
}

// creditedInvoice reads the invoice from a sentence such as “Correction of our invoice no. 471102 of 5 March”: the first number behind
// a word for an invoice that is not the number of the credit note.
func (r *reading) creditedInvoice(own *Text) *Text {
	for _, row := range r.rows {
		for _, c := range row.cells {
			if c.taken || len(c.words) > maxSentence {
				continue
			}
			for i, w := range c.words {
				if !slices.Contains(w.concepts, "invoice") || slices.Contains(w.concepts, "credit") {
					continue
				}
				at := w.end
				for _, next := range c.words[i+1:] {
					if len(next.concepts) == 0 || next.concepts[0] != numero && next.concepts[0] != filler && next.concepts[0] != "ref" {
						break
					}
					at = next.end
				}
				number := strings.Trim(tokenAt(strings.TrimLeft(c.Text[at:], " .:#"), 0), ".,;:()")
				from := candidate{text: number, cell: c, sure: phraseConfidence}
				v, sure, ok := r.identifier(from)
				if ok && !onlyDate(number) && !strings.Contains(number, ":") && (own == nil || v != own.Value) {
					return field(v, from, sure)
				}
			}
		}
	}
	return nil
}

// hasNegative reports whether an invoice states a negative amount.
func (d *TradeDocument) hasNegative() bool {
	if d.Totals != nil && (nothing(d.Totals.Grand).Sign() < 0 || nothing(d.Totals.Goods).Sign() < 0) {
		return true
	}
	return slices.ContainsFunc(d.LineItems, func(l LineItem) bool { return nothing(l.Amount).Sign() < 0 || nothing(l.Quantity).Sign() < 0 })
}
