package batch

import (
	"fmt"
	"testing"
)

var columns = []Column{
	{"kind", "string"}, {"place.code", "string"}, {"items[].mass", "number"}, {"items[].count", "integer"}, {"items[].fresh", "boolean"}, {"items[].codes[]", "string"},
	{"items[].taxes[].rate", "number"}, {"documents[].type", "string"},
}

func table(group string) Table {
	return Table{Columns: columns, Group: group, Headers: map[string]string{
		"kind": "K", "place.code": "P", "items[].mass": "M", "items[].count": "C", "items[].fresh": "F", "items[].codes[]": "L", "items[].taxes[].rate": "R", "documents[].type": "D",
	}}
}

// Rows of one group make one body: an element of items for each row, equal documents once. Numbers keep their digits,
// and what is not of the type of its column stays text.
func TestBodies(t *testing.T) {
	for _, c := range []struct {
		group string
		rows  []map[string]string
		want  string
	}{
		{"G", []map[string]string{
			{"G": "a", "K": " X ", "M": "1850.10", "C": "3", "F": "true", "L": "1; 2;", "D": "N935"}, {"G": "b", "M": "007", "F": "yes"}, {"G": "a", "M": "1850.10", "R": "0.5", "D": "N935", "P": "GB"},
		}, `[a {"documents":[{"type":"N935"}],"items":[{"codes":["1","2"],"count":3,"fresh":true,"mass":1850.10},{"mass":1850.10,"taxes":[{"rate":0.5}]}],"kind":"X","place":{"code":"GB"}} b {"items":[{"fresh":"yes","mass":"007"}]}]`},
		{"", []map[string]string{{"K": "X"}, {"K": "X"}}, `[1 {"kind":"X"} 2 {"kind":"X"}]`},
	} {
		bodies, faults := table(c.group).Bodies(c.rows)
		var got []string
		for _, b := range bodies {
			got = append(got, b.Reference, string(b.JSON))
		}
		if fmt.Sprint(got) != c.want || len(faults) > 0 {
			t.Errorf("%s %v", got, faults)
		}
	}
}

// Headers are recognised by the path, or by its last name if it is free.
func TestGuess(t *testing.T) {
	headers := []string{"Mass", "documents type", "Kind", "Colour"}
	got := Guess(columns, headers)
	for path, want := range map[string]string{"items[].mass": "Mass", "documents[].type": "documents type", "kind": "Kind"} {
		if got[path] == nil || *got[path] != want {
			t.Errorf("%s: %v", path, got[path])
		}
	}
	if len(got) != len(columns) || got["place.code"] != nil {
		t.Errorf("%v", got)
	}
}
