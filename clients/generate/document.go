package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// api is what the generators read of an OpenAPI document.
type api struct {
	Info       struct{ Title, Description, Version string }
	Tags       []struct{ Name, Description string }
	Paths      map[string]map[string]*operation
	Components struct {
		Schemas    map[string]*schema
		Parameters map[string]*parameter
	}
}

// operation is one method of one path.
type operation struct {
	OperationID string `json:"operationId"`
	Summary     string
	Description string
	Tags        []string
	Parameters  []*parameter
	RequestBody *struct {
		Required bool
		Content  map[string]*media
	} `json:"requestBody"`
	Responses map[string]*struct {
		Description string
		Content     map[string]*media
	}
	Security *json.RawMessage // absent: the key of the API

	method, path string
}

type parameter struct {
	Ref         string `json:"$ref"`
	Name, In    string
	Description string
	Required    bool
	Example     json.RawMessage
	Schema      *schema
}

type media struct {
	Schema   *schema
	Example  json.RawMessage
	Examples map[string]struct{ Value json.RawMessage }
}

// schema is a JSON schema. Type is a text, or in a full document also a list.
type schema struct {
	Ref                  string `json:"$ref"`
	Type                 json.RawMessage
	Format               string
	Description          string
	Nullable             bool
	Enum                 []json.RawMessage
	Examples             []json.RawMessage
	Properties           map[string]*schema
	Required             []string
	Items                *schema
	AdditionalProperties json.RawMessage
}

// kind is the type without null; empty if the schema allows every value.
func (s *schema) kind() string {
	var one string
	if json.Unmarshal(s.Type, &one) == nil {
		return one
	}
	var several []string
	_ = json.Unmarshal(s.Type, &several) // neither: no type
	for _, t := range several {
		if t != "null" {
			return t
		}
	}
	return ""
}

// values is the schema of the values of an object that is a map; nil if it is none.
func (s *schema) values() *schema {
	var values schema
	if len(s.AdditionalProperties) == 0 || json.Unmarshal(s.AdditionalProperties, &values) != nil {
		return nil
	}
	return &values
}

func (s *schema) requires(name string) bool { return slices.Contains(s.Required, name) }

// methods are those of an API, in the order in which they are written.
var methods = []string{"get", "post", "put", "patch", "delete"}

// operations lists all operations by path and method.
func (d api) operations() (all []*operation) {
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range methods {
			if op := d.Paths[path][method]; op != nil {
				op.method, op.path = strings.ToUpper(method), path
				all = append(all, op)
			}
		}
	}
	return all
}

// resolved is a parameter, or the one that it refers to.
func (d api) resolved(p *parameter) *parameter {
	if p.Ref == "" {
		return p
	}
	return d.Components.Parameters[refName(p.Ref)]
}

// success is the media type and the schema of the operation's answer: of several, that of the highest status, as 200 is
// then a dry run's.
func (op *operation) success() (string, *schema) {
	statuses := op.successes()
	for _, name := range slices.Sorted(maps.Keys(op.Responses[statuses[0]].Content)) {
		return name, op.Responses[statuses[0]].Content[name].Schema
	}
	return "", nil
}

// successes are the successful statuses, the highest first. A 202 beside a 201 answers another media type of the body, such as
// a ZIP file of documents, which the clients do not send.
func (op *operation) successes() []string {
	all := slices.DeleteFunc(slices.Sorted(maps.Keys(op.Responses)), func(status string) bool {
		return !strings.HasPrefix(status, "2") || status == "202" && op.Responses["201"] != nil
	})
	slices.Reverse(all)
	return all
}

// refName is the last part of a reference.
func refName(ref string) string { return ref[strings.LastIndex(ref, "/")+1:] }

// camel joins the words of an operation's id: list-clients becomes ListClients.
func camel(id string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(id, func(r rune) bool { return r == '-' || r == '.' || r == '_' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
