package extract

import (
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Limits of an address without a label.
const (
	windowLines = 30 // at the top of the first page, in which it may begin
	windowDepth = 9  // lines
)

// windows returns the addresses of the first page that no label introduces: aligned lines that end with a postcode
// and a town, below a name.
func (r *reading) windows() (found []*TradeParty) {
	seen := map[*cell]bool{}
	for _, row := range r.rows[:min(len(r.rows), windowLines)] {
		for _, c := range row.cells {
			if row.page != 1 || seen[c] || !c.maybeName() || r.belongs(c) {
				continue
			}
			cells := r.window(c, seen)
			if cells == nil {
				continue
			}
			if p := r.block(cells, nil); p != nil && p.Address != nil {
				r.lower(p, windowConfidence)
				r.implyCountry(p)
				found = append(found, p)
			}
		}
	}
	return found
}

// windowConfidence is the factor for what an address without a label says.
const windowConfidence Confidence = 85

// window returns the lines of an address that begins with a cell, or nil.
func (r *reading) window(top *cell, seen map[*cell]bool) []*cell {
	cells, complete := []*cell{top}, false
	for n := 1; n <= windowDepth && top.row.index+n < len(r.rows); n++ {
		below := r.rows[top.row.index+n]
		if below.page != top.row.page {
			break
		}
		var here *cell
		for _, d := range below.cells {
			if aligned(top, d) {
				here = d
			}
		}
		if here == nil {
			continue
		}
		if here.taken || here.label != "" && here.label != "line" {
			break
		}
		_, country := r.countries.country(here.Text)
		if complete && !country {
			break
		}
		cells = append(cells, here)
		complete = complete || postcode.MatchString(here.Text)
		if complete && country {
			break
		}
	}
	if !complete || len(cells) < 2 || postcode.MatchString(top.Text) && len(cells) < 3 {
		return nil
	}
	for _, c := range cells {
		seen[c] = true
	}
	return cells
}

// maybeName reports whether a cell may be the name in an address: letters without a label, and no date or number.
func (c *cell) maybeName() bool {
	return !c.taken && c.label == "" && countLetters(c.Text) > shortestPart && !contact.MatchString(c.Text) && !onlyDate(c.Text) && !strings.HasSuffix(c.Text, ":") &&
		unicode.IsLetter([]rune(c.Text)[0]) && len(c.words) < 8 && !postcode.MatchString(c.Text) && !houseNumber.MatchString(c.Text)
}

// houseNumber matches a street with the number of a house.
var houseNumber = lazyregexp.New(` \d{1,4}[a-z]?$`)

// hasLabel reports whether the document has a label for a party.
func (r *reading) hasLabel(role key) bool {
	for _, row := range r.rows {
		for _, c := range row.cells {
			if c.label == role && !c.taken && c.rest == "" {
				return true
			}
		}
	}
	return false
}

// fromWindows completes the parties of a document by the addresses without a label: the other one than is known, or
// the upper one for the sender.
func (r *reading) fromWindows(seller, buyer *TradeParty) (*TradeParty, *TradeParty) {
	if named(seller) && named(buyer) {
		return seller, buyer
	}
	for _, p := range r.windows() {
		switch {
		case named(seller) && sameName(seller, p), named(buyer) && sameName(buyer, p):
		case !named(seller) && named(buyer) && !r.hasLabel("seller"):
			seller = r.particularsOf("seller", p)
		case named(seller) && !named(buyer) && !r.hasLabel("buyer"):
			buyer = r.particularsOf("buyer", p)
		}
	}
	return seller, buyer
}

func named(p *TradeParty) bool { return p != nil && p.Name != nil }

func sameName(a, b *TradeParty) bool {
	x, y := phrase(a.Name.Value), phrase(b.Name.Value)
	return strings.HasPrefix(x, y) || strings.HasPrefix(y, x)
}
