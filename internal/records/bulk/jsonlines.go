package bulk

import (
	"io"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// jsonLinesWriter writes records as JSON Lines, in the format of the API's lists.
type jsonLinesWriter struct {
	out    io.Writer
	buffer []byte
}

func (o *jsonLinesWriter) write(rows []filing.Row) error {
	for i := range rows {
		if o.buffer = append(rows[i].AppendJSON(o.buffer), '\n'); len(o.buffer) < writeSize {
			continue
		}
		if err := o.flush(); err != nil {
			return err
		}
	}
	return nil
}

func (o *jsonLinesWriter) flush() error {
	_, err := o.out.Write(o.buffer)
	o.buffer = o.buffer[:0]
	return err
}
