package demo

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

//go:embed examples.json
var examples []byte

// Examples returns records of the demo organisation after each type of event. They are the examples of the API's document
// and the bodies of test events. TIDEWAITER_EXAMPLES=write go test ./internal/app -run TestEventExamples makes them again.
func Examples() webhook.Examples {
	var all webhook.Examples
	if err := json.Unmarshal(examples, &all); err != nil {
		panic(fmt.Sprintf("demo: examples.json: %v", err)) // embedded, and read by a test
	}
	return all
}
