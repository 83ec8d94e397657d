package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// headLines is the largest number of lines in a letterhead.
const headLines = 12

// sides returns the seller and the buyer: by their labels, by the line with the sender's address, by addresses without
// a label, or by the head of the page.
func (r *reading) sides() (seller, buyer *TradeParty) {
	r.buyersCompany()
	seller, buyer = r.party("seller"), r.party("buyer")
	if named(seller) && named(buyer) {
		return seller, buyer
	}
	if !named(seller) {
		if line := r.returnAddress(); line != nil && !(named(buyer) && sameName(buyer, line)) {
			seller = r.particularsOf("seller", line)
		}
	}
	blocks := slices.DeleteFunc(r.windows(), func(b addressBlock) bool {
		return named(seller) && sameName(seller, b.party) || named(buyer) && sameName(buyer, b.party)
	})
	if !named(seller) && !r.hasLabel("seller") {
		if n := r.senderOf(blocks, named(buyer)); n >= 0 {
			seller = r.particularsOf("seller", blocks[n].party)
		}
	}
	if !named(seller) {
		if head := r.letterhead(buyer); head != nil {
			seller = head
		}
	}
	for _, b := range blocks {
		if named(seller) && !named(buyer) && !r.hasLabel("buyer") && !sameName(seller, b.party) {
			buyer = r.particularsOf("buyer", b.party)
		}
	}
	if buyer == nil {
		buyer = r.party("deliverTo")
	}
	return seller, buyer
}

// senderOf returns which of the addresses without a label is the sender's, or -1: the one in the foot, the one that introduces itself, the
// one whose name stands elsewhere too, or the uppermost if the other party is known.
func (r *reading) senderOf(blocks []addressBlock, known bool) int {
	if n := slices.IndexFunc(blocks, func(b addressBlock) bool { return b.foot }); n >= 0 {
		return n
	}
	if n := slices.IndexFunc(blocks, func(b addressBlock) bool { return b.sender }); n >= 0 {
		return n
	}
	var addresses []*cell
	for _, b := range blocks {
		addresses = append(addresses, b.cells...)
	}
	repeated := func(b addressBlock) bool { return r.standsElsewhere(b.party.Name.Value, addresses) }
	if n := slices.IndexFunc(blocks, repeated); n >= 0 {
		return n
	}
	if known && len(blocks) > 0 {
		return 0
	}
	if len(blocks) > 1 && blocks[0].cells[0].row != blocks[1].cells[0].row && !r.hasOtherHead(blocks) {
		return 0
	}
	return -1
}

// hasOtherHead reports whether a company stands at the head of the page that none of the addresses is of.
func (r *reading) hasOtherHead(blocks []addressBlock) bool {
	head := r.letterhead(nil)
	return head != nil && !slices.ContainsFunc(blocks, func(b addressBlock) bool { return sameName(head, b.party) })
}

// standsElsewhere reports whether a name begins a cell outside of all addresses, as in a footer.
func (r *reading) standsElsewhere(name string, addresses []*cell) bool {
	name = letters(name)
	for _, row := range r.rows {
		for _, c := range row.cells {
			if c.label == "" && !r.belongs(c) && !slices.Contains(addresses, c) && strings.HasPrefix(letters(c.Text), name) {
				return true
			}
		}
	}
	return false
}

// senderPieces is the number of particulars that a line with the sender's address has at least: name, street and town.
const senderPieces = 3

// returnAddress reads the sender from a line with its whole address, as it stands above the address in the window of
// an envelope.
func (r *reading) returnAddress() *TradeParty {
	for _, row := range r.rows[:min(len(r.rows), windowLines)] {
		for _, c := range append(slices.Clone(row.cells), row.whole()) {
			if c == nil || row.page != 1 || c.taken || c.label != "" || r.belongs(c) {
				continue
			}
			pieces := senderLine(c.Text)
			if pieces == nil {
				continue
			}
			own := *c
			own.Text = strings.Join(pieces, " · ")
			if p := r.block([]*cell{&own}, nil); p != nil && p.Address != nil {
				p.Name.Found, p.Address.Found = c.place(), c.place()
				if above := r.nameAbove(c); above != nil {
					p.Name = field(above.Text, candidate{cell: above, sure: beneath}, certain)
				}
				r.lower(p, windowConfidence)
				r.implyCountry(p)
				return p
			}
		}
	}
	return nil
}

// nameAbove returns the name that stands alone at the head of the page over a line with an address, inside its width; nil if there is none.
func (r *reading) nameAbove(c *cell) *cell {
	if c.row.index != 1 || len(r.rows[0].cells) != 1 || len(c.row.cells) != 1 {
		return nil
	}
	above := r.rows[0].cells[0]
	if above.Left <= c.Left+alignment || above.Right > c.Right || !above.maybeName() || above.isFarFrom(c.row) {
		return nil
	}
	return above
}

// whole returns a line of several cells without labels as one cell, its parts with strokes between them; nil for other lines.
func (row *row) whole() *cell {
	if len(row.cells) < senderPieces || slices.ContainsFunc(row.cells, func(c *cell) bool { return c.taken || c.label != "" }) {
		return nil
	}
	all := *row.cells[0]
	for _, c := range row.cells[1:] {
		all.Text += " | " + c.Text
	}
	all.Right = row.cells[len(row.cells)-1].Right
	return &all
}

// senderLine splits a line with a name, a street and a town with its postcode, or returns nil.
func senderLine(text string) []string {
	for _, separator := range []string{" · ", " • ", " ● ", " | ", " - ", " – ", " * ", "; ", ", "} {
		pieces := strings.Split(text, separator)
		if len(pieces) < senderPieces || !strings.ContainsFunc(pieces[0], unicode.IsLetter) || strings.ContainsFunc(pieces[0], unicode.IsDigit) {
			continue
		}
		if at := slices.IndexFunc(pieces[senderPieces-1:], postcode.MatchString); at >= 0 {
			return pieces[:min(len(pieces), at+senderPieces+1)] // the country may follow
		}
	}
	return nil
}

// letterhead reads the sender from the head of the first page if no label names it: the name
// of a company and the lines below.
func (r *reading) letterhead(than *TradeParty) *TradeParty {
	for _, row := range r.rows[:min(len(r.rows), headLines)] {
		for _, c := range row.cells {
			if row.page != 1 || c.taken || c.label != "" || strings.Contains(c.Text, " : ") || !r.companyLike(firstPiece(r.pieces(c.Text))) || isLegalForm(c.Text) || r.belongs(c) {
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
			if (points(above) || above.announces()) && above.rest == "" && above.Overlap(c.Cell) > 0 && !(c.row.apart && above.hasNumberBeside()) {
				return true
			}
		}
	}
	return false
}

// hasNumberBeside reports whether a number stands beside a label, which then has no value below it.
func (c *cell) hasNumberBeside() bool {
	if c.number >= len(c.row.cells) {
		return false
	}
	next := c.row.cells[c.number]
	return next.label == "" && strings.ContainsFunc(next.Text, unicode.IsDigit)
}

// announces reports whether a text of words ends with a colon: its value stands below, whatever the label means.
func (c *cell) announces() bool {
	return strings.HasSuffix(c.Text, ":") && len(c.words) <= longestLabel/2 && !strings.ContainsFunc(c.Text, unicode.IsDigit)
}

// points reports whether a cell is a label and not only the document's title.
func points(c *cell) bool { return c.label != "" && !c.isTitle() }

// isTitle reports whether a cell names the document, such as "Commercial invoice", and no number of it.
func (c *cell) isTitle() bool {
	switch c.label {
	case "invoiceNumber", "packingListNumber", "billOfLadingNumber":
		return c.rest == "" && !c.colon && !slices.ContainsFunc(c.words, func(w word) bool {
			return slices.ContainsFunc(w.concepts, func(k concept) bool { return k == numero || k == counted || k == "ref" || k == "code" })
		})
	}
	return false
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

// shapedVAT matches VAT numbers that their country's letters and length make clear, wherever they stand.
var shapedVAT = lazyregexp.New(`(?:^|[^0-9A-Za-z])(ATU ?\d{8}|BE ?[01]\d{3}[. ]?\d{3}[. ]?\d{3}|CHE[- ]?\d{3}\.?\d{3}\.?\d{3}|DE ?\d{3} ?\d{3} ?\d{3}|DK ?\d{8}|ES ?[A-Z]\d{7}[0-9A-Z]|FI ?\d{8}|FR ?[0-9A-Z]{2} ?\d{3} ?\d{3} ?\d{3}|GB ?\d{3} ?\d{4} ?\d{2}|IT ?\d{11}|LU ?\d{8}|NL ?\d{9}B\d{2}|PL ?\d{10}|PT ?\d{9}|SE ?\d{12})(?:$|[^0-9A-Za-z])`)

// shapedNumber gives the seller a VAT number that stands at no label that the reader knows, if it is of the seller's country, or that is
// unknown, and not the buyer's.
func (r *reading) shapedNumber(seller, buyer *TradeParty) {
	if seller == nil || seller.VATNumber != nil {
		return
	}
	for _, row := range r.rows {
		for _, c := range row.cells {
			m := shapedVAT.FindStringSubmatch(c.Text)
			if m == nil || c.taken || c.label != "" && c.label != "vatNumber" && c.label != "other" {
				continue
			}
			number := compactID(m[1])
			if has(buyer, number) || seller.Country != nil && !strings.HasPrefix(number, seller.Country.Value) || r.insideBuyer(c, buyer) {
				continue
			}
			seller.VATNumber = field(number, candidate{cell: c, sure: beneath}, fair)
			return
		}
	}
}

// insideBuyer reports whether a cell stands in the block of the buyer: below its name, and near it.
func (r *reading) insideBuyer(c *cell, buyer *TradeParty) bool {
	if buyer == nil || buyer.Name == nil {
		return false
	}
	const lines = 8
	at := buyer.Name.Found
	return at.Page == c.row.page && c.row.number >= at.Line && c.row.number <= at.Line+lines && (at.Box == Box{} || max(at.Box[0]-c.Left, c.Left-at.Box[0]) <= alignment)
}

// completeCountries adds countries that numbers found elsewhere imply, and those of domestic mail.
func (r *reading) completeCountries(seller, buyer *TradeParty) {
	if named(seller) {
		r.implyCountry(seller)
	}
	r.domestic(seller, buyer)
}

func has(p *TradeParty, number string) bool {
	return p != nil && (p.VATNumber != nil && p.VATNumber.Value == number || p.EORI != nil && p.EORI.Value == number)
}
