package reference

import (
	"bytes"
	"fmt"
	"io"
)

// Limits of a file. The list of UN/LOCODE is the largest, with 7 MB.
const (
	maxFile = 64 << 20
	maxLine = 64 << 10
)

var (
	errLongFile = fmt.Errorf("the file is longer than %d MB", maxFile>>20)
	errLongLine = fmt.Errorf("a line is longer than %d kB", maxLine>>10)
)

// byteOrderMark may stand at the beginning of a file.
const byteOrderMark = "\uFEFF"

// bounded reads a file until it is too long, or a line in it is.
type bounded struct {
	from  io.Reader
	total int
	line  int
}

// Read hands over what it has read, and fails from the place on that is too much.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	b.total += n
	if b.total > maxFile {
		return 0, errLongFile
	}
	for rest := p[:n]; len(rest) > 0; {
		at := bytes.IndexByte(rest, '\n')
		if at < 0 {
			b.line += len(rest)
			break
		}
		if b.line+at > maxLine {
			return 0, errLongLine
		}
		b.line, rest = 0, rest[at+1:]
	}
	if b.line > maxLine {
		return 0, errLongLine
	}
	return n, err
}
