package program

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/logbuffer"
)

// indexFile is the classifier's index in a data folder. To build it takes more than a
// second of processor time, so the programs of all tests share one: the program itself checks
// that it fits.
const indexFile = "classifier.index"

// prepareIndex makes the shared index unless there is one, with a program of its own. Otherwise all programs that start
// before the first one ends would make theirs.
func prepareIndex(t testing.TB, file string) {
	t.Helper()
	shared, err := Folder()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(shared, indexFile)); err == nil {
		return
	}
	unlock, err := lock(shared)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if _, err := os.Stat(filepath.Join(shared, indexFile)); err == nil {
		return // made by another package meanwhile
	}
	data, err := os.MkdirTemp(shared, "index-") // in the same file system
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(data)
	p := Program{File: file, Log: &logbuffer.Buffer{}, Settings: map[string]string{
		"TIDEWAITER_ADDR": "127.0.0.1:0", "TIDEWAITER_DATA": data, "TIDEWAITER_STOP_DELAY": "0", "TIDEWAITER_DISK_BALLAST": "0B",
	}}
	var made struct{ APIKey string }
	p.Read(t, &made, "org", "create", "--name", "Mill Lane Brokers Ltd", "--eori", "GB123456789000")
	running := p.Start(t, "serve")
	question, err := http.NewRequestWithContext(t.Context(), http.MethodPost, running.Address+"/api/ai/commodity-classify", strings.NewReader(`{"description":"cotton T-shirts"}`))
	if err != nil {
		t.Fatal(err)
	}
	question.Header.Set("Authorization", "Bearer "+made.APIKey)
	question.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(question)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	running.Stop(t)
	if _, err := os.Stat(filepath.Join(shared, indexFile)); err != nil {
		t.Fatalf("the program, which answered %s, has made no index that others can use: %v", answer.Status, err)
	}
}

// ShareIndex is for tests that run the service within their own process: it gives their data folder the index that the tests of
// all packages share, and shares that of the folder after the test. Packages that are tested alone share none.
func ShareIndex(t testing.TB, data string) {
	if os.Getenv(FolderVariable) == "" {
		return
	}
	p := Program{Settings: map[string]string{"TIDEWAITER_DATA": data}}
	p.borrowIndex()
	t.Cleanup(p.lendIndex)
}

// borrowIndex gives the data folder the shared index, if there is one.
func (p Program) borrowIndex() { p.shareIndex(func(shared, own string) { _ = os.Link(shared, own) }) }

// lendIndex shares the index of the data folder, if it has one and the others do not.
func (p Program) lendIndex() { p.shareIndex(func(shared, own string) { _ = os.Link(own, shared) }) }

// shareIndex calls link with the two files. A link that cannot be made costs only time. A command that only calls a service has no data
// folder.
func (p Program) shareIndex(link func(shared, own string)) {
	if folder, err := Folder(); err == nil && p.Data() != "" {
		link(filepath.Join(folder, indexFile), filepath.Join(p.Data(), indexFile))
	}
}
