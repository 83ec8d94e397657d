package source

import (
	"context"
	"errors"
	"slices"
)

// maxRow is the largest number of rows of a sheet.
const maxRow = 1 << 20

var errCutShort = refuse("has a text of more than 2,000 characters, a row with too many columns, or too many different texts")

// Table calls row for each non-empty row of a workbook's first visible sheet, with its number
// on the sheet and its cells from the first column on. It leaves nothing out: a workbook
// beyond the limits is refused. Errors of the file are *Error.
func Table(ctx context.Context, file []byte, row func(number int, cells []string) error) error {
	w, err := newWorkbook(ctx, file)
	if err != nil {
		return err
	}
	var stopped error
	last := 0
	err = w.readFirst(func(number int, found []Cell) {
		cells := w.texts(found)
		if cells == nil || stopped != nil {
			return
		}
		if number <= last || number > maxRow {
			stopped = refuse("has rows in the wrong order")
		} else {
			last, stopped = number, row(number, cells)
		}
		w.builder.cut = stopped != nil
	})
	switch {
	case stopped != nil:
		return stopped
	case err == nil && w.lost:
		return errCutShort
	}
	return w.failure(err)
}

// readFirst reads the first visible sheet.
func (w *workbook) readFirst(row func(number int, cells []Cell)) error {
	if err := errors.Join(w.readStrings(), w.readStyles()); err != nil {
		return err
	}
	sheets, err := w.sheets()
	if err != nil {
		return err
	}
	if len(sheets) == 0 {
		return refuse("has no visible sheet")
	}
	return w.eachRow(sheets[0].part, row)
}

// texts returns the cells of a row in their columns; nil if all are empty.
func (w *workbook) texts(found []Cell) (cells []string) {
	for _, c := range found {
		text, at := tidy(c.Text), c.Left/columnWidth
		switch {
		case text == "":
			continue
		case at >= maxColumns:
			w.lost = true
			continue
		}
		if at >= len(cells) {
			cells = append(cells, slices.Repeat([]string{""}, at+1-len(cells))...)
		}
		cells[at] = text
	}
	return cells
}
