package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// operation describes one API operation: what ServeHTTP checks, and what the OpenAPI document says.
type operation struct {
	id, summary, tag string
	scope            string // first part of the scope that a key needs: a Hub ID, wholeOrganisation or noScope
	method, path     string
	status           int
	description      string                     // of the operation and its successful response
	response         *huma.Schema               // schema of the successful response
	body             reflect.Type               // of the JSON body; nil for none
	content          map[string]*huma.MediaType // of a body that the handler reads itself
	bodyOptional     bool                       // the body may be absent
	partial          bool                       // the body is a patch
	assigns          bool                       // the patch can have the assignee
	merges           bool                       // the body is a JSON merge patch, also as application/json
	maxBody          int64                      // bytes; 0 for defaultMaxBody
	errors           []int                      // statuses besides those that follow from the other fields
	contentType      string                     // of the response; JSON if empty
	otherTypes       []string                   // of the response, besides contentType
	headers          map[string]*huma.Param     // of the response, besides the common ones
	idempotent       bool                       // accepts an Idempotency-Key
	steered          *huma.Param                // header X-Simulate, if the simulator is its authority
	keyRequired      bool                       // needs an Idempotency-Key
	kind             *kind                      // kind of the listed records
	values           map[string][]any           // permitted values of query parameters that depend on the Hubs
	filters          []filter                   // of the listed records
	conditional      bool                       // returns 304 if the caller has the current version
	ifMatch          bool                       // changes one record, and accepts If-Match
	rehearsed        bool                       // takes dryRun
	dryRun           *huma.Schema               // of the response to a dry run, if its status differs
	withheld         []string                   // members that a dry run does not answer, such as key.id
	accepted         *huma.Schema               // of the response 202, if some calls become a job; nil for none
	readsBody        bool                       // reads its body itself, and reports what is wrong with the parameters together with it
	etag             bool                       // the response carries one record with its ETag
	continued        bool                       // a stream that accepts Last-Event-ID
	route            route
}

// Limits of request bodies in bytes.
const (
	defaultMaxBody = 1 << 20
	// maxDeclaration has room for 999 items with 99 documents each.
	maxDeclaration = 16 << 20
)

// maxBodyExtension gives the maximum size of an operation's body in bytes in the OpenAPI document, if it is not
// defaultMaxBody.
const maxBodyExtension = "x-max-body-bytes"

// response is a response whose body is already encoded.
type response struct {
	Status   int
	Type     string `header:"Content-Type"`
	Replayed string `header:"Idempotent-Replayed" hidden:"true"`
	Length   string `header:"Content-Length" hidden:"true"`
	Cache    string `header:"Cache-Control" hidden:"true"` // no-store if empty
	ETag     string `header:"ETag" hidden:"true"`
	Source   string `header:"X-AI-Source" hidden:"true"` // offline or provider, for operations that may call a model
	Modified string `header:"Last-Modified" hidden:"true"`
	Body     []byte

	version int64 // of the record in the body; 0 for none
}

// caller is embedded in every input: the authenticated caller and the HTTP request.
type caller struct {
	call          tenant.Call
	holder        access.Holder     // of the API key
	hubs          access.StoredHubs // enabled by the organisation
	request       *http.Request
	op            operation
	unknownParams []string         // query parameters that the operation does not define
	ifMatch       filing.IfVersion // of an operation that changes a record
	ifNoneMatch   conditions       // of an operation that returns a record
	malformed     []apierr.Detail  // what is wrong with these two headers
}

// operationKey is the key under which huma.Operation.Metadata holds our operation.
const operationKey = "operation"

// Resolve reads the caller from the context and checks parameters and headers. For an operation with a
// JSON body the check is left to read, which reports all errors together.
func (c *caller) Resolve(ctx huma.Context) (errs []error) {
	c.request, _ = humago.Unwrap(ctx)
	info := requestInfoOf(c.request.Context())
	c.call, c.holder, c.hubs = info.call, info.holder, info.hubs
	c.op = ctx.Operation().Metadata[operationKey].(operation)
	c.unknownParams = unknownParams(c.request.URL, ctx.Operation().Parameters)
	c.readConditions()
	if c.op.body != nil || c.op.readsBody {
		return nil
	}
	for _, d := range append(c.unexpectedBody(ctx), c.invalidParams()...) {
		errs = append(errs, paramError(d.Field, d.Message))
	}
	return errs
}

// invalidParams returns what is wrong with the call besides its body and its known parameters.
func (c *caller) invalidParams() (details []apierr.Detail) {
	for _, name := range c.unknownParams {
		details = append(details, apierr.Detail{Field: name, Message: "is not a known parameter"})
	}
	for name, values := range c.op.values {
		if sent := c.request.URL.Query().Get(name); sent != "" && !slices.Contains(values, any(sent)) {
			details = append(details, apierr.Detail{Field: name, Message: "must be one of " + joinAny(values)})
		}
	}
	if c.op.idempotent {
		details = append(details, checkIdempotencyKey(c.request)...)
	}
	if c.op.keyRequired && len(c.request.Header.Values(idempotencyHeader)) == 0 {
		details = append(details, apierr.Detail{Field: idempotencyHeader, Message: "is required"})
	}
	details = append(details, c.checkDryRun()...)
	return append(details, c.malformed...)
}

// noBody is the schema of the body of an operation without one: {} is accepted, as many clients send it.
var noBody = &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false}

// unexpectedBody returns the errors of a body that is sent to an operation without one.
func (c *caller) unexpectedBody(ctx huma.Context) []apierr.Detail {
	if c.op.content != nil || c.op.method == http.MethodGet || c.request.ContentLength == 0 {
		return nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, io.NopCloser(ctx.BodyReader()), defaultMaxBody))
	switch {
	case err != nil:
		return []apierr.Detail{{Field: "body", Message: "must be empty"}}
	case len(body) == 0:
		return nil
	}
	return schema.Validator{}.Check(noBody, body)
}

func (c *caller) self() *caller { return c }

// input is the type of every operation's input: path and query in its fields, the body raw.
type input interface{ self() *caller }

// handle registers an operation. Errors of the handler are returned in the API's error format.
func handle[I any, P interface {
	*I
	input
}](s *Server, op operation, h func(context.Context, *I) (response, error)) {
	s.addRoute(&op)
	s.describeDryRun(&op)
	described, waits := s.describe(op), op.needsTariff()
	huma.Register(s.api, described, func(ctx context.Context, in *I) (*response, error) {
		if err := s.awaitTariff(ctx, waits); err != nil {
			return nil, s.problemOf(ctx, P(in).self().call.RequestID, err)
		}
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

// responseContent returns the media types of the successful response.
func (op *operation) responseContent() map[string]*huma.MediaType {
	content := map[string]*huma.MediaType{cmp.Or(op.contentType, jsonType): {Schema: op.response}}
	for _, other := range op.otherTypes {
		content[other] = &huma.MediaType{Schema: op.response}
	}
	return content
}

// describe returns the operation for the OpenAPI document.
func (s *Server) describe(op operation) huma.Operation {
	d := huma.Operation{
		OperationID: op.id, Summary: op.summary, Description: op.description, Tags: []string{op.tag}, Method: op.method, Path: op.path,
		DefaultStatus: op.status, MaxBodyBytes: op.maxBody, SkipValidateBody: true,
		Responses: map[string]*huma.Response{}, Metadata: map[string]any{operationKey: op},
	}
	if d.MaxBodyBytes == 0 {
		d.MaxBodyBytes = defaultMaxBody
	}
	d.Responses[strconv.Itoa(op.status)] = &huma.Response{
		Description: "Success", Content: op.responseContent(), Headers: commonHeaders(),
	}
	maps.Copy(d.Responses[strconv.Itoa(op.status)].Headers, op.headers)
	s.describeVariants(&d, op)
	if op.etag {
		d.Responses[strconv.Itoa(op.status)].Headers["ETag"] = etagParam
	}
	if op.conditional && !op.etag {
		d.Responses[strconv.Itoa(op.status)].Headers["ETag"] = contentTagParam
	}
	if op.conditional {
		d.Responses["304"] = &huma.Response{Ref: responsePrefix + "NotModified"}
	}
	d.Extensions = map[string]any{}
	if scope := op.route.scope.String(); scope != "" {
		d.Extensions["x-required-scope"] = scope
	}
	if (op.body != nil || op.content != nil) && d.MaxBodyBytes != defaultMaxBody {
		d.Extensions[maxBodyExtension] = d.MaxBodyBytes
	}
	d.MaxBodyBytes++ // huma refuses a body of this size
	if op.route.public {
		d.Security = []map[string][]string{{}}
	}
	if op.route.feed {
		d.Security = []map[string][]string{{"feed": {}}}
	}
	for _, status := range s.errorsOf(op) {
		d.Responses[strconv.Itoa(status)] = &huma.Response{Ref: responseRef(status)}
	}
	if op.route.session {
		d.Security = []map[string][]string{{"session": {}}}
	}
	if op.idempotent {
		param := *idempotencyParam
		param.Required = op.keyRequired
		d.Parameters = append(d.Parameters, &param)
	}
	if op.rehearsed {
		d.Parameters = append(d.Parameters, dryRunParam)
	}
	if op.steered != nil {
		d.Parameters = append(d.Parameters, op.steered)
	}
	if op.continued {
		d.Parameters = append(d.Parameters, lastEventIDParam)
	}
	if op.ifMatch {
		d.Parameters = append(d.Parameters, ifMatchParam)
	}
	if op.etag && op.conditional {
		d.Parameters = append(d.Parameters, ifNoneMatchParam)
	}
	for _, f := range op.filters {
		d.Parameters = append(d.Parameters, f.Param)
	}
	op.route.deprecated.mark(&d)
	return d
}

// describeVariants adds the answers that some calls of an operation get instead: to a dry run, or to one that becomes a job.
func (s *Server) describeVariants(d *huma.Operation, op operation) {
	if op.dryRun != nil && op.status != http.StatusOK {
		d.Responses["200"] = &huma.Response{
			Description: "What would be created, without id and secrets (dryRun)", Headers: commonHeaders(),
			Content: map[string]*huma.MediaType{jsonType: {Schema: op.dryRun}},
		}
	}
	if op.accepted != nil {
		d.Responses["202"] = &huma.Response{
			Description: "The job that does it", Headers: commonHeaders(), Content: map[string]*huma.MediaType{jsonType: {Schema: op.accepted}},
		}
	}
}

// finish adds the body's schema to the OpenAPI document, since huma sees only bytes.
func (s *Server) finish(d huma.Operation, op operation) {
	path := s.api.OpenAPI().Paths[op.path]
	published := map[string]*huma.Operation{
		http.MethodGet: path.Get, http.MethodPost: path.Post, http.MethodPatch: path.Patch, http.MethodDelete: path.Delete,
	}[d.Method]
	delete(published.Responses, "422")
	published.Parameters = enumerate(published.Parameters, op)
	if op.idempotent {
		published.Responses["422"] = &huma.Response{Ref: responseRef(422)}
	}
	if op.content != nil {
		published.RequestBody = &huma.RequestBody{Required: !op.bodyOptional, Content: op.content}
	}
	if op.body == nil {
		return
	}
	schema := s.schemaOf(op.body)
	published.RequestBody.Required = !op.bodyOptional
	published.RequestBody.Content = map[string]*huma.MediaType{jsonType: {Schema: schema}}
	switch {
	case op.partial:
		published.RequestBody.Content = s.patchContent(schema)
		if op.assigns {
			s.addAssignee(published.RequestBody.Content)
		}
	case op.merges:
		merge := s.patchContent(schema)[mergeType]
		published.RequestBody.Content = map[string]*huma.MediaType{jsonType: merge, mergeType: merge}
	}
}

// schemaOf returns the schema of a body; it is built once.
func (s *Server) schemaOf(t reflect.Type) *huma.Schema { return s.schemas.Of(t) }

// faultsOf returns what is wrong with the body of a record by the schema and, as far as the schema finds anything, by the kind's own
// check. What the schema allows is checked when it is parsed.
func (s *Server) faultsOf(t *filing.Type, body []byte) []apierr.Detail {
	faults := s.bodyReader.Check(s.schemaOf(t.Body), body)
	return append(faults, t.FurtherFaults(body, faults)...)
}

// read checks a call with a JSON body and returns the body compacted. It reports all errors at once.
// An optional body that is absent counts as {}.
func (s *Server) read(c *caller, raw []byte, t reflect.Type) (json.RawMessage, error) {
	switch {
	case c.op.bodyOptional && len(raw) == 0:
		raw = []byte("{}")
	case !isJSON(c.request.Header.Get("Content-Type")):
		return nil, apierr.New(apierr.UnsupportedMediaType, "Send the body as application/json.")
	}
	return s.checked(c, raw, t, s.bodyReader.Check)
}

// checked checks a body and the call's parameters, and returns the body compacted.
func (s *Server) checked(c *caller, raw []byte, t reflect.Type, check func(*huma.Schema, []byte) []apierr.Detail) (json.RawMessage, error) {
	if details := append(check(s.schemaOf(t), raw), c.invalidParams()...); details != nil {
		return nil, apierr.Invalid(details...)
	}
	var compact bytes.Buffer
	compact.Grow(len(raw))
	if err := json.Compact(&compact, raw); err != nil {
		return nil, apierr.Invalid(apierr.Detail{Field: "body", Message: "is not valid JSON"})
	}
	return compact.Bytes(), nil
}

// decode checks a JSON body and unmarshals it.
func decode[B any](s *Server, c *caller, raw []byte) (b B, err error) {
	sound, err := s.read(c, raw, reflect.TypeFor[B]())
	if err != nil {
		return b, err
	}
	return b, json.Unmarshal(sound, &b)
}

// jsonResponse encodes a value as a JSON response.
func jsonResponse(status int, v any) (response, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return response{}, err
	}
	return response{Status: status, Body: out.Bytes()[:out.Len()-1]}, nil
}
