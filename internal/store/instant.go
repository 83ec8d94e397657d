package store

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// layout is how instants lie in SQLite: fixed width, so that text sorts as time.
const layout = "2006-01-02T15:04:05.000000Z"

// instant is a time.Time as both databases keep it. Null is the zero time.
type instant time.Time

// Value is fixed-width UTC text, which PostgreSQL reads as a timestamptz.
func (i instant) Value() (driver.Value, error) {
	if time.Time(i).IsZero() {
		return nil, nil
	}
	return time.Time(i).UTC().Format(layout), nil
}

// Scan reads what either database gives.
func (i *instant) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*i = instant{}
	case time.Time:
		*i = instant(v.UTC())
	case string:
		t, err := time.Parse(layout, v)
		if err != nil {
			return fmt.Errorf("store: instant: %w", err)
		}
		*i = instant(t)
	default:
		return fmt.Errorf("store: instant from %T", src)
	}
	return nil
}
