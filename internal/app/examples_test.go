package app_test

import (
	"encoding/json"
	"errors"
	"maps"
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

var errUndo = errors.New("undo")

// recordUnseenEvents keeps the records after events that no call of the recording causes, such as those of timers: they are
// made by transitions that are undone.
func (r *recorder) recordUnseenEvents() {
	for _, e := range catalogueOf(r.app) {
		if status, seen := at(r.events[e.Type], "status").(string); e.Of == nil || seen && mayBeAfter(e, status) {
			continue
		}
		actor := tenant.ByUser
		if e.Of.Lifecycle.Guard(actionFor(e)) == lifecycle.System {
			actor = tenant.BySystem
		}
		err := r.app.Store.Update(r.t.Context(), r.demo.OrganisationID, func(tx *store.Tx) error {
			call := tenant.Call{Principal: tenant.Principal{Org: r.demo.OrganisationID, UserID: tenant.SystemUser, Role: tenant.Owner, Type: actor}}
			w := walker{a: r.app, tx: tx, t: e.Of, call: call}
			f, err := w.after(e)
			if err != nil {
				return err
			}
			r.events[e.Type] = exact(f.AppendJSON(nil))
			return errUndo
		})
		if !errors.Is(err, errUndo) {
			r.t.Logf("%s: %v", e.Type, err)
		}
	}
}

// actionFor returns the action that causes an event; empty if there is none.
func actionFor(e webhook.EventType) lifecycle.Action {
	for _, edge := range e.Of.Lifecycle.Edges {
		if e.Of.Kind+"."+edge.Event == e.Type {
			return edge.Action
		}
	}
	return ""
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
