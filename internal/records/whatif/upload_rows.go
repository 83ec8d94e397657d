package whatif

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Columns of an upload that hold texts and numbers of a line, by the name of its member.
var (
	textColumns = []string{
		"ref", "commodityCode", "productId", "origin", "preferentialOrigin", "dispatchCountry", "exciseCode", "meursingCode", "vatChoice", "date", "destination", "incoterm",
	}
	numberColumns = []string{
		"customsValueGbp", "netMassKg", "alcoholStrength", "sucrosePercent", "smallProducerDiscount", "retailPriceGbp", "embeddedEmissionsKgCo2",
	}
	moneyColumns = []string{"price", "freight", "insurance"} // in the currency of the column currency; sterling without one
	listColumns  = []string{"additionalCodes", "documents"}  // with spaces between codes
	otherColumns = []string{"currency", "quantity", "unit", "qualifier", "proofOfOrigin"}
)

// UploadColumns are the headers that an upload can have.
func UploadColumns() []string {
	return slices.Concat(textColumns, numberColumns, moneyColumns, listColumns, otherColumns)
}

// sterling is the currency of amounts without one.
const sterling = "GBP"

var decimal = lazyregexp.New(`^[0-9]{1,14}(\.[0-9]{1,6})?$`)

// ReadRows returns the rows of a table as a list of lines in JSON. Faults name the row, from 1, and the column.
func ReadRows(headers []string, rows iter.Seq[[]string]) (lines []byte, count int, faults []apierr.Detail) {
	for _, header := range headers {
		if !slices.Contains(UploadColumns(), header) {
			faults = append(faults, apierr.Detail{Field: "headers", Message: fmt.Sprintf("%q is no column; there are %s", header, strings.Join(UploadColumns(), ", "))})
		}
	}
	if faults != nil {
		return nil, 0, faults
	}
	lines = []byte{'['}
	for cells := range rows {
		count++
		r := uploadRow{number: count, cells: map[string]string{}, line: map[string]any{}}
		for i, header := range headers {
			r.cells[header] = strings.TrimSpace(cells[i])
		}
		r.read()
		if faults = append(faults, r.faults...); len(faults) >= maxFaults {
			return nil, count, faults[:maxFaults]
		}
		if count > 1 {
			lines = append(lines, ',')
		}
		line, _ := json.Marshal(r.line) // texts and checked numbers
		lines = append(lines, line...)
	}
	return append(lines, ']'), count, faults
}

// InRows names the rows of a table in the faults of its lines.
func InRows(err error) error {
	var e *apierr.Error
	if !errors.As(err, &e) || e.Details == nil {
		return err
	}
	all := slices.Clone(e.Details)
	for i, d := range all {
		if at := lineField.FindStringSubmatch(d.Field); at != nil {
			n, _ := strconv.Atoi(at[1])
			all[i].Field = fmt.Sprintf("row %d, %s", n+1, at[2])
		}
	}
	return apierr.Invalid(all...)
}

var lineField = lazyregexp.New(`^source\.lines\[([0-9]+)\]\.(.*)$`)

// uploadRow is a row that becomes a line.
type uploadRow struct {
	number int
	cells  map[string]string
	line   map[string]any
	faults []apierr.Detail
}

func (r *uploadRow) read() {
	for _, name := range textColumns {
		if text := r.cells[name]; text != "" {
			r.line[name] = text
		}
	}
	for _, name := range numberColumns {
		if n := r.decimal(name); n != nil {
			r.line[name] = n
		}
	}
	for _, name := range moneyColumns {
		amount := r.amount(name)
		switch {
		case name == "price" && amount == nil:
			r.line[name] = map[string]any{"amount": 0, "currency": sterling}
			if r.cells["customsValueGbp"] == "" {
				r.fault(name, "is required without customsValueGbp")
			}
		case name == "price":
			r.line[name] = amount
		case amount != nil:
			r.line[name] = []any{amount}
		}
	}
	r.readQuantity()
	r.readFacts()
}

func (r *uploadRow) fault(column, message string) {
	r.faults = append(r.faults, apierr.Detail{Field: fmt.Sprintf("row %d, %s", r.number, column), Message: message})
}

// decimal reads a number as it stands; nil for none.
func (r *uploadRow) decimal(column string) any {
	text := r.cells[column]
	if text == "" {
		return nil
	}
	if !decimal.MatchString(text) {
		r.fault(column, "must be a number such as 1234.56")
		return nil
	}
	whole := strings.TrimLeft(text, "0")
	if whole == "" || whole[0] == '.' {
		whole = "0" + whole
	}
	return json.Number(whole)
}

func (r *uploadRow) amount(column string) map[string]any {
	n := r.decimal(column)
	if n == nil {
		return nil
	}
	currency := r.cells["currency"]
	if currency == "" {
		currency = sterling
	}
	return map[string]any{"amount": n, "currency": currency}
}

func (r *uploadRow) readQuantity() {
	n := r.decimal("quantity")
	unit, qualifier := r.cells["unit"], r.cells["qualifier"]
	switch {
	case n == nil:
		return
	case unit == "":
		r.fault("unit", "is required with a quantity")
		return
	}
	q := map[string]any{"unit": unit, "value": n}
	if qualifier != "" {
		q["qualifier"] = qualifier
	}
	r.line["quantities"] = []any{q}
}

func (r *uploadRow) readFacts() {
	if codes := strings.Fields(r.cells["additionalCodes"]); codes != nil {
		r.line["additionalCodes"] = codes
	}
	facts := map[string]any{}
	var documents []any
	for _, code := range strings.Fields(r.cells["documents"]) {
		documents = append(documents, map[string]any{"code": code})
	}
	if documents != nil {
		facts["documents"] = documents
	}
	if proof := r.cells["proofOfOrigin"]; proof != "" {
		facts["proofOfOrigin"] = proof
	}
	if len(facts) > 0 {
		r.line["facts"] = facts
	}
}
