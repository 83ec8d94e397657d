package filing_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

type (
	weighed struct {
		Weight int `json:"weight"`
	}
	scale struct {
		Heavy bool `json:"heavy"`
	}
)

// classifying returns a kind that classifies parcels as heavy or not.
func classifying() *filing.Type {
	kind := parcels()
	kind.Classifier = filing.ClassifierDefinition[parcel, weighed, scale]{
		Path:         "/api/test/classify",
		FromQuestion: func(q *weighed) scale { return scale{q.Weight > 30} },
		FromRecord:   func(p *parcel) scale { return scale{p.Weight > 30} },
		AuditData:    func(a scale) filing.Added { return filing.Added{"heavy": a.Heavy} },
	}.Classifier()
	return kind
}

// A stored record gets the same answer as the separate question. Only an event is stored.
func TestClassify(t *testing.T) {
	each(t, func(e *env) {
		f, kind := e.draft(`{"name":"x","weight":31}`), classifying()
		var stored any
		e.must(e.store.Update(ctx, ours, func(tx *store.Tx) (err error) {
			stored, err = e.service.Classify(tx, viewer, kind, f.ID)
			return err
		}))
		free, err := kind.Classifier.AnswerQuestion(json.RawMessage(`{"weight":31}`))
		e.must(err)
		if stored != free || stored != any(scale{true}) {
			e.Errorf("stored %v, free %v", stored, free)
		}
		after, events := e.stored(f.ID)
		if after.Version != 1 || len(events) != 2 || events[1].Type != "test.parcel.classified" || string(events[1].Data) != `{"heavy":true}` || events[1].ToStatus != "DRAFT" {
			e.Errorf("%+v %+v", after, events)
		}
		if _, err := kind.Classifier.AnswerQuestion(json.RawMessage(`{"weight":"x"}`)); !apierr.Is(err, apierr.InvalidRequest) {
			e.Errorf("%v", err)
		}
		err = e.store.Update(ctx, theirs, func(tx *store.Tx) error { _, err := e.service.Classify(tx, owner, kind, f.ID); return err })
		if !apierr.Is(err, apierr.NotFound) {
			e.Errorf("theirs: %v", err)
		}
	})
}

// A reference that is already used is generated again. If none is left, the transition fails and changes nothing.
func TestUsedReferences(t *testing.T) {
	each(t, func(e *env) {
		drawn := 0
		numbered := func(every int) *filing.Type {
			return filing.Definition[parcel]{
				Kind: "test.parcel", Hub: "test", Path: "/api/test/parcels", Singular: "parcel", Plural: "parcels", Lifecycle: lifecycle.Regulated,
				Reference: func(*ident.Source, time.Time, *parcel) filing.Reference {
					drawn++
					return filing.Reference{Field: "number", Value: strconv.Itoa(drawn / every)}
				},
			}.Type()
		}
		submit := func(kind *filing.Type) (reference string, err error) {
			f := e.draft(`{"name":"x","weight":1}`)
			err = e.store.Update(ctx, ours, func(tx *store.Tx) error {
				f, err := e.service.Transition(tx, member, kind, f.ID, lifecycle.Submit, filing.TransitionData{})
				var added map[string]any
				_ = json.Unmarshal(f.Added, &added)
				reference = fmt.Sprint(added["number"])
				return err
			})
			return reference, err
		}
		thrice := numbered(3)
		first, err := submit(thrice)
		e.must(err)
		second, err := submit(thrice)
		e.must(err)
		if first != "0" || second != "1" {
			e.Errorf("%s and %s", first, second)
		}
		drawn = 0
		if _, err := submit(numbered(1000)); err == nil || drawn > 10 {
			e.Errorf("%v after %d", err, drawn)
		}
	})
}
