package filing_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

type narrowBody struct{ A string }

type wideBody struct {
	A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z string
	Text                                                                         filing.Content
}

// Parsing does not look at the members of the type: a third of what creating a declaration allocated was for that.
func TestParsingDoesNotDependOnTheNumberOfMembers(t *testing.T) {
	allocations := func(kind *filing.Type) float64 {
		return testing.AllocsPerRun(100, func() {
			if _, err := kind.Parse(json.RawMessage(`{"A":"a"}`), time.Time{}); err != nil {
				t.Error(err)
			}
		})
	}
	narrow := allocations(filing.Definition[narrowBody]{Kind: "test.narrow", Lifecycle: lifecycle.Regulated}.Type())
	wide := allocations(filing.Definition[wideBody]{Kind: "test.wide", Lifecycle: lifecycle.Regulated}.Type())
	if wide > narrow {
		t.Errorf("%v allocations for a body with many members, %v for one with one", wide, narrow)
	}
}
