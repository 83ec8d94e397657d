// Package search finds declarations by references, client names, goods and documents,
// and by status, direction and day. The index consists of packed blocks of some hundred
// declarations, newest last. A query reads blocks until its page is full, so it is fast
// for every filter. Creating a declaration does not write to the index; the next query
// updates it from the audit trail.
package search

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// Entry is the indexed data of one declaration.
type Entry struct {
	ID        string
	CreatedAt time.Time // to the millisecond
	Status    string
	Direction string // IMPORT or EXPORT
	ClientID  string // of the shipment
	Words     []string

	shipmentID string // only of a declaration that was just read
	shipment   uint32 // digest of shipmentID
}

// entryOf converts a stored declaration.
func entryOf(f *filing.Filing) (Entry, error) {
	var d struct {
		ShipmentID, DeclarationType string
		Items                       []struct{ Description, CommodityCode string }
		Documents                   []struct{ Reference string }
	}
	if err := json.Unmarshal(f.Body, &d); err != nil {
		return Entry{}, fmt.Errorf("search: declaration %s: %w", f.ID, err)
	}
	var texts []string
	for i := range d.Items {
		texts = append(texts, d.Items[i].Description, d.Items[i].CommodityCode)
	}
	for _, p := range d.Documents {
		texts = append(texts, p.Reference)
	}
	shipment := strings.ToLower(d.ShipmentID)
	return Entry{
		ID: f.ID, CreatedAt: f.CreatedAt, Status: string(f.Status), Direction: d.DeclarationType,
		Words: wordsOf(maxWords, texts...), shipmentID: shipment, shipment: digest(shipment),
	}, nil
}

// isBefore reports whether an entry comes before a position, oldest first.
func (e *Entry) isBefore(p filing.Position) bool {
	return compareAge(e.CreatedAt, e.ID, p.CreatedAt, p.ID) > 0
}

// compareAge compares two entries by creation time and ID: greater than zero if a is newer.
func compareAge(a time.Time, aID string, b time.Time, bID string) int {
	if c := a.Compare(b); c != 0 {
		return c
	}
	return strings.Compare(aID, bID)
}

// clientID returns the client of a stored shipment.
func clientID(f *filing.Filing) (string, error) {
	var s customs.Shipment
	if err := json.Unmarshal(f.Body, &s); err != nil {
		return "", fmt.Errorf("search: shipment %s: %w", f.ID, err)
	}
	return strings.ToLower(s.ClientID), nil
}
