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

// classifying are parcels that say whether they are heavy.
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

// A stored record is answered as the same question by itself is; the trail tells
// of it, and nothing else changes.
func TestClassify(t *testing.T) {
	each(t, func(d *desk) {
		f, kind := d.draft(`{"name":"x","weight":31}`), classifying()
		var stored any
		d.must(d.store.Update(ctx, ours, func(tx *store.Tx) (err error) {
			stored, err = d.service.Classify(tx, viewer, kind, f.ID)
			return err
		}))
		free, err := kind.Classifier.AnswerQuestion(json.RawMessage(`{"weight":31}`))
		d.must(err)
		if stored != free || stored != any(scale{true}) {
			d.Errorf("stored %v, free %v", stored, free)
		}
		after, events := d.stored(f.ID)
		if after.Version != 1 || len(events) != 2 || events[1].Type != "test.parcel.classified" || string(events[1].Data) != `{"heavy":true}` || events[1].ToStatus != "DRAFT" {
			d.Errorf("%+v %+v", after, events)
		}
		if _, err := kind.Classifier.AnswerQuestion(json.RawMessage(`{"weight":"x"}`)); !apierr.Is(err, apierr.InvalidRequest) {
			d.Errorf("%v", err)
		}
		err = d.store.Update(ctx, theirs, func(tx *store.Tx) error { _, err := d.service.Classify(tx, owner, kind, f.ID); return err })
		if !apierr.Is(err, apierr.NotFound) {
			d.Errorf("theirs: %v", err)
		}
	})
}

// A reference that a record has already is drawn again; when none is left, the step fails and nothing changes.
func TestReferencesAreDrawnAgain(t *testing.T) {
	each(t, func(d *desk) {
		drawn := 0
		numbered := func(every int) *filing.Type {
			return filing.Definition[parcel]{
				Kind: "test.parcel", Hub: "test", Path: "/api/test/parcels", One: "parcel", Many: "parcels", Lifecycle: lifecycle.Regulated,
				Reference: func(*ident.Source, time.Time, *parcel) filing.Reference {
					drawn++
					return filing.Reference{Field: "number", Value: strconv.Itoa(drawn / every)}
				},
			}.Type()
		}
		submit := func(kind *filing.Type) (reference string, err error) {
			f := d.draft(`{"name":"x","weight":1}`)
			err = d.store.Update(ctx, ours, func(tx *store.Tx) error {
				f, err := d.service.Transition(tx, member, kind, f.ID, lifecycle.Submit, filing.TransitionData{})
				var added map[string]any
				_ = json.Unmarshal(f.Added, &added)
				reference = fmt.Sprint(added["number"])
				return err
			})
			return reference, err
		}
		thrice := numbered(3)
		first, err := submit(thrice)
		d.must(err)
		second, err := submit(thrice)
		d.must(err)
		if first != "0" || second != "1" {
			d.Errorf("%s and %s", first, second)
		}
		drawn = 0
		if _, err := submit(numbered(1000)); err == nil || drawn > 10 {
			d.Errorf("%v after %d", err, drawn)
		}
	})
}
