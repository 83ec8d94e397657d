package store

import (
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// instant is a time.Time as both databases store it, to the millisecond: in SQLite text of a
// fixed width, so that it sorts by time. Null is the zero time.
type instant time.Time

// Limits of the years that the text of an instant can hold. List positions come from clients and
// may be outside them.
var (
	earliest = time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(9999, time.December, 31, 23, 59, 59, 999_000_000, time.UTC)
)

// Value returns UTC text of a fixed width, which PostgreSQL reads as a timestamptz.
func (i instant) Value() (driver.Value, error) {
	text := i.text()
	if text == nil {
		return nil, nil
	}
	return *text, nil
}

// text returns the text of Value; nil for the zero time.
func (i instant) text() *string {
	t := time.Time(i)
	switch {
	case t.IsZero():
		return nil
	case t.Before(earliest):
		t = earliest
	case t.After(latest):
		t = latest
	}
	text := audit.Instant(t)
	return &text
}

// ScanTimestamptz reads PostgreSQL's timestamptz. It avoids the slower Scan, because lists have
// very many times.
func (i *instant) ScanTimestamptz(v pgtype.Timestamptz) error {
	*i = instant{}
	if v.Valid {
		*i = instant(v.Time.UTC())
	}
	return nil
}

// Scan reads the value of either database.
func (i *instant) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*i = instant{}
	case time.Time:
		*i = instant(v.UTC())
	case string:
		t, err := time.Parse(time.RFC3339Nano, v)
		if err != nil {
			return fmt.Errorf("store: instant: %w", err)
		}
		*i = instant(t)
	default:
		return fmt.Errorf("store: instant from %T", src)
	}
	return nil
}
