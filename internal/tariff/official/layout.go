package official

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/tariff/raw"
	"github.com/tidewaiter/tidewaiter/internal/tariff/table"
)

// layout is a published CSV table, recognised by the columns of its header in any order.
type layout struct {
	title string
	must  []string // required columns
	may   []string // columns that some editions lack
	day   string   // day of the table if its rows have no days; otherwise empty
	taker func(r reading) tableReader
}

// reading is what is known of a file before it is read.
type reading struct {
	file, service, today string
	raw                  *raw.Set // of the import
}

// tableReader makes tables of rows.
type tableReader interface {
	// take reads a row with the columns of must and may; a missing column is empty.
	take(cells []string, row int) error
	// tables returns the result; errors that concern several rows are added to f.
	tables(f *rowErrors) []read
}

// read is a table as read from a file.
type read struct {
	kind   Kind
	rows   [][]string
	newest string       // day of the newest row in force; empty if rows have no days
	table  *table.Table // of a table of measures, instead of rows
	report Kind         // the table of measures that it was read with; empty for none
}

// layouts are the known tables, each with columns that no other has.
var layouts = []layout{
	{title: "UK goods nomenclature (HMRC)", must: nomenclatureColumns, taker: newNomenclature},
	{title: "commodities-report (Department for Business and Trade)", must: reportColumns, may: reportMayColumns, taker: newReport},
	{title: reportTitle, must: table.Must, may: table.May, taker: newReportOfMeasures},
	{title: "UK Global Tariff (Department for International Trade)", must: globalColumns, day: globalDay, taker: newGlobal},
	{title: "quotas (Department for Business and Trade)", must: quotaColumns, may: quotaMayColumns, taker: newQuotas},
	{title: "seasons (HMRC)", must: seasonColumns, taker: newSeasons},
	{title: "CHIEF national measures (HMRC)", must: chiefColumns, taker: newChief},
}

// known returns the layout of a header.
func known(header []string) (layout, bool) {
	for _, l := range layouts {
		if !slices.ContainsFunc(l.must, func(c string) bool { return !slices.Contains(header, c) }) {
			return l, true
		}
	}
	return layout{}, false
}

// positions are the indices of the columns in a header; -1 for a missing one.
func (l layout) positions(header []string) []int {
	var at []int
	for _, column := range slices.Concat(l.must, l.may) {
		at = append(at, slices.Index(header, column))
	}
	return at
}

// blank are the spellings of no value.
var blank = []string{"#NA", "#N/A", "nil", "NULL", "None"}

func clean(cell string) string {
	cell = strings.TrimSpace(cell)
	if slices.Contains(blank, cell) {
		return ""
	}
	return cell
}

var (
	errCode   = errors.New("must be ten digits")
	errPeriod = errors.New("ends before it begins")
	errTwice  = errors.New("occurs twice in the file")
)

func checkCode(code string) error {
	if len(code) != codeDigits || !isDigits(code) {
		return fmt.Errorf("code %q: %w", code, errCode)
	}
	return nil
}

const codeDigits = 10

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// day parses a day such as 2021-01-01, also with the time of midnight.
func day(text string) (string, error) {
	date, hour := text, ""
	if len(text) > len(time.DateOnly) {
		date, hour = text[:len(time.DateOnly)], text[len(time.DateOnly):]
	}
	if _, err := time.Parse(time.DateOnly, date); err != nil || strings.Trim(hour, "T :0Z.+") != "" {
		return "", fmt.Errorf("%q is no day such as 2021-01-01", text)
	}
	return date, nil
}

// period parses the first day, which is required, and the last day.
func period(first, last string) (from, to string, err error) {
	if from, err = day(first); err != nil {
		return "", "", err
	}
	if last == "" {
		return from, "", nil
	}
	if to, err = day(last); err != nil {
		return "", "", err
	}
	if to < from {
		return "", "", errPeriod
	}
	return from, to, nil
}

// newer returns the later of two days that is not in the future.
func newer(newest, day, today string) string {
	if day > newest && day <= today {
		return day
	}
	return newest
}
