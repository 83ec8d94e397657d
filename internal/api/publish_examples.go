package api

import (
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// illustrate adds recorded bodies to a published document. An error that several operations have is a component, with an
// example for each of its codes.
func illustrate(api *huma.OpenAPI, recorded schema.Examples) {
	for _, item := range api.Paths {
		for _, op := range operationsOf(item) {
			illustrateOperation(op, recorded.Calls[op.OperationID])
		}
	}
	for status, e := range errorResponses {
		media := api.Components.Responses[e.name].Content[jsonType]
		media.Examples = map[string]*huma.Example{}
		for code, body := range recorded.Errors[strconv.Itoa(status)] {
			media.Examples[code] = &huma.Example{Value: body}
		}
		if f := unrecorded[status]; f != nil {
			media.Examples[string(f.Code)] = &huma.Example{Value: problem{Code: f.Code, Message: f.Message, RequestID: exampleRequestID}}
		}
	}
}

// unrecorded are the errors that a service in good order does not return.
var unrecorded = map[int]*apierr.Error{500: internalError(), 503: overloaded()}

func illustrateOperation(op *huma.Operation, call schema.Call) {
	if op.RequestBody != nil && call.Request != nil {
		for _, media := range op.RequestBody.Content {
			media.Example = call.Request
		}
	}
	for status, r := range op.Responses {
		for _, media := range r.Content {
			if body := call.Answers[status]; body != nil {
				media.Example = body
			}
		}
	}
}
