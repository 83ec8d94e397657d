package bulk

import (
	"bytes"
	"context"
	"slices"
	"strings"

	workbook "github.com/tidewaiter/tidewaiter/internal/document/source"
)

// archive is how a workbook begins.
var archive = []byte("PK\x03\x04")

// ReadTable reads a table: the first sheet of a workbook, or else CSV. Both have the
// same limits, and what is wrong is told alike; the lines of a workbook are its rows.
func ReadTable(ctx context.Context, file []byte) (*Sheet, error) {
	if !bytes.HasPrefix(file, archive) {
		return ReadSheet(file)
	}
	var t transcript
	err := workbook.Table(ctx, file, t.row)
	if reason, ok := workbook.Reason(err); ok {
		return nil, faulty("%s", reason)
	}
	switch {
	case err != nil:
		return nil, err
	case t.rows == 0:
		return nil, faulty("is empty")
	}
	return sheetOf(reader{text: t.text.String(), comma: ','})
}

// transcript is a sheet written as CSV, each row on the line of its number. Every cell
// is in quotes, and every row has the columns of the first.
type transcript struct {
	text    strings.Builder
	line    int // that is written next, from 0
	rows    int
	columns int
}

func (t *transcript) row(number int, cells []string) error {
	if t.rows++; t.rows == 1 {
		t.columns = len(cells)
	}
	if t.rows > MaxRows+1 {
		return faulty("has more than %d rows; send it in parts", MaxRows)
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
		return faulty("says more than %d MB on its first sheet; send it in parts", MaxFile>>20)
	}
	return nil
}
