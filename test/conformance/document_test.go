package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/contract"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// The OpenAPI document is byte for byte the same each time.
func TestDocumentIsStable(t *testing.T) {
	p := shared(t)
	if !bytes.Equal(p.read(t, "/api/openapi.json"), p.read(t, "/api/openapi.json")) {
		t.Error("the document changes")
	}
}

// recorded are the answers of all tests, which Ajv validates at the end: typed clients rely on schemas that it accepts
// with its default settings.
var recorded contract.Recorder

// acceptedByAjv reports whether Ajv accepts the recorded answers, or is not installed.
func acceptedByAjv() bool {
	document, err := os.ReadFile("../../docs/openapi.json")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return false
	}
	summary, err := recorded.Validate(document)
	fmt.Println("Ajv:", summary)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return err == nil || errors.Is(err, contract.ErrNotInstalled)
}

func (p *server) read(t *testing.T, path string) []byte {
	t.Helper()
	text, status := program.Get(t, p.base+path)
	if status != http.StatusOK {
		t.Fatalf("%s: %d", path, status)
	}
	return []byte(text)
}
