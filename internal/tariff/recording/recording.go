// Package recording reads whole answers of HMRC's tariff service for one commodity code: every measure on the code and
// its headings on one day.
//
// It reads both forms: JSON:API, with related objects in "included", and the form in which the duty calculator keeps them,
// with related objects in their places. Members that it does not know are passed over.
package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Recording is one answer.
type Recording struct {
	Name     Name
	Code     string // ten digits
	Lines    []Line // chapter, heading and the lines down to the code, in this order
	Import   []measure.Measure
	Export   []measure.Measure
	Details  measure.Details
	Groups   map[string][]string // members of areas
	Quotas   []measure.Quota
	Meursing bool // duties of the code may have agricultural components
}

// Line is a line of the nomenclature above the code, or the code itself.
type Line struct {
	Code, Suffix, Description string
	Indent                    int
	Declarable                bool
}

// Name is what the name of a file says: CODE_DAY_SERVICE.json, or CODE_DAY_SERVICE_COUNTRY.json if only the measures for
// one country were asked for.
type Name struct {
	Code    string
	Day     measure.Day
	Service string // measure.UK or measure.XI
	Country string // empty for all
}

var nameForm = lazyregexp.New(`^([0-9]{10})_([0-9]{4}-[0-9]{2}-[0-9]{2})_(uk|xi)(?:_([A-Z]{2}))?\.json$`)

// ParseName reads the name of a file, without its folder; false if it does not have the form of a recording.
func ParseName(file string) (Name, bool) {
	parts := nameForm.FindStringSubmatch(file)
	if parts == nil {
		return Name{}, false
	}
	day, err := measure.ParseDay(parts[2])
	return Name{parts[1], day, strings.ToUpper(parts[3]), parts[4]}, err == nil
}

// IsRecording reports whether a JSON document has the form of an answer for a commodity code, which may be a heading that
// has no codes below it.
func IsRecording(document []byte) bool {
	var head struct {
		Data struct {
			Type          string `json:"type"`
			Relationships struct {
				Measures json.RawMessage `json:"import_measures"`
			} `json:"relationships"`
		} `json:"data"`
		Measures json.RawMessage `json:"import_measures"`
	}
	if json.Unmarshal(document, &head) != nil {
		return false
	}
	ofGoods := head.Data.Type == "commodity" || head.Data.Type == "heading"
	return head.Measures != nil || ofGoods && head.Data.Relationships.Measures != nil
}

// Read reads an answer.
func Read(name Name, document []byte) (*Recording, error) {
	tree, err := resolve(document)
	if err != nil {
		return nil, err
	}
	var c commodity
	if err := json.Unmarshal(tree, &c); err != nil {
		return nil, fmt.Errorf("it has not the form of an answer of the tariff service: %w", err)
	}
	if c.Code == "" {
		return nil, errors.New("it is not the answer for a commodity code")
	}
	if name.Code == "" {
		name.Code = c.Code
	}
	if c.Code != name.Code {
		return nil, fmt.Errorf("it is the answer for %s, not for %s", c.Code, name.Code)
	}
	return c.recording(name)
}

// Publisher names who publishes the answers.
const Publisher = "HMRC's tariff service"
