package app_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/app/apptest"
	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Every event type of a kind has a recorded example, which is a record with the status after the event.
func TestEventExamples(t *testing.T) {
	a, err := app.Open(t.Context(), apptest.Simulated(t), app.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	catalogue, examples := catalogueOf(a), demo.Examples()
	for _, e := range catalogue {
		if e.Of == nil {
			continue
		}
		if examples[e.Type] == nil {
			t.Errorf("there is no record after %s", e.Type)
		}
		var record struct{ ID, Status string }
		if err := json.Unmarshal(examples.Of(catalogue, e), &record); err != nil {
			t.Errorf("%s: %v", e.Type, err)
			continue
		}
		if !mayBeAfter(e, record.Status) || len(record.ID) != 36 {
			t.Errorf("the example of %s is %s with status %s, want %s", e.Type, record.ID, record.Status, e.To)
		}
	}
}

// mayBeAfter reports whether a record can have a status after an event.
func mayBeAfter(e webhook.EventType, status string) bool {
	return status == string(e.To) || slices.ContainsFunc(e.Of.Lifecycle.Edges, func(edge lifecycle.Edge) bool {
		return e.Of.Kind+"."+edge.Event == e.Type && edge.To == "" && slices.Contains(edge.From, lifecycle.State(status))
	})
}

func catalogueOf(a *app.App) webhook.Catalogue {
	kinds := a.Filings.Types
	types := []*filing.Type{a.Customs.Type}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if kind != a.Customs.Type.Kind {
			types = append(types, kinds[kind])
		}
	}
	return webhook.NewCatalogue(types)
}
