package demo

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// The recordings of calls and events. TIDEWAITER_EXAMPLES=write go test ./internal/app -run TestExamplesAreRecorded makes
// them again.
var (
	//go:embed examples.json
	examples []byte
	//go:embed calls.json
	calls []byte
)

// Examples returns records of the demo organisation after each type of event. They are the examples of the API's document
// and the bodies of test events.
func Examples() webhook.Examples {
	var all webhook.Examples
	if err := json.Unmarshal(examples, &all); err != nil {
		panic(fmt.Sprintf("demo: examples.json: %v", err)) // embedded, and read by a test
	}
	return all
}

// Calls returns a call of every operation, as the demo organisation made it, and calls that were refused.
func Calls() schema.Examples {
	var all schema.Examples
	in := json.NewDecoder(bytes.NewReader(calls))
	in.UseNumber()
	if err := in.Decode(&all); err != nil {
		panic(fmt.Sprintf("demo: calls.json: %v", err)) // embedded, and read by a test
	}
	return all
}
