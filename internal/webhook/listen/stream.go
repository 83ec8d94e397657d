package listen

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxLine is the longest line of a stream in bytes: an event with a declaration of the most items.
const maxLine = 16 << 20

// event is a server-sent event.
type event struct {
	id   string
	data string // empty for an event that only moves the position
	name string // resent, or empty
}

// reader reads server-sent events, as in the HTML standard, from a service that sends each body on one line.
type reader struct {
	lines *bufio.Scanner
	alive func() // called for every line
}

func newReader(r io.Reader, alive func()) *reader {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, bufio.MaxScanTokenSize), maxLine)
	return &reader{lines, alive}
}

// next waits for the next event. It returns io.EOF at the end of the stream.
func (r *reader) next() (e event, err error) {
	for r.lines.Scan() {
		r.alive()
		line := r.lines.Text()
		if line == "" {
			if e != (event{}) {
				return e, nil
			}
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "id":
			e.id = value
		case "data":
			e.data += value
		case "event":
			e.name = value
		}
	}
	if errors.Is(r.lines.Err(), bufio.ErrTooLong) {
		return event{}, fmt.Errorf("an event is larger than %d MB", maxLine>>20)
	}
	if r.lines.Err() != nil {
		return event{}, r.lines.Err()
	}
	return event{}, io.EOF
}
