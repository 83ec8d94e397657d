package filing_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// A new record has an ID, the initial state, the input as sent and the added members. Its event says who created it.
func TestCreate(t *testing.T) {
	each(t, func(e *env) {
		const body = `{"weight":31,"name":"Tea \u00fc","notes":["a"]}`
		made := e.draft(body)
		f, events := e.stored(made.ID)
		if !ident.IsUUID(f.ID) || f.Status != lifecycle.Draft || f.Version != 1 || !f.CreatedAt.Equal(nine) || !f.UpdatedAt.Equal(nine) {
			e.Errorf("got %+v", f)
		}
		if string(f.Body) != body || string(f.Brief) != `{"weight":31,"name":"Tea \u00fc"}` {
			e.Errorf("body %s, brief %s", f.Body, f.Brief)
		}
		added := e.added(f)
		if len(added) != 2 || added["heavySince"] != "2026-11-21T09:00:00.000Z" || len(added["ticket"].(string)) != 12 {
			e.Errorf("added %v", added)
		}
		if len(events) != 1 {
			e.Fatalf("%d events", len(events))
		}
		if sealed := filing.SealedBy(&events[0]); sealed.Version != 1 || sealed.Digest != f.Digest(ours) {
			e.Errorf("the event has %+v, want the digest %s", sealed, f.Digest(ours))
		}
		want := audit.Event{
			ID: events[0].ID, Sequence: 1, OccurredAt: nine, Hub: "test", Type: "test.parcel.created", ResourceType: "test.parcel", ResourceID: f.ID,
			ToStatus: "DRAFT", ActorUserID: "u-MEMBER", ActorType: tenant.ByUser, KeyID: "k", RequestID: "r", IPAddress: "192.0.2.1",
			Data: fmt.Appendf(nil, `{"sha256":"%x","recordVersion":1,"recordSha256":"%s"}`, sha256.Sum256([]byte(body)), f.Digest(ours)),
		}
		if got := events[0]; !got.OccurredAt.Equal(nine) || got.Hash != got.Digest(ours) {
			e.Errorf("event %+v", got)
		}
		if shown := events[0].Shown(); shown.Digest(ours) != want.Digest(ours) || string(shown.Data) != string(want.Data) {
			e.Errorf("event %+v\nwant  %+v", shown, want)
		}
	})
}

// A record is shown as id, status, times, the input as sent, and the added members; in lists without large fields.
func TestShown(t *testing.T) {
	each(t, func(e *env) {
		f := e.draft(`{"weight":1,"name":"Tea","notes":["a"]}`)
		ticket := e.added(f)["ticket"]
		head := fmt.Sprintf(`{"id":"%s","status":"DRAFT","createdAt":"2026-11-21T09:00:00.000Z","updatedAt":"2026-11-21T09:00:00.000Z",`, f.ID)
		tail := fmt.Sprintf(`,"ticket":"%s"}`, ticket)
		if got := string(f.AppendJSON(nil)); got != head+`"weight":1,"name":"Tea","notes":["a"]`+tail {
			e.Errorf("record %s", got)
		}
		if got := string(f.AppendBrief(nil)); got != head+`"weight":1,"name":"Tea"`+tail {
			e.Errorf("in lists %s", got)
		}
		if got, err := json.Marshal(&f); err != nil || string(got) != string(f.AppendJSON(nil)) {
			e.Errorf("marshalled %s, %v", got, err)
		}
	})
}

// An invalid or unreadable input is rejected before anything is stored.
func TestParseRefuses(t *testing.T) {
	kind := parcels()
	for body, field := range map[string]string{`{"weight":-1}`: "weight", `{"weight":"1"}`: "body", `[]`: "body", ``: "body"} {
		_, err := kind.Parse(json.RawMessage(body), nine)
		if apiErr, _ := apierr.As(err); !apierr.Is(err, apierr.InvalidRequest) || len(apiErr.Details) != 1 || apiErr.Details[0].Field != field {
			t.Errorf("%q: %v", body, err)
		}
	}
}

// A record that the input refers to must exist, have the right kind and belong to the organisation, on creation and on
// correction. Its ID may be in upper case.
func TestNeeds(t *testing.T) {
	each(t, func(e *env) {
		outer := e.draft(`{"name":"outer","weight":1}`)
		foreign, err := e.create(by(theirs, tenant.Member), `{"name":"foreign","weight":1}`)
		e.must(err)
		inner := e.draft(`{"name":"inner","weight":1,"within":"` + strings.ToUpper(outer.ID) + `"}`)
		for name, id := range map[string]string{"foreign": foreign.ID, "missing": "01900000-0000-7000-8000-00000000dead"} {
			body := `{"name":"x","weight":1,"within":"` + id + `"}`
			_, err := e.create(member, body)
			e.is(name, err, apierr.InvalidRequest)
			if apiErr, ok := apierr.As(err); !ok || len(apiErr.Details) != 1 || apiErr.Details[0] != (apierr.Detail{Field: "within", Message: "no test.parcel has this id"}) {
				e.Errorf("%s: %+v", name, apiErr)
			}
			_, err = e.act(member, inner.ID, lifecycle.Amend, e.corrected(body))
			e.is(name+" on correction", err, apierr.InvalidRequest)
		}
		if f, events := e.stored(inner.ID); f.Version != 1 || len(events) != 1 {
			e.Errorf("a rejected correction left version %d and %d events", f.Version, len(events))
		}
	})
}

// Each transition requires its role and has no effect without it.
func TestGuards(t *testing.T) {
	each(t, func(e *env) {
		none := by(ours, "")
		for _, c := range []struct {
			action lifecycle.Action
			from   lifecycle.State
			codes  map[string]apierr.Code // by role; other roles are allowed
		}{
			{lifecycle.Submit, lifecycle.Draft, map[string]apierr.Code{"": apierr.ReadOnlyKey, "VIEWER": apierr.ReadOnlyKey}},
			{lifecycle.Cancel, lifecycle.Draft, map[string]apierr.Code{"": apierr.ReadOnlyKey, "VIEWER": apierr.ReadOnlyKey}},
			{lifecycle.MarkAccepted, lifecycle.Submitted, map[string]apierr.Code{"": apierr.ReadOnlyKey, "VIEWER": apierr.ReadOnlyKey, "MEMBER": apierr.OwnerRoleRequired}},
			{lifecycle.MarkRejected, lifecycle.Submitted, map[string]apierr.Code{"": apierr.ReadOnlyKey, "VIEWER": apierr.ReadOnlyKey, "MEMBER": apierr.OwnerRoleRequired}},
			{clear, lifecycle.Submitted, map[string]apierr.Code{"": apierr.InvalidState, "VIEWER": apierr.InvalidState, "MEMBER": apierr.InvalidState, "OWNER": apierr.InvalidState}},
		} {
			for _, call := range []tenant.Call{none, viewer, member, owner, system} {
				f := e.draft(`{"name":"x","weight":1}`)
				if c.from == lifecycle.Submitted {
					_, err := e.act(member, f.ID, lifecycle.Submit, filing.TransitionData{})
					e.must(err)
				}
				code, refused := c.codes[string(call.Role)]
				if call.Type == tenant.BySystem {
					refused = false
				}
				_, err := e.act(call, f.ID, c.action, filing.TransitionData{})
				if refused != apierr.Is(err, code) || !refused && err != nil {
					e.Errorf("%s by %s %s: %v, want %q", c.action, call.Type, call.Role, err, code)
				}
				if after, _ := e.stored(f.ID); refused && after.Status != c.from {
					e.Errorf("%s by %s: refused, and now %s", c.action, call.Role, after.Status)
				}
			}
		}
	})
}

// A transition that is not in the table is rejected with the states from which it is possible, and changes nothing.
func TestInvalidTransitions(t *testing.T) {
	each(t, func(e *env) {
		f := e.draft(`{"name":"x","weight":1}`)
		for _, action := range []lifecycle.Action{lifecycle.MarkAccepted, lifecycle.MarkRejected, clear, "fly"} {
			_, err := e.act(owner, f.ID, action, filing.TransitionData{})
			e.is(string(action), err, apierr.InvalidState)
		}
		_, err := e.act(member, f.ID, lifecycle.Cancel, filing.TransitionData{})
		e.must(err)
		for action, sentence := range map[lifecycle.Action]string{
			lifecycle.Submit:       "Cannot submit this parcel while it is CANCELLED; it must be DRAFT.",
			lifecycle.Cancel:       "Cannot cancel this parcel while it is CANCELLED; it must be DRAFT or SUBMITTED.",
			lifecycle.MarkAccepted: "Cannot mark accepted this parcel while it is CANCELLED; it must be SUBMITTED.",
		} {
			_, err := e.act(owner, f.ID, action, filing.TransitionData{})
			e.is(string(action), err, apierr.InvalidState)
			if apiErr, _ := apierr.As(err); apiErr != nil && apiErr.Message != sentence {
				e.Errorf("%s: %q", action, apiErr.Message)
			}
		}
		if after, events := e.stored(f.ID); after.Version != 2 || len(events) != 2 {
			e.Errorf("version %d, %d events", after.Version, len(events))
		}
	})
}

// The error is the same for a record of another organisation and for none at all.
func TestMissingRecords(t *testing.T) {
	each(t, func(e *env) {
		foreign, err := e.create(by(theirs, tenant.Owner), `{"name":"x","weight":1}`)
		e.must(err)
		answers := map[string]bool{}
		for _, id := range []string{foreign.ID, "01900000-0000-7000-8000-00000000dead"} {
			_, err := e.act(owner, id, lifecycle.Submit, filing.TransitionData{})
			e.is(id, err, apierr.NotFound)
			answers[fmt.Sprint(err)] = true
			err = e.store.Update(ctx, ours, func(tx *store.Tx) error {
				_, err := e.service.Review(tx, owner, e.kind, id)
				return err
			})
			e.is("review of "+id, err, apierr.NotFound)
			answers[fmt.Sprint(err)] = true
		}
		if len(answers) != 1 {
			e.Errorf("answers %v", answers)
		}
	})
}

// Submitting sets the time and the authority's reference once. The record is found by the reference, and no later
// transition changes it.
func TestReference(t *testing.T) {
	each(t, func(e *env) {
		f := e.draft(`{"name":"x","weight":1}`)
		e.now = nine.Add(time.Hour)
		submitted, err := e.act(member, f.ID, lifecycle.Submit, filing.TransitionData{})
		e.must(err)
		added := e.added(submitted)
		mrn, _ := added["mrn"].(string)
		if _, err := ident.ParseMRN(mrn); err != nil || added["submittedAt"] != "2026-11-21T10:00:00.000Z" || added["ticket"] != e.added(f)["ticket"] {
			e.Errorf("added %v, %v", added, err)
		}
		e.now = nine.Add(2 * time.Hour)
		_, err = e.act(owner, f.ID, lifecycle.MarkAccepted, filing.TransitionData{})
		e.must(err)
		after, _ := e.stored(f.ID)
		if got := e.added(after); got["mrn"] != mrn || got["submittedAt"] != added["submittedAt"] || !after.UpdatedAt.Equal(e.now) || !after.CreatedAt.Equal(nine) {
			e.Errorf("after acceptance %v", got)
		}
		for name, value := range map[string]string{"test.parcel.mrn": mrn, "test.ticket": added["ticket"].(string)} {
			e.must(e.store.View(ctx, ours, func(tx *store.Tx) error {
				found, err := tx.FilingByKey(name, value)
				if found.ID != f.ID {
					e.Errorf("%s %s leads to %q", name, value, found.ID)
				}
				return err
			}))
			err := e.store.View(ctx, theirs, func(tx *store.Tx) error { _, err := tx.FilingByKey(name, value); return err })
			e.is("their "+name, err, apierr.NotFound)
		}
	})
}

// A correction replaces the input, keeps the assigned members and computes the derived ones again. Its event contains the
// changes.
func TestCorrection(t *testing.T) {
	each(t, func(e *env) {
		f := e.draft(`{"name":"x","weight":31,"notes":["a"]}`)
		e.now = nine.Add(time.Hour)
		_, err := e.act(member, f.ID, lifecycle.Amend, e.corrected(`{"name":"x","weight":30}`))
		e.must(err)
		after, events := e.stored(f.ID)
		if string(after.Body) != `{"name":"x","weight":30}` || string(after.Brief) != string(after.Body) || after.Status != lifecycle.Draft || after.Version != 2 {
			e.Errorf("got %+v", after)
		}
		if got := e.added(after); len(got) != 1 || got["ticket"] != e.added(f)["ticket"] {
			e.Errorf("added %v", got)
		}
		if event := events[1]; event.Type != "test.parcel.amended" || event.FromStatus != "DRAFT" || event.ToStatus != "DRAFT" ||
			unsealed(event) != `{"after":{"weight":30},"before":{"notes":["a"],"weight":31},"sha256":"12158349f5fb1e35f2cc847f83ec31a825073071d7a3410f7527a848206c6dd1"}` {
			e.Errorf("event %+v with %s", event, event.Data)
		}
		_, err = e.act(member, f.ID, lifecycle.Submit, filing.TransitionData{})
		e.must(err)
		_, err = e.act(member, f.ID, lifecycle.Amend, e.corrected(`{"name":"y","weight":1}`))
		e.is("a submitted record", err, apierr.InvalidState)
	})
}

// Derived members are computed when the input is parsed, and again if it is stored on a later day.
func TestDerivedMembersOnAnotherDay(t *testing.T) {
	each(t, func(e *env) {
		midnight := nine.Truncate(24 * time.Hour).Add(24 * time.Hour)
		for read, since := range map[time.Time]string{midnight.Add(-time.Millisecond): "2026-11-22T00:00:00.001Z", midnight: "2026-11-22T00:00:00.000Z"} {
			e.now = midnight.Add(time.Millisecond)
			in, err := e.kind.Parse(json.RawMessage(`{"name":"x","weight":31}`), read)
			e.must(err)
			var f filing.Filing
			e.must(e.store.Update(ctx, ours, func(tx *store.Tx) (err error) {
				f, err = e.service.Create(tx, member, e.kind, in)
				return err
			}))
			if got := e.added(f)["heavySince"]; got != since {
				e.Errorf("read at %s: heavy since %v, not %s", read, got, since)
			}
		}
	})
}

// The reason of a rejection is stored in the record and in the event.
func TestReason(t *testing.T) {
	each(t, func(e *env) {
		f := e.draft(`{"name":"x","weight":1}`)
		_, err := e.act(member, f.ID, lifecycle.Submit, filing.TransitionData{})
		e.must(err)
		_, err = e.act(owner, f.ID, lifecycle.MarkRejected, filing.TransitionData{Reason: "No \"tea\""})
		e.must(err)
		after, events := e.stored(f.ID)
		if after.Status != lifecycle.Rejected || e.added(after)["reason"] != `No "tea"` {
			e.Errorf("got %s, %v", after.Status, e.added(after))
		}
		if event := events[2]; event.Type != "test.parcel.rejected" || event.FromStatus != "SUBMITTED" || event.ToStatus != "REJECTED" || unsealed(event) != `{"reason":"No \"tea\""}` {
			e.Errorf("event %+v with %s", event, event.Data)
		}
	})
}

// A transition writes its members, keys, event data and jobs together with the state, or nothing at all.
func TestTransitionIsAtomic(t *testing.T) {
	each(t, func(e *env) {
		f, other := e.draft(`{"name":"x","weight":1}`), e.draft(`{"name":"y","weight":1}`)
		step := func() filing.TransitionData {
			return filing.TransitionData{
				Added: filing.Added{"colour": "red"}, Data: filing.Added{"why": 1}, Keys: []filing.Key{{Name: "k", Value: "v"}},
				Jobs: []jobs.Job{{ID: e.service.IDs.UUID(), Queue: "post", Subject: f.ID}},
			}
		}
		undone := errors.New("undone")
		err := e.store.Update(ctx, ours, func(tx *store.Tx) error {
			if _, err := e.service.Transition(tx, member, e.kind, f.ID, lifecycle.Submit, step()); err != nil {
				return err
			}
			return undone
		})
		if !errors.Is(err, undone) {
			e.Fatal(err)
		}
		if after, events := e.stored(f.ID); after.Version != 1 || len(events) != 1 || e.added(after)["colour"] != nil || len(e.jobs()) != 0 {
			e.Errorf("left behind: %+v, %d events", after, len(events))
		}
		_, err = e.act(member, f.ID, lifecycle.Submit, step())
		e.must(err)
		after, events := e.stored(f.ID)
		if e.added(after)["colour"] != "red" || unsealed(events[1]) != `{"why":1}` {
			e.Errorf("added %v, event data %s", e.added(after), events[1].Data)
		}
		if jobs := e.jobs(); len(jobs) != 1 || jobs[0].Subject != f.ID || jobs[0].Org != ours {
			e.Errorf("jobs %+v", jobs)
		}
		if _, err := e.act(member, other.ID, lifecycle.Submit, step()); err == nil {
			e.Error("two records share a key")
		}
		if after, events := e.stored(other.ID); after.Status != lifecycle.Draft || len(events) != 1 {
			e.Errorf("the rejected transition left %s and %d events", after.Status, len(events))
		}
	})
}

func (e *env) jobs() []jobs.Job {
	e.Helper()
	jobs, err := e.store.LeaseJobs(ctx, "post", 10, time.Minute)
	e.must(err)
	return jobs
}

// If many callers make the same transition at once, exactly one succeeds. The others get invalid_state.
func TestConcurrentTransitions(t *testing.T) {
	each(t, func(e *env) {
		f := e.draft(`{"name":"x","weight":1}`)
		var won atomic.Int64
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				switch _, err := e.act(member, f.ID, lifecycle.Submit, filing.TransitionData{}); {
				case err == nil:
					won.Add(1)
				case !apierr.Is(err, apierr.InvalidState):
					e.Errorf("got %v", err)
				}
			})
		}
		all.Wait()
		after, events := e.stored(f.ID)
		if won.Load() != 1 || after.Version != 2 || len(events) != 2 {
			e.Errorf("%d winners, version %d, %d events", won.Load(), after.Version, len(events))
		}
	})
}

// A review gives the same result each time and only adds an event.
func TestReview(t *testing.T) {
	each(t, func(e *env) {
		f := e.draft(`{"name":"x","weight":31}`)
		before, _ := e.stored(f.ID)
		e.now = nine.Add(time.Hour)
		var texts []string
		for _, call := range []tenant.Call{viewer, owner} {
			e.must(e.store.Update(ctx, ours, func(tx *store.Tx) error {
				r, err := e.service.Review(tx, call, e.kind, f.ID)
				text, _ := json.Marshal(r)
				texts = append(texts, string(text))
				if len(r.Findings) != 1 || r.Findings[0].Code != "PAR-001" || r.RiskScore != 0.2 {
					e.Errorf("review %s", text)
				}
				return err
			}))
		}
		after, events := e.stored(f.ID)
		if texts[0] != texts[1] || after.Version != before.Version || !after.UpdatedAt.Equal(before.UpdatedAt) || string(after.AppendJSON(nil)) != string(before.AppendJSON(nil)) {
			e.Errorf("before %+v, after %+v", before, after)
		}
		if len(events) != 3 || events[2].Type != "test.parcel.reviewed" || events[2].FromStatus != "DRAFT" || events[2].ToStatus != "DRAFT" ||
			string(events[2].Data) != `{"codes":["PAR-001"],"riskScore":0.2}` {
			e.Errorf("events %+v", events)
		}
	})
}

// The events of a record form a valid chain, each with the state before and after.
func TestEventChain(t *testing.T) {
	each(t, func(e *env) {
		f := e.draft(`{"name":"x","weight":1}`)
		for _, step := range []struct {
			call   tenant.Call
			action lifecycle.Action
		}{{member, lifecycle.Submit}, {system, clear}} {
			_, err := e.act(step.call, f.ID, step.action, filing.TransitionData{})
			e.must(err)
		}
		chain := audit.Chain{Org: ours}
		var seen []string
		e.must(e.store.View(ctx, ours, func(tx *store.Tx) error {
			return tx.EachEvent(func(e audit.Event) error {
				seen = append(seen, fmt.Sprintf("%s %s>%s by %s %s", e.Type, e.FromStatus, e.ToStatus, e.ActorType, e.ActorUserID))
				return chain.Next(e)
			})
		}))
		want := "test.parcel.created >DRAFT by user u-MEMBER, test.parcel.submitted DRAFT>SUBMITTED by user u-MEMBER, " +
			"test.parcel.cleared SUBMITTED>ACCEPTED by system system"
		if got := strings.Join(seen, ", "); got != want {
			e.Errorf("got %s", got)
		}
	})
}

// A definition with an invalid lifecycle panics.
func TestWrongDefinition(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.HasPrefix(fmt.Sprint(p), "test.odd: lifecycle: ") {
			t.Errorf("recovered %v", p)
		}
	}()
	filing.Definition[parcel]{Kind: "test.odd"}.Type()
}

// unsealed returns the data of an event without the version and digest of the record.
func unsealed(e audit.Event) string {
	data, _, _ := strings.Cut(string(e.Data), `,"recordVersion":`)
	return data + "}"
}
