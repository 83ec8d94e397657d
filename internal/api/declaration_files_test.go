package api

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

// A file of any size is read whole, however its bytes come, and one that is cut off is refused.
func TestReadInPieces(t *testing.T) {
	for _, size := range []int{0, 1, piece - 1, piece, piece + 1, 3*piece + 7} {
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(i % 251)
		}
		for name, from := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader { return r }, "halves": iotest.HalfReader, "with the end": iotest.DataErrReader} {
			if got, err := readInPieces(from(bytes.NewReader(want))); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes, %s: %d bytes, %v", size, name, len(got), err)
			}
		}
		cut := io.MultiReader(bytes.NewReader(want), iotest.ErrReader(io.ErrUnexpectedEOF))
		if _, err := readInPieces(cut); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes that are cut off: %v", size, err)
		}
	}
}
