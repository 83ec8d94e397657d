package paste_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/paste"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// texts returns the cells of a table with a question mark after those that have a note.
func texts(t *paste.Table) string {
	var lines []string
	for _, l := range t.Lines {
		var cells []string
		for _, c := range l.Cells {
			if c.Note != "" {
				c.Text += "?"
			}
			cells = append(cells, c.Text)
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
	return strings.Join(lines, " / ")
}

// Numbers of other countries are converted if the whole text shows how they are written. Others stay as they are, and are marked.
func TestNumbers(t *testing.T) {
	for _, c := range []struct{ name, pasted, want string }{
		{"points", "Amount\n1,234.56\n1,850", "1234.56 / 1850"},
		{"commas", "Amount\n1.234,56\n1.850", "1234.56 / 1850"},
		{"only thousands", "Amount\n1,234,567\n1,850", "1234567 / 1850"},
		{"comma with two digits", "Amount\n12,50\n1.850", "12.50 / 1850"},
		{"ambiguous", "Amount\n1,850\n1.850\n12", "1,850? / 1.850? / 12"},
		{"contradiction", "Amount\n1,234.56\n1.234,56\n1,850", "1234.56 / 1234.56 / 1,850?"},
		{"spaces and apostrophes", "Amount\n1 234,56\n1’234,50", "1234.56 / 1234.50"},
		{"no-break space", "Amount\n1\u00a0234.5", "1234.5"},
		{"another column says it", "Net kg\tAmount\n120.5\t1,850", "120.5|1850"},
		{"not a number", "Net kg\nheavy", "heavy"},
		{"sign of a currency", "Amount\n£1,850.00\n€ 12.50", "1850.00|GBP / 12.50|EUR"},
		{"code of a currency", "Amount\nUSD 1,850.00\n12.5 CHF", "1850.00|USD / 12.5|CHF"},
		{"dollar", "Amount\n$12.50", "12.50?"},
		{"currency column wins", "Amount\tCurrency\nUSD 5\tcad\nEUR 6\t", "5|CAD / 6|EUR"},
		{"countries", "Origin\tQty\nBangladesh\t1\ncn\t2", "BD|1 / CN|2"},
		{"codes", "HS Code\n6109.10.00.10\n6109 1000 10\n901210000\nx1", "6109100010 / 6109100010 / 901210000? / x1"},
	} {
		table, err := paste.Read(c.pasted, "description")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := texts(table); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// The first row names the columns if at least two of its cells are known headings. Otherwise the columns go on from the cell with the
// focus.
func TestHeadings(t *testing.T) {
	for _, c := range []struct{ pasted, first, columns, unknown, lines string }{
		{"Description\tHS code\tColour\tOrigin\tNet weight (kg)\nShirts\t6109100010\tblue\tBD\t12", "", "description commodityCode  countryOfOrigin netMassKg", "Colour", "Shirts|6109100010||BD|12"},
		{"Shirts\t6109100010\tBD", "description", "description commodityCode countryOfOrigin", "", "Shirts|6109100010|BD"},
		{"\"two\nlines\"\t\"say \"\"hi\"\"\"\r\n\t\r\n", "productCode", "productCode description", "", "two lines|say \"hi\""},
		{"value\tshirts\n", "customsValueGbp", "customsValueGbp ", "", "value|"},
	} {
		table, err := paste.Read(c.pasted, c.first)
		if err != nil {
			t.Errorf("%q: %v", c.pasted, err)
			continue
		}
		if got := strings.Join(table.Columns, " "); got != c.columns || strings.Join(table.Unknown, " ") != c.unknown || texts(table) != c.lines {
			t.Errorf("%q: columns %q, unknown %q, lines %q", c.pasted, got, table.Unknown, texts(table))
		}
	}
	for _, bad := range []string{"", " \t\n", strings.Repeat("x\ty\n", 1000)} {
		if _, err := paste.Read(bad, ""); !apierr.Is(err, apierr.InvalidRequest) {
			t.Errorf("%.10q: %v", bad, err)
		}
	}
}

// Lines are put over lines that exist and added after them, with notes at their fields, up to the most that a declaration can have.
func TestApply(t *testing.T) {
	table, err := paste.Read("Description\tNet kg\tAmount\tCurrency\nShirts\t1.850\t10\tusd\nSocks\t2\t5\tEUR", "")
	if err != nil {
		t.Fatal(err)
	}
	s := worksheet.NewImport("")
	s.Items[0].Set("countryOfOrigin", "BD")
	notes, err := table.Apply(s, 0)
	if err != nil || len(s.Items) != 2 || len(notes) != 1 || notes["items[0].netMassKg"] == "" {
		t.Fatalf("%d items, notes %v, %v", len(s.Items), notes, err)
	}
	if got := fmt.Sprint(s.Items[0].Cells(), s.Items[1].Cells()); got != "[ Shirts  BD   1.850    10 USD ] [ Socks     2    5 EUR ]" {
		t.Errorf("cells %s", got)
	}
	for len(s.Items) < worksheet.MaxItems {
		s.Items = append(s.Items, worksheet.Part{})
	}
	if _, err := table.Apply(s, worksheet.MaxItems-1); !apierr.Is(err, apierr.InvalidState) || len(s.Items) != worksheet.MaxItems {
		t.Errorf("too many: %v, %d items", err, len(s.Items))
	}
}

// Any text is read or refused.
func FuzzRead(f *testing.F) {
	f.Add("Amount\tHS\n1,850\t6109", "description")
	f.Add("\"\t\"\n$\t£", "itemPrice.currency")
	f.Fuzz(func(t *testing.T, text, first string) {
		table, err := paste.Read(text, first)
		if err != nil {
			return
		}
		for _, l := range table.Lines {
			if len(l.Cells) != len(table.Columns) {
				t.Fatalf("%q: %d cells in %d columns", text, len(l.Cells), len(table.Columns))
			}
		}
		if _, err := table.Apply(worksheet.NewImport(""), 0); err != nil {
			t.Error(err)
		}
	})
}
