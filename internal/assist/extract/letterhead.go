package extract

import (
	"slices"
	"strings"
)

// headLines is the largest number of lines in a letterhead.
const headLines = 12

// sides returns the seller and the buyer: by their labels, by the head of the page, or by addresses without a label.
func (r *reading) sides() (seller, buyer *TradeParty) {
	seller, buyer = r.party("seller"), r.party("buyer")
	if !named(seller) {
		if head := r.letterhead(buyer); head != nil {
			seller = head
		}
	}
	seller, buyer = r.fromWindows(seller, buyer)
	if buyer == nil {
		buyer = r.party("deliverTo")
	}
	return seller, buyer
}

// letterhead reads the sender from the head of the first page if no label names it: the name
// of a company and the lines below.
func (r *reading) letterhead(than *TradeParty) *TradeParty {
	for _, row := range r.rows[:min(len(r.rows), headLines)] {
		for _, c := range row.cells {
			if row.page != 1 || c.taken || c.label != "" || !r.companyLike(firstPiece(r.pieces(c.Text))) || r.belongs(c) {
				continue
			}
			p := r.block(append([]*cell{c}, r.column(c, c)...), nil)
			if p == nil || than != nil && than.Name != nil && than.Name.Value == p.Name.Value {
				continue
			}
			r.lower(p, 85)
			r.implyCountry(p)
			return p
		}
	}
	return nil
}

func firstPiece(pieces []string) string { return strings.TrimSpace(pieces[0]) }

// belongs reports whether a cell is directly under or beside a label.
func (r *reading) belongs(c *cell) bool {
	if c.number > 1 && points(c.row.cells[c.number-2]) {
		return true
	}
	for n := 1; n <= 2 && c.row.index >= n; n++ {
		for _, above := range r.rows[c.row.index-n].cells {
			if points(above) && above.rest == "" && above.Overlap(c.Cell) > 0 {
				return true
			}
		}
	}
	return false
}

// points reports whether a cell is a label and not only the document's title.
func points(c *cell) bool {
	if c.label == "" {
		return false
	}
	for _, t := range Types {
		if slices.Contains(titles[t], phrase(c.Text)) || phrase(c.Text) == "tax invoice" || phrase(c.Text) == "commercial invoice" {
			return false
		}
	}
	return true
}

func (r *reading) lower(p *TradeParty, by Confidence) {
	for _, f := range []*Text{p.Name, p.Address, p.Country, p.VATNumber, p.EORI} {
		if f != nil {
			f.Confidence = f.Confidence.times(by)
		}
	}
}

// assignLooseNumbers gives numbers outside of all blocks, for example in a footer, to the sender if it has
// none.
func (r *reading) assignLooseNumbers(seller, buyer *TradeParty) {
	if seller == nil {
		return
	}
	for _, row := range r.rows {
		for _, c := range row.cells {
			if c.taken || c.label != "vatNumber" && c.label != "eori" {
				continue
			}
			var p TradeParty
			r.identify(&p, c, candidate{text: c.rest, cell: c, label: c, sure: behindLabel})
			if seller.VATNumber == nil && p.VATNumber != nil && !has(buyer, p.VATNumber.Value) {
				seller.VATNumber = p.VATNumber
			}
			if seller.EORI == nil && p.EORI != nil && !has(buyer, p.EORI.Value) {
				seller.EORI = p.EORI
			}
		}
	}
}

func has(p *TradeParty, number string) bool {
	return p != nil && (p.VATNumber != nil && p.VATNumber.Value == number || p.EORI != nil && p.EORI.Value == number)
}
