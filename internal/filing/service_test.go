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

// A new record has its id, its first state, the input as it was sent, and what the
// service adds; its event tells who made what.
func TestCreate(t *testing.T) {
	each(t, func(d *desk) {
		const body = `{"weight":31,"name":"Tea \u00fc","notes":["a"]}`
		made := d.draft(body)
		f, events := d.stored(made.ID)
		if !ident.IsUUID(f.ID) || f.Status != lifecycle.Draft || f.Version != 1 || !f.CreatedAt.Equal(nine) || !f.UpdatedAt.Equal(nine) {
			d.Errorf("got %+v", f)
		}
		if string(f.Body) != body || string(f.Brief) != `{"weight":31,"name":"Tea \u00fc"}` {
			d.Errorf("body %s, brief %s", f.Body, f.Brief)
		}
		added := d.added(f)
		if len(added) != 2 || added["heavySince"] != "2026-11-21T09:00:00.000Z" || len(added["ticket"].(string)) != 12 {
			d.Errorf("added %v", added)
		}
		if len(events) != 1 {
			d.Fatalf("%d events", len(events))
		}
		if said := filing.SealedBy(&events[0]); said.Version != 1 || said.Digest != f.Digest(ours) {
			d.Errorf("the event says %+v of the record, want the digest %s", said, f.Digest(ours))
		}
		want := audit.Event{
			ID: events[0].ID, Sequence: 1, OccurredAt: nine, Hub: "test", Type: "test.parcel.created", ResourceType: "test.parcel", ResourceID: f.ID,
			ToStatus: "DRAFT", ActorUserID: "u-MEMBER", ActorType: tenant.ByUser, KeyID: "k", RequestID: "r", IPAddress: "192.0.2.1",
			Data: fmt.Appendf(nil, `{"sha256":"%x","recordVersion":1,"recordSha256":"%s"}`, sha256.Sum256([]byte(body)), f.Digest(ours)),
		}
		if got := events[0]; !got.OccurredAt.Equal(nine) || got.Hash != got.Digest(ours) {
			d.Errorf("event %+v", got)
		}
		if shown := events[0].Shown(); shown.Digest(ours) != want.Digest(ours) || string(shown.Data) != string(want.Data) {
			d.Errorf("event %+v\nwant  %+v", shown, want)
		}
	})
}

// The record is shown as id, status, instants, the input as it was sent, and what
// the service added; in lists without what is bulky.
func TestShown(t *testing.T) {
	each(t, func(d *desk) {
		f := d.draft(`{"weight":1,"name":"Tea","notes":["a"]}`)
		ticket := d.added(f)["ticket"]
		head := fmt.Sprintf(`{"id":"%s","status":"DRAFT","createdAt":"2026-11-21T09:00:00.000Z","updatedAt":"2026-11-21T09:00:00.000Z",`, f.ID)
		tail := fmt.Sprintf(`,"ticket":"%s"}`, ticket)
		if got := string(f.AppendJSON(nil)); got != head+`"weight":1,"name":"Tea","notes":["a"]`+tail {
			d.Errorf("record %s", got)
		}
		if got := string(f.AppendBrief(nil)); got != head+`"weight":1,"name":"Tea"`+tail {
			d.Errorf("in lists %s", got)
		}
		if got, err := json.Marshal(&f); err != nil || string(got) != string(f.AppendJSON(nil)) {
			d.Errorf("marshalled %s, %v", got, err)
		}
	})
}

// Nonsense is refused before anything is stored, and so is an input that cannot be read.
func TestParseRefuses(t *testing.T) {
	kind := parcels()
	for body, field := range map[string]string{`{"weight":-1}`: "weight", `{"weight":"1"}`: "body", `[]`: "body", ``: "body"} {
		_, err := kind.Parse(json.RawMessage(body), nine)
		if e, _ := apierr.As(err); !apierr.Is(err, apierr.InvalidRequest) || len(e.Details) != 1 || e.Details[0].Field != field {
			t.Errorf("%q: %v", body, err)
		}
	}
}

// A record that the input names must be there, of the right kind, and ours: on
// creation and on correction, whatever the case of its id.
func TestNeeds(t *testing.T) {
	each(t, func(d *desk) {
		outer := d.draft(`{"name":"outer","weight":1}`)
		foreign, err := d.create(by(theirs, tenant.Member), `{"name":"foreign","weight":1}`)
		d.must(err)
		inner := d.draft(`{"name":"inner","weight":1,"within":"` + strings.ToUpper(outer.ID) + `"}`)
		for name, id := range map[string]string{"foreign": foreign.ID, "missing": "01900000-0000-7000-8000-00000000dead"} {
			body := `{"name":"x","weight":1,"within":"` + id + `"}`
			_, err := d.create(member, body)
			d.is(name, err, apierr.InvalidRequest)
			if e, ok := apierr.As(err); !ok || len(e.Details) != 1 || e.Details[0] != (apierr.Detail{Field: "within", Message: "there is no test.parcel with this id"}) {
				d.Errorf("%s: %+v", name, e)
			}
			_, err = d.act(member, inner.ID, lifecycle.Amend, d.corrected(body))
			d.is(name+" on correction", err, apierr.InvalidRequest)
		}
		if f, events := d.stored(inner.ID); f.Version != 1 || len(events) != 1 {
			d.Errorf("a refused correction left version %d and %d events", f.Version, len(events))
		}
	})
}

// Each step needs its role, and none of them has any effect without it.
func TestGuards(t *testing.T) {
	each(t, func(d *desk) {
		nobody := by(ours, "")
		for _, c := range []struct {
			action lifecycle.Action
			from   lifecycle.State
			codes  map[string]apierr.Code // by role; the others may
		}{
			{lifecycle.Submit, lifecycle.Draft, map[string]apierr.Code{"": apierr.ReadOnlyKey, "VIEWER": apierr.ReadOnlyKey}},
			{lifecycle.Cancel, lifecycle.Draft, map[string]apierr.Code{"": apierr.ReadOnlyKey, "VIEWER": apierr.ReadOnlyKey}},
			{lifecycle.MarkAccepted, lifecycle.Submitted, map[string]apierr.Code{"": apierr.ReadOnlyKey, "VIEWER": apierr.ReadOnlyKey, "MEMBER": apierr.OwnerRoleRequired}},
			{lifecycle.MarkRejected, lifecycle.Submitted, map[string]apierr.Code{"": apierr.ReadOnlyKey, "VIEWER": apierr.ReadOnlyKey, "MEMBER": apierr.OwnerRoleRequired}},
			{clear, lifecycle.Submitted, map[string]apierr.Code{"": apierr.InvalidState, "VIEWER": apierr.InvalidState, "MEMBER": apierr.InvalidState, "OWNER": apierr.InvalidState}},
		} {
			for _, call := range []tenant.Call{nobody, viewer, member, owner, system} {
				f := d.draft(`{"name":"x","weight":1}`)
				if c.from == lifecycle.Submitted {
					_, err := d.act(member, f.ID, lifecycle.Submit, filing.TransitionData{})
					d.must(err)
				}
				code, refused := c.codes[string(call.Role)]
				if call.Type == tenant.BySystem {
					refused = false
				}
				_, err := d.act(call, f.ID, c.action, filing.TransitionData{})
				if refused != apierr.Is(err, code) || !refused && err != nil {
					d.Errorf("%s by %s %s: %v, want %q", c.action, call.Type, call.Role, err, code)
				}
				if after, _ := d.stored(f.ID); refused && after.Status != c.from {
					d.Errorf("%s by %s: refused, and now %s", c.action, call.Role, after.Status)
				}
			}
		}
	})
}

// A step that the table has not got is refused with the states that it starts from,
// and changes nothing.
func TestStateRefusals(t *testing.T) {
	each(t, func(d *desk) {
		f := d.draft(`{"name":"x","weight":1}`)
		for _, action := range []lifecycle.Action{lifecycle.MarkAccepted, lifecycle.MarkRejected, clear, "fly"} {
			_, err := d.act(owner, f.ID, action, filing.TransitionData{})
			d.is(string(action), err, apierr.InvalidState)
		}
		_, err := d.act(member, f.ID, lifecycle.Cancel, filing.TransitionData{})
		d.must(err)
		for action, sentence := range map[lifecycle.Action]string{
			lifecycle.Submit:       "Cannot submit this parcel while it is CANCELLED; it must be DRAFT.",
			lifecycle.Cancel:       "Cannot cancel this parcel while it is CANCELLED; it must be DRAFT or SUBMITTED.",
			lifecycle.MarkAccepted: "Cannot mark accepted this parcel while it is CANCELLED; it must be SUBMITTED.",
		} {
			_, err := d.act(owner, f.ID, action, filing.TransitionData{})
			d.is(string(action), err, apierr.InvalidState)
			if e, _ := apierr.As(err); e != nil && e.Message != sentence {
				d.Errorf("%s: %q", action, e.Message)
			}
		}
		if after, events := d.stored(f.ID); after.Version != 2 || len(events) != 2 {
			d.Errorf("version %d, %d events", after.Version, len(events))
		}
	})
}

// A record of another organisation, of another kind and none at all are one answer.
func TestMissingRecords(t *testing.T) {
	each(t, func(d *desk) {
		foreign, err := d.create(by(theirs, tenant.Owner), `{"name":"x","weight":1}`)
		d.must(err)
		answers := map[string]bool{}
		for _, id := range []string{foreign.ID, "01900000-0000-7000-8000-00000000dead"} {
			_, err := d.act(owner, id, lifecycle.Submit, filing.TransitionData{})
			d.is(id, err, apierr.NotFound)
			answers[fmt.Sprint(err)] = true
			err = d.store.Update(ctx, ours, func(tx *store.Tx) error {
				_, err := d.service.Review(tx, owner, d.kind, id)
				return err
			})
			d.is("review of "+id, err, apierr.NotFound)
			answers[fmt.Sprint(err)] = true
		}
		if len(answers) != 1 {
			d.Errorf("answers %v", answers)
		}
	})
}

// Submitting stamps the instant and gives the reference of the authority, once: the
// record is found by it, and no later step changes it.
func TestReference(t *testing.T) {
	each(t, func(d *desk) {
		f := d.draft(`{"name":"x","weight":1}`)
		d.now = nine.Add(time.Hour)
		submitted, err := d.act(member, f.ID, lifecycle.Submit, filing.TransitionData{})
		d.must(err)
		added := d.added(submitted)
		mrn, _ := added["mrn"].(string)
		if _, err := ident.ParseMRN(mrn); err != nil || added["submittedAt"] != "2026-11-21T10:00:00.000Z" || added["ticket"] != d.added(f)["ticket"] {
			d.Errorf("added %v, %v", added, err)
		}
		d.now = nine.Add(2 * time.Hour)
		_, err = d.act(owner, f.ID, lifecycle.MarkAccepted, filing.TransitionData{})
		d.must(err)
		after, _ := d.stored(f.ID)
		if got := d.added(after); got["mrn"] != mrn || got["submittedAt"] != added["submittedAt"] || !after.UpdatedAt.Equal(d.now) || !after.CreatedAt.Equal(nine) {
			d.Errorf("after acceptance %v", got)
		}
		for name, value := range map[string]string{"test.parcel.mrn": mrn, "test.ticket": added["ticket"].(string)} {
			d.must(d.store.View(ctx, ours, func(tx *store.Tx) error {
				found, err := tx.FilingByKey(name, value)
				if found.ID != f.ID {
					d.Errorf("%s %s leads to %q", name, value, found.ID)
				}
				return err
			}))
			err := d.store.View(ctx, theirs, func(tx *store.Tx) error { _, err := tx.FilingByKey(name, value); return err })
			d.is("their "+name, err, apierr.NotFound)
		}
	})
}

// A correction replaces the input, keeps what the service gave once, and derives
// again what follows; the trail has what changed.
func TestCorrection(t *testing.T) {
	each(t, func(d *desk) {
		f := d.draft(`{"name":"x","weight":31,"notes":["a"]}`)
		d.now = nine.Add(time.Hour)
		_, err := d.act(member, f.ID, lifecycle.Amend, d.corrected(`{"name":"x","weight":30}`))
		d.must(err)
		after, events := d.stored(f.ID)
		if string(after.Body) != `{"name":"x","weight":30}` || string(after.Brief) != string(after.Body) || after.Status != lifecycle.Draft || after.Version != 2 {
			d.Errorf("got %+v", after)
		}
		if got := d.added(after); len(got) != 1 || got["ticket"] != d.added(f)["ticket"] {
			d.Errorf("added %v", got)
		}
		if e := events[1]; e.Type != "test.parcel.amended" || e.FromStatus != "DRAFT" || e.ToStatus != "DRAFT" ||
			unsealed(e) != `{"after":{"weight":30},"before":{"notes":["a"],"weight":31},"sha256":"12158349f5fb1e35f2cc847f83ec31a825073071d7a3410f7527a848206c6dd1"}` {
			d.Errorf("event %+v with %s", e, e.Data)
		}
		_, err = d.act(member, f.ID, lifecycle.Submit, filing.TransitionData{})
		d.must(err)
		_, err = d.act(member, f.ID, lifecycle.Amend, d.corrected(`{"name":"y","weight":1}`))
		d.is("a submitted record", err, apierr.InvalidState)
	})
}

// What follows from an input is worked out when it is read, and again when the day
// has changed before it is stored.
func TestWhatFollowsIsOfTheDay(t *testing.T) {
	each(t, func(d *desk) {
		midnight := nine.Truncate(24 * time.Hour).Add(24 * time.Hour)
		for read, since := range map[time.Time]string{midnight.Add(-time.Millisecond): "2026-11-22T00:00:00.001Z", midnight: "2026-11-22T00:00:00.000Z"} {
			d.now = midnight.Add(time.Millisecond)
			in, err := d.kind.Parse(json.RawMessage(`{"name":"x","weight":31}`), read)
			d.must(err)
			var f filing.Filing
			d.must(d.store.Update(ctx, ours, func(tx *store.Tx) (err error) {
				f, err = d.service.Create(tx, member, d.kind, in)
				return err
			}))
			if got := d.added(f)["heavySince"]; got != since {
				d.Errorf("read at %s: heavy since %v, not %s", read, got, since)
			}
		}
	})
}

// A rejection keeps its reason, on the record and in the trail.
func TestReason(t *testing.T) {
	each(t, func(d *desk) {
		f := d.draft(`{"name":"x","weight":1}`)
		_, err := d.act(member, f.ID, lifecycle.Submit, filing.TransitionData{})
		d.must(err)
		_, err = d.act(owner, f.ID, lifecycle.MarkRejected, filing.TransitionData{Reason: "No \"tea\""})
		d.must(err)
		after, events := d.stored(f.ID)
		if after.Status != lifecycle.Rejected || d.added(after)["reason"] != `No "tea"` {
			d.Errorf("got %s, %v", after.Status, d.added(after))
		}
		if e := events[2]; e.Type != "test.parcel.rejected" || e.FromStatus != "SUBMITTED" || e.ToStatus != "REJECTED" || unsealed(e) != `{"reason":"No \"tea\""}` {
			d.Errorf("event %+v with %s", e, e.Data)
		}
	})
}

// What a step learnt, its keys, its data and its jobs are written with the state, or
// none of them is.
func TestStepIsOneTransaction(t *testing.T) {
	each(t, func(d *desk) {
		f, other := d.draft(`{"name":"x","weight":1}`), d.draft(`{"name":"y","weight":1}`)
		step := func() filing.TransitionData {
			return filing.TransitionData{
				Added: filing.Added{"colour": "red"}, Data: filing.Added{"why": 1}, Keys: []filing.Key{{Name: "k", Value: "v"}},
				Jobs: []jobs.Job{{ID: d.service.IDs.UUID(), Queue: "post", Subject: f.ID}},
			}
		}
		undone := errors.New("undone")
		err := d.store.Update(ctx, ours, func(tx *store.Tx) error {
			if _, err := d.service.Transition(tx, member, d.kind, f.ID, lifecycle.Submit, step()); err != nil {
				return err
			}
			return undone
		})
		if !errors.Is(err, undone) {
			d.Fatal(err)
		}
		if after, events := d.stored(f.ID); after.Version != 1 || len(events) != 1 || d.added(after)["colour"] != nil || len(d.jobs()) != 0 {
			d.Errorf("left behind: %+v, %d events", after, len(events))
		}
		_, err = d.act(member, f.ID, lifecycle.Submit, step())
		d.must(err)
		after, events := d.stored(f.ID)
		if d.added(after)["colour"] != "red" || unsealed(events[1]) != `{"why":1}` {
			d.Errorf("added %v, event data %s", d.added(after), events[1].Data)
		}
		if jobs := d.jobs(); len(jobs) != 1 || jobs[0].Subject != f.ID || jobs[0].Org != ours {
			d.Errorf("jobs %+v", jobs)
		}
		if _, err := d.act(member, other.ID, lifecycle.Submit, step()); err == nil {
			d.Error("two records share a key")
		}
		if after, events := d.stored(other.ID); after.Status != lifecycle.Draft || len(events) != 1 {
			d.Errorf("the refused step left %s and %d events", after.Status, len(events))
		}
	})
}

func (d *desk) jobs() []jobs.Job {
	d.Helper()
	jobs, err := d.store.LeaseJobs(ctx, "post", 10, time.Minute)
	d.must(err)
	return jobs
}

// Of many callers that take the same step, exactly one does; the others are told
// that the record has moved on.
func TestOneWinner(t *testing.T) {
	each(t, func(d *desk) {
		f := d.draft(`{"name":"x","weight":1}`)
		var won atomic.Int64
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				switch _, err := d.act(member, f.ID, lifecycle.Submit, filing.TransitionData{}); {
				case err == nil:
					won.Add(1)
				case !apierr.Is(err, apierr.InvalidState):
					d.Errorf("got %v", err)
				}
			})
		}
		all.Wait()
		after, events := d.stored(f.ID)
		if won.Load() != 1 || after.Version != 2 || len(events) != 2 {
			d.Errorf("%d winners, version %d, %d events", won.Load(), after.Version, len(events))
		}
	})
}

// A review is the same each time and changes nothing but the trail.
func TestReview(t *testing.T) {
	each(t, func(d *desk) {
		f := d.draft(`{"name":"x","weight":31}`)
		before, _ := d.stored(f.ID)
		d.now = nine.Add(time.Hour)
		var texts []string
		for _, call := range []tenant.Call{viewer, owner} {
			d.must(d.store.Update(ctx, ours, func(tx *store.Tx) error {
				r, err := d.service.Review(tx, call, d.kind, f.ID)
				text, _ := json.Marshal(r)
				texts = append(texts, string(text))
				if len(r.Findings) != 1 || r.Findings[0].Code != "PAR-001" || r.RiskScore != 0.2 {
					d.Errorf("review %s", text)
				}
				return err
			}))
		}
		after, events := d.stored(f.ID)
		if texts[0] != texts[1] || after.Version != before.Version || !after.UpdatedAt.Equal(before.UpdatedAt) || string(after.AppendJSON(nil)) != string(before.AppendJSON(nil)) {
			d.Errorf("before %+v, after %+v", before, after)
		}
		if len(events) != 3 || events[2].Type != "test.parcel.reviewed" || events[2].FromStatus != "DRAFT" || events[2].ToStatus != "DRAFT" ||
			string(events[2].Data) != `{"codes":["PAR-001"],"riskScore":0.2}` {
			d.Errorf("events %+v", events)
		}
	})
}

// Everything that was done to a record is one chain that verifies, each event with
// the state before and after.
func TestTrail(t *testing.T) {
	each(t, func(d *desk) {
		f := d.draft(`{"name":"x","weight":1}`)
		for _, step := range []struct {
			call   tenant.Call
			action lifecycle.Action
		}{{member, lifecycle.Submit}, {system, clear}} {
			_, err := d.act(step.call, f.ID, step.action, filing.TransitionData{})
			d.must(err)
		}
		chain := audit.Chain{Org: ours}
		var seen []string
		d.must(d.store.View(ctx, ours, func(tx *store.Tx) error {
			return tx.EachEvent(func(e audit.Event) error {
				seen = append(seen, fmt.Sprintf("%s %s>%s by %s %s", e.Type, e.FromStatus, e.ToStatus, e.ActorType, e.ActorUserID))
				return chain.Next(e)
			})
		}))
		want := "test.parcel.created >DRAFT by user u-MEMBER, test.parcel.submitted DRAFT>SUBMITTED by user u-MEMBER, " +
			"test.parcel.cleared SUBMITTED>ACCEPTED by system system"
		if got := strings.Join(seen, ", "); got != want {
			d.Errorf("got %s", got)
		}
	})
}

// A kind whose lifecycle is wrong does not come to be.
func TestWrongDefinition(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.HasPrefix(fmt.Sprint(p), "test.odd: lifecycle: ") {
			t.Errorf("recovered %v", p)
		}
	}()
	filing.Definition[parcel]{Kind: "test.odd"}.Type()
}

// unsealed is the data of an event without what it says of the record's digest.
func unsealed(e audit.Event) string {
	data, _, _ := strings.Cut(string(e.Data), `,"recordVersion":`)
	return data + "}"
}
