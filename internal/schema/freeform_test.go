package schema_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// letter has a free-form object of at most 100 bytes and three levels.
type letter struct {
	Name string   `json:"name"`
	Form freeForm `json:"form,omitempty"`
}

type freeForm map[string]any

func (freeForm) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true, Extensions: map[string]any{schema.MaxBytes: 100, schema.MaxDepth: 3}}
}

// A free-form object accepts members of any name and type up to its size and depth. An excess is
// reported once, together with the other errors of the body.
func TestFreeForm(t *testing.T) {
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	letters := registry.Schema(reflect.TypeFor[letter](), true, "")
	const large, deep = "form: must take at most 100 bytes, not 101", "form: must not nest deeper than 3 levels"
	text := func(n int) string { return `{"a":"` + strings.Repeat("x", n-len(`{"a":""}`)) + `"}` }
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"anything", `{"name":"x","form":{"a":[1,{"b":null}],"c":{"":[true]},"d":0.1}}`, nil},
		{"empty", `{"name":"x","form":{}}`, nil},
		{"not an object", `{"name":"x","form":[1]}`, []string{"form: must be an object, not a list"}},
		{"null", `{"name":"x","form":null}`, []string{"form: must not be null; leave it out instead"}},
		{"maximum size", `{"name":"x","form":` + text(100) + `}`, nil},
		{"too large", `{"name":"x","form":` + text(101) + `}`, []string{large}},
		{"too large because of spaces", `{"name":"x","form": {"a": "` + strings.Repeat(" ", 100-len(`{"a": ""}`)) + `" } }`, []string{large}},
		{"too deep", `{"name":"x","form":{"a":{"b":{"c":{}}}}}`, []string{deep}},
		{"lists too deep", `{"name":"x","form":{"a":[[[]]],"b":[[[]]]}}`, []string{deep}},
		{"too deep, with other errors", `{"form":{"a":[[[{"x":1}]]],"b":1,"b":2,"c":1e999},"other":1}`,
			[]string{deep, "form.b: appears more than once", "form.c: is too large or too long a number", "other: is not a known field", "name: is required"}},
		{"nested 500,000 deep, unclosed", `{"name":"x","form":{"a":` + strings.Repeat("[", 500_000) + `}}`, []string{deep}},
		{"nested 1,000 deep, closed", `{"name":"x","form":{"a":` + strings.Repeat("[", 1_000) + strings.Repeat("]", 1_000) + `}}`, []string{deep, "form: must take at most 100 bytes, not 2006"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, schema.Validator{Schemas: registry}.Check(letters, []byte(c.body)), c.want...)
		})
	}
}

// entry needs its own words unless it has the content of a message.
type entry struct {
	Port    string         `json:"port,omitempty" requiredWithout:"message"`
	Carrier string         `json:"carrier,omitempty" requiredWithout:"message"`
	Note    string         `json:"note,omitempty"`
	Message filing.Content `json:"message,omitempty"`
}

// The content of a message is any object, and the fields that it stands for are required without it. A patch may remove them;
// the whole body is checked afterwards.
func TestContent(t *testing.T) {
	schemas := schema.NewSchemas()
	entries := schemas.Of(reflect.TypeFor[entry]())
	for _, c := range []struct {
		body string
		want []string
	}{
		{`{"port":"GBDVR","carrier":"x"}`, nil},
		{`{"message":{"hEAHEA":{"totGroMasHEA307":12.5},"iTI":[{"couOfRouCodITI1":"ES"}]}}`, nil},
		{`{"message":{},"port":"GBDVR"}`, nil},
		{`{"note":"x"}`, []string{"port: is required", "carrier: is required"}},
		{`{"message":[]}`, []string{"message: must be an object, not a list"}},
		{`{"message":{"a":` + strings.Repeat(`{"a":`, 20) + `1` + strings.Repeat("}", 20) + `}}`, []string{"message: must not nest deeper than 20 levels"}},
	} {
		expect(t, schema.Validator{Schemas: schemas}.Check(entries, []byte(c.body)), c.want...)
	}
	if details := (schema.Validator{Schemas: schemas}).CheckPatch(entries, []byte(`{"port":null,"carrier":null,"message":{}}`)); len(details) > 0 {
		t.Errorf("a patch: %v", details)
	}
	var e entry
	const sent = `{"message":{"b":1.50,"a":"<"}}`
	if err := json.Unmarshal([]byte(sent), &e); err != nil {
		t.Fatal(err)
	}
	if string(e.Message) != `{"b":1.50,"a":"<"}` {
		t.Errorf("read %s", e.Message)
	}
}
