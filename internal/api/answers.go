package api

import (
	"maps"
	"mime"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	media, params, err := mime.ParseMediaType(contentType)
	charset := params["charset"]
	return err == nil && media == jsonType && (charset == "" || charset == "utf-8" || charset == "UTF-8")
}

var idempotencyParam = &huma.Param{
	Name: idempotencyHeader, In: "header", Description: "Makes the call take effect once: for 7 days, repeats by the same API key get the first answer; for 24 hours if it holds a secret",
	Schema: &huma.Schema{Type: huma.TypeString, MinLength: ptr(1), MaxLength: ptr(255)}, Example: "5f0c1a3e-order-42",
}

// sourceHeader says who answered what a model may have a part in.
const sourceHeader = "X-AI-Source"

var sourceParam = &huma.Param{
	Description: "Who answered: the service by itself, or the provider that is configured",
	Schema:      &huma.Schema{Type: huma.TypeString, Enum: []any{"offline", "provider"}},
}

func ptr[T any](v T) *T { return &v }

// explained are the answers that are not 2xx, with their names in the document.
var explained = map[int]struct{ name, about string }{
	400: {"BadRequest", "The input is not valid, or the record's state does not allow the step"},
	401: {"Unauthorized", "The API key is missing or not valid"},
	402: {"HubNotEnabled", "The organisation has not enabled the Hub"},
	403: {"Forbidden", "The role, scopes or addresses of the key do not allow it"},
	404: {"NotFound", "There is no such record here"},
	409: {"Conflict", "It is already so, cannot be so, or is under way"},
	413: {"PayloadTooLarge", "The body is too large"},
	415: {"UnsupportedMediaType", "The body is not of a type that is read here"},
	422: {"IdempotencyMismatch", "The Idempotency-Key was used for another request"},
	429: {"RateLimited", "The budget of requests is used up"},
	500: {"InternalError", "A fault of the service"},
	502: {"CustomsFailed", "Customs or HMRC cannot be reached, or refused the submission"},
	503: {"Unavailable", "The service is stopping, or its database does not answer"},
}

// waits are the answers that say when to come back.
var waits = map[int]string{
	http.StatusTooManyRequests:    "Seconds until the budget is whole again",
	http.StatusServiceUnavailable: "Seconds to wait before the same request is sent again",
}

func responseRef(status int) string { return "#/components/responses/" + explained[status].name }

// describeErrors puts the error body and every refusal into the document once.
func (s *Server) describeErrors() {
	components := s.api.OpenAPI().Components
	components.Schemas.Map()["Error"] = huma.SchemaFromType(components.Schemas, reflect.TypeFor[problemShape]())
	components.Responses = map[string]*huma.Response{}
	for status, e := range explained {
		headers := s.commonHeaders()
		if about, ok := waits[status]; ok {
			headers["Retry-After"] = &huma.Param{Description: about, Schema: &huma.Schema{Type: huma.TypeInteger}, Example: 42}
		}
		components.Responses[e.name] = &huma.Response{
			Description: e.about, Headers: headers,
			Content: map[string]*huma.MediaType{jsonType: {Schema: &huma.Schema{Ref: errorSchema}}},
		}
	}
}

// problemShape is the error body as the document shows it.
type problemShape problem

func (s *Server) commonHeaders() map[string]*huma.Param {
	return map[string]*huma.Param{
		requestIDHeader:         {Description: "Names this answer", Schema: &huma.Schema{Type: huma.TypeString}, Example: "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"},
		"X-RateLimit-Limit":     {Description: "Requests in the budget", Schema: &huma.Schema{Type: huma.TypeInteger}, Example: 1000},
		"X-RateLimit-Remaining": {Description: "Requests left of it", Schema: &huma.Schema{Type: huma.TypeInteger}, Example: 999},
		"X-RateLimit-Reset":     {Description: "Unix seconds at which it is whole again", Schema: &huma.Schema{Type: huma.TypeInteger}, Example: 1795251600},
	}
}

// errorsOf lists what an operation may be refused with.
func (s *Server) errorsOf(op operation) []int {
	all := append([]int{400, 401, 429, 500, 503}, op.errors...)
	if op.body != nil || op.content != nil {
		all = append(all, 413, 415)
	}
	if !op.gate.public && !op.gate.feed {
		all = append(all, 403) // for the key's role, its scopes or its addresses
	}
	if op.gate.hub != "" {
		all = append(all, 402)
	}
	if op.once {
		all = append(all, 409)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// under is the schema of an answer that holds a record under its name.
func under(name string, s *huma.Schema) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{name: s}, Required: []string{name}}
}

// resolved is a schema itself, where another stands for it.
func (s *Server) resolved(schema *huma.Schema) *huma.Schema { return s.schemas.Resolve(schema) }

// partial is a body's schema with nothing required: what a correction may send.
func (s *Server) partial(whole *huma.Schema) *huma.Schema {
	whole = s.resolved(whole)
	p := &huma.Schema{
		Type: huma.TypeObject, Properties: maps.Clone(whole.Properties), AdditionalProperties: false,
		Description: "The fields to replace; null removes an optional one",
	}
	for name, field := range p.Properties {
		if !slices.Contains(whole.Required, name) {
			p.Properties[name] = nullable(field)
		}
	}
	return p
}

// nullable is a field's schema that also takes null, where it is spelt out here.
func nullable(field *huma.Schema) *huma.Schema {
	if field.Ref != "" {
		return field
	}
	free := *field
	free.Nullable = true
	if field.Enum != nil {
		free.Enum = append(slices.Clone(field.Enum), nil)
	}
	return &free
}

// checkID answers an id that cannot be one like a record that does not exist.
func checkID(id string) (string, error) {
	if id, ok := canonical(id); ok {
		return id, nil
	}
	return "", apierr.Missing()
}
