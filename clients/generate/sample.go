package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// sampleBody is an example of a request's body: the document's, or else one made of the examples of its members.
func sampleBody(d api, of *media) string {
	example := of.Example
	for _, name := range slices.Sorted(maps.Keys(of.Examples)) {
		if example == nil {
			example = of.Examples[name].Value
		}
	}
	if example == nil {
		example = sample(d, of.Schema)
	}
	var out bytes.Buffer
	if json.Indent(&out, example, "", "  ") != nil {
		return string(example)
	}
	return out.String()
}

// sample is a value of a schema: its example, or one of its members that have one or must be there.
func sample(d api, s *schema) json.RawMessage {
	if s != nil && s.Ref != "" {
		s = d.Components.Schemas[refName(s.Ref)]
	}
	switch {
	case s == nil:
		return json.RawMessage(`null`)
	case len(s.Examples) > 0:
		return s.Examples[0]
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Properties != nil:
		members := map[string]json.RawMessage{}
		for name, of := range s.Properties {
			if s.requires(name) || len(of.Examples) > 0 && name != "uniqueReference" {
				members[name] = sample(d, of)
			}
		}
		out, _ := json.Marshal(members) // the values come from a valid document
		return out
	}
	switch s.kind() {
	case "array":
		return json.RawMessage(`[` + string(sample(d, s.Items)) + `]`)
	case "object":
		return json.RawMessage(`{}`)
	case "integer", "number":
		return json.RawMessage(`1`)
	case "boolean":
		return json.RawMessage(`false`)
	}
	return json.RawMessage(`""`)
}

// sampleText is a sample as the text of a field or a parameter.
func sampleText(d api, s *schema) string {
	raw := sample(d, s)
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// exampleOf is the value that the collection shows for a parameter; empty if the document has no example.
func exampleOf(p *parameter) string {
	for _, raw := range append([]json.RawMessage{p.Example}, p.Schema.Examples...) {
		if len(raw) == 0 {
			continue
		}
		var text string
		if json.Unmarshal(raw, &text) == nil {
			return text
		}
		return string(raw)
	}
	return ""
}
