package cbam

import (
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Entry is the part of an import that a report needs.
type Entry struct {
	ID              string
	RecordedAt      time.Time
	Category        Category
	CommodityCode   string
	CountryOfOrigin string
	NetMassKg       quantity.Mass
	CustomsValueGBP *quantity.Money // nil if not given
	EmissionsKg     quantity.Total  // as stated or as estimated
	Source          Source
	Basis           Basis
	Notes           string
}

// Entries is an iterator over imports. It ends after an error.
type Entries = iter.Seq2[Entry, error]

// NewEntry reads a stored import: its input and the fields that the service added, each as a compact JSON object.
func NewEntry(id string, recordedAt time.Time, input, added json.RawMessage) (Entry, error) {
	e := Entry{ID: id, RecordedAt: recordedAt}
	if err := e.read(added); err != nil {
		return Entry{}, fmt.Errorf("cbam: import %s: added fields: %w", id, err)
	}
	if err := e.read(input); err != nil { // last, because the supplier's figure is in the input
		return Entry{}, fmt.Errorf("cbam: import %s: input: %w", id, err)
	}
	return e, nil
}

func (e *Entry) read(object json.RawMessage) error {
	plain, err := eachMember(object, e.setMember)
	if plain || err != nil {
		return err
	}
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(object, &members); err != nil {
		return err
	}
	for name, value := range members {
		if err := e.setMember([]byte(name), value); err != nil {
			return err
		}
	}
	return nil
}

// setMember stores a member if a report needs it.
func (e *Entry) setMember(name, value []byte) (err error) {
	switch string(name) {
	case "category":
		err = set(&e.Category, value)
	case "commodityCode":
		err = set(&e.CommodityCode, value)
	case "countryOfOrigin":
		err = set(&e.CountryOfOrigin, value)
	case "notes":
		err = set(&e.Notes, value)
	case "emissionsSource":
		err = set(&e.Source, value)
	case "emissionsBasis":
		err = set(&e.Basis, value)
	case "netMassKg":
		err = e.NetMassKg.UnmarshalJSON(value)
	case "customsValueGbp":
		e.CustomsValueGBP = new(quantity.Money)
		err = e.CustomsValueGBP.UnmarshalJSON(value)
	case "embeddedEmissionsKgCo2":
		err = e.setEmissions(value)
	}
	return err
}

// setEmissions reads a number in the service's own notation, or in any valid one.
func (e *Entry) setEmissions(value []byte) error {
	if e.EmissionsKg.UnmarshalJSON(value) == nil {
		return nil
	}
	var given quantity.Mass
	err := given.UnmarshalJSON(value)
	e.EmissionsKg = given.Total()
	return err
}

func set[T ~string](field *T, value []byte) error {
	s, err := text(value)
	*field = T(s)
	return err
}
