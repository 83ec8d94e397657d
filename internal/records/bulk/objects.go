package bulk

import (
	"io"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// objects is a file of JSON objects in the making, one a line: each record as the
// lists of the API show it.
type objects struct {
	out    io.Writer
	buffer []byte
}

func (o *objects) write(rows []filing.Row) error {
	for i := range rows {
		if o.buffer = append(rows[i].AppendJSON(o.buffer), '\n'); len(o.buffer) < piece {
			continue
		}
		if err := o.flush(); err != nil {
			return err
		}
	}
	return nil
}

func (o *objects) flush() error {
	_, err := o.out.Write(o.buffer)
	o.buffer = o.buffer[:0]
	return err
}
