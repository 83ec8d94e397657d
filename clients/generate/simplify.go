package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// object is a JSON object.
type object = map[string]any

// simplify returns the document in a form that generators of clients read without losing anything that typed code
// needs: OpenAPI 3.0, without examples and webhooks. All errors of an operation are one default answer, as all have
// the same schema. Schemas that stand inside operations get a name. Ids are texts. In answers, a member that can be null
// is optional: it is then absent or null, and clients treat both alike.
func simplify(text []byte) ([]byte, error) {
	var d object
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	s := simplifier{schemas: child(child(d, "components"), "schemas"), responses: child(child(d, "components"), "responses")}
	paths := child(d, "paths")
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for _, method := range methods {
			if op, ok := child(paths, path)[method].(object); ok {
				s.operation(op)
			}
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	s.answers()
	components := child(d, "components")
	delete(components, "responses")
	delete(components, "examples")
	delete(components, "headers")
	delete(d, "webhooks")
	d["openapi"] = "3.0.3"
	delete(child(child(d, "info"), "license"), "identifier") // of OpenAPI 3.1
	for _, of := range []any{components["schemas"], components["parameters"], d["paths"]} {
		older(of)
	}
	return json.MarshalIndent(d, "", " ")
}

// withoutDryRuns returns the simple form with one successful answer for each operation, that of a call which is not a dry
// run: otherwise the type of the answer would be either.
func withoutDryRuns(simple []byte) ([]byte, error) {
	var d object
	if err := json.Unmarshal(simple, &d); err != nil {
		return nil, err
	}
	for _, path := range child(d, "paths") {
		for _, op := range path.(object) {
			op, _ := op.(object)
			if responses := child(op, "responses"); responses["201"] != nil || responses["202"] != nil {
				delete(responses, "200")
			}
		}
	}
	return json.MarshalIndent(d, "", " ")
}

type simplifier struct {
	schemas, responses object
	requests           []any // schemas of request bodies
	err                error
}

func (s *simplifier) operation(op object) {
	id := camel(text(op, "operationId"))
	if body, ok := op["requestBody"].(object); ok {
		s.body(id, child(body, "content"))
	}
	responses, kept := child(op, "responses"), object{}
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		answer := s.resolved(responses[status])
		kept[status] = object{"description": answer["description"], "content": withoutXML(child(answer, "content"))}
		if media, ok := child(answer, "content")["application/json"].(object); ok {
			name := id + "Answer"
			if len(kept) > 1 {
				name += status
			}
			media["schema"] = s.named(name, media["schema"])
		}
	}
	kept["default"] = object{
		"description": "An error",
		"content":     object{"application/json": object{"schema": object{"$ref": "#/components/schemas/ProblemDetails"}}},
	}
	op["responses"] = kept
}

// withoutXML gives an answer in XML the media type of any file, so that generated code does not parse it.
func withoutXML(content object) object {
	if content["application/xml"] == nil {
		return content
	}
	return object{"application/octet-stream": object{"schema": object{"type": "string", "format": "binary"}}}
}

// body names the schemas of a request's body. A merge patch has the members of the other form.
func (s *simplifier) body(id string, content object) {
	for _, name := range slices.Sorted(maps.Keys(content)) {
		media := content[name].(object)
		switch name {
		case "application/json":
			media["schema"] = s.named(id+"Body", media["schema"])
		case "application/merge-patch+json":
			if plain := child(content, "application/json")["schema"]; plain != nil {
				media["schema"] = plain
			}
		}
		s.requests = append(s.requests, media["schema"])
	}
}

// named stores an object's schema under a name, and returns a reference to it. All other schemas stay where they are.
func (s *simplifier) named(name string, of any) any {
	inline, ok := of.(object)
	if !ok || inline["properties"] == nil {
		return of
	}
	if s.schemas[name] != nil {
		s.err = fmt.Errorf("the document has a schema %s, which is the name of one inside an operation", name)
	}
	s.schemas[name] = inline
	return object{"$ref": "#/components/schemas/" + name}
}

func (s *simplifier) resolved(answer any) object {
	o, _ := answer.(object)
	if ref := text(o, "$ref"); ref != "" {
		return child(s.responses, refName(ref))
	}
	return o
}

// answers makes members optional that can be null, in all schemas that are not of requests.
func (s *simplifier) answers() {
	sent := map[string]bool{}
	for _, r := range s.requests {
		s.reach(r, sent)
	}
	for name, of := range s.schemas {
		if !sent[name] {
			optional(of)
		}
	}
}

// reach marks the schemas that a schema refers to.
func (s *simplifier) reach(v any, seen map[string]bool) {
	switch v := v.(type) {
	case object:
		if name := refName(text(v, "$ref")); name != "" && !seen[name] {
			seen[name] = true
			s.reach(s.schemas[name], seen)
		}
		for _, member := range v {
			s.reach(member, seen)
		}
	case []any:
		for _, member := range v {
			s.reach(member, seen)
		}
	}
}

func optional(v any) {
	switch v := v.(type) {
	case object:
		properties, _ := v["properties"].(object)
		for name, of := range properties {
			if types, ok := of.(object)["type"].([]any); ok && slices.Contains(types, any("null")) {
				required, _ := v["required"].([]any)
				v["required"] = slices.DeleteFunc(required, func(r any) bool { return r == name })
				of.(object)["type"] = withoutNull(types)
			}
		}
		if required, ok := v["required"].([]any); ok && len(required) == 0 {
			delete(v, "required")
		}
		for _, member := range v {
			optional(member)
		}
	case []any:
		for _, member := range v {
			optional(member)
		}
	}
}

// withoutNull is a list of types without null, or its only other type.
func withoutNull(types []any) any {
	rest := slices.DeleteFunc(slices.Clone(types), func(t any) bool { return t == "null" })
	if len(rest) == 1 {
		return rest[0]
	}
	return rest
}

// older rewrites schemas to those of OpenAPI 3.0, and removes examples.
func older(v any) {
	switch v := v.(type) {
	case []any:
		for _, member := range v {
			older(member)
		}
	case object:
		if isSchema(v) {
			if types, ok := v["type"].([]any); ok {
				v["type"], v["nullable"] = withoutNull(types), true
			}
			if values, ok := v["enum"].([]any); ok {
				v["enum"] = slices.DeleteFunc(values, func(e any) bool { return e == nil })
			}
			if v["format"] == "uuid" {
				delete(v, "format")
			}
			for _, name := range []string{"examples", "propertyNames", "contentMediaType", "contentEncoding"} {
				delete(v, name)
			}
		}
		delete(v, "example")
		if v["in"] != nil || v["schema"] != nil {
			delete(v, "examples")
		}
		for name, member := range v {
			if properties, ok := member.(object); ok && name == "properties" {
				for _, of := range properties {
					older(of)
				}
				continue
			}
			older(member)
		}
	}
}

// isSchema reports whether an object is a schema with a type: no other object of the document has such a member.
func isSchema(v object) bool {
	t := reflect.ValueOf(v["type"])
	return t.IsValid() && (t.Kind() == reflect.String || t.Kind() == reflect.Slice) && v["in"] == nil
}

// child is a member that is an object; empty if there is none.
func child(o object, name string) object {
	c, ok := o[name].(object)
	if !ok {
		return object{}
	}
	return c
}

func text(o object, name string) string {
	s, _ := o[name].(string)
	return s
}
