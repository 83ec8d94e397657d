package datamodel_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/wcotest"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
)

// Each original submission that HMRC publishes becomes JSON and back, and declares the same.
func TestSamplesRoundTrip(t *testing.T) {
	files, _ := filepath.Glob("../../../../../shared/customs/submissions/*.xml")
	if files == nil {
		t.Skip("the published samples are not here")
	}
	var same, invalid int
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := wco.Decode(raw)
		var wrong *wco.ElementError
		switch {
		case errors.As(err, &wrong):
			invalid++
			t.Logf("%s is not valid: %v", filepath.Base(file), err)
			continue
		case err != nil:
			t.Fatal(err)
		case d.FunctionCode != wco.FunctionOriginal:
			continue
		}
		body, err := datamodel.Decode(&d)
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
			continue
		}
		again := datamodel.Encode(throughJSON(t, body))
		if was, is := wcotest.Canonical(t, d), wcotest.Canonical(t, again); was != is {
			t.Errorf("%s:\nwas %s\nis  %s", filepath.Base(file), was, is)
			continue
		}
		same++
	}
	if same < 160 || invalid > 1 {
		t.Errorf("%d submissions are the same again, %d are invalid; at least 160 and 1", same, invalid)
	}
}

// throughJSON writes a body as JSON and reads it again.
func throughJSON(t *testing.T, b datamodel.Body) datamodel.Body {
	t.Helper()
	raw, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	var again datamodel.Body
	if err := json.Unmarshal(raw, &again); err != nil {
		t.Fatal(err)
	}
	return again
}
