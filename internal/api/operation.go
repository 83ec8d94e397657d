package api

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// operation describes one operation: what the gate asks, and what the document says.
type operation struct {
	id, summary, tag string
	scope            string // first part of the scope that a key needs: a Hub, wholeOrganisation or noScope
	method, path     string
	status           int
	about            string                     // what the successful answer is
	answer           *huma.Schema               // of the successful answer
	body             reflect.Type               // of the JSON body; nil for none
	content          map[string]*huma.MediaType // of a body that the operation reads by itself
	bodyOptional     bool                       // whether the body may be left out
	partial          bool                       // a merge patch of the body
	maxBody          int64                      // bytes; maxBody for none
	errors           []int                      // besides those that follow from the rest
	contentType      string                     // of the answer; JSON when empty
	headers          map[string]*huma.Param     // of the answer, besides the common ones
	once             bool                       // takes an Idempotency-Key
	kind             *kind                      // whose records it lists
	unchanged        bool                       // answers 304 to a caller who has the latest already
	gate             route
}

// Limits of bodies.
const (
	defaultMaxBody = 1 << 20
	// maxDeclaration holds 999 items with long descriptions.
	maxDeclaration = 4 << 20
)

// reply is an answer as bytes.
type reply struct {
	Status   int
	Type     string `header:"Content-Type"`
	Replayed string `header:"Idempotent-Replayed" hidden:"true"`
	Length   string `header:"Content-Length" hidden:"true"`
	Cache    string `header:"Cache-Control" hidden:"true"` // no-store when empty
	ETag     string `header:"ETag" hidden:"true"`
	Source   string `header:"X-AI-Source" hidden:"true"` // who answered, where it may have been a model
	Modified string `header:"Last-Modified" hidden:"true"`
	Body     []byte
}

// caller is embedded in every input: who asks, and the request as it came.
type caller struct {
	call    tenant.Call
	holder  access.Holder     // whose key it is
	hubs    access.StoredHubs // of the organisation
	request *http.Request
	asked   operation
	strays  []string // parameters that the operation does not have
}

// operationKey is where huma keeps an operation of ours for Resolve.
const operationKey = "operation"

// Resolve takes the call over from the gate, and judges what a call says besides its
// body, unless there is one to judge it with.
func (c *caller) Resolve(ctx huma.Context) (faults []error) {
	c.request, _ = humago.Unwrap(ctx)
	through := passedOf(c.request.Context())
	c.call, c.holder, c.hubs = through.call, through.holder, through.hubs
	c.asked = ctx.Operation().Metadata[operationKey].(operation)
	c.strays = strays(c.request.URL, ctx.Operation().Parameters)
	if c.asked.body != nil {
		return nil
	}
	for _, d := range c.astray() {
		faults = append(faults, wrong(d.Field, d.Message))
	}
	return faults
}

// astray is what is wrong with a call besides its body and the parameters that there are.
func (c *caller) astray() (details []apierr.Detail) {
	for _, name := range c.strays {
		details = append(details, apierr.Detail{Field: name, Message: "is not a known parameter"})
	}
	if c.asked.once {
		details = append(details, badKey(c.request)...)
	}
	return details
}

func (c *caller) self() *caller { return c }

// input is what every operation reads: path and query by its fields, the body raw.
type input interface{ self() *caller }

// handle registers an operation. The handler's errors become the one form of faults.
func handle[I any, P interface {
	*I
	input
}](s *Server, op operation, h func(context.Context, *I) (reply, error)) {
	s.addRoute(&op)
	described := s.describe(op)
	huma.Register(s.api, described, func(ctx context.Context, in *I) (*reply, error) {
		r, err := h(ctx, in)
		if err != nil {
			return nil, s.problemOf(ctx, P(in).self().call.RequestID, err)
		}
		if r.Type == "" {
			r.Type = jsonType
		}
		if r.Status != http.StatusNotModified {
			r.Length = strconv.Itoa(len(r.Body))
		}
		return &r, nil
	})
	s.finish(described, op)
}

// describe makes the document's operation.
func (s *Server) describe(op operation) huma.Operation {
	d := huma.Operation{
		OperationID: op.id, Summary: op.summary, Description: op.about, Tags: []string{op.tag}, Method: op.method, Path: op.path,
		DefaultStatus: op.status, MaxBodyBytes: op.maxBody, SkipValidateBody: true,
		Responses: map[string]*huma.Response{}, Metadata: map[string]any{operationKey: op},
	}
	if d.MaxBodyBytes == 0 {
		d.MaxBodyBytes = defaultMaxBody
	}
	contentType := op.contentType
	if contentType == "" {
		contentType = jsonType
	}
	d.Responses[strconv.Itoa(op.status)] = &huma.Response{
		Description: op.about, Content: map[string]*huma.MediaType{contentType: {Schema: op.answer}}, Headers: s.commonHeaders(),
	}
	maps.Copy(d.Responses[strconv.Itoa(op.status)].Headers, op.headers)
	if op.unchanged {
		d.Responses["304"] = &huma.Response{Description: "Nothing has changed since", Headers: s.commonHeaders()}
	}
	if scope := op.gate.scope.String(); scope != "" {
		d.Extensions = map[string]any{"x-required-scope": scope}
	}
	if op.gate.public {
		d.Security = []map[string][]string{{}}
	}
	if op.gate.feed {
		d.Security = []map[string][]string{{"feed": {}}}
	}
	for _, status := range s.errorsOf(op) {
		d.Responses[strconv.Itoa(status)] = &huma.Response{Ref: responseRef(status)}
	}
	if op.gate.session {
		d.Security = []map[string][]string{{"session": {}}}
	}
	if op.once {
		d.Parameters = append(d.Parameters, idempotencyParam)
	}
	return d
}

// finish puts the body's schema into the document, where huma sees only bytes.
func (s *Server) finish(d huma.Operation, op operation) {
	path := s.api.OpenAPI().Paths[op.path]
	published := map[string]*huma.Operation{
		http.MethodGet: path.Get, http.MethodPost: path.Post, http.MethodPatch: path.Patch, http.MethodDelete: path.Delete,
	}[d.Method]
	delete(published.Responses, "422")
	if op.once {
		published.Responses["422"] = &huma.Response{Ref: responseRef(422)}
	}
	if op.content != nil {
		published.RequestBody = &huma.RequestBody{Required: true, Content: op.content}
	}
	if op.body == nil {
		return
	}
	schema := s.schemaOf(op.body)
	if op.partial {
		schema = s.partial(schema)
	}
	published.RequestBody.Required = !op.bodyOptional
	published.RequestBody.Content = map[string]*huma.MediaType{jsonType: {Schema: schema}}
}

// schemaOf is the schema of a body, with every field's own; made once.
func (s *Server) schemaOf(t reflect.Type) *huma.Schema { return s.schemas.Of(t) }

// read judges a call with a JSON body and gives the body compact. Every fault is named at
// once. A body that may be left out, and is, says no more than {}.
func (s *Server) read(c *caller, raw []byte, t reflect.Type, patch bool) (json.RawMessage, error) {
	switch {
	case c.asked.bodyOptional && len(raw) == 0:
		raw = []byte("{}")
	case !isJSON(c.request.Header.Get("Content-Type")):
		return nil, apierr.New(apierr.UnsupportedMediaType, "Send the body as application/json.")
	}
	check := s.strict.Check
	if patch {
		check = s.strict.CheckPatch
	}
	if details := append(check(s.schemaOf(t), raw), c.astray()...); details != nil {
		return nil, apierr.Invalid(details...)
	}
	var compact bytes.Buffer
	compact.Grow(len(raw))
	if err := json.Compact(&compact, raw); err != nil {
		return nil, apierr.Invalid(apierr.Detail{Field: "body", Message: "is not valid JSON"})
	}
	return compact.Bytes(), nil
}

// decode reads a JSON body into a struct.
func decode[B any](s *Server, c *caller, raw []byte) (b B, err error) {
	sound, err := s.read(c, raw, reflect.TypeFor[B](), false)
	if err != nil {
		return b, err
	}
	return b, json.Unmarshal(sound, &b)
}

// answer makes a reply of a value.
func answer(status int, v any) (reply, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return reply{}, err
	}
	return reply{Status: status, Body: out.Bytes()[:out.Len()-1]}, nil
}
