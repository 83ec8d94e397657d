// Package packed has texts of the program as gzip: they are a third as large so.
package packed

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// Text returns a text. It panics on an error, as the text is part of the program.
func Text(file []byte) string {
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		panic(fmt.Sprintf("packed: %v", err))
	}
	text, err := io.ReadAll(r) // #nosec G110 -- part of the program
	if err != nil {
		panic(fmt.Sprintf("packed: %v", err))
	}
	return string(text)
}
