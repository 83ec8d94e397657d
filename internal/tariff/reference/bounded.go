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

// byteOrderMark may be at the beginning of a file.
const byteOrderMark = "\uFEFF"

// limitedReader fails if a file or one of its lines is too long.
type limitedReader struct {
	from  io.Reader
	total int
	line  int
}

// Read reads up to the limit, and then fails.
func (b *limitedReader) Read(p []byte) (int, error) {
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
