// Package logbook keeps what a program logs for a test that reads it meanwhile.
package logbook

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"
)

// Book can be read while it is written. An empty one is ready for use.
type Book struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *Book) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String is all that was written so far.
func (b *Book) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// Tail is the end of it, as much as somebody reads.
func (b *Book) Tail() string {
	const most = 40_000
	text := b.String()
	return text[max(0, len(text)-most):]
}

// awaited is how long a line is waited for.
const awaited = 20 * time.Second

// Await waits until it says something.
func (b *Book) Await(t testing.TB, text string) {
	t.Helper()
	for give := time.Now().Add(awaited); time.Now().Before(give); time.Sleep(20 * time.Millisecond) {
		if strings.Contains(b.String(), text) {
			return
		}
	}
	t.Fatalf("the log never says %q but:\n%s", text, b.Tail())
}

// Errors are the lines at error level, and those that are no records, such as a panic's.
func (b *Book) Errors() (lines []string) {
	for line := range strings.Lines(b.String()) {
		var said struct{ Level string }
		if json.Unmarshal([]byte(line), &said) != nil || said.Level == "ERROR" {
			lines = append(lines, line)
		}
	}
	return lines
}
