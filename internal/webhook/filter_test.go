package webhook

import (
	"encoding/json"
	"testing"
)

// Each operator compares a member by its type; numbers exactly, whatever their notation. A member that is missing or
// null equals nothing.
func TestConditions(t *testing.T) {
	const body = `{"type":"declaration.cleared","data":{"previousStatus":null,"object":{"mrn":"26GB1","value":1850.10,"big":12345678901234567.89,
		"simulated":true,"submittedAt":"2026-11-21T09:00:00.000Z","items":[{"code":"6109"},{"code":"6203"}]}}}`
	for condition, want := range map[string]bool{
		`{"path":"type","op":"eq","value":"declaration.cleared"}`:                     true,
		`{"path":"data.object.value","op":"eq","value":1850.1}`:                       true,
		`{"path":"data.object.value","op":"eq","value":"1850.1"}`:                     false,
		`{"path":"data.object.value","op":"gt","value":1850.09}`:                      true,
		`{"path":"data.object.value","op":"lt","value":1850.1}`:                       false,
		`{"path":"data.object.value","op":"gt","value":"1"}`:                          false,
		`{"path":"data.object.submittedAt","op":"lt","value":"2026-11-22"}`:           true,
		`{"path":"data.object.simulated","op":"eq","value":true}`:                     true,
		`{"path":"data.object.simulated","op":"ne","value":true}`:                     false,
		`{"path":"data.object.mrn","op":"prefix","value":"26GB"}`:                     true,
		`{"path":"data.object.mrn","op":"prefix","value":"27"}`:                       false,
		`{"path":"data.object.mrn","op":"in","value":["x","26GB1"]}`:                  true,
		`{"path":"data.object.mrn","op":"in","value":["x",1]}`:                        false,
		`{"path":"data.object.mrn","op":"exists"}`:                                    true,
		`{"path":"data.object.lrn","op":"exists","value":false}`:                      true,
		`{"path":"data.previousStatus","op":"exists"}`:                                false,
		`{"path":"data.previousStatus","op":"ne","value":"DRAFT"}`:                    true,
		`{"path":"data.object.items.1.code","op":"eq","value":"6203"}`:                true,
		`{"path":"data.object.items.2.code","op":"exists"}`:                           false,
		`{"path":"data.object.mrn.deeper","op":"exists"}`:                             false,
		`{"path":"data.object.items","op":"eq","value":"6109"}`:                       false,
		`{"path":"data.object.missing","op":"gt","value":0}`:                          false,
		`{"path":"data.object.items.code","op":"exists"}`:                             false,
		`{"path":"data.object.submittedAt","op":"gt","value":"2026-11-21T09:00:00Z"}`: false,
	} {
		var w Condition
		if err := json.Unmarshal([]byte(condition), &w); err != nil {
			t.Fatal(err)
		}
		if problem := w.problem(); problem != "" {
			t.Errorf("%s: %s", condition, problem)
		}
		got, err := (&Filter{Where: []Condition{w}}).accepts("customs", "CLEARED", func() (string, error) { return body, nil })
		if err != nil || got != want {
			t.Errorf("%s is %v, %v", condition, got, err)
		}
	}
}

// Hub and status are decided without the body, and every part must hold.
func TestFilterParts(t *testing.T) {
	body := func() (string, error) { t.Error("the body is built"); return "{}", nil }
	for _, c := range []struct {
		filter Filter
		want   bool
	}{
		{Filter{}, true},
		{Filter{Hub: []string{"tss", "customs"}}, true},
		{Filter{Hub: []string{"tss"}, Where: []Condition{{Path: "type", Op: "exists"}}}, false},
		{Filter{Status: []string{"CLEARED"}, Hub: []string{"customs"}}, true},
		{Filter{Status: []string{"REJECTED"}, Hub: []string{"customs"}}, false},
	} {
		if got, err := c.filter.accepts("customs", "CLEARED", body); err != nil || got != c.want {
			t.Errorf("%+v is %v, %v", c.filter, got, err)
		}
	}
}

// A pattern covers the types that begin with its words; a star anywhere else covers nothing.
func TestPatterns(t *testing.T) {
	for pattern, want := range map[string]bool{
		"*": true, "declaration.*": true, "declaration.cleared": true, "tss.*": false, "declaration": false, "declaration.c*": false, "*.cleared": false, "decl.*": false, "*.*": false,
	} {
		if got := Subscribes([]string{pattern}, "declaration.cleared"); got != want {
			t.Errorf("%s is %v", pattern, got)
		}
	}
}
