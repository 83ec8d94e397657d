package app_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// leastStatements is fewer than the statements of the recorded calls and of the jobs that follow from them.
const leastStatements = 250

// No statement of the recorded calls, or of the jobs that follow from them, reads more than it needs.
func TestPlansOfRecordedCalls(t *testing.T) {
	if !recorded {
		record(t)
	}
	statements := storetest.Statements("sqlite")
	if len(statements) < leastStatements {
		t.Fatalf("only %d statements were recorded", len(statements))
	}
	storetest.CheckPlans(t, statements)
}
