// Package worksheet is a declaration that somebody is still filling in: what was typed
// of the goods, of their journey and of the client, word for word and as far as it
// goes, and where a document that was read says the same. It is a person's own paper
// and no record: nothing is filed before it is saved, and it may be wrong anywhere.
package worksheet

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Limits of worksheets.
const (
	MaxEach  = 20                  // of one user in one organisation
	MaxBytes = 4 << 20             // of one
	Kept     = 30 * 24 * time.Hour // after the last change
	MaxItems = 999                 // goods items, as many as a declaration has
)

// MaxDocuments is how many documents a declaration names.
const MaxDocuments = 99

// Purpose is what a worksheet leads to.
type Purpose string

// The purposes: a declaration that is new, and another form of one that is stored.
const (
	New        Purpose = "new"
	Correction Purpose = "correction"
)

// Entry is a worksheet in a list of them.
type Entry struct {
	ID        string // for a correction that of the declaration
	Purpose   Purpose
	Title     string
	UpdatedAt time.Time
}

// Sheet is one worksheet.
type Sheet struct {
	ID         string `json:"-"`
	Corrects   int64  `json:"corrects,omitempty"`   // version of the declaration that is corrected; 0 for a new one
	ClientID   string `json:"clientId,omitempty"`   // the client that is kept already; empty for a new one
	ShipmentID string `json:"shipmentId,omitempty"` // the shipment that is kept already; empty for a new one
	Stranger   bool   `json:"stranger,omitempty"`   // the client is neither kept nor the organisation itself
	Client     Part   `json:"client"`
	Shipment   Part   `json:"shipment"`
	WasClient  Part   `json:"wasClient"`   // a kept client as it was read
	WasJourney Part   `json:"wasShipment"` // a kept shipment as it was read
	General    Part   `json:"general"`     // what the declaration says besides its goods
	Items      []Part `json:"items,omitempty"`
	Documents  []Part `json:"documents,omitempty"`

	Document string   `json:"document,omitempty"` // what was read, in words; empty where nothing was
	Notes    []string `json:"notes,omitempty"`    // what a person should know of it
}

// Part is one record, or one entry of a list, as it was typed.
type Part struct {
	Values map[string]string `json:"values,omitempty"` // by member
	Found  map[string]Found  `json:"found,omitempty"`  // by member, where a document says it
}

// Found is where a document says a value.
type Found struct {
	Value string `json:"value,omitempty"` // as it was filled in; empty where it only says something alike
	Said  string `json:"said,omitempty"`  // the text that stands there
	Where string `json:"where,omitempty"` // in words
	Sure  int    `json:"sure"`            // in hundredths
	Model bool   `json:"model,omitempty"` // a language model named it
}

// Start makes a worksheet of an import with one item.
func Start(id string) *Sheet {
	s := &Sheet{ID: id, Items: []Part{{}}}
	s.General.Set("declarationType", "IMPORT")
	s.Shipment.Set("transportMode", "SEA")
	return s
}

// Purpose is what it leads to.
func (s *Sheet) Purpose() Purpose {
	if s.Corrects > 0 {
		return Correction
	}
	return New
}

// Imports tells whether it is an import.
func (s *Sheet) Imports() bool { return s.General.Get("declarationType") != "EXPORT" }

// maxTitle is how many characters of a worksheet its list shows.
const maxTitle = 80

// Title says what it is about: the first goods and the client, as far as they are known.
func (s *Sheet) Title() string {
	var words []string
	if len(s.Items) > 0 && s.Items[0].Get("description") != "" {
		words = append(words, s.Items[0].Get("description"))
	}
	if name := s.Client.Get("name"); name != "" {
		words = append(words, name)
	}
	title := []rune(strings.Join(words, " · "))
	if len(title) == 0 {
		return "Nothing filled in yet"
	}
	if len(title) > maxTitle {
		return string(title[:maxTitle-1]) + "…"
	}
	return string(title)
}

// Get is what was typed; empty for nothing.
func (p *Part) Get(name string) string { return p.Values[name] }

// Set keeps what was typed. What a document said stays beside it.
func (p *Part) Set(name, text string) {
	if text == "" {
		delete(p.Values, name)
		return
	}
	if p.Values == nil {
		p.Values = map[string]string{}
	}
	p.Values[name] = text
}

// Fill sets a value that a document says, unless one is there.
func (p *Part) Fill(name string, f Found) {
	if f.Value == "" && f.Said == "" {
		return
	}
	if p.Get(name) == "" {
		p.Set(name, f.Value)
	}
	if p.Found == nil {
		p.Found = map[string]Found{}
	}
	p.Found[name] = f
}

// Copy is the same as it was typed, without what documents say.
func (p *Part) Copy() Part { return Part{Values: maps.Clone(p.Values)} }

// Empty tells whether nothing was typed.
func (p *Part) Empty() bool { return len(p.Values) == 0 }

// Written is a worksheet as it is stored.
func (s *Sheet) Written() ([]byte, error) {
	body, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("worksheet: %w", err)
	}
	if len(body) > MaxBytes {
		return nil, apierr.New(apierr.PayloadTooLarge, "This declaration is larger than the %d MB that can be filled in here.", MaxBytes>>20)
	}
	return body, nil
}

// Read reads what Written wrote.
func Read(body []byte) (s Sheet, err error) {
	if err := json.Unmarshal(body, &s); err != nil {
		return s, fmt.Errorf("worksheet: %w", err)
	}
	return s, nil
}

// ErrTooMany refuses a worksheet beyond those that a user may have.
func ErrTooMany() error {
	return apierr.New(apierr.InvalidState, "You have %d declarations that are not finished. Save one of them, or throw one away, before you begin another.", MaxEach)
}

// Tx keeps the worksheets of one organisation, each for its author.
type Tx interface {
	Worksheet(userID, id string) (Sheet, error) // fault.NotFound when the user has none such
	Worksheets(userID string) ([]Entry, error)  // the last change first
	KeepWorksheet(userID string, s *Sheet) error
	DropWorksheet(userID, id string) (dropped bool, err error)
}
