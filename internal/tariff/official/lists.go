package official

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Reference lists. Those of Northern Ireland have xiSuffix behind their kind, but for the Meursing lists, which only it has.
const (
	Areas            Kind = "areas"             // groups of countries with their members
	Quotas           Kind = "quotas"            // periods of quotas with balances
	Seasons          Kind = "seasons"           // seasons of preferences
	MeursingAmounts  Kind = "meursing-amounts"  // agricultural components
	MeursingCodes    Kind = "meursing-codes"    // compositions
	MeasurementUnits Kind = "measurement-units" // of duties
	SPVCodes         Kind = "spv-codes"         // goods with simplified procedure values
	SPVValues        Kind = "spv-values"        // simplified procedure values by period
)

// listKinds are the reference lists of a service.
func listKinds(service string) []Kind {
	return []Kind{Areas.of(service), Quotas.of(service), Seasons.of(service), SPVCodes.of(service), SPVValues.of(service)}
}

// listWidths are the numbers of cells in a row of each list.
var listWidths = map[Kind]int{
	Areas: 3, Quotas: quotaCells, Seasons: 6, MeursingAmounts: 5, MeursingCodes: 5, MeasurementUnits: 3, SPVCodes: 3, SPVValues: 5,
}

// isList reports whether a table is a reference list.
func (k Kind) isList() bool {
	_, ok := listWidths[Kind(strings.TrimSuffix(string(k), xiSuffix))]
	return ok
}

// widthOf is the number of cells in a row of a table.
func widthOf(k Kind) int {
	k = Kind(strings.TrimSuffix(string(k), xiSuffix))
	if n, ok := listWidths[k]; ok {
		return n
	}
	return widths[k]
}

// list is a reference list in JSON.
type list struct {
	title   string
	kind    Kind
	alone   bool // it is of Northern Ireland only, or of both
	entries []entry
	row     func(e entry) ([]string, error) // nil without an error: the entry says nothing
}

// entry is a member of a list, with its name if it has one.
type entry struct {
	name  string
	value json.RawMessage
}

// listOf recognises a reference list in JSON by its members.
func listOf(document []byte) (*list, bool) {
	document = bytes.TrimPrefix(bytes.TrimSpace(document), []byte(byteOrderMark))
	if bytes.HasPrefix(document, []byte("[")) {
		l := &list{title: "areas", kind: Areas, row: plainArea}
		l.entries = elements(document)
		return l, hasMembers(l.entries)
	}
	var d struct {
		Data   json.RawMessage `json:"data"`
		Duties json.RawMessage `json:"duties"`
		SPVs   json.RawMessage `json:"spvs"`
	}
	if json.Unmarshal(document, &d) != nil {
		return nil, false
	}
	switch {
	case d.Duties != nil:
		return &list{"Meursing amounts (HMRC)", MeursingAmounts, true, elements(d.Duties), meursingAmount}, true
	case d.SPVs != nil:
		return &list{"simplified procedure codes (HMRC)", SPVCodes, false, members(d.SPVs), spvCode}, true
	case d.Data != nil:
		return answerOf(elements(d.Data))
	}
	return namedOf(members(document))
}

// answerOf recognises a list that HMRC's tariff service answers.
func answerOf(all []entry) (*list, bool) {
	if len(all) == 0 {
		return nil, false
	}
	var first struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(all[0].value, &first) != nil {
		return nil, false
	}
	switch first.Type {
	case "geographical_area":
		return &list{"areas (HMRC)", Areas, false, all, answeredArea}, hasMembers(all)
	case "definition":
		return &list{"quotas (HMRC)", Quotas, false, all, answeredQuota}, true
	case "simplified_procedural_code_measure":
		return &list{"simplified procedure values (HMRC)", SPVValues, false, all, spvValue}, true
	}
	return nil, false
}

// namedOf recognises the lists whose entries have names.
func namedOf(all []entry) (*list, bool) {
	switch {
	case len(all) == 0:
	case strings.HasPrefix(all[0].name, meursingKey):
		return &list{"Meursing codes (HMRC)", MeursingCodes, true, all, meursingCode}, true
	case bytes.Contains(all[0].value, []byte(`"measurement_unit_code"`)):
		return &list{"measurement units (HMRC)", MeasurementUnits, true, all, measurementUnit}, true
	}
	return nil, false
}

// elements are the entries of a JSON array; none if it is not one.
func elements(array json.RawMessage) (all []entry) {
	var values []json.RawMessage
	if json.Unmarshal(array, &values) != nil {
		return nil
	}
	for _, v := range values {
		all = append(all, entry{value: v})
	}
	return all
}

// members are the entries of a JSON object, in its order; none if it is not one.
func members(object json.RawMessage) (all []entry) {
	d := json.NewDecoder(bytes.NewReader(object))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err = errors.Join(err, d.Decode(&value)); err != nil {
			return nil
		}
		text, _ := name.(string)
		all = append(all, entry{text, value})
	}
	return all
}

// read makes rows of the entries.
func (l *list) read(service string, f *rowErrors) read {
	kind := l.kind
	if !l.alone {
		kind = kind.of(service)
	}
	t := read{kind: kind}
	for n, e := range l.entries {
		row, err := l.row(e)
		if err == nil && len(t.rows) == maxKept {
			err = errManyKept
		}
		if err != nil && f.add(n+1, err) {
			return t
		}
		if row != nil {
			t.rows = append(t.rows, row)
		}
	}
	if len(t.rows) == 0 {
		f.addIfEmpty()
	}
	return t
}

// of reads an entry into the members that are needed.
func (e entry) of(into any) error {
	if err := json.Unmarshal(e.value, into); err != nil {
		return fmt.Errorf("%w: %w", errShape, err)
	}
	return nil
}
