package reference

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// maxPacked and maxUnpacked are the limits of a table in bytes, compressed and not.
const (
	maxPacked   = 16 << 20
	maxUnpacked = 64 << 20
)

var errPacked = fmt.Errorf("reference: a table is longer than %d MB", maxPacked>>20)

// pack returns the rows of a table as compressed lines.
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

// unpack fills a table with lines of pack.
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
