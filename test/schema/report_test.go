package schema_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/test/contract"
)

// report fails the test for each error, and logs the operations that never succeeded.
func (c *walk) report(t *testing.T) {
	t.Helper()
	for _, fault := range c.faults[:min(len(c.faults), maxFaults)] {
		t.Error(fault)
	}
	if len(c.faults) > maxFaults {
		t.Errorf("and %d more", len(c.faults)-maxFaults)
	}
	var never []string
	for _, op := range c.operations {
		if c.reached[op.String()] == 0 {
			never = append(never, op.String())
		}
	}
	t.Logf("%d requests; %d of %d operations were reached, not %s", c.total, len(c.reached), len(c.operations), strings.Join(never, ", "))
	// Random bodies of records with many members are rarely valid, and most operations need a record: 87 of 203 operations were
	// reached with the worst of 16 seeds, and about 117 with the others.
	if len(c.reached) < len(c.operations)/3 {
		t.Errorf("two of three operations never succeeded")
	}
}

// checkService checks the service after all requests.
func (w *walker) checkService(t *testing.T, before load) {
	t.Helper()
	for _, path := range []string{"/healthz", "/readyz"} {
		get(t, w.base+path)
	}
	for _, line := range w.Log.Errors() {
		t.Errorf("logged: %s", line)
	}
	var verified struct{ OK bool }
	if w.Read(t, &verified, "audit", "verify"); !verified.OK {
		t.Error("the audit trail is broken")
	}
	w.http.CloseIdleConnections()
	now, deadline := w.load(t), time.Now().Add(shrinkLimit)
	for now.bytes > before.bytes+remainingBytes || now.goroutines > before.goroutines+remainingGoroutines {
		if time.Now().After(deadline) {
			t.Errorf("%s before, %s after", before, now)
			return
		}
		w.makeHarmlessRequests()
		now = w.load(t)
	}
	t.Logf("%s before, %s after", before, now)
}

// makeHarmlessRequests makes requests without lasting effect, because the program collects its garbage only while it
// works.
func (w *walker) makeHarmlessRequests() {
	for range 50 {
		_, _ = w.send(&request{operation: operation{method: http.MethodGet}, target: "/api/declarations?limit=200", header: http.Header{"Authorization": w.callers[0].header}})
	}
}

// validateByAjv validates the answers once more, as JavaScript clients do.
func (c *walk) validateByAjv(t *testing.T, document []byte) {
	t.Helper()
	switch summary, err := c.answers.Validate(document); {
	case errors.Is(err, contract.ErrNotInstalled):
		t.Log(err)
	case err != nil:
		t.Error(err)
	default:
		t.Log(summary)
	}
}
