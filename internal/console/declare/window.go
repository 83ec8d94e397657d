package declare

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
)

// A long list is shown in parts, so that a page stays small: 999 previous documents are entered 20 at a time.
const (
	partFields = 80 // fields of the shown part of a list, at most, if it has more than one entry
	fromPrefix = "from."
)

// window is the shown part of a list.
type window struct {
	List       string // path of the list, such as previousDocuments or security.items
	Label, One string // of the list, and of an entry
	From, Size int    // in the stored list
	Total      int    // entries of the stored list
}

// First returns the number of the first entry, from 1.
func (w window) First() int { return w.From + 1 }

// Last returns the number of the last entry.
func (w window) Last() int { return w.From + w.Size }

// More reports whether there are entries after the window.
func (w window) More() bool { return w.Last() < w.Total }

// Value returns the hidden value with which the window is submitted.
func (w window) Value() string { return fmt.Sprintf("%d:%d", w.From, w.Size) }

// longLists returns the paths of the lists of objects that can be long: those that are not within another list.
func longLists(prefix string, members []string) (all []fields.Field) {
	for _, f := range fields.Of(fields.Declaration) {
		path, within := strings.CutPrefix(f.Path, prefix)
		name, nested := strings.CutSuffix(path, "[]")
		first, _, _ := strings.Cut(name, ".")
		if within && nested && !strings.Contains(name, "[]") && slices.Contains(members, first) {
			f.Path = name
			all = append(all, f)
		}
	}
	return all
}

// longListAt returns the long list and the index in a path such as previousDocuments[57].type; empty if it has none.
func longListAt(field string) (list string, n int) {
	list, rest, found := strings.Cut(field, "[")
	if !found {
		return "", 0
	}
	digits, _, _ := strings.Cut(rest, "]")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 {
		return "", 0
	}
	return list, n
}

// shifted returns a path with the index of its long list reduced by the entries before the window.
func shifted(field, list string, from int) string {
	at, n := longListAt(field)
	if at != list || n < from {
		return field
	}
	_, rest, _ := strings.Cut(field, "]")
	return fmt.Sprintf("%s[%d]%s", list, n-from, rest)
}

// members is an object as its members.
type members map[string]json.RawMessage

func membersOf(body json.RawMessage) members {
	m := members{}
	if json.Unmarshal(body, &m) != nil || m == nil {
		return members{}
	}
	return m
}

// list returns the entries of a list at a path, and whether it is one.
func (m members) list(path string) (entries []json.RawMessage, is bool) {
	first, rest, nested := strings.Cut(path, ".")
	if nested {
		return membersOf(m[first]).list(rest)
	}
	return entries, len(m[first]) > 0 && json.Unmarshal(m[first], &entries) == nil && entries != nil
}

// setList replaces the list at a path; an empty one is removed.
func (m members) setList(path string, entries []json.RawMessage) {
	first, rest, nested := strings.Cut(path, ".")
	switch {
	case nested:
		inner := membersOf(m[first])
		if inner.setList(rest, entries); len(inner) > 0 {
			m[first] = inner.encode()
		}
	case len(entries) == 0:
		delete(m, first)
	default:
		m[first], _ = json.Marshal(entries) // valid JSON stays valid
	}
}

func (m members) encode() json.RawMessage {
	raw, _ := json.Marshal(m) // valid JSON stays valid
	return raw
}

// size returns how many entries of a list from an index are shown: as many as have at most partFields fields.
func size(entries []json.RawMessage, from, fieldsOfOne int) int {
	sum := 0
	for n := from; n < len(entries); n++ {
		sum += max(fieldsOfOne, strings.Count(string(entries[n]), `":`))
		if sum > partFields && n > from {
			return n - from
		}
	}
	return len(entries) - from
}

// fieldsOfEntry returns the number of fields of an entry of a list that a form for a selection shows.
func (f *stepView) fieldsOfEntry(list string) (n int) {
	inside := f.prefix() + list + "[]."
	for _, field := range fields.Of(fields.Declaration) {
		rest, within := strings.CutPrefix(field.Path, inside)
		if within && !strings.Contains(rest, "[]") && field.Type != fields.Group && (f.All || field.AppliesTo(f.set(), f.day)) {
			n++
		}
	}
	return max(n, 1)
}
