// Package worksheet stores a declaration that a user is still filling in: the typed texts of
// goods, shipment and client, and the matching positions in a document that was read. A
// worksheet belongs to its author, may be incomplete and invalid, and is not a record until it
// is saved.
package worksheet

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Limits of worksheets.
const (
	MaxPerUser = 20                  // worksheets per user and organisation
	MaxBytes   = 4 << 20             // size of a worksheet
	Retention  = 30 * 24 * time.Hour // retention after the last change
	MaxItems   = 999                 // goods items, as in a declaration
)

// MaxDocuments is the maximum number of documents of a declaration.
const MaxDocuments = 99

// Purpose is whether a worksheet creates a declaration, or corrects one or a template.
type Purpose string

// Purposes of a worksheet.
const (
	New        Purpose = "new"
	Correction Purpose = "correction"
)

// Entry is a worksheet in a list of them.
type Entry struct {
	ID        string // for a correction, the ID of the declaration
	Purpose   Purpose
	Title     string
	UpdatedAt time.Time
}

// Worksheet is one worksheet.
type Worksheet struct {
	ID             string `json:"-"`
	BaseVersion    int64  `json:"corrects,omitempty"`   // version of the corrected record; 0 for a new declaration
	ClientID       string `json:"clientId,omitempty"`   // existing client; empty for a new one
	ShipmentID     string `json:"shipmentId,omitempty"` // existing shipment; empty for a new one
	Template       bool   `json:"template,omitempty"`   // it changes a template, whose ID and version it has, instead of a declaration
	TemplateName   string `json:"templateName,omitempty"`
	NewClient      bool   `json:"stranger,omitempty"` // the client is new and not the organisation itself
	Client         Part   `json:"client"`
	Shipment       Part   `json:"shipment"`
	StoredClient   Part   `json:"wasClient"`        // the existing client when it was read
	StoredShipment Part   `json:"wasShipment"`      // the existing shipment when it was read
	General        Part   `json:"general"`          // fields of the declaration besides goods and documents
	Sealed         string `json:"sealed,omitempty"` // General.Kept, encrypted, while it is stored with access codes of guarantees
	Items          []Part `json:"items,omitempty"`
	Documents      []Part `json:"documents,omitempty"`

	Sources  []attachment.Source `json:"sources,omitempty"`  // files that the form was filled from, in the order in which they were given
	Document string              `json:"document,omitempty"` // type of the document that was read last; empty for none
	Notes    []string            `json:"notes,omitempty"`    // notes about the document for the user
}

// Part is one record, or one entry of a list, as typed.
type Part struct {
	Values map[string]string     `json:"values,omitempty"` // by member
	Found  map[string]FoundValue `json:"found,omitempty"`  // by member, the value in a document
	Kept   json.RawMessage       `json:"kept,omitempty"`   // members of the record that the form does not have, as one object
}

// FoundValue is the position of a value in a document.
type FoundValue struct {
	Value      string      `json:"value,omitempty"`  // as filled in; empty if it has to be converted first
	Text       string      `json:"said,omitempty"`   // text in the document
	Location   string      `json:"where,omitempty"`  // position as text
	Confidence int         `json:"sure"`             // confidence in percent
	FromModel  bool        `json:"model,omitempty"`  // found by a language model
	Source     string      `json:"source,omitempty"` // ID of the file; empty for a file that was not kept
	Page       int         `json:"page,omitempty"`   // from 1
	Box        extract.Box `json:"box,omitzero"`     // on a page of a PDF
}

// NewImport returns a worksheet of an import with one item.
func NewImport(id string) *Worksheet {
	s := &Worksheet{ID: id, Items: []Part{{}}}
	s.General.Set("declarationType", "IMPORT")
	s.Shipment.Set("transportMode", "SEA")
	return s
}

// Purpose returns the purpose of the worksheet.
func (s *Worksheet) Purpose() Purpose {
	if s.BaseVersion > 0 {
		return Correction
	}
	return New
}

// Imports reports whether it is an import.
func (s *Worksheet) Imports() bool { return s.General.Get("declarationType") != "EXPORT" }

// maxTitle is the maximum length of a title in characters.
const maxTitle = 80

// Title returns the name of the template, the first goods description and the client's name, as far as they are known.
func (s *Worksheet) Title() string {
	var words []string
	if s.Template {
		words = append(words, s.TemplateName)
	}
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

// Get returns the typed text; "" for none.
func (p *Part) Get(name string) string { return p.Values[name] }

// Set stores a typed text. The value from a document stays beside it.
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

// Fill stores a value from a document, and fills it in if the field is empty.
func (p *Part) Fill(name string, f FoundValue) {
	if f.Value == "" && f.Text == "" {
		return
	}
	if p.Get(name) == "" {
		p.Set(name, f.Value)
	}
	if p.Found == nil {
		p.Found = map[string]FoundValue{}
	}
	p.Found[name] = f
}

// Copy returns the typed texts and the other members without the values from documents.
func (p *Part) Copy() Part { return Part{Values: maps.Clone(p.Values), Kept: slices.Clone(p.Kept)} }

// Empty reports whether nothing was typed.
func (p *Part) Empty() bool { return len(p.Values) == 0 }

// Encode encodes a worksheet for storage.
func (s *Worksheet) Encode() ([]byte, error) {
	body, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("worksheet: %w", err)
	}
	if len(body) > MaxBytes {
		return nil, apierr.New(apierr.PayloadTooLarge, "This declaration is too large for the form, which is limited to %d MB.", MaxBytes>>20)
	}
	return body, nil
}

// Decode decodes a stored worksheet.
func Decode(body []byte) (s Worksheet, err error) {
	if err := json.Unmarshal(body, &s); err != nil {
		return s, fmt.Errorf("worksheet: %w", err)
	}
	return s, nil
}

// ErrTooMany is the error of a user who has reached MaxEach.
func ErrTooMany() error {
	return apierr.New(apierr.InvalidState, "You have %d unfinished declarations. Save or delete one of them before you start another.", MaxPerUser)
}

// Tx reads and writes the worksheets of one organisation, each for its author.
type Tx interface {
	Worksheet(userID, id string) (Worksheet, error) // apierr.NotFound if the user has no such worksheet
	Worksheets(userID string) ([]Entry, error)      // latest change first
	SaveWorksheet(userID string, s *Worksheet) error
	DropWorksheet(userID, id string) (dropped bool, err error)
}
