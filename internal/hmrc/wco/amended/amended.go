// Package amended computes what a request for amendment makes of a declaration, from the XML of both alone. It shares no code
// with package amendment, which makes requests.
package amended

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// envelope are the elements that belong to the message and not to the declaration.
var envelope = []string{"FunctionCode", "FunctionalReferenceID", "ID", "TypeCode", "IssueDateTime", "Amendment"}

const sequenceField = "SequenceNumeric"

// PointerError means that an amendment leads to nothing that can be amended.
type PointerError struct {
	Pointer pointer.Pointer
}

func (e *PointerError) Error() string {
	return fmt.Sprintf("amended: %s cannot be amended", e.Pointer)
}

// Pointers returns where the amendments of a request lead, in their order.
func Pointers(request *wco.Declaration) []pointer.Pointer {
	all := make([]pointer.Pointer, len(request.Amendment))
	for i, a := range request.Amendment {
		for _, step := range a.Pointer {
			n, _ := strconv.Atoi(string(step.SequenceNumeric))
			all[i] = append(all[i], pointer.Step{Section: step.DocumentSectionCode, Sequence: n, Tag: step.TagID})
		}
	}
	return all
}

// By returns a declaration as a request amends it. Each amendment takes what it points at from the request, and removes
// it if the request does not contain it. The error is a *PointerError.
func By(before, request *wco.Declaration) (wco.Declaration, error) {
	after := clone(reflect.ValueOf(*before)).Interface().(wco.Declaration)
	content := *request
	content.AdditionalInformation = slices.DeleteFunc(slices.Clone(request.AdditionalInformation), explains)
	var removed []pointer.Pointer
	for _, p := range Pointers(request) {
		gone, ok := replace(reflect.ValueOf(&after).Elem(), reflect.ValueOf(&content).Elem(), p)
		if !ok {
			return after, &PointerError{p}
		}
		if gone {
			removed = append(removed, p)
		}
	}
	sorting.Stable(removed, func(a, b pointer.Pointer) int { return cmp.Compare(lastSequence(b), lastSequence(a)) })
	for _, p := range removed {
		remove(reflect.ValueOf(&after).Elem(), p)
	}
	return after, nil
}

// explains reports whether a statement explains an amendment of its request, and is none of the declaration.
func explains(i wco.HeaderInformation) bool {
	return len(i.Pointer) > 0 && i.Pointer[len(i.Pointer)-1].DocumentSectionCode == "06A"
}

// clone copies a value with its lists.
func clone(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			return out
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(clone(v.Index(i)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if out.Field(i).CanSet() {
				out.Field(i).Set(clone(v.Field(i)))
			}
		}
	}
	return out
}

func lastSequence(p pointer.Pointer) int { return max(p[len(p)-1].Sequence, 1) }

// replace takes the value at a pointer from the request. It reports whether the value is an entry of a list that the request
// does not contain, and whether there is such a value at all.
func replace(into, request reflect.Value, p pointer.Pointer) (gone, ok bool) {
	names, element := p.Names()
	if len(p) == 0 || !p.Known() || names[0] != "Declaration" {
		return false, false
	}
	for i, name := range names[1:] {
		into, request = into.FieldByName(name), request.FieldByName(name)
		if !into.IsValid() || slices.Contains(envelope, name) {
			return false, false
		}
		if into.Kind() != reflect.Slice {
			continue
		}
		number := max(p[i+1].Sequence, 1)
		at := indexOf(request, number)
		if last := i == len(names)-2 && element == ""; last && at < 0 {
			return true, indexOf(into, number) >= 0
		}
		into = ensure(into, number)
		if !into.IsValid() {
			return false, false
		}
		request = entryOf(request, at)
	}
	if element == "" {
		if len(names) == 1 {
			return false, false
		}
		into.Set(clone(request))
		return false, true
	}
	into, request = into.FieldByName(element), request.FieldByName(element)
	if !into.IsValid() || len(names) == 1 && slices.Contains(envelope, element) {
		return false, false
	}
	into.Set(request)
	return false, true
}

// isNumbered reports whether the entries of a list have sequence numbers.
func isNumbered(list reflect.Type) bool {
	if list.Elem().Kind() != reflect.Struct {
		return false
	}
	_, numbered := list.Elem().FieldByName(sequenceField)
	return numbered
}

// entryOf returns an entry of a list; empty without one.
func entryOf(list reflect.Value, i int) reflect.Value {
	if i >= 0 {
		return list.Index(i)
	}
	return reflect.New(list.Type().Elem()).Elem()
}

// indexOf returns the index of the entry with a number: by its sequence number or, if it has none, by its place; -1 for none.
func indexOf(list reflect.Value, number int) int {
	if isNumbered(list.Type()) {
		for i := range list.Len() {
			if list.Index(i).FieldByName(sequenceField).String() == strconv.Itoa(number) {
				return i
			}
		}
		if number <= list.Len() && !hasNumber(list.Index(number-1)) {
			return number - 1
		}
		return -1
	}
	if number > list.Len() {
		return -1
	}
	return number - 1
}

func hasNumber(entry reflect.Value) bool {
	n := entry.FieldByName(sequenceField).String()
	return n != "" && n != "0"
}

// ensure returns the entry of a list with a number, and adds it if the list has one less. It is invalid if the list is shorter.
func ensure(list reflect.Value, number int) reflect.Value {
	at := indexOf(list, number)
	if at < 0 {
		if at = list.Len(); !isNumbered(list.Type()) && at != number-1 {
			return reflect.Value{}
		}
		list.Set(reflect.Append(list, reflect.New(list.Type().Elem()).Elem()))
		if isNumbered(list.Type()) {
			list.Index(at).FieldByName(sequenceField).SetString(strconv.Itoa(number))
		}
	}
	return list.Index(at)
}

// remove removes the entry at a pointer from its list.
func remove(from reflect.Value, p pointer.Pointer) {
	names, _ := p.Names()
	for i, name := range names[1:] {
		from = from.FieldByName(name)
		if from.Kind() != reflect.Slice {
			continue
		}
		at := indexOf(from, max(p[i+1].Sequence, 1))
		if at < 0 {
			return
		}
		if i == len(names)-2 {
			from.Set(reflect.AppendSlice(from.Slice3(0, at, at), from.Slice(at+1, from.Len())))
			return
		}
		from = from.Index(at)
	}
}
