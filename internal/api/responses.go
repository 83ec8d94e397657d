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

func isJSON(contentType string) bool { return contentType == "" || isMedia(contentType, jsonType) }

// isMedia reports whether a Content-Type is a media type in UTF-8.
func isMedia(contentType, media string) bool {
	got, params, err := mime.ParseMediaType(contentType)
	charset := params["charset"]
	return err == nil && got == media && (charset == "" || charset == "utf-8" || charset == "UTF-8")
}

var idempotencyParam = &huma.Param{
	Name: idempotencyHeader, In: "header", Description: "Makes the call take effect once. Repeats with the same API key get the first response for 7 days, or 24 hours if it has a secret",
	Schema: &huma.Schema{Type: huma.TypeString, MinLength: ptr(1), MaxLength: ptr(255)}, Example: "5f0c1a3e-order-42",
}

// sourceHeader says whether a language model contributed to the response.
const sourceHeader = "X-AI-Source"

var sourceParam = &huma.Param{
	Description: "provider if the configured model contributed, otherwise offline",
	Schema:      &huma.Schema{Type: huma.TypeString, Enum: []any{"offline", "provider"}},
}

func ptr[T any](v T) *T { return &v }

// errorResponses names and describes the error responses in the OpenAPI document.
var errorResponses = map[int]struct{ name, about string }{
	400: {"BadRequest", "The input is not valid, or the record's status does not allow the action"},
	401: {"Unauthorized", "The API key is missing or not valid"},
	402: {"HubNotEnabled", "The organisation has not enabled the Hub"},
	403: {"Forbidden", "The role, scopes or addresses of the key do not allow it"},
	404: {"NotFound", "The record does not exist in this organisation"},
	409: {"Conflict", "The state does not allow it, or the same call is in progress"},
	412: {"PreconditionFailed", "If-Match names another version than the record has"},
	413: {"PayloadTooLarge", "The body is too large"},
	415: {"UnsupportedMediaType", "The Content-Type of the body is not supported"},
	422: {"IdempotencyMismatch", "The Idempotency-Key was used for another request"},
	429: {"RateLimited", "The rate limit is exceeded"},
	500: {"InternalError", "An internal error of the service"},
	502: {"CustomsFailed", "CDS or HMRC cannot be reached, or rejected the submission"},
	503: {"Unavailable", "The service is stopping or overloaded, or its database is unavailable"},
}

// retryAfterDescriptions describes Retry-After for the statuses that carry it.
var retryAfterDescriptions = map[int]string{
	http.StatusTooManyRequests:    "Seconds until the rate limit resets",
	http.StatusServiceUnavailable: "Seconds to wait before retrying the request",
}

const exampleRequestID = "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"

// responsePrefix begins references to responses that operations share.
const responsePrefix = "#/components/responses/"

func responseRef(status int) string { return responsePrefix + errorResponses[status].name }

// describeErrors adds the error body and every error response to the OpenAPI document.
func (s *Server) describeErrors() {
	components := s.api.OpenAPI().Components
	problem := huma.SchemaFromType(components.Schemas, reflect.TypeFor[problemShape]())
	problem.Properties["error"].Enum = errorCodes()
	components.Schemas.Map()["Error"] = problem
	components.Responses = map[string]*huma.Response{
		"EventAccepted": {Description: "Accepted"},
		"EventRejected": {Description: "Rejected: the delivery is sent again, except that 410 pauses the endpoint"},
		"NotModified":   {Description: "Not modified since the version that the caller has", Headers: commonHeaders()},
	}
	components.Responses["NotModified"].Headers["ETag"] = etagParam
	for status, e := range errorResponses {
		headers := commonHeaders()
		if about, ok := retryAfterDescriptions[status]; ok {
			headers["Retry-After"] = &huma.Param{Description: about, Schema: &huma.Schema{Type: huma.TypeInteger}, Example: 42}
		}
		components.Responses[e.name] = &huma.Response{
			Description: e.about, Headers: headers,
			Content: map[string]*huma.MediaType{jsonType: {Schema: &huma.Schema{Ref: errorSchema}}},
		}
	}
}

// problemShape is problem without its methods, for the OpenAPI document.
type problemShape problem

// commonHeaders are the headers of every response. Their descriptions are shared, because with one of each for every
// operation they would take a megabyte.
func commonHeaders() map[string]*huma.Param { return maps.Clone(headersOfAll) }

var headersOfAll = map[string]*huma.Param{
	requestIDHeader:         {Description: "Id of the request", Schema: &huma.Schema{Type: huma.TypeString}, Example: exampleRequestID},
	ModeHeader:              {Description: "test, live or simulator; without a key that of the installation", Schema: &huma.Schema{Type: huma.TypeString, Enum: modes}, Example: "live"},
	"X-RateLimit-Limit":     {Description: "Requests allowed per window", Schema: &huma.Schema{Type: huma.TypeInteger}, Example: 1000},
	"X-RateLimit-Remaining": {Description: "Requests left in the window", Schema: &huma.Schema{Type: huma.TypeInteger}, Example: 999},
	"X-RateLimit-Reset":     {Description: "Unix seconds at which the window ends", Schema: &huma.Schema{Type: huma.TypeInteger}, Example: 1795251600},
}

// errorsOf lists the error statuses of an operation.
func (s *Server) errorsOf(op operation) []int {
	all := append([]int{400, 401, 429, 500, 503}, op.errors...)
	if op.body != nil || op.content != nil {
		all = append(all, 413, 415)
	}
	if !op.route.public && !op.route.feed {
		all = append(all, 403) // for the key's role, its scopes or its addresses
	}
	if op.route.hub != "" {
		all = append(all, 402)
	}
	if op.idempotent {
		all = append(all, 409)
	}
	if op.ifMatch {
		all = append(all, 412)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// objectSchema returns the schema of an object with one member.
func objectSchema(name string, s *huma.Schema) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{name: s}, Required: []string{name}}
}

// resolveSchema follows a schema reference.
func (s *Server) resolveSchema(schema *huma.Schema) *huma.Schema { return s.schemas.Resolve(schema) }

// checkID returns the ID in lower case. A malformed ID is an unknown record.
func checkID(id string) (string, error) {
	if id, ok := canonicalUUID(id); ok {
		return id, nil
	}
	return "", apierr.Missing()
}
