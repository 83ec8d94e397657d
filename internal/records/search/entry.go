// Package search finds declarations by what people remember of them: references,
// clients, goods, documents, beside state, direction and day. What is sought stands in
// blocks of some hundred declarations, packed, newest last: a question reads blocks
// until its page is full, so that it is quick for every filter, and creating a
// declaration writes nothing for it. Who asks first brings the blocks up to date from
// the trail.
package search

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// Entry is what is sought of one declaration.
type Entry struct {
	ID        string
	CreatedAt time.Time // to the millisecond
	Status    string
	Direction string // IMPORT or EXPORT
	ClientID  string // of the shipment
	Words     []string

	shipmentID string // only of what was just read
	shipment   uint32 // its digest
}

// entryOf reads a stored declaration.
func entryOf(f *filing.Filing) (Entry, error) {
	var d customs.Declaration
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

// before tells whether an entry stands before a place in a list that is newest first.
func (e *Entry) before(p filing.Position) bool {
	return newer(e.CreatedAt, e.ID, p.CreatedAt, p.ID) > 0
}

// newer compares two places by creation: above zero where the first is the newer one.
func newer(a time.Time, aID string, b time.Time, bID string) int {
	if c := a.Compare(b); c != 0 {
		return c
	}
	return strings.Compare(aID, bID)
}

// clientID is the client that a stored shipment names.
func clientID(f *filing.Filing) (string, error) {
	var s customs.Shipment
	if err := json.Unmarshal(f.Body, &s); err != nil {
		return "", fmt.Errorf("search: shipment %s: %w", f.ID, err)
	}
	return strings.ToLower(s.ClientID), nil
}
