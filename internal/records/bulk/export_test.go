package bulk

import (
	"io"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// Internal functions with tests of their own.
var (
	Members    = members[string]
	Elements   = elements[string]
	Plain      = cellText
	AppendText = appendText
)

// Prefetch is ahead for int.
var Prefetch = prefetch[int]

// WriteItems writes records with a row for each item.
func WriteItems(out io.Writer, t *filing.Type, rows []filing.Row) error {
	w := newItemsWriter(t, out)
	if err := w.write(rows); err != nil {
		return err
	}
	return w.flush()
}
