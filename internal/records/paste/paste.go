// Package paste reads lines of goods that were copied from a spreadsheet: cells separated by tabs, with or without a row of headings.
// Numbers of other countries are converted if they can be read in one way only. Others stay as they are, with a note.
package paste

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// Table is what was read.
type Table struct {
	Headings bool     `json:"headings"` // whether the first row was one of headings
	Columns  []string `json:"columns"`  // of worksheet.Columns, for each column of the text; empty for one that is not known
	Lines    []Line   `json:"lines"`
	Unknown  []string `json:"unknown"` // headings that are not known
}

// Line is one row of goods.
type Line struct {
	Cells []Cell `json:"cells"` // one for each of Table.Columns
}

// Cell is a text for a column, with a note if the user should check it.
type Cell struct {
	Text string `json:"text"`
	Note string `json:"note,omitempty"`
}

// maxColumns is the largest number of columns that are read.
const maxColumns = 50

// Read reads a text from the clipboard. Without headings its columns are those of the grid from first on.
func Read(text, first string) (*Table, error) {
	reader := csv.NewReader(strings.NewReader(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")))
	reader.Comma, reader.LazyQuotes, reader.FieldsPerRecord = '\t', true, -1
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, apierr.Invalid(apierr.Detail{Field: "pasted", Message: "cannot be read as cells of a spreadsheet"})
	}
	rows = slices.DeleteFunc(rows, isBlank)
	if len(rows) == 0 {
		return nil, apierr.Invalid(apierr.Detail{Field: "pasted", Message: "has no lines"})
	}
	t := &Table{Columns: headings(rows[0]), Unknown: []string{}, Lines: []Line{}}
	if t.Headings = t.Columns != nil; t.Headings {
		for k, name := range rows[0] {
			if k < len(t.Columns) && t.Columns[k] == "" && tidy(name) != "" {
				t.Unknown = append(t.Unknown, tidy(name))
			}
		}
		rows = rows[1:]
	} else {
		t.Columns = columnsFrom(first, rows)
	}
	if len(rows) > worksheet.MaxItems {
		return nil, apierr.Invalid(apierr.Detail{Field: "pasted", Message: "has more than 999 lines, which is the most that a declaration can have"})
	}
	t.read(rows)
	return t, nil
}

func isBlank(row []string) bool {
	return !slices.ContainsFunc(row, func(cell string) bool { return tidy(cell) != "" })
}

// tidy replaces line breaks and other space by single spaces.
func tidy(text string) string { return strings.Join(strings.Fields(text), " ") }

// columnsFrom returns the columns of the grid from one on, as many as the rows have.
func columnsFrom(first string, rows [][]string) []string {
	at := max(slices.Index(worksheet.Columns, first), 0)
	widest := 0
	for _, row := range rows {
		widest = max(widest, len(row))
	}
	columns := slices.Clone(worksheet.Columns[at:min(at+widest, len(worksheet.Columns))])
	for len(columns) < min(widest, maxColumns) {
		columns = append(columns, "")
	}
	return columns
}

// headings returns the columns that a row of headings names; nil if it is not one: at least two must be known, or the only one.
func headings(row []string) []string {
	columns := make([]string, min(len(row), maxColumns))
	known := 0
	for k := range columns {
		if name := columnOf(row[k]); name != "" && !slices.Contains(columns, name) {
			columns[k] = name
			known++
		}
	}
	if known == 0 || known == 1 && len(row) > 1 {
		return nil
	}
	return columns
}

// columnOf returns the column that a heading names; empty if it is not known.
func columnOf(heading string) string {
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
	for _, name := range worksheet.Columns {
		if letters == strings.ToLower(strings.ReplaceAll(name, ".", "")) || slices.Contains(names[name], letters) {
			return name
		}
	}
	return ""
}

// names are usual headings of columns, in lower case without spaces and signs.
var names = map[string][]string{
	"productCode":        {"product", "productno", "productnumber", "sku", "partno", "partnumber", "partcode", "articleno", "articlenumber", "article", "itemno", "itemnumber", "itemcode", "stockcode", "material", "ref"},
	"description":        {"goods", "descriptionofgoods", "goodsdescription", "itemdescription", "productdescription", "desc", "whatarethegoods", "details"},
	"commodityCode":      {"commodity", "hscode", "hs", "hts", "htscode", "tariffcode", "tariff", "taric", "code", "customscode", "commoditycodehs", "cncode", "cn"},
	"countryOfOrigin":    {"origin", "coo", "country", "madein", "origincountry", "ctryoforigin"},
	"quantity":           {"qty", "pieces", "pcs", "units", "quantitypcs", "qtypcs", "numberofpieces"},
	"supplementaryUnits": {"supplementaryunit", "suppunits", "suppunit", "supunits"},
	"netMassKg":          {"net", "netkg", "netmass", "netweight", "netweightkg", "netweightkgs", "nw", "nwkg", "nettweight", "netwt", "netwtkg"},
	"grossMassKg":        {"gross", "grosskg", "grossmass", "grossweight", "grossweightkg", "grossweightkgs", "gw", "gwkg", "grosswt", "grosswtkg"},
	"packageCount":       {"packages", "numberofpackages", "noofpackages", "pkgs", "cartons", "ctns", "boxes", "colli", "cases"},
	"packageType":        {"kindofpackages", "typeofpackages", "packagekind", "pkgtype"},
	"itemPrice.amount":   {"amount", "value", "itemprice", "price", "total", "totalprice", "totalvalue", "linetotal", "totalamount", "invoicevalue", "lineamount", "netamount"},
	"itemPrice.currency": {"currency", "cur", "ccy", "curr"},
	"customsValueGbp":    {"customsvalue", "valuegbp", "customsvaluegbp"},
}

func fieldOf(n int, name string) string { return fmt.Sprintf("items[%d].%s", n, name) }
