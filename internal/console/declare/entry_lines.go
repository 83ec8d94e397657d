package declare

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// line is an item in the grid.
type line struct {
	Index, Number int
	ID            string
	Error         string // of the whole item
	Other         int    // members that the grid does not show
	cells         map[string]cell
}

// cell is a field of a line.
type cell struct {
	Path, Column, Value, Error, Label string
	Note                              string // what to check about a pasted value
	Computed                          string // what an empty field means: by the product, or by price and rate
	List, Mode                        string // suggestions, and the keyboard on phones
}

// Cell returns a cell of the line.
func (l line) Cell(name string) (cell, error) {
	one, ok := l.cells[name]
	if !ok {
		return one, fmt.Errorf("declare: no column %s", name)
	}
	return one, nil
}

// DescribedBy returns the ids of the error and the note.
func (c cell) DescribedBy() string {
	var ids []string
	if c.Error != "" {
		ids = append(ids, c.Path+"-error")
	}
	if c.Note != "" {
		ids = append(ids, c.Path+"-note")
	}
	return strings.Join(ids, " ")
}

// Short returns the name of the column for a narrow cell. Its whole name is the label.
func (c cell) Short() string { return shortNames[c.Column] }

var shortNames = map[string]string{
	"productCode": "Product code", "description": "Description of goods", "commodityCode": "Commodity code", "countryOfOrigin": "Origin", "quantity": "Quantity",
	"supplementaryUnits": "Suppl. units", "netMassKg": "Net", "grossMassKg": "Gross", "packageCount": "Number", "packageType": "Type", "itemPrice.amount": "Price",
	"itemPrice.currency": "Currency", "customsValueGbp": "Customs value £",
}

func lineID(n int) string { return "line-" + strconv.Itoa(n+1) }

// addLines adds the shown lines.
func (f *entryView) addLines() {
	for n := f.From; n < f.Last(); n++ {
		p := &f.Worksheet.Items[n]
		l := line{Index: n, Number: n + 1, ID: lineID(n), cells: map[string]cell{}, Error: f.mistakes[fmt.Sprintf("items[%d]", n)]}
		for name := range membersOf(p.Kept) {
			if name != "itemPrice" {
				l.Other++
			}
		}
		for _, name := range worksheet.Columns {
			at := cellPath(n, name)
			value := p.Cell(name)
			if name == "itemPrice.currency" && value == "" {
				value = f.Currency(n)
			}
			l.cells[name] = cell{
				Path: at, Column: name, Value: value, Error: f.mistakes[at], Note: f.notes[at], Label: fmt.Sprintf("Line %d: %s", n+1, nameOfColumn(name)),
				Computed: f.computed(n, name), List: listOfColumn(name), Mode: modeOfColumn(name),
			}
		}
		f.Lines = append(f.Lines, l)
	}
}

// Columns returns the columns of the grid, for the script.
func (f *entryView) Columns() string { return strings.Join(worksheet.Columns, " ") }

// computed returns what an empty cell means.
func (f *entryView) computed(n int, name string) string {
	if text := f.supplied[n][name]; text != "" {
		return text
	}
	if name == "customsValueGbp" && n < len(f.values) && !f.values[n].Given && f.values[n].Customs != nil {
		return f.values[n].Customs.Fixed()
	}
	return ""
}

// Currency returns the currency of a line, or the one that it probably has: that of the line before, at first pounds.
func (f *entryView) Currency(n int) string {
	for ; n >= 0; n-- {
		if _, currency := f.Worksheet.Items[n].Price(); currency != "" {
			return currency
		}
	}
	return "GBP"
}

func fieldOfColumn(name string) worksheet.Field {
	if at := slices.IndexFunc(worksheet.ItemFields, func(f worksheet.Field) bool { return f.Name == name }); at >= 0 {
		return worksheet.ItemFields[at]
	}
	return worksheet.Field{}
}

func listOfColumn(name string) string {
	if name == "itemPrice.currency" {
		return "currencies"
	}
	return fieldOfColumn(name).SuggestionList
}

func modeOfColumn(name string) string {
	switch {
	case name == "itemPrice.amount", fieldOfColumn(name).Kind == worksheet.Number:
		return "decimal"
	case fieldOfColumn(name).Kind == worksheet.Integer, name == "commodityCode":
		return "numeric"
	}
	return ""
}

// AllLines returns all lines as JSON, for the script, if they are more than the page shows and are not stored as they are.
func (f *entryView) AllLines() (string, error) {
	if !f.unsaved || f.Total() <= linesShown {
		return "", nil
	}
	lines := f.Worksheet.Lines()
	raw, err := json.Marshal(lines)
	return string(raw), err
}

// LinesPath returns the path from which the script reads lines that the page does not show; empty for none.
func (f *entryView) LinesPath() string {
	if f.unsaved || f.Total() <= linesShown {
		return ""
	}
	return "/declarations/form/" + f.Worksheet.ID + "/lines"
}

// Added returns how many lines were pasted.
func (f *entryView) Added() int { return f.added }

// Doubtful returns how many pasted cells the user should check.
func (f *entryView) Doubtful() int { return len(f.notes) }

// UnknownHeadings returns headings of the pasted lines that are not known.
func (f *entryView) UnknownHeadings() string {
	if f.pasted == nil {
		return ""
	}
	return strings.Join(f.pasted.Unknown, ", ")
}

// Sum returns the name of a column for a sum of a merge.
func (f *entryView) Sum(s worksheet.Sum) string { return nameOfColumn(s.Name) + " " + s.Text }

// NumbersOf returns the numbers of the lines of a merge.
func (f *entryView) NumbersOf(m worksheet.Merge) string {
	all := make([]string, len(m.Items))
	for k, n := range m.Items {
		all[k] = strconv.Itoa(n + 1)
	}
	return strings.Join(all, ", ")
}

// fillProducts sets what the products that items name fill in, in one query.
func (d *Declare) fillProducts(tx page.Tx, f *entryView) error {
	s := f.Worksheet
	named := map[filing.Key]bool{}
	for n := range s.Items {
		if code := s.Items[n].Get("productCode"); code != "" {
			named[customs.ProductName(s.ClientID, code)] = true
		}
	}
	if len(named) == 0 {
		return nil
	}
	keys := make([]filing.Key, 0, len(named))
	for key := range named {
		keys = append(keys, key)
	}
	found, err := tx.NamedFilings(keys)
	if err != nil {
		return err
	}
	f.supplied = map[int]map[string]string{}
	direction := customs.Import
	if !s.Imports() {
		direction = customs.Export
	}
	for n := range s.Items {
		code := s.Items[n].Get("productCode")
		record, known := found[customs.ProductName(s.ClientID, code)]
		switch {
		case code == "":
		case !known:
			f.unknown = append(f.unknown, apierr.Detail{Field: cellPath(n, "productCode"), Message: "is the code of no product of the client"})
		default:
			item, _ := json.Marshal(typedItem(s, n)) // members that are valid JSON
			derived, err := d.Supplies(&record, item, direction)
			if err != nil {
				return err
			}
			f.supplied[n] = textsOf(derived)
		}
	}
	return nil
}

// typedItem returns the members of an item as they are typed.
func typedItem(s *worksheet.Worksheet, n int) members {
	one := worksheet.Worksheet{Items: s.Items[n : n+1]}
	var body struct{ Items []members }
	_ = json.Unmarshal(one.DeclarationBody(placeholderID), &body) // written by DeclarationBody
	if len(body.Items) == 0 {
		return members{}
	}
	return body.Items[0]
}

func textsOf(derived []filing.Derived) map[string]string {
	texts := map[string]string{}
	for _, one := range derived {
		var text string
		if json.Unmarshal(one.Value, &text) != nil {
			text = string(one.Value) // a number
		}
		texts[one.Field] = text
	}
	return texts
}

// withProducts returns the worksheet with what products fill in.
func (f *entryView) withProducts() *worksheet.Worksheet {
	if f.supplied == nil {
		return f.Worksheet
	}
	filled := *f.Worksheet
	filled.Items = make([]worksheet.Part, len(f.Worksheet.Items))
	for n := range filled.Items {
		filled.Items[n] = f.Worksheet.Items[n].Copy()
		for name, text := range f.supplied[n] {
			if isPlain(worksheet.ItemFields, name) && filled.Items[n].Get(name) == "" {
				filled.Items[n].Set(name, text)
			}
		}
	}
	return &filled
}
