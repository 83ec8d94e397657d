package cdssim_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// Small declarations that are known to be complete are not rejected. The export that has arrived names no authorisation, which
// only a body without a data set may leave out.
func TestCompleteDeclarations(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "..", "..", "shared", "customs", "minimal", "*.xml"))
	if len(files) == 0 {
		t.Skip("the declarations are not beside the project")
	}
	for _, file := range files {
		document, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b := start(t, nil)
		plain := b.client.WithHeader(simulator.Request{DataSet: simulator.NoDataSet}.Header())
		b.accepted(plain.Submit(t.Context(), b.as, document))
		if received := b.receiver.wait(1); received[0].FunctionCode == "03" {
			t.Errorf("%s is rejected with %s", filepath.Base(file), errorCodes(received[0]))
		}
	}
}

// Every published submission is taken or refused for its schema, and every message
// that follows at once is valid.
func TestPublishedSubmissions(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "..", "..", "shared", "customs", "submissions", "*.xml"))
	if len(files) == 0 {
		t.Skip("the submissions are not beside the project")
	}
	b := start(t, nil)
	taken := 0
	for _, file := range files {
		document, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch outcome := b.client.Submit(t.Context(), b.as, document).(type) {
		case cds.Accepted:
			taken++
		case client.Refused:
			if outcome.Status != http.StatusBadRequest {
				t.Errorf("%s: %v", filepath.Base(file), outcome)
			}
		default:
			t.Errorf("%s: %v", filepath.Base(file), outcome)
		}
	}
	t.Logf("%d of %d taken", taken, len(files))
	if taken < len(files)*9/10 {
		t.Errorf("%d of %d taken", taken, len(files))
	}
	validate(t, b.receiver.wait(taken))
}
