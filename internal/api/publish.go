package api

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// publisher makes the schemas of the OpenAPI document from those that check requests. The service may
// add members to its answers without breaking a client, so the schemas of answers are open; those of
// requests are closed, because an unknown member is an error there. A type that is used on both sides
// therefore becomes two schemas.
type publisher struct {
	known     huma.Registry
	published map[string]*huma.Schema
	sent      map[*huma.Schema]bool // parts of request bodies, which records return as they were sent
	hubs      []any                 // IDs

	illustrated bool // operations have recorded examples, so that members need none
}

// side is the side of a call that a schema describes.
type side int

const (
	request side = iota
	answer
)

// publish returns a copy of the document with published schemas. It shares everything else.
// With recorded calls, the members of bodies have no examples of their own.
func publish(api *huma.OpenAPI, hubs []Hub, recorded bool) *huma.OpenAPI {
	p := &publisher{known: api.Components.Schemas, published: map[string]*huma.Schema{}, sent: map[*huma.Schema]bool{}, hubs: hubIDs(hubs), illustrated: recorded}
	for _, item := range api.Paths {
		for _, op := range []*huma.Operation{item.Post, item.Patch, item.Put, item.Delete} {
			p.noteBody(op)
		}
	}
	out, components := *api, *api.Components
	out.Components = &components
	out.Paths = p.paths(api.Paths, request, answer)
	out.Webhooks = p.paths(api.Webhooks, answer, request)
	components.Responses = p.responses(api.Components.Responses, answer)
	components.Schemas = huma.NewMapRegistry(schema.Prefix, huma.DefaultSchemaNamer)
	maps.Copy(components.Schemas.Map(), p.published)
	return &out
}

func (p *publisher) paths(paths map[string]*huma.PathItem, body, result side) map[string]*huma.PathItem {
	out := map[string]*huma.PathItem{}
	for path, item := range paths {
		own := *item
		for _, op := range []**huma.Operation{&own.Get, &own.Post, &own.Patch, &own.Put, &own.Delete} {
			*op = p.operation(*op, body, result)
		}
		out[path] = &own
	}
	return out
}

func (p *publisher) operation(op *huma.Operation, body, result side) *huma.Operation {
	if op == nil {
		return nil
	}
	own := *op
	own.Parameters = slices.Clone(op.Parameters)
	for i, param := range own.Parameters {
		own.Parameters[i] = p.param(param, request)
	}
	if op.RequestBody != nil {
		sent := *op.RequestBody
		sent.Content = p.content(sent.Content, body)
		own.RequestBody = &sent
	}
	own.Responses = p.responses(op.Responses, result)
	return &own
}

func (p *publisher) param(param *huma.Param, at side) *huma.Param {
	own := *param
	if own.Schema = p.schema(param.Schema, at); own.Schema == nil {
		return &own
	}
	if own.Schema.Description == own.Description {
		own.Schema.Description = ""
	}
	if at == request {
		own.Schema.Examples = param.Schema.Examples
	}
	return &own
}

func (p *publisher) responses(all map[string]*huma.Response, at side) map[string]*huma.Response {
	out := map[string]*huma.Response{}
	for name, r := range all {
		own := *r
		own.Content = p.content(r.Content, at)
		own.Headers = maps.Clone(r.Headers)
		delete(own.Headers, "Content-Type") // OpenAPI ignores it; content has the media types
		for header, param := range own.Headers {
			own.Headers[header] = p.param(param, at)
		}
		out[name] = &own
	}
	return out
}

func (p *publisher) content(all map[string]*huma.MediaType, at side) map[string]*huma.MediaType {
	out := maps.Clone(all)
	for name, media := range out {
		own := *media
		own.Schema = p.schema(media.Schema, at)
		out[name] = &own
	}
	return out
}

func (p *publisher) noteBody(op *huma.Operation) {
	if op == nil || op.RequestBody == nil {
		return
	}
	for _, media := range op.RequestBody.Content {
		p.noteSent(media.Schema)
	}
}

// noteSent notes a schema of a request and all within it.
func (p *publisher) noteSent(s *huma.Schema) {
	if s != nil && s.Ref != "" {
		s = p.known.SchemaFromRef(s.Ref)
	}
	if s == nil || p.sent[s] {
		return
	}
	p.sent[s] = true
	p.noteSent(s.Items)
	for _, member := range s.Properties {
		p.noteSent(member)
	}
}

// schema returns a schema as it is published. Lists that the service makes are
// never null, unless their description says when they are.
func (p *publisher) schema(s *huma.Schema, at side) *huma.Schema {
	if s == nil {
		return nil
	}
	if s.Ref != "" {
		return &huma.Schema{Ref: p.reference(strings.TrimPrefix(s.Ref, schema.Prefix), at)}
	}
	own := *s
	if s.Extensions[publishedAsMap] != nil {
		asMap(&own)
		s = &own
	}
	if p.illustrated {
		own.Examples = nil
	}
	p.format(&own)
	limitsAsText(&own, at)
	own.Items = p.schema(s.Items, at)
	own.Properties = maps.Clone(s.Properties)
	for name, member := range own.Properties {
		own.Properties[name] = p.schema(member, at)
	}
	if others, ok := s.AdditionalProperties.(*huma.Schema); ok {
		own.AdditionalProperties = p.schema(others, at)
	}
	own.AnyOf, own.OneOf = p.schemas(s.AnyOf, at), p.schemas(s.OneOf, at)
	switch {
	case at == answer:
		open(&own)
		own.Nullable = own.Nullable && (own.Type != huma.TypeArray || p.sent[s] || strings.Contains(s.Description, "null"))
	case own.Type == huma.TypeObject && own.AdditionalProperties == nil:
		own.AdditionalProperties = len(own.Properties) == 0
	}
	if own.Nullable && own.Enum != nil && !slices.Contains(own.Enum, nil) {
		own.Enum = append(slices.Clone(own.Enum), nil) // JSON Schema checks null against the enumeration too
	}
	return &own
}

// schemas returns alternatives as they are published.
func (p *publisher) schemas(alternatives []*huma.Schema, at side) []*huma.Schema {
	out := slices.Clone(alternatives)
	for i, one := range out {
		out[i] = p.schema(one, at)
	}
	return out
}

// reference publishes a named schema and returns the reference to it.
func (p *publisher) reference(known string, at side) string {
	name := publishedName(known, at)
	if _, done := p.published[name]; !done {
		p.published[name] = &huma.Schema{} // for schemas that refer to themselves
		p.published[name] = p.schema(p.known.Map()[known], at)
	}
	return schema.Prefix + name
}

// open removes what would forbid an answer of a later version of the service, or of a record that an
// earlier version has stored. multipleOf goes too: validators compute it in binary floating point, and
// so reject sums such as 0.29. Examples of members stand in the schemas of requests.
func open(s *huma.Schema) {
	if s.AdditionalProperties == false {
		s.AdditionalProperties = nil
	}
	s.MultipleOf, s.MinLength, s.MaxLength, s.MinItems, s.MaxItems, s.Examples = nil, nil, nil, nil, nil, nil
}

// format completes and replaces formats, so that only those of the OpenAPI format registry remain.
func (p *publisher) format(s *huma.Schema) {
	switch {
	case s.Format == "hub":
		s.Format, s.Enum = "", p.hubs
	case s.Format == "eventHub":
		s.Format, s.Enum = "", eventHubs(p.hubs)
	case s.Format == "country" || s.Format == "trading-country":
		s.Format, s.Pattern = "", "^[A-Z]{2}$"
	case s.Format == "trading-area":
		s.Format, s.Pattern = "", "^([A-Z]{2}|[0-9]{4})$"
	case s.Format == "" && s.Type == huma.TypeNumber:
		s.Format = "double"
	case s.Format == "" && s.Type == huma.TypeInteger:
		s.Format = "int64"
	}
}

// publishedAsMap marks an object with so many members, all of one type, that the document shows a map. Requests are still
// checked against the members.
const publishedAsMap = "x-published-as-map"

// asMap replaces the members of an object, which have one type, by a map of that type.
func asMap(s *huma.Schema) {
	for _, member := range s.Properties {
		s.AdditionalProperties = member
	}
	s.Properties, s.Extensions = nil, nil
}

// limitsAsText replaces the limits of a free-form object, and the members that are required without another one, which are no
// JSON Schema keywords, by a sentence, and removes the mark of secrets.
func limitsAsText(s *huma.Schema, at side) {
	if without := schema.RequiredWithout(s); without.Member != "" {
		if s.Extensions = nil; at == request && s.Description == "" { // of this copy
			s.Description = "Without " + without.Member + ", needs " + strings.Join(without.Needed, ", ")
		}
	}
	if s.Extensions[schema.IsSecret] != nil {
		s.Extensions = nil // of this copy
	}
	size, ok := s.Extensions[schema.MaxBytes].(int)
	if !ok {
		return
	}
	depth := s.Extensions[schema.MaxDepth]
	s.Extensions = nil
	s.Description = strings.TrimPrefix(s.Description+". ", ". ") + fmt.Sprintf("At most %d bytes and %d levels of nesting", size, depth)
}

// hubIDs returns the IDs of Hubs as the values of an enumeration.
func hubIDs(hubs []Hub) (ids []any) {
	for _, h := range hubs {
		ids = append(ids, h.ID)
	}
	return ids
}

// eventHubs returns the values of hub in events: besides those of Hubs, webhooks for endpoints.
func eventHubs(hubs []any) []any { return append(slices.Clone(hubs), "webhooks") }
