package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
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

// maxDocument is the maximum size in bytes of the OpenAPI document as it is sent, by coding.
var maxDocument = map[string]int{"br": 60_000, "zstd": 73_000, "gzip": 91_000}

// The OpenAPI document is sent in less than 60 kB to clients that accept brotli, as browsers do.
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

// The short document promises programs what the whole one does: only texts and examples differ. Each example is at its address
// as the whole document has it, and every operation and event has one.
func TestShortDocument(t *testing.T) {
	p := shared(t)
	short, whole := p.openAPI(t, "/api/openapi.json"), p.openAPI(t, "/api/docs/openapi.json")
	outside, inside := map[string]string{}, map[string]any{}
	contract.EachExample(short, func(place string, example map[string]any) {
		outside[place], _ = example["externalValue"].(string)
	})
	contract.EachExample(whole, func(place string, example map[string]any) { inside[place] = example["value"] })
	if len(outside) != len(inside) || len(inside) < 500 {
		t.Errorf("%d examples have an address, %d are in the whole document", len(outside), len(inside))
	}
	for place, value := range inside {
		if !strings.HasPrefix(outside[place], "/api/docs/examples/") {
			t.Errorf("%s: %q is no address", place, outside[place])
			continue
		}
		text := p.read(t, outside[place])
		if got := decodeExample(text, value); !reflect.DeepEqual(got, value) {
			t.Errorf("%s: %s is %.200s", place, outside[place], text)
		}
	}
	contract.WithoutTexts(short)
	contract.WithoutTexts(whole)
	if !reflect.DeepEqual(short, whole) {
		t.Error("more than texts and examples differ")
	}
	if _, status := program.Get(t, p.base+"/api/docs/examples/none.json"); status != http.StatusNotFound {
		t.Errorf("an unknown example is %d", status)
	}
}

// decodeExample returns the example in a file: JSON, unless it is a text.
func decodeExample(text []byte, like any) (v any) {
	if _, isText := like.(string); isText {
		return string(text)
	}
	_ = json.Unmarshal(text, &v)
	return v
}

func (p *server) openAPI(t *testing.T, path string) (document map[string]any) {
	t.Helper()
	if err := json.Unmarshal(p.read(t, path), &document); err != nil {
		t.Fatal(err)
	}
	return document
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
