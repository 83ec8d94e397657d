package rates

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxUnpacked is the limit of an import in bytes, uncompressed.
const maxUnpacked = 256 << 20

// Pack returns periods in the form in which they are stored.
func Pack(periods []Period) ([]byte, error) {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	if err := errors.Join(json.NewEncoder(zip).Encode(periods), zip.Close()); err != nil {
		return nil, fmt.Errorf("rates: pack: %w", err)
	}
	return out.Bytes(), nil
}

// Unpack reads what Pack has written.
func Unpack(packed []byte) (periods []Period, err error) {
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		err = json.NewDecoder(io.LimitReader(zip, maxUnpacked)).Decode(&periods)
	}
	if err != nil {
		return nil, fmt.Errorf("rates: unpack: %w", err)
	}
	return periods, nil
}
