package faults_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// opened is a document that the simulator of customs has taken.
type opened struct {
	ID       string
	LRN      string
	MRN      string
	Request  bool // to cancel
	Rejected bool
	Letters  []struct{ ID string } // the messages that go out, in their order
}

// journal is what the simulator has taken, by LRN.
type journal map[string][]opened

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
		var r struct{ Opened *opened }
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
