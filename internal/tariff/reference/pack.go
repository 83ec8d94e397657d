package reference

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// maxPacked is how long the compressed rows of a table may be, and maxUnpacked how
// long they may be when read.
const (
	maxPacked   = 16 << 20
	maxUnpacked = 64 << 20
)

var errPacked = fmt.Errorf("reference: a table is longer than %d MB", maxPacked>>20)

// pack is the rows of a table as compressed lines.
func pack(t table) ([]byte, error) {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	err := t.pack(func(line string) error {
		_, err := io.WriteString(zip, line+"\n")
		return err
	})
	if err := errors.Join(err, zip.Close()); err != nil {
		return nil, fmt.Errorf("reference: pack: %w", err)
	}
	if out.Len() > maxPacked {
		return nil, errPacked
	}
	return out.Bytes(), nil
}

// unpack fills a table with what pack has made.
func unpack(t table, rows []byte) error {
	zip, err := gzip.NewReader(bytes.NewReader(rows))
	if err != nil {
		return fmt.Errorf("reference: unpack: %w", err)
	}
	lines := bufio.NewScanner(io.LimitReader(zip, maxUnpacked))
	for lines.Scan() {
		if err := t.unpack(lines.Text()); err != nil {
			return err
		}
	}
	return lines.Err()
}
