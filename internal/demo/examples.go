package demo

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/packed"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// The recordings of calls and events. TIDEWAITER_EXAMPLES=write go test ./internal/app -run TestExamplesAreRecorded makes
// them again.
var (
	//go:embed examples.json.gz
	examples []byte
	//go:embed calls.json.gz
	calls []byte
)

// Examples returns records of the demo organisation after each type of event. They are the examples of the API's document
// and the bodies of test events.
func Examples() webhook.Examples {
	var all webhook.Examples
	if err := json.Unmarshal([]byte(packed.Text(examples)), &all); err != nil {
		panic(fmt.Sprintf("demo: examples.json: %v", err)) // embedded, and read by a test
	}
	return all
}

// Calls returns a call of every operation, as the demo organisation made it, and calls that were refused.
func Calls() schema.Examples {
	var all schema.Examples
	in := json.NewDecoder(strings.NewReader(packed.Text(calls)))
	in.UseNumber()
	if err := in.Decode(&all); err != nil {
		panic(fmt.Sprintf("demo: calls.json: %v", err)) // embedded, and read by a test
	}
	return all
}
