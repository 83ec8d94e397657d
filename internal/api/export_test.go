package api

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// CursorBehind is the cursor of a list behind a record.
func CursorBehind(org tenant.ID, name string, at time.Time, id string) string {
	return list{org, name}.behind(filing.Position{CreatedAt: at, ID: id})
}

// PlaceOf reads a cursor of a list as what has sealed it.
func PlaceOf(org tenant.ID, name, cursor string) (string, error) {
	return list{org, name}.place(cursor)
}

// Sealed is the cursor of any place in a list.
func Sealed(org tenant.ID, name, place string) string { return list{org, name}.cursor(place) }

// PositionOf reads a cursor of a list of records.
func PositionOf(org tenant.ID, name, cursor string) (filing.Position, error) {
	return list{org, name}.position(cursor)
}
