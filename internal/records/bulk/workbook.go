package bulk

import (
	"bytes"
	"context"
	"slices"
	"strings"

	workbook "github.com/tidewaiter/tidewaiter/internal/document/source"
)

// zipSignature is the beginning of an XLSX file.
var zipSignature = []byte("PK\x03\x04")

// ReadTable reads the first sheet of an XLSX workbook, or CSV. Both have the same limits and errors;
// line numbers of a workbook are its row numbers.
func ReadTable(ctx context.Context, file []byte) (*Sheet, error) {
	if !bytes.HasPrefix(file, zipSignature) {
		return ReadSheet(file)
	}
	var t csvBuilder
	err := workbook.Table(ctx, file, t.row)
	if reason, ok := workbook.Reason(err); ok {
		return nil, fileError("%s", reason)
	}
	switch {
	case err != nil:
		return nil, err
	case t.rows == 0:
		return nil, fileError("is empty")
	}
	return newSheet(reader{text: t.text.String(), comma: ','})
}

// csvBuilder converts a sheet to CSV, each row on the line of its number. Every cell is quoted, and
// every row has at least the columns of the first.
type csvBuilder struct {
	text    strings.Builder
	line    int // next line, from 0
	rows    int
	columns int
}

func (t *csvBuilder) row(number int, cells []string) error {
	if t.rows++; t.rows == 1 {
		t.columns = len(cells)
	}
	if t.rows > MaxRows+1 {
		return fileError("has more than %d rows; split it into several files", MaxRows)
	}
	for ; t.line < number-1; t.line++ {
		t.text.WriteByte('\n')
	}
	if missing := t.columns - len(cells); missing > 0 {
		cells = append(cells, slices.Repeat([]string{""}, missing)...)
	}
	for i, cell := range cells {
		if i > 0 {
			t.text.WriteByte(',')
		}
		t.text.WriteByte('"')
		t.text.WriteString(strings.ReplaceAll(cell, `"`, `""`))
		t.text.WriteByte('"')
	}
	t.text.WriteByte('\n')
	if t.line++; t.text.Len() > MaxFile {
		return fileError("has more than %d MB on its first sheet; split it into several files", MaxFile>>20)
	}
	return nil
}
