package app_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// object is a JSON object.
type object = map[string]any

// openAPI returns the OpenAPI document.
func openAPI(t *testing.T) (document object) {
	t.Helper()
	if err := json.Unmarshal(app.OpenAPI(config.Config{}), &document); err != nil {
		t.Fatal(err)
	}
	return document
}

// at returns a member of nested objects.
func at(o any, path ...string) any {
	for _, name := range path {
		members, _ := o.(object)
		o = members[name]
	}
	return o
}

// resolved follows a reference to a component.
func resolved(document object, o any) any {
	if ref, ok := at(o, "$ref").(string); ok {
		return at(document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return o
}

// eachSchema calls visit for a schema and all within it, except those that it refers to.
func eachSchema(s any, place string, visit func(s object, place string)) {
	schema, ok := s.(object)
	if !ok {
		return
	}
	visit(schema, place)
	for _, keyword := range []string{"items", "additionalProperties"} {
		eachSchema(schema[keyword], place+"/"+keyword, visit)
	}
	members, _ := schema["properties"].(object)
	for name, member := range members {
		eachSchema(member, place+"/"+name, visit)
	}
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		alternatives, _ := schema[keyword].([]any)
		for _, one := range alternatives {
			eachSchema(one, place+"/"+keyword, visit)
		}
	}
}

// eachContent calls visit for the schemas of a body or response.
func eachContent(holder any, place string, visit func(s object, place string)) {
	media, _ := at(holder, "content").(object)
	for _, m := range media {
		eachSchema(at(m, "schema"), place, visit)
	}
}

// schemasOf calls visit for every schema of requests and of answers.
func schemasOf(document object, requests, answers func(s object, place string)) {
	for path, item := range document["paths"].(object) {
		for method, op := range item.(object) {
			place := method + " " + path
			eachContent(at(op, "requestBody"), place, requests)
			params, _ := at(op, "parameters").([]any)
			for _, p := range params {
				eachSchema(at(resolved(document, p), "schema"), place, requests)
			}
			for status, r := range at(op, "responses").(object) {
				eachContent(r, place+" "+status, answers)
				headers, _ := at(r, "headers").(object)
				for name, h := range headers {
					eachSchema(at(resolved(document, h), "schema"), place+" "+name, answers)
				}
			}
		}
	}
	for event, item := range document["webhooks"].(object) {
		eachContent(at(item, "post", "requestBody"), event, answers)
	}
	for name, r := range at(document, "components", "responses").(object) {
		eachContent(r, name, answers)
	}
	for name, s := range at(document, "components", "schemas").(object) {
		if strings.HasSuffix(name, "Input") {
			eachSchema(s, name, requests)
		} else {
			eachSchema(s, name, answers)
		}
	}
}

// hasType reports whether a schema allows a type.
func hasType(s object, name string) bool {
	types, _ := s["type"].([]any)
	return s["type"] == name || slices.Contains(types, any(name))
}

// Typed clients rely on the schemas: every number has a format, so that money does not become a 32-bit
// float; answers are open, so that later versions can add members, and have no multipleOf, which
// validators compute in binary floating point; the objects of requests are closed, as unknown members
// are errors; null is in the enumerations of what
// can be null; and no format or keyword is foreign to JSON Schema validators.
func TestSchemasForTypedClients(t *testing.T) {
	known := []any{nil, "date-time", "date", "uuid", "uri", "binary", "double", "int64", "int32"}
	common := func(s object, place string) {
		if (hasType(s, "number") || hasType(s, "integer")) && s["format"] == nil {
			t.Errorf("%s: a number without a format", place)
		}
		if !slices.Contains(known, s["format"]) {
			t.Errorf("%s: format %v", place, s["format"])
		}
		if values, ok := s["enum"].([]any); ok && hasType(s, "null") && !slices.Contains(values, nil) {
			t.Errorf("%s: can be null, but not by its enumeration", place)
		}
		for keyword := range s {
			if strings.HasPrefix(keyword, "x-") {
				t.Errorf("%s: keyword %s", place, keyword)
			}
		}
	}
	requests := func(s object, place string) {
		common(s, place)
		if hasType(s, "object") && s["additionalProperties"] == nil {
			t.Errorf("%s: an open object in a request", place)
		}
	}
	answers := func(s object, place string) {
		common(s, place)
		for keyword, forbidden := range map[string]bool{"additionalProperties": s["additionalProperties"] == false, "multipleOf": s["multipleOf"] != nil} {
			if forbidden {
				t.Errorf("%s: %s %v in an answer", place, keyword, s[keyword])
			}
		}
	}
	schemasOf(openAPI(t), requests, answers)
}

// In answers a member that can be null is always present. Only what a caller sent is returned as it
// was sent: left out, or null.
func TestNullableMembersArePresent(t *testing.T) {
	document := openAPI(t)
	sent := map[string]bool{}
	for name, s := range at(document, "components", "schemas").(object) {
		members, _ := at(s, "properties").(object)
		for member := range members {
			sent[member] = sent[member] || strings.HasSuffix(name, "Input")
		}
	}
	schemasOf(document, func(object, string) {}, func(s object, place string) {
		if strings.HasSuffix(place, "/mapping") {
			return // its members are the fields of an import, not of the answer
		}
		required, _ := s["required"].([]any)
		members, _ := s["properties"].(object)
		for name, member := range members {
			if hasType(member.(object), "null") && !slices.Contains(required, any(name)) && !sent[name] {
				t.Errorf("%s: %s can be null, and is not required", place, name)
			}
		}
	})
	for _, want := range []struct{ schema, member string }{{"CbamReportRecord", "submittedAt"}, {"CbamReportSummary", "submittedAt"}, {"DeclarationRecord", "mrn"}, {"DeclarationSummary", "mrn"}} {
		s := at(document, "components", "schemas", want.schema)
		if required, _ := at(s, "required").([]any); !slices.Contains(required, any(want.member)) || !hasType(at(s, "properties", want.member).(object), "null") {
			t.Errorf("%s: %s is not a nullable member that is always present", want.schema, want.member)
		}
	}
}

// twoWords matches names of schemas that do not collide with names that generated code uses itself.
var twoWords = regexp.MustCompile(`^[A-Z][a-z0-9]+([A-Z][A-Za-z0-9]*)+$`)

// The names of schemas have at least two words, and no ending that generators give to their own types;
// every body of a request, and nothing else, ends with Input.
func TestSchemaNames(t *testing.T) {
	document := openAPI(t)
	schemas := at(document, "components", "schemas").(object)
	for name := range schemas {
		if !twoWords.MatchString(name) || regexp.MustCompile(`(Body|Request|Response|Params|Client|RecordRecord)$`).MatchString(name) {
			t.Errorf("%s: add a better name to publishedNames in internal/api", name)
		}
	}
	reference := func(input bool) func(object, string) {
		return func(s object, place string) {
			if ref, ok := s["$ref"].(string); ok && strings.HasSuffix(ref, "Input") != input {
				t.Errorf("%s refers to %s", place, ref)
			}
		}
	}
	schemasOf(document, reference(true), reference(false))
}

// What the specification enumerates is enumerated: error codes, Hubs, statuses in filters and records,
// roles and severities.
func TestEnumerations(t *testing.T) {
	document := openAPI(t)
	schemas := at(document, "components", "schemas")
	for _, c := range []struct {
		path []string
		want string
	}{
		{[]string{"ProblemDetails", "properties", "error", "enum"}, "invalid_request"},
		{[]string{"ProblemDetails", "properties", "error", "enum"}, "precondition_failed"},
		{[]string{"FilingDeadline", "properties", "hub", "enum"}, "tax"},
		{[]string{"AuditEvent", "properties", "hub", "enum"}, "customs"},
		{[]string{"HubState", "properties", "id", "enum"}, "gvms"},
		{[]string{"DeclarationRecord", "properties", "status", "enum"}, "CLEARED"},
		{[]string{"ApiKeyInput", "properties", "role", "enum"}, "VIEWER"},
		{[]string{"ApiKey", "properties", "role", "enum"}, "OWNER"},
		{[]string{"ReviewFinding", "properties", "severity", "enum"}, "blocker"},
	} {
		values, _ := at(schemas, c.path...).([]any)
		if !slices.Contains(values, any(c.want)) {
			t.Errorf("%s does not contain %s: %v", strings.Join(c.path, "/"), c.want, values)
		}
	}
	for _, c := range []struct{ path, param, want string }{
		{"/api/declarations", "status", "CLEARED"}, {"/api/trade/licences", "status", "EXPIRED"}, {"/api/corporate/filings", "status", "OVERDUE"},
		{"/api/emcs/movements", "status", "IN_TRANSIT"}, {"/api/tax/periods", "status", "FULFILLED"}, {"/api/audit", "hub", "cbam"}, {"/api/audit/export.csv", "hub", "ics2"},
	} {
		params, _ := at(document, "paths", c.path, "get", "parameters").([]any)
		i := slices.IndexFunc(params, func(p any) bool { return at(resolved(document, p), "name") == c.param })
		param := resolved(document, params[i])
		values, _ := at(param, "schema", "enum").([]any)
		if several, ok := at(param, "schema", "items", "enum").([]any); ok {
			values = several
		}
		if !slices.Contains(values, any(c.want)) {
			t.Errorf("%s: %s does not contain %s: %v", c.path, c.param, c.want, values)
		}
	}
}
