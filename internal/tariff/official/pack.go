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

// maxPacked and maxUnpacked are the limits of a table in bytes, compressed and not.
const (
	maxPacked   = 32 << 20
	maxUnpacked = 256 << 20
)

var errPacked = fmt.Errorf("the table is longer than %d MB", maxPacked>>20)

var clone = strings.Clone

// pack returns rows as compressed CSV; the same rows give the same bytes.
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

// widths are the numbers of cells in a row of each table.
var widths = map[Kind]int{
	Nomenclature: 7, Duties: 5, VAT: 5, VATHints: 2, Units: 2, SearchReferences: 2, ParcelReferences: 2, Intercepts: 2, Labelled: 2,
}

func unpack(k Kind, packed []byte) ([][]string, error) {
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("official: unpack %s: %w", k, err)
	}
	rows := csv.NewReader(io.LimitReader(zip, maxUnpacked))
	rows.FieldsPerRecord = widthOf(k)
	all, err := rows.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("official: unpack %s: %w", k, err)
	}
	return all, nil
}
