package official

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxPacked is how long the compressed rows of a table may be, and maxUnpacked how
// long they may be when read.
const (
	maxPacked   = 32 << 20
	maxUnpacked = 256 << 20
)

var errPacked = fmt.Errorf("the table is longer than %d MB", maxPacked>>20)

var clone = strings.Clone

// pack is rows as compressed CSV, always the same for the same rows.
func pack(rows [][]string) ([]byte, error) {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	err := csv.NewWriter(zip).WriteAll(rows)
	if err := errors.Join(err, zip.Close()); err != nil {
		return nil, fmt.Errorf("official: pack: %w", err)
	}
	if out.Len() > maxPacked {
		return nil, errPacked
	}
	return out.Bytes(), nil
}

// widths are how many cells the rows of a table have.
var widths = map[Kind]int{
	Nomenclature: 7, Duties: 5, VAT: 5, VATHints: 2, Units: 2, SearchReferences: 2, ParcelReferences: 2, Intercepts: 2, Labelled: 2,
}

func unpack(k Kind, packed []byte) ([][]string, error) {
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("official: unpack %s: %w", k, err)
	}
	rows := csv.NewReader(io.LimitReader(zip, maxUnpacked))
	rows.FieldsPerRecord = widths[k]
	all, err := rows.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("official: unpack %s: %w", k, err)
	}
	return all, nil
}
