package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Limits of an address without a label.
const (
	windowLines = 30 // at the top of the first page, in which it may begin
	windowDepth = 9  // lines
	widestGap   = 4  // height of the space between two lines, in lines
)

// addressBlock is an address that no label introduces.
type addressBlock struct {
	party  *TradeParty
	cells  []*cell
	sender bool // a telephone number, an address in the web or a number of registration follows, as senders give them
	foot   bool // below the goods, where only senders write theirs
}

// windows returns the addresses of the first page that no label introduces: aligned lines that end with a postcode
// and a town, below a name. Those at its foot follow those of its head.
func (r *reading) windows() (found []addressBlock) {
	seen := r.labelledBlocks()
	first := 0
	for first < len(r.rows) && r.rows[first].page == 1 {
		first++
	}
	head := min(first, windowLines)
	for _, row := range append(slices.Clone(r.rows[:head]), r.rows[max(head, first-windowDepth):first]...) {
		for _, c := range row.cells {
			if seen[c] || !c.maybeName() || r.belongs(c) && !r.isAddressed(c) {
				continue
			}
			cells := r.window(c, seen)
			if cells == nil {
				continue
			}
			cells = r.fromCompany(cells)
			if p := r.block(cells, nil); p != nil && p.Address != nil {
				r.lower(p, windowConfidence)
				r.implyCountry(p)
				found = append(found, addressBlock{p, cells, r.introducesItself(cells), r.isBelowGoods(c)})
			}
		}
	}
	return found
}

// isBelowGoods reports whether a table is above a cell.
func (r *reading) isBelowGoods(c *cell) bool {
	return slices.ContainsFunc(r.rows[:c.row.index], func(above *row) bool {
		return above.page == c.row.page && slices.ContainsFunc(above.cells, func(d *cell) bool { return d.taken })
	})
}

// labelledBlocks returns the cells of parties that a label introduces.
func (r *reading) labelledBlocks() map[*cell]bool {
	seen := map[*cell]bool{}
	for _, row := range r.rows {
		for i, c := range row.cells {
			if c.taken || c.label != "seller" && c.label != "buyer" && c.label != "deliverTo" {
				continue
			}
			for _, d := range r.blockOf(c, i) {
				seen[d] = true
			}
		}
	}
	return seen
}

// isAddressed reports whether only a word for addresses stands above a cell. A party follows it, the seller or the buyer.
func (r *reading) isAddressed(c *cell) bool {
	if c.row.index == 0 {
		return false
	}
	return slices.ContainsFunc(r.rows[c.row.index-1].cells, func(above *cell) bool {
		return above.label == "address" && above.rest == "" && aligned(above, c)
	})
}

// introducesItself reports whether what senders say about themselves follows an address in its column.
func (r *reading) introducesItself(cells []*cell) bool {
	if slices.ContainsFunc(cells, func(c *cell) bool { return c.label == "vatNumber" || c.label == "eori" }) {
		return true
	}
	last := cells[len(cells)-1]
	for n := 1; n <= lookDown && last.row.index+n < len(r.rows) && !last.isFarFrom(r.rows[last.row.index+n]); n++ {
		for _, d := range r.rows[last.row.index+n].cells {
			if (aligned(cells[0], d) || d.Overlap(cells[0].Cell) > 0) && d.row.page == last.row.page && (contact.MatchString(fold(d.Text)) || d.means("contact") || d.label == "vatNumber" || d.label == "eori") {
				return true
			}
		}
	}
	return false
}

// windowConfidence is the factor for what an address without a label says.
const windowConfidence Confidence = 85

// window returns the lines of an address that begins with a cell, or nil: lines with the same left edge, or else without other lines
// between them with the same right edge or the same middle.
func (r *reading) window(top *cell, seen map[*cell]bool) []*cell {
	for _, same := range []func(a, b *cell) bool{aligned, flush, centred} {
		if cells := r.addressBelow(top, same); cells != nil && (len(cells) > 2 || len(cells) > 1 && !postcode.MatchString(top.Text)) {
			for _, c := range cells {
				seen[c] = true
			}
			return cells
		}
	}
	return nil
}

// flush reports whether two cells end at the same place, centred whether they have the same middle.
func flush(a, b *cell) bool { return max(a.Right-b.Right, b.Right-a.Right) <= alignment }

func centred(a, b *cell) bool {
	apart := a.Left + a.Right - b.Left - b.Right
	return max(apart, -apart) <= 2*alignment
}

// addressBelow returns the lines of an address that begins with a cell and has a postcode, or nil. The lines are aligned in the same way;
// only those with the same left edge may have others between them.
func (r *reading) addressBelow(top *cell, same func(a, b *cell) bool) []*cell {
	cells, complete := []*cell{top}, false
	for n := 1; n <= windowDepth && top.row.index+n < len(r.rows); n++ {
		below := r.rows[top.row.index+n]
		if below.page != top.row.page {
			break
		}
		var here *cell
		for _, d := range below.cells {
			if same(top, d) || n == 1 && d.Overlap(top.Cell) > 0 && isWholeAddress(d.Text) {
				here = d
			}
		}
		if here == nil {
			continue
		}
		if cells[len(cells)-1].linesApart(below) > widestGap {
			break
		}
		numbered := here.label == "vatNumber" || here.label == "eori" // between the name and the street
		if here.taken || here.label != "" && here.label != "line" && !numbered || numbered && complete {
			break
		}
		if numbered {
			cells = append(cells, here)
			continue
		}
		country := r.countries.isLine(here.Text)
		if complete && !country && !postcode.MatchString(here.Text) { // the number of a house may look like a postcode
			break
		}
		cells = append(cells, here)
		complete = complete || postcode.MatchString(here.Text) && !strings.Contains(here.Text, ": ")
		if complete && country {
			break
		}
	}
	if !complete {
		return nil
	}
	return cells
}

// isFarFrom reports whether more than an empty line is between a cell and a line below it, on a page with positions.
func (c *cell) isFarFrom(below *row) bool { return c.linesApart(below) > 2 }

// linesApart is the space between a cell and a line below it, in whole lines and rounded up: in heights of the letters, or in distances of
// the page's lines, which may be set wide. On a page without positions it is 0.
func (c *cell) linesApart(below *row) int {
	height := c.row.top - c.row.bottom
	if height <= 0 {
		return 0
	}
	line := max(height, min(c.row.pitch, 2*height))
	return (max(0, c.row.bottom-below.top) + line - 1) / line
}

// fromCompany returns the lines of an address from the name of a company on, if one stands above its street and town but not at its top.
func (r *reading) fromCompany(cells []*cell) []*cell {
	for n, c := range cells {
		if postcode.MatchString(c.Text) || houseNumber.MatchString(c.Text) {
			break
		}
		if r.companyLike(c.Text) && !isLegalForm(c.Text) {
			return cells[n:]
		}
	}
	return cells
}

// isWholeAddress reports whether a line has a street and a town.
func isWholeAddress(text string) bool {
	_, town, ok := strings.Cut(text, ", ")
	return ok && postcode.MatchString(town)
}

// maybeName reports whether a cell may be the name in an address: letters without a label, and no date or number.
func (c *cell) maybeName() bool {
	named := slices.ContainsFunc(c.words, func(w word) bool { return len(w.concepts) == 0 }) // more than "Information"
	return named && !c.taken && c.label == "" && !c.states() && countLetters(c.Text) > shortestPart && !contact.MatchString(c.Text) && !onlyDate(c.Text) && !strings.HasSuffix(c.Text, ":") &&
		unicode.IsLetter([]rune(c.Text)[0]) && len(c.words) < 8 && !postcode.MatchString(c.Text) && !houseNumber.MatchString(c.Text)
}

// shortestStatement is the number of words from which a text with a full stop is a sentence and no name.
const shortestStatement = 4

// longestAbbreviation is the number of letters of a word whose point ends no sentence, such as "Inc." and "e. V.".
const longestAbbreviation = 3

// states reports whether a cell is a sentence, or has a date or a label of its own in it, as names do not.
func (c *cell) states() bool {
	_, dated := findDate(c.Text, unknownOrder)
	return dated && len(c.words) > 1 || strings.Contains(c.Text, ": ") || strings.HasSuffix(c.Text, ".") && len(c.words) >= shortestStatement && len(c.words[len(c.words)-1].plain) > longestAbbreviation
}

// houseNumber matches a street with the number of a house.
var houseNumber = lazyregexp.New(` \d{1,4}(?:-\d{1,4})?[a-z]?(?:$|, )`)

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

func named(p *TradeParty) bool { return p != nil && p.Name != nil }

// letters returns a text as normalised words without spaces: names in capitals have no others inside.
func letters(text string) string { return strings.ReplaceAll(phrase(text), " ", "") }

func sameName(a, b *TradeParty) bool {
	x, y := letters(a.Name.Value), letters(b.Name.Value)
	return strings.HasPrefix(x, y) || strings.HasPrefix(y, x)
}
