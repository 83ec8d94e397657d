package schema

// Examples are recorded calls of the API.
type Examples struct {
	Calls  map[string]Call           `json:"calls"`  // by the ID of the operation
	Errors map[string]map[string]any `json:"errors"` // bodies of errors by status and error code
}

// Call is the example of an operation: the body of a request, and those of its answers by status. A body is JSON, or text of
// another media type.
type Call struct {
	Request any            `json:"request,omitempty"`
	Answers map[string]any `json:"answers,omitempty"`
}
