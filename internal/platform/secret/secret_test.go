package secret_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
)

var codes = secret.Member{List: "guarantees", Name: "accessCode", Same: []string{"type", "reference"}}

// Secrets are taken out of the list that holds them, and nothing else changes.
func TestTake(t *testing.T) {
	body := `{"a":{"accessCode":"kept"},"guarantees":[{"type":"1","reference":"R","accessCode":"12\"4","amount":{"amount":1.50}},{"type":"2"},{"accessCode":{"set":true}}],"z":[1]}`
	masked, given, err := codes.Take(json.RawMessage(body))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(body, `"12\"4"`, `{"set":true}`, 1)
	if string(masked) != want {
		t.Errorf("masked:\nis   %s\nwant %s", masked, want)
	}
	same := []secret.Given{{Index: 0, Same: `["1","R"]`, Text: `12"4`}, {Index: 2, Same: `["",""]`, Text: secret.Mask}}
	if !reflect.DeepEqual(given, same) {
		t.Errorf("given %+v, want %+v", given, same)
	}
	if plain, none, err := codes.Take(json.RawMessage(`{"guarantees":[{"type":"1"}]}`)); err != nil || none != nil || string(plain) != `{"guarantees":[{"type":"1"}]}` {
		t.Errorf("a body without secrets: %s %v %v", plain, none, err)
	}
	for _, wrong := range []string{`{"guarantees":[{"accessCode":12}]}`, `{"guarantees":[{"accessCode":{"set":false}}]}`} {
		if _, _, err := codes.Take(json.RawMessage(wrong)); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

// A masked secret keeps the stored one of an entry with the same values, wherever that stands, and no other one.
func TestKeep(t *testing.T) {
	stored := []secret.Given{{Index: 0, Same: "A", Text: "1"}, {Index: 1, Same: "B", Text: "2"}, {Index: 2, Same: "B", Text: "3"}}
	given := []secret.Given{{Index: 0, Same: "B", Text: secret.Mask}, {Index: 1, Same: "A", Text: secret.Mask}, {Index: 2, Same: "B", Text: secret.Mask}, {Index: 3, Same: "C", Text: "4"}}
	kept, details := secret.Keep(codes.Path, given, stored)
	texts := map[int]secret.Text{}
	for _, k := range kept {
		texts[k.Index] = k.Text
	}
	if want := map[int]secret.Text{0: "2", 1: "1", 2: "3", 3: "4"}; details != nil || !reflect.DeepEqual(texts, want) {
		t.Errorf("kept %v, %v, want %v", texts, details, want)
	}
	_, details = secret.Keep(codes.Path, []secret.Given{{Index: 1, Same: "D", Text: secret.Mask}}, stored)
	if len(details) != 1 || details[0].Field != "guarantees[1].accessCode" {
		t.Errorf("a guarantee that is not stored: %v", details)
	}
}

// A secret is never written.
func TestTextIsHidden(t *testing.T) {
	raw, err := json.Marshal(map[string]secret.Text{"a": "1234"})
	if err != nil || string(raw) != `{"a":{"set":true}}` {
		t.Errorf("written as %s, %v", raw, err)
	}
}
