package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// maxDocument is the maximum size in bytes of the OpenAPI document as it is sent, by coding. Of the 77 kB with brotli, duties,
// what-ifs, editions, origin and movements of exports need 11, approvals, comments and inboxes 4, descriptions 22 and examples 16.
var maxDocument = map[string]int{"br": 77_000, "zstd": 91_700, "gzip": 122_700}

// The OpenAPI document is sent in at most 77 kB to clients that accept brotli, as browsers do.
func TestDocumentIsSmall(t *testing.T) {
	p := shared(t)
	for coding, most := range maxDocument {
		r, err := http.NewRequestWithContext(t.Context(), "GET", p.base+"/api/openapi.json", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", coding)
		response, err := callers.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if response.Header.Get("Content-Encoding") != coding || len(body) >= most {
			t.Errorf("%s: %d bytes as %q", coding, len(body), response.Header.Get("Content-Encoding"))
		}
		t.Logf("%s: %d bytes", coding, len(body))
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
