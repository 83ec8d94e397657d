// Package amendment compares two versions of a declaration and makes the request that amends the first into the second:
// one Amendment for each changed element, with a pointer down to its tag, and the changed elements alone.
package amendment

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

// TypeCorrection is the type of a request that amends a declaration.
const TypeCorrection = "COR"

// ErrNoChange means that the two versions are equal.
var ErrNoChange = errors.New("amendment: nothing has changed")

// Change is an element that differs between two versions.
type Change struct {
	Path          string // in names of the schema, such as Declaration/GoodsShipment/GovernmentAgencyGoodsItem[2]/Commodity/Description
	Pointer       pointer.Pointer
	Before, After string // empty if the version has no such element
}

// Compare returns the elements that differ, and a declaration with the elements of the new version that do. Entries of
// lists are compared by their place. A list whose entries have no sequence number is repeated up to the last entry that
// differs. References, function, type and existing amendments of the messages are not compared. An element that the schema
// gives no pointer is an error.
func Compare(before, after *wco.Declaration) ([]Change, wco.Declaration, error) {
	c := &comparison{}
	var branch wco.Declaration
	c.structs(reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem(), reflect.ValueOf(&branch).Elem(), "Declaration")
	return c.changes, branch, c.err
}

// envelope are the elements that belong to the message and not to the declaration.
var envelope = []string{"FunctionCode", "FunctionalReferenceID", "ID", "TypeCode", "IssueDateTime", "Amendment"}

// leaves are structs with the value of one element.
var leaves = map[reflect.Type]bool{
	reflect.TypeFor[wco.Amount](): true, reflect.TypeFor[wco.Measure](): true, reflect.TypeFor[wco.DateTime](): true,
}

const sequenceField = "SequenceNumeric"

type comparison struct {
	changes []Change
	err     error
}

// value compares one element and reports whether it differs. A difference is copied to out.
func (c *comparison) value(before, after, out reflect.Value, path string) bool {
	switch {
	case before.Kind() == reflect.Slice:
		return c.lists(before, after, out, path)
	case before.Kind() == reflect.Struct && !leaves[before.Type()]:
		return c.structs(before, after, out, path)
	case before.Interface() == after.Interface():
		return false
	}
	out.Set(after)
	c.add(path, before, after)
	return true
}

func (c *comparison) structs(before, after, out reflect.Value, path string) (changed bool) {
	for i := range before.NumField() {
		f := before.Type().Field(i)
		if path == "Declaration" && slices.Contains(envelope, f.Name) || f.Name == sequenceField {
			continue
		}
		below := path + "/" + f.Name
		if f.Anonymous {
			below = path
		}
		changed = c.value(before.Field(i), after.Field(i), out.Field(i), below) || changed
	}
	return changed
}

// lists compares entry by entry. An added goods item and a removed entry of any list are one change, as in HMRC's samples
// TT_Add_Item and TT_IM017a; an added entry of another list is a change of each of its elements, as in TT_IM016a.
func (c *comparison) lists(before, after, out reflect.Value, path string) (changed bool) {
	kept := 0 // entries of the new version up to the last one that differs
	for i := range max(before.Len(), after.Len()) {
		place := fmt.Sprintf("%s[%d]", path, i+1)
		entry := reflect.New(before.Type().Elem()).Elem()
		switch was, is := entryOf(before, i), entryOf(after, i); {
		case i >= after.Len():
			c.add(place, was, is)
			changed = true
			continue
		case i >= before.Len() && is.Type() == goodsItem:
			c.add(place, was, is)
			entry.Set(is)
		case !c.value(was, is, entry, place):
			continue
		}
		changed, kept = true, i+1
		if isNumbered(before.Type()) {
			number(after.Index(i), entry, i+1)
			out.Set(reflect.Append(out, entry))
		}
	}
	if !isNumbered(before.Type()) && kept > 0 {
		out.Set(after.Slice(0, kept)) // the place of an entry without a number follows from those before it
	}
	return changed
}

var goodsItem = reflect.TypeFor[wco.GovernmentAgencyGoodsItem]()

// isNumbered reports whether the entries of a list have sequence numbers.
func isNumbered(list reflect.Type) bool {
	if list.Elem().Kind() != reflect.Struct {
		return false
	}
	_, numbered := list.Elem().FieldByName(sequenceField)
	return numbered
}

// entryOf returns an entry of a list; empty beyond its end.
func entryOf(list reflect.Value, i int) reflect.Value {
	if i < list.Len() {
		return list.Index(i)
	}
	return reflect.New(list.Type().Elem()).Elem()
}

// number gives an entry the sequence number of the version that it is from or, without one, its place.
func number(from, entry reflect.Value, place int) {
	sequence := from.FieldByName(sequenceField)
	if sequence.IsZero() {
		sequence = reflect.ValueOf(wco.Count(place))
	}
	entry.FieldByName(sequenceField).Set(sequence)
}

func (c *comparison) add(path string, before, after reflect.Value) {
	p, ok := pointer.FromPath(path)
	if !ok {
		c.err = errors.Join(c.err, fmt.Errorf("amendment: %s has no pointer in the schema", path))
		return
	}
	c.changes = append(c.changes, Change{Path: path, Pointer: p, Before: text(before), After: text(after)})
}

// maxText is the longest text of a value in characters.
const maxText = 300

// text returns a value as a person reads it: of an entry of a list, the values of its elements.
func text(v reflect.Value) string {
	var parts []string
	collect(v, &parts)
	whole := strings.Join(parts, " ")
	if r := []rune(whole); len(r) > maxText {
		return string(r[:maxText-1]) + "…"
	}
	return whole
}

func collect(v reflect.Value, parts *[]string) {
	switch v.Kind() {
	case reflect.String:
		if v.String() != "" {
			*parts = append(*parts, v.String())
		}
	case reflect.Slice:
		for i := range v.Len() {
			collect(v.Index(i), parts)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != sequenceField {
				collect(v.Field(i), parts)
			}
		}
	}
}

// Request returns the request that amends a declaration: reference is its own, mrn that of the declaration, and reason
// explains the change in words (at most 512 characters).
func Request(reference, mrn, reasonCode, reason string, before, after *wco.Declaration) (wco.Declaration, error) {
	changes, request, err := Compare(before, after)
	if err == nil && len(changes) == 0 {
		err = ErrNoChange
	}
	if err != nil {
		return wco.Declaration{}, err
	}
	request.FunctionCode, request.TypeCode = wco.FunctionRequest, TypeCorrection
	request.FunctionalReferenceID, request.ID = reference, mrn
	explained := make([]wco.HeaderInformation, 0, len(changes)+len(request.AdditionalInformation))
	for i := range changes {
		request.Amendment = append(request.Amendment, wco.Amendment{ChangeReasonCode: reasonCode, Pointer: encode(changes[i].Pointer)})
		explained = append(explained, wco.HeaderInformation{
			StatementDescription: reason, StatementTypeCode: "AES",
			Pointer: []wco.Pointer{{SequenceNumeric: "1", DocumentSectionCode: "42A"}, {SequenceNumeric: wco.Count(i + 1), DocumentSectionCode: "06A"}},
		})
	}
	request.AdditionalInformation = append(explained, request.AdditionalInformation...)
	return request, nil
}

// encode writes a pointer with a number at each step, as in HMRC's samples.
func encode(p pointer.Pointer) []wco.Pointer {
	all := make([]wco.Pointer, len(p))
	for i, step := range p {
		all[i] = wco.Pointer{SequenceNumeric: wco.Count(max(step.Sequence, 1)), DocumentSectionCode: step.Section, TagID: step.Tag}
	}
	return all
}
