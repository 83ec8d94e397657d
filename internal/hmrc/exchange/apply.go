package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// touch lets a record be computed from its messages.
func (s *Service) touch(tx Tx, filingID string) error {
	if found, err := tx.RunJobNow(ApplyQueue, filingID); err != nil || found {
		return err
	}
	return tx.Enqueue(jobs.Job{ID: s.IDs.UUID(), Queue: ApplyQueue, Subject: filingID})
}

// Apply is the job that computes one record from its messages.
func (s *Service) Apply(ctx context.Context, j jobs.Job) error {
	return s.Store.UpdateAuthority(ctx, j.Org, func(tx Tx) error {
		if err := tx.FinishJob(j); err != nil {
			return err
		}
		return s.apply(tx, j.Subject)
	})
}

// applyAll computes the records about which messages have come, before their jobs run.
func (s *Service) applyAll(ctx context.Context, org tenant.ID) error {
	return s.Store.UpdateAuthority(ctx, org, func(tx Tx) error {
		due, err := tx.SubjectsOf(ApplyQueue, dueAtOnce)
		for _, id := range due {
			if err == nil {
				err = s.apply(tx, id)
			}
		}
		return err
	})
}

// apply computes a record from its messages, makes the transitions that follow, and plans when the authority is asked next.
func (s *Service) apply(tx Tx, filingID string) error {
	reg, found, err := tx.AuthorityRecord(filingID)
	if err != nil || !found {
		return err
	}
	a, err := s.byID(reg.Authority)
	if err != nil {
		return err
	}
	f, err := tx.Filing(a.Type.Kind, filingID)
	if apierr.Is(err, apierr.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if waits, err := s.awaitsOutcome(tx, a, &f); err != nil || waits {
		return err
	}
	c, err := s.course(tx, a, reg, &f)
	if err != nil {
		return err
	}
	if err := s.follow(tx, a, reg, &f, c); err != nil {
		return err
	}
	if err := s.name(tx, reg, c.Names); err != nil {
		return err
	}
	reg.Next = c.Next
	if err := tx.PutAuthorityRecord(reg); err != nil {
		return err
	}
	return s.schedule(tx, reg)
}

// awaitsOutcome reports whether the outcome of a record's submission is not stored yet although messages about it may have come, with those of another record
// for example. The record then follows its messages after the submission, which the outcome makes and which computes it again.
func (s *Service) awaitsOutcome(tx Tx, a *Authority, f *filing.Filing) (bool, error) {
	if f.Status != a.Type.Lifecycle.Initial {
		return false, nil
	}
	messages, err := tx.AuthorityMessages(f.ID, MaxMessages)
	return slices.ContainsFunc(messages, func(m Message) bool { return m.Direction == Out && m.InDoubt() && m.Change.Order == First }), err
}

// course computes what follows from the messages of a record. A panic of the authority's function is an error of this record.
func (s *Service) course(tx Tx, a *Authority, reg Registration, f *filing.Filing) (c Course, err error) {
	messages, err := tx.AuthorityMessages(f.ID, MaxMessages)
	if err != nil {
		return c, err
	}
	r := &Record{Filing: *f, Identifier: reg.Identifier, Mode: reg.Mode}
	ref, err := a.Type.ReferenceOf(f.Added)
	if err != nil {
		return c, err
	}
	r.Reference = ref.Value
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("exchange: applying the messages of %s: %v\n%s", f.ID, p, debug.Stack())
		}
	}()
	return a.Apply(r, messages, tx.Now())
}

// nextOf returns when the authority is asked next about a record. A record that cannot be computed is asked about hourly.
func (s *Service) nextOf(tx Tx, a *Authority, r Registration) (time.Time, error) {
	f, err := tx.Filing(a.Type.Kind, r.FilingID)
	if apierr.Is(err, apierr.NotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	c, err := s.course(tx, a, r, &f)
	if err != nil {
		if apierr.CannotStore(err) {
			return time.Time{}, err
		}
		s.Log.Warn("cannot compute a record from its messages", "authority", a.ID, "record", r.FilingID, "error", err)
		return tx.Now().Add(time.Hour), nil
	}
	return c.Next, nil
}

// follow makes the transitions of a course. The last one has everything that changes.
func (s *Service) follow(tx Tx, a *Authority, reg Registration, f *filing.Filing, c Course) error {
	steps, err := stepsOf(a, f, c)
	if err != nil {
		return err
	}
	call := tenant.Call{Principal: tenant.System(tx.Org()), RequestID: reg.Authority}
	for i, extra := range steps {
		step := filing.TransitionData{Data: c.Data}
		if extra.Data != nil {
			step.Data = extra.Data
		}
		if extra.Input != nil {
			in, err := a.Type.Parse(extra.Input, tx.Now())
			if err != nil {
				return err
			}
			step.Input = &in
		}
		if step.Reason = c.Reason; i == len(steps)-1 {
			step.Added = c.Added
			if step.Reference, err = referenceOf(a.Type, reg, f, c); err != nil {
				return err
			}
		}
		if _, err := s.Filings.Transition(tx, call, a.Type, f.ID, extra.Action, step); err != nil {
			return err
		}
	}
	return nil
}

// stepsOf returns the changes of a record that follow from a course: those that lead to its state, the extras, or a note of other
// changes.
func stepsOf(a *Authority, f *filing.Filing, c Course) (steps []Extra, err error) {
	for _, action := range pathTo(&a.Type.Lifecycle, f.Status, c.State) {
		steps = append(steps, Extra{Action: action})
	}
	steps = append(steps, c.Extras...)
	if len(steps) > 0 {
		return steps, nil
	}
	changed, err := changesOf(a.Type, f, c)
	if _, ok := a.Type.Lifecycle.Find(f.Status, a.Note); err != nil || !ok || !changed {
		return nil, err
	}
	return []Extra{{Action: a.Note}}, nil
}

// referenceOf returns the reference that a record gets; nil if it has it.
func referenceOf(t *filing.Type, reg Registration, f *filing.Filing, c Course) (*filing.Reference, error) {
	has, err := t.ReferenceOf(f.Added)
	if err != nil || c.Reference == "" || has.Value == c.Reference {
		return nil, err
	}
	return &filing.Reference{Field: t.ReferenceMember, Value: c.Reference, Source: reg.Mode.Source()}, nil
}

// pathTo returns the shortest way of actions that only the service may make from one state to another; nil for none.
func pathTo(t *lifecycle.Table, from, to lifecycle.State) []lifecycle.Action {
	if to == "" || from == to {
		return nil
	}
	type way struct {
		at      lifecycle.State
		actions []lifecycle.Action
	}
	ways, seen := []way{{at: from}}, map[lifecycle.State]bool{from: true}
	for i := 0; i < len(ways); i++ {
		for _, e := range t.Edges {
			next := e.StateAfter(ways[i].at)
			if e.Guard != lifecycle.System || !slices.Contains(e.From, ways[i].at) || seen[next] {
				continue
			}
			seen[next] = true
			w := way{next, append(slices.Clone(ways[i].actions), e.Action)}
			if next == to {
				return w.actions
			}
			ways = append(ways, w)
		}
	}
	return nil
}

// changesOf reports whether the members of a course, or its reference, differ from those of a record.
func changesOf(t *filing.Type, f *filing.Filing, c Course) (bool, error) {
	var has map[string]json.RawMessage
	if len(f.Added) > 0 {
		if err := json.Unmarshal(f.Added, &has); err != nil {
			return false, err
		}
	}
	if ref, err := t.ReferenceOf(f.Added); err != nil || c.Reference != "" && ref.Value != c.Reference {
		return true, err
	}
	for name, value := range c.Added {
		if value == nil {
			if _, found := has[name]; found {
				return true, nil
			}
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			return false, err
		}
		if !sameJSON(text, has[name]) {
			return true, nil
		}
	}
	return false, nil
}

// sameJSON reports whether two JSON values are the same but for spaces.
func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// name stores names by which messages find a record, and gives it the messages that came before they were known.
func (s *Service) name(tx Tx, reg Registration, names []string) error {
	fresh := false
	for _, n := range names {
		if n == "" {
			continue
		}
		added, err := tx.AddAuthorityName(reg.Authority, reg.Mode, n, reg.FilingID)
		if err != nil {
			return err
		}
		fresh = fresh || added
	}
	if !fresh {
		return nil
	}
	return s.claimNamed(tx, reg)
}

// find returns the record that has one of some names, and the name; empty for none.
func (s *Service) find(tx Tx, reg Registration, names []string) (filingID, name string, err error) {
	for _, n := range names {
		if n == "" {
			continue
		}
		if filingID, err = tx.FilingByAuthorityName(reg.Authority, reg.Mode, n); err != nil || filingID != "" {
			return filingID, n, err
		}
	}
	return "", "", nil
}

// match returns the record of a message; empty for none. The record gets all names of the message, and a name that works once is
// used up.
func (s *Service) match(tx Tx, a *Authority, reg Registration, in Received) (filingID string, err error) {
	names := a.About(in)
	filingID, name, err := s.find(tx, reg, names)
	if err != nil || filingID == "" {
		return "", err
	}
	return filingID, s.settle(tx, reg, filingID, name, names)
}

// settle gives a record the names of a message that was found to be about it.
func (s *Service) settle(tx Tx, reg Registration, filingID, used string, names []string) error {
	reg.FilingID = filingID
	if strings.HasPrefix(used, oncePrefix) {
		if err := tx.RemoveAuthorityName(reg.Authority, reg.Mode, used, filingID); err != nil {
			return err
		}
	}
	return s.name(tx, reg, slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.HasPrefix(n, oncePrefix) }))
}
