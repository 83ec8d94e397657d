package table

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Piece is a part of a table that is stored on its own, as compressed CSV: the measures of a chapter, or the descriptions with
// the types of all measures. The
// same measures give the same bytes, in whatever order their rows were.
type Piece struct {
	Name   string // two digits of the chapter, or Words
	Packed []byte
}

// Words is the name of the piece with the descriptions.
const Words = "words"

const chapterDigits = 2

// packedCells are the cells of a measure in a piece, in their order. Behind them stand its codes.
var packedCells = []int{
	cellSID, cellType, cellAdditional, cellDuty, cellFrom, cellTo, cellReduction, cellFootnotes, cellConditions, cellArea, cellExcluded,
	cellOrder, cellAct,
}

// Pack returns the pieces of the table, by name.
func (t *Table) Pack() (pieces []Piece, err error) {
	for first := 0; first < len(t.codes); {
		chapter, end := t.codes[first][:chapterDigits], first
		for end < len(t.codes) && strings.HasPrefix(t.codes[end], chapter) {
			end++
		}
		packed, err := pack(t.chapter(first, end))
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, Piece{chapter, packed})
		first = end
	}
	packed, err := pack(t.words())
	return append(pieces, Piece{Words, packed}), err
}

// chapter returns the rows of the codes from first to the one before end, sorted.
func (t *Table) chapter(first, end int) [][]string {
	codes := map[uint32][]string{}
	for at := first; at < end; at++ {
		for _, m := range t.on[t.from[at]:t.from[at+1]] {
			codes[m] = append(codes[m], t.codes[at])
		}
	}
	rows := make([][]string, 0, len(codes))
	for m, on := range codes {
		rows = append(rows, append(t.cells(m), strings.Join(on, " ")))
	}
	slices.SortFunc(rows, slices.Compare)
	return rows
}

func (t *Table) cells(at uint32) []string {
	r := &t.rows[at]
	s := &t.shapes[r.shape]
	var cells [cellAreaText + 1]string
	for i, cell := range textCells {
		cells[cell] = t.texts[i][s.texts[i]]
	}
	if r.sid != 0 {
		cells[cellSID] = strconv.FormatInt(r.sid, 10)
	}
	cells[cellFrom] = r.from.String()
	if r.to != 0 {
		cells[cellTo] = r.to.String()
	}
	if s.reduction != 0 {
		cells[cellReduction] = strconv.Itoa(int(s.reduction))
	}
	cells[cellDuty], cells[cellConditions] = t.duties[s.duty].text, t.asked[s.asked].text
	cells[cellExcluded], cells[cellFootnotes] = strings.Join(t.excluded[s.excluded], "|"), strings.Join(t.notes[s.notes], "|")
	packed := make([]string, 0, len(packedCells)+1)
	for _, cell := range packedCells {
		packed = append(packed, cells[cell])
	}
	return packed
}

// Kinds of descriptions in their piece.
const (
	wordType       = "type"
	wordArea       = "area"
	wordAdditional = "additional"
	wordAct        = "act"
	wordHeld       = "held" // a type of which the table has measures
)

// words returns the descriptions and the types that are held, sorted.
func (t *Table) words() (rows [][]string) {
	for kind, of := range map[string]map[string]string{wordType: t.details.Types, wordArea: t.details.Areas, wordAdditional: t.details.Additional} {
		for code, text := range of {
			rows = append(rows, []string{kind, code, text})
		}
	}
	for _, typ := range t.types() {
		rows = append(rows, []string{wordHeld, typ, ""})
	}
	for id := range maps.Keys(t.details.Acts) {
		rows = append(rows, []string{wordAct, id, t.details.Acts[id].URL})
	}
	slices.SortFunc(rows, slices.Compare)
	return rows
}

func pack(rows [][]string) ([]byte, error) {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	err := csv.NewWriter(zip).WriteAll(rows)
	if err := errors.Join(err, zip.Close()); err != nil {
		return nil, fmt.Errorf("table: pack: %w", err)
	}
	return out.Bytes(), nil
}

// maxUnpacked is much more than a piece has, in bytes.
const maxUnpacked = 1 << 30

// Unpack is the reverse of Pack, of pieces in the order of their names. Of some pieces it makes a part of the table.
func Unpack(pieces []Piece) (*Table, error) {
	b := NewBuilder()
	for _, p := range pieces {
		add := b.unpackWords
		if p.Name != Words {
			add = b.unpackMeasure
		}
		if err := unpack(p.Packed, add); err != nil {
			return nil, fmt.Errorf("table: unpack %s: %w", p.Name, err)
		}
		b.flush()
	}
	t, _ := b.Table()
	return t, nil
}

func unpack(packed []byte, add func(cells []string) error) error {
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	rows := csv.NewReader(io.LimitReader(zip, maxUnpacked))
	rows.ReuseRecord = true
	for {
		cells, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = add(cells)
		}
		if err != nil {
			return err
		}
	}
}

var errPacked = errors.New("a row has another form")

func (b *Builder) unpackMeasure(packed []string) error {
	if len(packed) != len(packedCells)+1 {
		return errPacked
	}
	var cells [cellAreaText + 1]string
	for i, cell := range packedCells {
		cells[cell] = packed[i]
	}
	codes := packed[len(packedCells)]
	cells[cellCode], _, _ = strings.Cut(codes, " ")
	m, err := b.row(cells[:])
	if err != nil {
		return err
	}
	at := b.add(m)
	for code := range strings.SplitSeq(codes, " ") {
		b.place(code, at, 0)
	}
	return nil
}

func (b *Builder) unpackWords(cells []string) error {
	if len(cells) != 3 {
		return errPacked
	}
	d, code, text := &b.t.details, strings.Clone(cells[1]), strings.Clone(cells[2])
	switch cells[0] {
	case wordHeld:
		b.t.held = append(b.t.held, code)
	case wordType:
		d.Types[code] = text
	case wordArea:
		d.Areas[code] = text
	case wordAdditional:
		d.Additional[code] = text
	case wordAct:
		d.Acts[code] = measure.LegalAct{ID: code, Code: code, URL: text}
	}
	return nil
}
