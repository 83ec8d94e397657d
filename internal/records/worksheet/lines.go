package worksheet

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// Columns are the members of an item that a grid shows, in its order. Those of the price are parts of itemPrice.
var Columns = []string{
	"productCode", "description", "commodityCode", "countryOfOrigin", "quantity", "supplementaryUnits", "netMassKg", "grossMassKg", "packageCount",
	"packageType", "itemPrice.amount", "itemPrice.currency", "customsValueGbp",
}

// Line is an item as a grid shows it: the index of the stored item that it was, or -1 for a new one, and a text for each column.
type Line struct {
	Was   int      `json:"was"`
	Cells []string `json:"cells"`
}

// Lines returns the items as lines of a grid.
func (s *Worksheet) Lines() []Line {
	all := make([]Line, len(s.Items))
	for n := range s.Items {
		all[n] = Line{n, s.Items[n].Cells()}
	}
	return all
}

// Cells returns the texts of the columns.
func (p *Part) Cells() []string {
	cells := make([]string, len(Columns))
	for k, name := range Columns {
		cells[k] = p.Cell(name)
	}
	return cells
}

// Cell returns the text of a column.
func (p *Part) Cell(name string) string {
	amount, currency := "", ""
	switch name {
	case "itemPrice.amount", "itemPrice.currency":
		amount, currency = p.Price()
	}
	switch name {
	case "itemPrice.amount":
		return amount
	case "itemPrice.currency":
		return currency
	}
	return p.Get(name)
}

// SetCell stores a typed text of a column.
func (p *Part) SetCell(name, text string) {
	amount, currency := p.Price()
	switch name {
	case "itemPrice.amount":
		p.SetPrice(Field{}.Typed(text), currency)
	case "itemPrice.currency":
		p.SetPrice(amount, text)
	default:
		at := slices.IndexFunc(ItemFields, func(f Field) bool { return f.Name == name })
		p.Set(name, ItemFields[at].Typed(text))
	}
}

// SetLines replaces the items by the lines of a grid. A line that was an item keeps what the grid does not show, and a cell
// that did not change keeps its stored text.
func (s *Worksheet) SetLines(lines []Line) {
	items := make([]Part, 0, len(lines))
	used := map[int]bool{}
	for _, l := range lines[:min(len(lines), MaxItems)] {
		var p Part
		if l.Was >= 0 && l.Was < len(s.Items) {
			if p = s.Items[l.Was].Copy(); !used[l.Was] {
				p.Found = s.Items[l.Was].Found
			}
			used[l.Was] = true
		}
		was := p.Cells()
		for k, name := range Columns[:min(len(Columns), len(l.Cells))] {
			if l.Cells[k] != was[k] && name != "itemPrice.amount" && name != "itemPrice.currency" {
				p.SetCell(name, l.Cells[k])
			}
		}
		p.setTypedPrice(l.Cells)
		items = append(items, p)
	}
	if s.Items = items; len(items) == 0 {
		s.Items = []Part{{}}
	}
}

// setTypedPrice stores amount and currency together, because a currency without an amount is no price.
func (p *Part) setTypedPrice(cells []string) {
	amount, currency := p.Price()
	at := slices.Index(Columns, "itemPrice.amount")
	if at+1 < len(cells) && (cells[at] != amount || cells[at+1] != currency) {
		p.SetPrice(Field{}.Typed(cells[at]), cells[at+1])
	}
}

// Digest identifies the items as they are stored, so that lines are not taken for other items than they were made from.
func (s *Worksheet) Digest() string {
	raw, _ := json.Marshal(s.Items) // texts and valid JSON
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}
