package schema_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// operation is an operation of the document.
type operation struct {
	*openapi3.Operation
	method, path string
}

func (o operation) String() string { return o.method + " " + o.path }

// document reads the program's document.
func (s *server) document(t *testing.T) []operation {
	t.Helper()
	d, err := openapi3.NewLoader().LoadFromData(get(t, s.base+"/api/docs/openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, schema := range d.Components.Schemas {
		permitNull(schema.Value)
	}
	var all []operation
	for path, item := range d.Paths.Map() {
		for method, op := range item.Operations() {
			if op.RequestBody != nil {
				for _, media := range op.RequestBody.Value.Content {
					exemplify(media.Schema.Value, media.Example)
				}
			}
			all = append(all, operation{op, method, path})
		}
	}
	slices.SortFunc(all, func(a, b operation) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// permitNull lets members of any name and type be null, as version 3.1 of the format says. The library reads them by version 3.0.
func permitNull(s *openapi3.Schema) {
	for _, member := range s.Properties {
		if free := member.Value.AdditionalProperties.Schema; free != nil && free.Value.IsEmpty() {
			free.Value.Nullable = true
		}
	}
}

// exemplify gives the members of a schema the values of an example.
func exemplify(s *openapi3.Schema, example any) {
	switch v := example.(type) {
	case map[string]any:
		for name, member := range s.Properties {
			if v[name] != nil {
				exemplify(member.Value, v[name])
			}
		}
	case []any:
		if s.Items != nil && len(v) > 0 {
			exemplify(s.Items.Value, v[0])
		}
	case string, float64:
		if len(s.Examples) == 0 && len(s.Enum) == 0 {
			s.Examples = []any{v}
		}
	}
}

// bodyType returns a media type of the operation's body, and its schema.
func (o operation) bodyType(m *maker) (string, *openapi3.Schema) {
	if o.RequestBody == nil {
		return "", nil
	}
	media := pick(m, slices.Sorted(maps.Keys(o.RequestBody.Value.Content)))
	return media, o.RequestBody.Value.Content[media].Schema.Value
}

// answer is the response.
type answer struct {
	status int
	header http.Header
	body   []byte
	value  any // parsed JSON
}

// fault is the common form of all errors.
func (a answer) fault() (f struct {
	Error   string
	Details []struct{ Field, Message string }
}) {
	_ = json.Unmarshal(a.body, &f)
	return f
}

// names reports whether the details name a field.
func (a answer) names(field string) bool {
	return slices.ContainsFunc(a.fault().Details, func(d struct{ Field, Message string }) bool { return d.Field == field && d.Message != "" })
}

// optionalHeader reports whether a header is sent with some answers only: those of the rate limit are sent if the
// request was counted.
func optionalHeader(name string) bool {
	return name == "X-Export-Truncated" || strings.HasPrefix(name, "X-RateLimit-")
}

// fits validates an answer with the document.
func (o operation) fits(a answer) error {
	response := o.Responses.Status(a.status)
	if response == nil {
		return fmt.Errorf("the document does not have status %d", a.status)
	}
	for name, header := range response.Value.Headers {
		text := a.header.Get(name)
		if _, err := strconv.Atoi(text); text != "" && err != nil && header.Value.Schema.Value.Type.Is("integer") {
			return fmt.Errorf("header %s is %q", name, text)
		}
		if text == "" && !optionalHeader(name) {
			return fmt.Errorf("header %s is missing", name)
		}
	}
	if len(response.Value.Content) == 0 {
		if len(a.body) > 0 {
			return fmt.Errorf("a body of %d bytes, want none", len(a.body))
		}
		return nil
	}
	media, _, err := mime.ParseMediaType(a.header.Get("Content-Type"))
	content := response.Value.Content[media]
	if err != nil || content == nil {
		return fmt.Errorf("Content-Type %q is not one of the document's", a.header.Get("Content-Type"))
	}
	if media != "application/json" {
		return nil
	}
	return content.Schema.Value.VisitJSON(a.value, formats...)
}

// formats are validated as well.
var formats = []openapi3.SchemaValidationOption{openapi3.MultiErrors(), openapi3.WithStringFormatValidators(map[string]openapi3.StringFormatValidator{
	"date-time": openapi3.NewCallbackValidator(func(text string) error { _, err := time.Parse(time.RFC3339, text); return err }),
	"date":      openapi3.NewCallbackValidator(func(text string) error { _, err := time.Parse(time.DateOnly, text); return err }),
	"uuid": openapi3.NewCallbackValidator(func(text string) error {
		if !ident.IsUUID(text) {
			return fmt.Errorf("%q is not a UUID", text)
		}
		return nil
	}),
})}

// isRefusal validates the answer to a request that belongs to no operation.
func isRefusal(a answer) error {
	var f struct{ Error, Message, RequestID string }
	if err := json.Unmarshal(a.body, &f); err != nil || f.Error == "" || f.Message == "" || f.RequestID != a.header.Get("X-Request-Id") {
		return fmt.Errorf("not an error in the common form: %v", err)
	}
	return nil
}
