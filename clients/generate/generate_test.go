package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const documentFile = "../../docs/openapi.json"

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The Postman collection in the repository has every operation of the document, with the same method and path, takes
// address and key from variables, an idempotency key of its own for each call, and its JSON bodies are JSON.
func TestCollectionCoversTheDocument(t *testing.T) {
	var d api
	if err := json.Unmarshal(read(t, documentFile), &d); err != nil {
		t.Fatal(err)
	}
	var c collection
	if err := json.Unmarshal(read(t, "../postman/tidewaiter.postman_collection.json"), &c); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range c.Item {
		for _, e := range f.Item {
			path := strings.ReplaceAll("/"+strings.Join(e.Request.URL.Path, "/"), "/:", "/{")
			found[e.Request.Method+" "+path] = true
			if !strings.HasPrefix(e.Request.URL.Raw, "{{baseUrl}}/api/") {
				t.Errorf("%s has the address %s", e.Name, e.Request.URL.Raw)
			}
			if b := e.Request.Body; b != nil && b.Options != nil && !json.Valid([]byte(b.Raw)) {
				t.Errorf("%s has the body %s", e.Name, b.Raw)
			}
			for _, h := range e.Request.Header {
				if h.Key == "Idempotency-Key" && h.Value != newGUID {
					t.Errorf("%s has the Idempotency-Key %s, as other requests have", e.Name, h.Value)
				}
			}
		}
	}
	operations := d.operations()
	for _, op := range operations {
		if !found[op.method+" "+strings.ReplaceAll(op.path, "}", "")] {
			t.Errorf("the collection has no %s %s", op.method, op.path)
		}
	}
	if len(found) != len(operations) {
		t.Errorf("%d requests for %d operations", len(found), len(operations))
	}
	if len(c.Auth.Bearer) != 1 || c.Auth.Bearer[0].Value != "{{apiKey}}" {
		t.Errorf("the key is %v", c.Auth)
	}
}

// Both forms of errors become one, inline schemas get names, null in an answer becomes absence, and null in a request
// stays.
func TestSimplify(t *testing.T) {
	out, err := simplify([]byte(`{"openapi": "3.1.0", "webhooks": {"x": {}}, "components": {
		"responses": {"BadRequest": {"description": "bad"}},
		"schemas": {"ProblemDetails": {"type": "object"},
			"Thing": {"type": "object", "required": ["id", "end"], "properties": {"id": {"type": "string", "format": "uuid"}, "end": {"type": ["string", "null"], "examples": ["x"]}}}}},
		"paths": {"/api/things": {"patch": {"operationId": "update-thing",
			"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"end": {"type": ["string", "null"]}}}}}},
			"responses": {"200": {"description": "it", "headers": {}, "content": {"application/json": {"schema": {"type": "object", "properties": {"thing": {"$ref": "#/components/schemas/Thing"}}}}}},
				"304": {"description": "same"}, "400": {"$ref": "#/components/responses/BadRequest"}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`{"openapi": "3.0.3", "components": {
		"schemas": {"ProblemDetails": {"type": "object"},
			"Thing": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "end": {"type": "string"}}},
			"UpdateThingBody": {"type": "object", "properties": {"end": {"type": "string", "nullable": true}}},
			"UpdateThingAnswer": {"type": "object", "properties": {"thing": {"$ref": "#/components/schemas/Thing"}}}}},
		"paths": {"/api/things": {"patch": {"operationId": "update-thing",
			"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/UpdateThingBody"}}}},
			"responses": {"200": {"description": "it", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/UpdateThingAnswer"}}}},
				"default": {"description": "An error", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}}}}}}}`), &want); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(want)
	if string(a) != string(b) {
		t.Errorf("%s\nnot %s", a, b)
	}
}

// Names that Python or pydantic uses are changed, and only those.
func TestPythonNames(t *testing.T) {
	for name, want := range map[string]string{
		"import": "import_", "json": "json_", "items[].procedureCode": "items_procedureCode", "addressLine1": "addressLine1", "model_name": "model_name_",
	} {
		if got := pythonName(name); got != want {
			t.Errorf("%s becomes %s, not %s", name, got, want)
		}
	}
	for name, want := range map[string]string{"createdAfter": "created_after", "Idempotency-Key": "idempotency_key", "get-deadline.calendar": "get_deadline_calendar"} {
		if got := snake(name); got != want {
			t.Errorf("%s becomes %s, not %s", name, got, want)
		}
	}
}

// Every section of the page for integrators that has an example has it in all languages.
func TestPageHasAllLanguages(t *testing.T) {
	sections := strings.Split(string(read(t, "../../docs/integrating.md")), "\n## ")[1:]
	shown := 0
	for _, s := range sections {
		for language := range examples {
			if n := strings.Count(s, "\n```"+language+"\n"); strings.Contains(s, "```sh\n") && n != 1 {
				title, _, _ := strings.Cut(s, "\n")
				t.Errorf("%s has %d examples in %s", title, n, language)
			} else {
				shown += n
			}
		}
	}
	for language, file := range examples {
		if parts := regions(string(read(t, "../"+file))); len(parts)*len(examples) != shown {
			t.Errorf("the program in %s has %d parts; the page shows %d in %d languages", language, len(parts), shown, len(examples))
		}
	}
}

// A block gets the part of its section, and what stands around it stays.
func TestFillPage(t *testing.T) {
	folder := t.TempDir()
	for _, file := range examples {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, file)), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, file), []byte("begin\n# [limits]\none\n  two\n# [end]\nrest\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	page := filepath.Join(folder, "page.md")
	write := func(text string) {
		if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# Page\n\n## Limits\n\n```python\nold\n```\n\n```json\nkept\n```\nend\n")
	got, err := fillPage(page, folder)
	if want := "# Page\n\n## Limits\n\n```python\none\n  two\n```\n\n```json\nkept\n```\nend\n"; err != nil || string(got) != want {
		t.Errorf("%v: %s", err, got)
	}
	write("## Errors\n\n```go\n```\n")
	if _, err := fillPage(page, folder); err == nil {
		t.Error("a part that does not exist is no error")
	}
}

// The check of openapi-generator, which makes clients in 60 languages, finds no error in the simple form of the document. Its
// releases that npm has do not read OpenAPI 3.1, so the document itself is left to Redocly and Spectral.
func TestOpenAPIGeneratorAccepts(t *testing.T) {
	const tool = "../../tmp/contract/node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar"
	if _, err := os.Stat(tool); err != nil {
		t.Skip("openapi-generator is not installed; scripts/deps installs it from the npm registry")
	}
	java, err := exec.LookPath("java")
	if err != nil {
		t.Skip("Java is not installed, which openapi-generator needs")
	}
	simple, err := simplify(read(t, documentFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		document []byte
		valid    bool
	}{{simple, true}, {bytes.Replace(simple, []byte(`"operationId"`), []byte(`"operationName"`), 1), false}} {
		file := filepath.Join(t.TempDir(), "openapi.json")
		if err := os.WriteFile(file, test.document, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), java, "-jar", tool, "validate", "-i", file).CombinedOutput()
		if valid := err == nil; valid != test.valid {
			t.Errorf("valid: %t, want %t\n%.4000s", valid, test.valid, out)
		}
	}
}
