package move

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Compared is the content of a table, which is the same in both databases.
type Compared struct {
	Table  string
	Rows   int64
	Digest string // of all rows, in one form for both databases, in any order
}

// Compare reads every row of both databases. The error names the first table that differs.
func (m *Mover) Compare(ctx context.Context) (all []Compared, err error) {
	for i := range m.tables {
		t := &m.tables[i]
		var sums [2]sum
		for side, d := range []database{m.source, m.target} {
			if err := m.add(ctx, d, t, &sums[side]); err != nil {
				return nil, fmt.Errorf("store: compare %s: %w", t.Name, err)
			}
		}
		if sums[0] != sums[1] {
			return nil, fmt.Errorf("store: the table %s is not the same in both: %s in the source, %s in the target. "+
				"Either the source was changed after the move began, or another program has written to the target: start again with an empty target", t.Name, &sums[0], &sums[1])
		}
		all = append(all, Compared{t.Name, sums[0].rows, sums[0].hex()})
		m.report(Progress{Table: t.Name, Doing: "compared", Rows: sums[0].rows, Of: sums[0].rows, Done: true})
	}
	return all, nil
}

func (m *Mover) add(ctx context.Context, d database, t *engine.Table, s *sum) error {
	name := -1 // column of the table installation, whose row with the progress is left out
	for i, column := range t.Columns {
		if t.Name == "installation" && column == "name" {
			name = i
		}
	}
	return d.query(ctx)(selectAll(t), nil, func(r engine.Row) error {
		row, _, err := scanRow(r, len(t.Columns))
		if err == nil && (name < 0 || row[name] != engine.MovingName) {
			s.add(row)
		}
		if s.rows%pageRows == 0 {
			m.report(Progress{Table: t.Name, Doing: "compared", Rows: s.rows})
		}
		return err
	})
}

// sum is the sum of the SHA-256 digests of rows, modulo 2²⁵⁶. It does not depend on their order.
type sum struct {
	rows  int64
	words [4]uint64
}

func (s *sum) add(row []any) {
	var text []byte
	for _, value := range row {
		text = appendValue(text, value)
	}
	digest := sha256.Sum256(text)
	var carry uint64
	for i := range s.words {
		s.words[i], carry = bits.Add64(s.words[i], binary.LittleEndian.Uint64(digest[8*i:]), carry)
	}
	s.rows++
}

func (s *sum) hex() string {
	var text []byte
	for _, w := range s.words {
		text = binary.LittleEndian.AppendUint64(text, w)
	}
	return hex.EncodeToString(text)
}

func (s *sum) String() string { return fmt.Sprintf("%d rows (%.12s…)", s.rows, s.hex()) }

// appendValue appends a value with its type and length, so that different rows have different
// texts.
func appendValue(text []byte, value any) []byte {
	kind, content := byte('-'), []byte(nil)
	switch v := value.(type) {
	case int64:
		kind, content = 'i', binary.LittleEndian.AppendUint64(nil, uint64(v)) // #nosec G115 -- the bits, not the number
	case string:
		kind, content = 't', []byte(v)
	case []byte:
		kind, content = 'b', v
	}
	return append(binary.AppendUvarint(append(text, kind), uint64(len(content))), content...)
}

// scanRow reads a row in one form for both databases: nil, int64, string or []byte, as SQLite
// stores them. Length is about its size in bytes.
func scanRow(r engine.Row, columns int) (values []any, length int, err error) {
	values = make([]any, columns)
	places := make([]any, columns)
	for i := range values {
		places[i] = &values[i]
	}
	if err := r.Scan(places...); err != nil {
		return nil, 0, err
	}
	for i, value := range values {
		switch v := value.(type) {
		case nil, int64:
		case string:
			length += len(v)
		case []byte:
			values[i], length = append([]byte{}, v...), length+len(v)
		case bool:
			values[i] = int64(0)
			if v {
				values[i] = int64(1)
			}
		case time.Time:
			values[i] = exact(v)
		default:
			return nil, 0, fmt.Errorf("a value of the type %T cannot be moved", value)
		}
	}
	return values, length + 8*columns, nil
}

// exact returns an instant as SQLite stores it, with more digits if it is finer than that.
func exact(t time.Time) string {
	if t.Nanosecond()%int(time.Millisecond) != 0 {
		return t.UTC().Format(time.RFC3339Nano)
	}
	return audit.Instant(t)
}
