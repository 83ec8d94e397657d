// Package contract validates answers of the API as its clients do, with the JavaScript validator Ajv in its default
// settings. Its tests judge the OpenAPI document.
package contract

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// Tools is the folder in which scripts/deps installs the tools, seen from the folder of a package in test/.
const Tools = "../../tmp/contract"

// ErrNotInstalled says that Ajv is not installed.
var ErrNotInstalled = errors.New("contract: Ajv is not installed; scripts/deps installs it from the npm registry")

//go:embed tools/validate.mjs
var script string

// Recorder collects different answers of the API, from any number of goroutines. The zero value is empty.
type Recorder struct {
	mu   sync.Mutex
	seen map[[sha256.Size]byte]bool
	all  bytes.Buffer // one JSON object a line
}

// Add records an answer with a JSON body.
func (r *Recorder) Add(operationID string, status int, text []byte) {
	var body bytes.Buffer
	if err := json.Compact(&body, text); err != nil {
		return // the tests report what is not JSON
	}
	line := append([]byte(`{"operation":`+strconv.Quote(operationID)+`,"status":`+strconv.Itoa(status)+`,"body":`), body.Bytes()...)
	line = append(line, "}\n"...)
	sum := sha256.Sum256(line)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen == nil {
		r.seen = map[[sha256.Size]byte]bool{}
	}
	if !r.seen[sum] {
		r.seen[sum] = true
		r.all.Write(line)
	}
}

// Validate validates the recorded answers with the OpenAPI document, and returns a summary. The error lists the first
// violations; it is ErrNotInstalled if Ajv is not installed.
func (r *Recorder) Validate(document []byte) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all.Len() == 0 {
		return "no answers", nil
	}
	return runAjv(document, &r.all, "answers")
}

// ValidateExamples validates the examples of a document in the same way.
func ValidateExamples(document []byte) (string, error) { return runAjv(document, &bytes.Buffer{}) }

// runAjv runs the script on a document.
func runAjv(document []byte, input *bytes.Buffer, args ...string) (string, error) {
	if _, err := os.Stat(filepath.Join(Tools, "node_modules", "ajv")); err != nil {
		return "", ErrNotInstalled
	}
	folder, err := os.MkdirTemp("", "tidewaiter-contract-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "openapi.json")
	if err := os.WriteFile(file, document, 0o600); err != nil {
		return "", err
	}
	run := exec.Command("node", append([]string{"--input-type=module", "--eval", script, file}, args...)...)
	run.Dir, run.Stdin = Tools, bytes.NewReader(input.Bytes())
	out, err := run.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("contract: %w:\n%s", err, out)
	}
	return strings.TrimSpace(string(out)), nil
}
