package bulk

import (
	"io"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/document/xlsxio"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// SelectedEvent returns the audit event of an export of some records.
func (e *Exporter) SelectedEvent(call tenant.Call, t *filing.Type, count int) audit.Event {
	return e.event(call, t, ExportOptions{}, int64(count))
}

// WriteCSV writes records as CSV, with a header row of field names.
func WriteCSV(out io.Writer, t *filing.Type, rows []filing.Row) error {
	table := newCSVWriter(t, out)
	if err := table.write(rows); err != nil {
		return err
	}
	return table.flush()
}

// WriteWorkbook writes records as an XLSX workbook with the columns of the CSV. Members that are numbers in JSON are numbers.
func WriteWorkbook(out io.Writer, t *filing.Type, rows []filing.Row) error {
	columns, places := t.Columns(), map[string]int{}
	table := make([][]xlsxio.Cell, 1, len(rows)+1)
	for i, name := range columns {
		places[name] = i
		table[0] = append(table[0], xlsxio.Cell{Text: name})
	}
	for i := range rows {
		r := &rows[i]
		cells := make([]xlsxio.Cell, len(columns))
		for at, text := range []string{r.ID, r.Status, r.CreatedAt, r.UpdatedAt} {
			cells[at].Text = text
		}
		for _, object := range []string{r.Input, r.Added} {
			for name, value := range members(object) {
				if at, ok := places[name]; ok {
					cells[at] = xlsxio.Cell{Text: cellText(value), Number: isNumber(value)}
				}
			}
		}
		table = append(table, cells)
	}
	return xlsxio.Write(out, table)
}

// isNumber reports whether a JSON value is a number.
func isNumber(value string) bool {
	return value != "" && (value[0] == '-' || value[0] >= '0' && value[0] <= '9')
}
