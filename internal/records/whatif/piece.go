package whatif

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// pieceLines is how many lines a piece has. What a run has computed is stored piece by piece: an interruption costs at most
// the work on one of them, about a tenth of a second.
const pieceLines = 500

// pieceWriter packs lines into pieces.
type pieceWriter struct {
	pieces []Piece
	packer packer
	next   int // number of the next piece
}

func (w *pieceWriter) add(l *Goods) error {
	if err := w.packer.add(l); err != nil {
		return err
	}
	if w.packer.count < pieceLines {
		return nil
	}
	return w.end()
}

// end ends the current piece.
func (w *pieceWriter) end() error {
	if w.packer.count == 0 {
		return nil
	}
	n := w.packer.count
	packed, err := w.packer.end()
	if err != nil {
		return err
	}
	w.pieces = append(w.pieces, Piece{Number: w.next, Lines: n, Input: packed})
	w.next++
	return nil
}

// packer packs values as compressed lines of JSON.
type packer struct {
	out   bytes.Buffer
	zip   *gzip.Writer
	count int
}

func (p *packer) add(v any) (err error) {
	if p.zip == nil {
		p.zip, err = gzip.NewWriterLevel(&p.out, gzip.BestSpeed)
	} else if p.count == 0 {
		p.zip.Reset(&p.out)
	}
	if err != nil {
		return err
	}
	p.count++
	return json.NewEncoder(p.zip).Encode(v)
}

// end returns what was packed, and begins again.
func (p *packer) end() ([]byte, error) {
	if p.count == 0 {
		return nil, nil
	}
	if err := p.zip.Close(); err != nil {
		return nil, err
	}
	packed := bytes.Clone(p.out.Bytes())
	p.out.Reset()
	p.count = 0
	return packed, nil
}

// unpacker reads packed values one after the other.
type unpacker struct{ lines *json.Decoder }

func newUnpacker(packed []byte) (unpacker, error) {
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return unpacker{}, fmt.Errorf("whatif: unpack: %w", err)
	}
	return unpacker{json.NewDecoder(zip)}, nil
}

// next reads the next value; false at the end.
func (u unpacker) next(v any) (bool, error) {
	err := u.lines.Decode(v)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return err == nil, err
}

// unpack reads all values.
func unpack[T any](packed []byte) (all []T, err error) {
	u, err := newUnpacker(packed)
	for err == nil {
		var v T
		more, readErr := u.next(&v)
		if err = readErr; !more {
			break
		}
		all = append(all, v)
	}
	return all, err
}
