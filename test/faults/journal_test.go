package faults_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// accepted is a document that the CDS simulator has accepted.
type accepted struct {
	ID       string
	LRN      string
	MRN      string
	Request  bool // a cancellation request
	Rejected bool
	Letters  []struct{ ID string } // the messages to send, in their order
}

// journal maps LRNs to the documents that the simulator has accepted.
type journal map[string][]accepted

// readJournal reads the journal of a simulator that has ended.
func readJournal(t *testing.T, data string) journal {
	t.Helper()
	file, err := os.Open(filepath.Join(data, "simulator", "simulator.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	j := journal{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var r struct{ Opened *accepted }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("journal: %v in %s", err, lines.Bytes())
		}
		if r.Opened != nil && !r.Opened.Request {
			j[r.Opened.LRN] = append(j[r.Opened.LRN], *r.Opened)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return j
}
