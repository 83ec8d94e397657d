package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/app/apptest"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// Every event type of a kind has an example, which is a record with the status after the event.
func TestEventExamples(t *testing.T) {
	if os.Getenv("TIDEWAITER_EXAMPLES") == "write" {
		writeExamples(t)
	}
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
		var record struct{ ID, Status string }
		if err := json.Unmarshal(examples.Of(catalogue, e), &record); err != nil {
			t.Errorf("%s: %v", e.Type, err)
			continue
		}
		if record.Status != string(e.To) || len(record.ID) != 36 {
			t.Errorf("the example of %s is %s with status %s, want %s", e.Type, record.ID, record.Status, e.To)
		}
	}
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

var errUndo = errors.New("undo")

// writeExamples runs the demo and stores its records after each event. A state that no record has is reached by
// transitions that are undone.
func writeExamples(t *testing.T) {
	a, err := app.Open(t.Context(), apptest.Simulated(t), app.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ctx, stop := context.WithCancel(t.Context())
	all := webhook.Examples{}
	err = a.Serve(ctx, func(string) {
		defer stop()
		var made demo.Demo
		if err := a.Demo(ctx, func(d demo.Demo) { made = d }); err != nil {
			t.Error(err)
			return
		}
		for _, e := range catalogueOf(a) {
			if e.Of == nil {
				continue
			}
			err := a.Store.Update(ctx, made.OrganisationID, func(tx *store.Tx) error {
				w := walker{a: a, tx: tx, t: e.Of, call: tenant.Call{Principal: tenant.Principal{Org: made.OrganisationID, UserID: "system", Role: tenant.Owner, Type: tenant.ByUser}}}
				f, err := w.after(e)
				if err != nil {
					return err
				}
				all[e.Type] = f.AppendJSON(nil)
				return errUndo
			})
			if known, found := demo.Examples()[e.Type]; found && all[e.Type] == nil { // the demo does not reach it
				all[e.Type] = known
			}
			if !errors.Is(err, errUndo) {
				t.Logf("%s: %v", e.Type, err)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("../demo/examples.json", append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// walker brings a record of one kind into a state.
type walker struct {
	a    *app.App
	tx   *store.Tx
	t    *filing.Type
	call tenant.Call
}

// after returns a record that an event of the trail or, without one, a transition has brought into its state.
func (w walker) after(e webhook.EventType) (filing.Filing, error) {
	seen, err := w.tx.Events(audit.Query{Type: e.Type, Limit: 50})
	if err != nil {
		return filing.Filing{}, err
	}
	for i := range seen {
		if f, err := w.tx.Filing(w.t.Kind, seen[i].ResourceID); err == nil && f.Status == e.To {
			return f, nil
		}
	}
	for _, edge := range w.t.Lifecycle.Edges {
		if w.t.Kind+"."+edge.Event == e.Type {
			if f, err := w.into(edge.From[0], 0); err == nil {
				return w.a.Filings.Transition(w.tx, w.call, w.t, f.ID, edge.Action, filing.TransitionData{Reason: "The reference does not match."})
			}
		}
	}
	return filing.Filing{}, apierr.Missing()
}

// into returns a record in a state.
func (w walker) into(state lifecycle.State, depth int) (filing.Filing, error) {
	found, err := w.tx.Filings(filing.Query{Kind: w.t.Kind, Limit: 100})
	if err != nil {
		return filing.Filing{}, err
	}
	for _, f := range found {
		if f.Status == state {
			return f, nil
		}
	}
	for _, edge := range w.t.Lifecycle.Edges {
		if edge.To != state || depth > 5 {
			continue
		}
		for _, from := range edge.From {
			if f, err := w.into(from, depth+1); err == nil && from != state {
				return w.a.Filings.Transition(w.tx, w.call, w.t, f.ID, edge.Action, filing.TransitionData{Reason: "The reference does not match."})
			}
		}
	}
	return filing.Filing{}, apierr.Missing()
}
