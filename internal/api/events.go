package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// eventTypeBody is a webhook event type in a response.
type eventTypeBody struct {
	Type        string         `json:"type" doc:"Name to subscribe to" example:"declaration.cleared"`
	Hub         string         `json:"hub" format:"eventHub" doc:"Hub of the event" example:"customs"`
	Description string         `json:"description" doc:"When the event is sent" example:"A declaration is cleared"`
	Example     map[string]any `json:"example" doc:"Example of a complete body"`
}

func (s *Server) mountEventTypes() {
	handle(s, operation{
		id: "list-webhook-event-types", summary: "List event types", tag: "Webhooks", scope: foundational, method: http.MethodGet, path: "/api/webhooks/event-types",
		status: http.StatusOK, description: "Every event type that an endpoint can subscribe to", response: objectSchema("eventTypes", s.schemaOf(reflect.TypeFor[[]eventTypeBody]())),
	}, s.listEventTypes)
	s.eventTypes, s.eventExamples = make([]eventTypeBody, len(s.Webhooks.Catalogue)), map[string]webhook.Example{}
	s.api.OpenAPI().Webhooks = map[string]*huma.PathItem{}
	for i, e := range s.Webhooks.Catalogue {
		schema := s.eventSchema(e)
		s.eventExamples[e.Type] = webhook.Example{EventType: e, Record: s.exampleRecord(e)}
		example, _ := exactJSON(webhook.ExampleBody(e, s.eventExamples[e.Type].Record)).(map[string]any)
		s.eventTypes[i] = eventTypeBody{e.Type, e.Hub, e.Description, example}
		s.api.OpenAPI().Webhooks[e.Type] = &huma.PathItem{Post: s.outgoing(e, schema, example)}
	}
}

func (s *Server) listEventTypes(context.Context, *struct{ caller }) (response, error) {
	return objectResponse("eventTypes", s.eventTypes)
}

// exampleRecord returns the record in the example of an event, and nil for a ping. For a kind without a recorded example it
// is made from the schema.
func (s *Server) exampleRecord(e webhook.EventType) json.RawMessage {
	if webhook.IsAlert(e.Type) {
		return webhook.ExampleAlert(e.Type)
	}
	if e.Of == nil {
		return nil
	}
	if record := s.Webhooks.Examples.Of(s.Webhooks.Catalogue, e); record != nil {
		return record
	}
	made, _ := s.sample(&huma.Schema{Ref: schema.Prefix + recordName(e.Of)}).(map[string]any)
	made["status"] = e.To
	record, _ := json.Marshal(made) // plain values, which can be encoded
	return record
}

// exactJSON decodes JSON without changing its numbers.
func exactJSON(text []byte) (v any) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	_ = in.Decode(&v) // made by the service, so it is valid
	return v
}

// eventSchema returns the schema of the body of an event.
func (s *Server) eventSchema(e webhook.EventType) *huma.Schema {
	record := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{
		"id":  {Type: huma.TypeString, Format: "uuid", Description: "Id of the endpoint"},
		"url": {Type: huma.TypeString, Format: "uri", Description: "Address of the receiver", Examples: []any{"https://example.com/hooks/tidewaiter"}},
	}, Required: []string{"id", "url"}}
	if webhook.IsAlert(e.Type) {
		record = s.schemaOf(reflect.TypeFor[webhook.Alert]())
	}
	if e.Of != nil {
		record = &huma.Schema{Ref: schema.Prefix + recordName(e.Of)}
	}
	previous := &huma.Schema{Type: huma.TypeString, Nullable: true, Description: "Status before"}
	if e.From != "" {
		previous.Examples = []any{string(e.From)}
	}
	return eventBodySchema(&huma.Schema{Type: huma.TypeString, Enum: []any{e.Type}, Description: "What happened"}, record, previous)
}

// eventBodySchema returns the schema of the body of an event from those of its type, its record and the status before.
func eventBodySchema(eventType, record, previous *huma.Schema) *huma.Schema {
	data := &huma.Schema{Type: huma.TypeObject, Required: []string{"object", "previousStatus"}, Properties: map[string]*huma.Schema{
		"object": record, "previousStatus": previous,
	}}
	return &huma.Schema{Type: huma.TypeObject, Required: []string{"id", "type", "createdAt", "organisationId", "mode", "data"}, Properties: map[string]*huma.Schema{
		"id":             {Type: huma.TypeString, Description: "Id of the event, the same on every attempt", Examples: []any{"evt_0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"}},
		"type":           eventType,
		"createdAt":      {Type: huma.TypeString, Format: "date-time", Description: "When it happened"},
		"organisationId": {Type: huma.TypeString, Format: "uuid", Description: "Id of the organisation"},
		"mode":           modeSchema("How the organisation is connected to authorities"),
		"data":           data,
	}}
}

// outgoingHeaders are those of every request that the service sends, which all events share.
var outgoingHeaders = []*huma.Param{
	outgoingHeader("X-Service-Signature", "t: Unix seconds; v1: hexadecimal HMAC-SHA256 of t, a full stop and the body, keyed with the secret", "t=1795251600,v1=5257a869…"),
	outgoingHeader("X-Service-Event", "Type of the event", "declaration.cleared"),
	outgoingHeader("X-Service-Delivery", "Id of the delivery", "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"),
	outgoingHeader("webhook-id", "Id of the event", "evt_0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"),
	outgoingHeader("webhook-timestamp", "Unix seconds of the attempt", "1795251600"),
	outgoingHeader("webhook-signature", "Signatures as in Standard Webhooks", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
}

func outgoingHeader(name, about, example string) *huma.Param {
	return &huma.Param{Name: name, In: "header", Required: true, Description: about, Schema: &huma.Schema{Type: huma.TypeString}, Example: example}
}

// outgoing documents a request that the service sends.
func (s *Server) outgoing(e webhook.EventType, schema *huma.Schema, example any) *huma.Operation {
	return &huma.Operation{
		OperationID: "on-" + e.Type, Summary: e.Description, Tags: []string{"Webhooks"}, Security: []map[string][]string{},
		Description: "Sent to every endpoint that subscribes to it. Answer 2xx within 15 seconds.",
		Parameters:  slices.Clone(outgoingHeaders),
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{jsonType: {Schema: schema, Example: example}}},
		Responses: map[string]*huma.Response{
			"2XX": {Ref: responsePrefix + "EventAccepted"},
			"4XX": {Ref: responsePrefix + "EventRejected"},
		},
	}
}

// sample returns an example that matches a schema, always the same.
func (s *Server) sample(schema *huma.Schema) any {
	for schema.Ref != "" {
		schema = s.api.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref)
	}
	switch {
	case len(schema.Examples) > 0:
		return plainJSON(schema.Examples[0])
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case schema.Type == huma.TypeArray:
		return []any{s.sample(schema.Items)}
	case schema.Nullable:
		return nil
	}
	switch schema.Type {
	case huma.TypeObject:
		object := map[string]any{}
		for name, member := range schema.Properties {
			object[name] = s.sample(member)
		}
		return object
	case huma.TypeBoolean:
		return false
	case huma.TypeInteger, huma.TypeNumber:
		return 1
	}
	return sampleText[schema.Format]
}

var sampleText = map[string]string{
	"":          "text",
	"uuid":      "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a",
	"date-time": "2026-11-21T09:00:00.000Z",
	"uri":       "https://example.com",
}

// plainJSON converts an example to plain JSON values.
func plainJSON(example any) (v any) {
	text, err := json.Marshal(example)
	if err != nil || json.Unmarshal(text, &v) != nil {
		return example
	}
	return v
}
