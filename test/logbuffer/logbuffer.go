// Package logbuffer collects the log of a program for a test that reads it at the same time.
package logbuffer

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"
)

// Buffer can be read while it is written. The zero value is ready for use.
type Buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String is everything written so far.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// Tail is the end of the log, at most 40 kB.
func (b *Buffer) Tail() string {
	const most = 40_000
	text := b.String()
	return text[max(0, len(text)-most):]
}

// waitLimit is how long Await waits for a line.
const waitLimit = time.Minute

// Await waits until the log contains a text.
func (b *Buffer) Await(t testing.TB, text string) {
	t.Helper()
	for give := time.Now().Add(waitLimit); time.Now().Before(give); time.Sleep(20 * time.Millisecond) {
		if strings.Contains(b.String(), text) {
			return
		}
	}
	t.Fatalf("the log does not contain %q:\n%s", text, b.Tail())
}

// Errors are the lines at error level, and lines that are not JSON, such as a panic's.
func (b *Buffer) Errors() (lines []string) {
	for line := range strings.Lines(b.String()) {
		var output struct{ Level string }
		if json.Unmarshal([]byte(line), &output) != nil || output.Level == "ERROR" {
			lines = append(lines, line)
		}
	}
	return lines
}
