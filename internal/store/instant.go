package store

import (
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// instant is a time.Time as both databases keep it, to the millisecond: in SQLite
// text of a fixed width, so that it sorts as time. Null is the zero time.
type instant time.Time

// Value is fixed-width UTC text, which PostgreSQL reads as a timestamptz.
func (i instant) Value() (driver.Value, error) {
	if time.Time(i).IsZero() {
		return nil, nil
	}
	return audit.Instant(time.Time(i)), nil
}

// Scan reads what either database gives.
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
