package paste

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// numeric are the columns with numbers.
var numeric = []string{"quantity", "supplementaryUnits", "netMassKg", "grossMassKg", "packageCount", "itemPrice.amount", "customsValueGbp"}

// read reads the rows below the headings.
func (t *Table) read(rows [][]string) {
	point := decimalPoint(rows, t.Columns)
	currency := slices.Index(t.Columns, "itemPrice.currency")
	for _, row := range rows {
		l := Line{Cells: make([]Cell, len(t.Columns))}
		found := "" // currency beside an amount
		for k, name := range t.Columns {
			if k >= len(row) || name == "" {
				continue
			}
			text := tidy(row[k])
			switch {
			case name == "itemPrice.amount" || name == "customsValueGbp":
				amount, sign := splitCurrency(text)
				if l.Cells[k] = number(amount, point); sign == "$" && l.Cells[k].Note == "" {
					l.Cells[k].Note = "$ can be the dollar of several countries. Check the currency."
				} else if name == "itemPrice.amount" {
					found = sign
				}
			case slices.Contains(numeric, name):
				l.Cells[k] = number(text, point)
			case name == "commodityCode":
				l.Cells[k] = commodity(text)
			default:
				l.Cells[k].Text = typed(name, text)
			}
		}
		if currency >= 0 && l.Cells[currency].Text == "" {
			l.Cells[currency].Text = found
		} else if currency < 0 && found != "" {
			t.Columns = append(t.Columns, "itemPrice.currency")
			currency = len(t.Columns) - 1
			for n := range t.Lines {
				t.Lines[n].Cells = append(t.Lines[n].Cells, Cell{})
			}
			l.Cells = append(l.Cells, Cell{Text: found})
		}
		t.Lines = append(t.Lines, l)
	}
}

var (
	code      = lazyregexp.New(`^([A-Z]{3})\s*(.*)$|^(.*?)\s*([A-Z]{3})$`)
	spaces    = lazyregexp.New(`^[0-9]{1,3}([ '’][0-9]{3})+([.,][0-9]+)?$`)
	plain     = lazyregexp.New(`^[0-9]+$`)
	ambiguous = lazyregexp.New(`^[0-9]{1,3}[.,][0-9]{3}$`)
	pointed   = lazyregexp.New(`^([0-9]+|[0-9]{1,3}(,[0-9]{3})+)\.[0-9]+$|^[0-9]{1,3}(,[0-9]{3}){2,}$`)
	comma     = lazyregexp.New(`^([0-9]+|[0-9]{1,3}(\.[0-9]{3})+),[0-9]+$|^[0-9]{1,3}(\.[0-9]{3}){2,}$`)
)

// signs are the signs of currencies. That of dollars does not name the country.
var signs = []struct{ text, currency string }{{"£", "GBP"}, {"€", "EUR"}, {"$", "$"}}

// splitCurrency splits an amount and the currency before or after it.
func splitCurrency(text string) (amount, currency string) {
	for _, sign := range signs {
		if amount, found := strings.CutPrefix(text, sign.text); found {
			return strings.TrimSpace(amount), sign.currency
		}
		if amount, found := strings.CutSuffix(text, sign.text); found {
			return strings.TrimSpace(amount), sign.currency
		}
	}
	if m := code.FindStringSubmatch(text); m != nil {
		return m[2] + m[3], m[1] + m[4]
	}
	return text, ""
}

// decimalPoint returns the decimal sign of the numbers that can be read in one way only, if all of them agree; otherwise 0.
func decimalPoint(rows [][]string, columns []string) byte {
	seen := map[byte]bool{}
	for _, row := range rows {
		for k := range min(len(row), len(columns)) {
			if !slices.Contains(numeric, columns[k]) {
				continue
			}
			text, _ := splitCurrency(tidy(row[k]))
			switch text = unspaced(text); {
			case ambiguous.MatchString(text):
			case pointed.MatchString(text):
				seen['.'] = true
			case comma.MatchString(text):
				seen[','] = true
			}
		}
	}
	switch {
	case seen['.'] && !seen[',']:
		return '.'
	case seen[','] && !seen['.']:
		return ','
	}
	return 0
}

// typed returns a text as the field of a column stores it: codes in capitals, and countries by their codes.
func typed(name, text string) string {
	if name == "itemPrice.currency" {
		return worksheet.Field{Kind: worksheet.Code}.Typed(text)
	}
	at := slices.IndexFunc(worksheet.ItemFields, func(f worksheet.Field) bool { return f.Name == name })
	return worksheet.ItemFields[at].Typed(text)
}

// unspaced removes spaces and apostrophes between thousands.
func unspaced(text string) string {
	if spaces.MatchString(text) {
		return strings.NewReplacer(" ", "", "'", "", "’", "").Replace(text)
	}
	return text
}

// number reads a number whose decimal sign is known, or 0. Text that is no number stays as it is; the check of the field reports it.
func number(text string, point byte) Cell {
	bare := unspaced(text)
	switch {
	case bare == "" || plain.MatchString(bare):
		return Cell{Text: bare}
	case ambiguous.MatchString(bare) && point == 0:
		sign := string(bare[strings.IndexAny(bare, ".,")])
		return Cell{bare, "“" + bare + "” can be " + strings.Replace(bare, sign, "", 1) + " or " + strings.Replace(bare, sign, ".", 1) + ". Enter it without a separator of thousands."}
	case ambiguous.MatchString(bare) && point == ',', !ambiguous.MatchString(bare) && comma.MatchString(bare):
		return Cell{Text: strings.Replace(strings.ReplaceAll(bare, ".", ""), ",", ".", 1)}
	case pointed.MatchString(bare), ambiguous.MatchString(bare):
		return Cell{Text: strings.ReplaceAll(bare, ",", "")}
	}
	return Cell{Text: text}
}

// digitsOfCode are the signs that people write between the digits of a code.
var digitsOfCode = strings.NewReplacer(".", "", " ", "", "-", "")

// commodity reads a commodity code.
func commodity(text string) Cell {
	bare := digitsOfCode.Replace(text)
	if !plain.MatchString(bare) {
		return Cell{Text: text}
	}
	if len(bare) == 7 || len(bare) == 9 {
		return Cell{bare, "The code has " + map[int]string{7: "7", 9: "9"}[len(bare)] + " digits. A spreadsheet may have removed a 0 at its beginning."}
	}
	return Cell{Text: bare}
}

// Apply puts the table into the lines of a worksheet from a line on, and adds lines at the end. It returns the notes by field. A
// line that is the first one and empty is replaced.
func (t *Table) Apply(s *worksheet.Worksheet, from int) (notes map[string]string, err error) {
	notes = map[string]string{}
	for n, l := range t.Lines {
		at := from + n
		if at >= len(s.Items) {
			if at, err = s.AddItem(); err != nil {
				return notes, err
			}
		}
		cells := s.Items[at].Cells()
		for k, name := range t.Columns {
			if column := slices.Index(worksheet.Columns, name); column >= 0 && k < len(l.Cells) {
				cells[column] = l.Cells[k].Text
				if l.Cells[k].Note != "" {
					notes[fieldOf(at, name)] = l.Cells[k].Note
				}
			}
		}
		price := slices.Index(worksheet.Columns, "itemPrice.amount")
		for column, name := range worksheet.Columns {
			if column != price && column != price+1 {
				s.Items[at].SetCell(name, cells[column])
			}
		}
		s.Items[at].SetPrice(cells[price], cells[price+1])
	}
	return notes, nil
}
