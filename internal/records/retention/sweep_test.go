package retention_test

import (
	"context"
	crand "crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

const (
	ours   = tenant.ID("01000000-0000-7000-8000-000000000001")
	theirs = tenant.ID("01000000-0000-7000-8000-000000000002")
)

const done lifecycle.State = "DONE"

var kinds = []retention.Kind{{Name: "thing", Final: map[lifecycle.State]bool{done: true}}}

// fixture is a real store with a clock in past years, since the databases refuse to delete data that
// is too recent by the real clock.
type fixture struct {
	*testing.T
	store *store.Store
	raw   *sql.DB // direct connection that sees all organisations
	ids   *ident.Source
	now   time.Time
	hook  string // endpoint of the organisation ours
	place storetest.Backend
}

// storeAdapter adapts the store to the interfaces of retention and audit.
type storeAdapter struct{ *store.Store }

func (w storeAdapter) ViewRetention(ctx context.Context, org tenant.ID, fn func(retention.Tx) error) error {
	return w.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (w storeAdapter) UpdateRetention(ctx context.Context, org tenant.ID, fn func(retention.Tx) error) error {
	return w.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (w storeAdapter) ViewTrail(ctx context.Context, org tenant.ID, fn func(audit.Trail) error) error {
	return w.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (w storeAdapter) UpdateTrail(ctx context.Context, org tenant.ID, fn func(audit.Recorder) error) error {
	return w.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func day(text string) time.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return t.Add(9 * time.Hour)
}

func each(t *testing.T, run func(a *fixture)) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) { run(newFixture(t, b)) })
}

func newFixture(t *testing.T, b storetest.Backend) *fixture {
	a := &fixture{T: t, now: day("2012-05-01"), place: b}
	a.ids = ident.NewSource(crand.Reader, func() time.Time { return a.now })
	a.store = a.open()
	driver, address := "sqlite", filepath.Join(b.Folder, "tidewaiter.db")+"?_pragma=busy_timeout(5000)"
	if b.URL != "" {
		driver, address = "pgx", b.Owner
	}
	var err error
	a.raw, err = sql.Open(driver, address)
	a.must(err)
	a.raw.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = a.raw.Close() })
	if b.URL != "" {
		a.do("SELECT set_config('tidewaiter.org', '*', false)")
	}
	for _, org := range []tenant.ID{ours, theirs} {
		a.update(org, func(tx *store.Tx) error {
			if err := tx.AddOrganisation(access.Organisation{ID: org, Name: "Quay", Hubs: access.Hubs{"customs": a.now}, CreatedAt: a.now, UpdatedAt: a.now}); err != nil {
				return err
			}
			return tx.Record(audit.Event{ID: a.ids.UUID(), Hub: "customs", Type: "organisation.created", ResourceType: "organisation", ResourceID: string(org)})
		})
	}
	a.hook = a.ids.UUID()
	a.update(ours, func(tx *store.Tx) error {
		return tx.AddEndpoint(webhook.Endpoint{ID: a.hook, URL: "https://example.com", Events: []string{"*"}, Active: true, CreatedAt: a.now, UpdatedAt: a.now})
	})
	return a
}

func (a *fixture) open() *store.Store {
	o := a.place.Options()
	o.Now, o.NewID = func() time.Time { return a.now }, a.ids.UUID
	s, err := store.Open(context.Background(), o)
	a.must(err)
	a.Cleanup(func() { _ = s.Close() })
	return s
}

func (a *fixture) must(err error) {
	a.Helper()
	if err != nil {
		a.Fatal(err)
	}
}

func (a *fixture) do(statement string) {
	a.Helper()
	_, err := a.raw.Exec(statement)
	a.must(err)
}

func (a *fixture) update(org tenant.ID, fn func(*store.Tx) error) {
	a.Helper()
	a.must(a.store.Update(context.Background(), org, fn))
}

// file stores a record on one day and changes its status on another. In between a message from CDS
// arrives and is applied.
func (a *fixture) file(org tenant.ID, created, changed string, status lifecycle.State) (id string) {
	a.Helper()
	id = a.ids.UUID()
	conversation := a.ids.UUID()
	var former *filing.Filing
	write := func(on string, version int64, from, to lifecycle.State) {
		a.now = day(on)
		a.update(org, func(tx *store.Tx) error {
			c := filing.Change{
				Filing:       filing.Filing{ID: id, Kind: "thing", Status: to, Version: version, BodyVersion: 1, Body: []byte(`{"a":1}`), CreatedAt: day(created), UpdatedAt: a.now},
				Event:        audit.Event{ID: a.ids.UUID(), Hub: "customs", Type: "thing.moved", ResourceType: "thing", ResourceID: id, FromStatus: string(from), ToStatus: string(to)},
				HasDeadlines: true, Deadlines: []filing.Deadline{{Name: "d", Title: "D", DueAt: a.now}},
				HasTimer: true, Timer: filing.Timer{Action: "expire", After: day("2099-01-01")},
				HasPostings: true, Postings: []filing.Posting{{Ledger: "l", At: a.now, Amount: 5}},
				Former: former,
			}
			former = &filing.Filing{}
			*former = c.Filing
			if version == 1 {
				c.Keys, c.Names = []filing.Key{{Name: "ref", Value: id}}, []filing.Key{{Name: "n", Value: id}}
				c.Terms = []filing.Key{{Name: "branch", Value: "Dover"}}
			}
			var err error
			if c.Notification, err = webhook.NotifyOf(a.ids.UUID)(tx, &c); err != nil {
				return err
			}
			return tx.Write(c)
		})
	}
	write(created, 1, "", "OPEN")
	transmission := customs.Transmission{
		Item:    outbox.Item{ID: a.ids.UUID(), FilingID: id, State: outbox.Pending, CreatedAt: a.now},
		Purpose: "submit", Reference: "R", LRN: "L", Body: "<x/>",
	}
	a.update(org, func(tx *store.Tx) error { return tx.AddTransmission(transmission) })
	transmission.State, transmission.ConversationID, transmission.CompletedAt = "sent", conversation, a.now
	a.update(org, func(tx *store.Tx) error { return tx.CompleteTransmission(transmission) })
	inbox := a.ids.UUID()
	a.must(a.store.Receive(context.Background(), customs.Inbound{ID: inbox, ConversationID: conversation, Digest: "d", Headers: "{}", Body: []byte("<raw/>")},
		jobs.Job{Org: tenant.Operator, ID: a.ids.UUID(), Queue: "inbox", Subject: inbox}))
	a.update(org, func(tx *store.Tx) error {
		_, err := tx.AddMessage(customs.Message{ID: a.ids.UUID(), FilingID: id, ConversationID: conversation, MessageID: "1", ReceivedAt: a.now, InboxID: inbox})
		return err
	})
	a.must(a.store.SetInboundState(context.Background(), inbox, "applied", ""))
	a.update(org, func(tx *store.Tx) error {
		f := customs.File{ID: a.ids.UUID(), FilingID: id, BatchID: a.ids.UUID(), Status: customs.FileReceived}
		return errors.Join(tx.AddAttachment(attachment.Attachment{ID: f.ID, RecordID: id, CreatedAt: a.now}), tx.AddAttachmentChunk(f.ID, 0, []byte("text")), tx.AddFile(f))
	})
	write(changed, 2, "OPEN", status)
	return id
}

// deliver marks all pending deliveries as delivered.
func (a *fixture) deliver() {
	a.do("UPDATE deliveries SET status = 'DELIVERED', attempts = 1 WHERE status = 'PENDING'")
}

func (a *fixture) sweeper() *retention.Sweeper {
	return &retention.Sweeper{
		Store: storeAdapter{a.store}, Kinds: kinds, Policy: retention.Policy{Records: calendar.Age{Years: 6}, Deliveries: calendar.Age{Days: 90}},
		NewID: a.ids.UUID, Now: func() time.Time { return a.now }, Log: slog.New(slog.DiscardHandler), NoPauses: true,
	}
}

// sweep runs a sweep on a day.
func (a *fixture) sweep(on string) retention.Report {
	a.Helper()
	a.now = day(on)
	r, err := a.sweeper().SweepOnce(context.Background())
	a.must(err)
	if r == nil {
		a.Fatal("another sweep is running")
	}
	return r
}

// count counts rows of all organisations.
func (a *fixture) count(of string) (n int) {
	a.Helper()
	a.must(a.raw.QueryRow("SELECT count(*) FROM " + of).Scan(&n))
	return n
}

func (a *fixture) counts(want map[string]int) {
	a.Helper()
	for of, n := range want {
		if got := a.count(of); got != n {
			a.Errorf("%s: %d, want %d", of, got, n)
		}
	}
}

// verify verifies the whole audit trail.
func (a *fixture) verify(org tenant.ID) audit.Chain {
	a.Helper()
	chain := audit.Chain{Org: org}
	a.must(chain.Verify(context.Background(), storeAdapter{a.store}, func(int64) {}))
	return chain
}

// gone reports whether a record has been deleted.
func (a *fixture) gone(org tenant.ID, id string) bool {
	a.Helper()
	var err error
	a.must(a.store.View(context.Background(), org, func(tx *store.Tx) error { _, err = tx.Filing("thing", id); return nil }))
	return apierr.Is(err, apierr.NotFound)
}

// rowsOf are the tables with dependent data of records.
var rowsOf = []string{"filings", "filing_keys", "filing_names", "filing_terms", "deadlines", "timers", "postings", "transmissions", "messages", "inbox", "attachments", "attachment_chunks", "declaration_files"}

// A record in a final state is deleted six years after the end of the year of its last change, with
// its dependent data. Recent and open records, those of other organisations, and statistics stay.
func TestRecordsAreDeleted(t *testing.T) {
	each(t, func(a *fixture) {
		old := a.file(ours, "2012-06-01", "2013-12-31", done)
		openOne := a.file(ours, "2012-06-02", "2013-06-01", "OPEN")
		late := a.file(ours, "2012-06-03", "2014-01-01", done)
		foreign := a.file(theirs, "2014-06-01", "2014-07-01", done)
		tallied := a.count("filing_tallies") + a.count("ledger_tallies")

		if r := a.sweep("2019-12-31"); r[retention.Records] != 0 {
			t.Errorf("a day too early: %v", r)
		}
		if r := a.sweep("2020-01-01"); r[retention.Records] != 1 || r[retention.Messages] != 1 {
			t.Errorf("on the day: %v", r)
		}
		for id, want := range map[string]bool{old: true, openOne: false, late: false} {
			if a.gone(ours, id) != want {
				t.Errorf("%s is deleted: %t", id, !want)
			}
		}
		if a.gone(theirs, foreign) {
			t.Error("a record of another organisation is deleted")
		}
		for _, of := range rowsOf {
			if a.count(of) != 3 {
				t.Errorf("%d %s, want 3", a.count(of), of)
			}
		}
		if now := a.count("filing_tallies") + a.count("ledger_tallies"); now != tallied || a.count("filing_tallies WHERE records < 1") > 1 {
			t.Errorf("%d rows of statistics, want %d", now, tallied)
		}
		events := a.count("events WHERE type = 'retention.records_removed' AND data LIKE '%" + old + "%'")
		if events != 1 {
			t.Errorf("%d events about the deletion, want 1", events)
		}
		if r := a.sweep("2020-01-02"); len(r) != 0 {
			t.Errorf("second sweep: %v", r)
		}
	})
}

// The notification about an upload stays with its file. A release before attachments deletes a record without them, and
// later ones delete what is left.
func TestFilesOfDeletedRecords(t *testing.T) {
	each(t, func(a *fixture) {
		const reference = "01900000-0000-4000-8000-0000000000f1"
		id := a.file(ours, "2012-06-01", "2013-12-31", "OPEN")
		inbox := a.ids.UUID()
		a.must(a.store.Receive(t.Context(), customs.Inbound{ID: inbox, ConversationID: reference, Digest: "e", Headers: "{}", Body: []byte("<Root/>")},
			jobs.Job{Org: tenant.Operator, ID: a.ids.UUID(), Queue: "inbox", Subject: inbox}))
		a.must(a.store.SetInboundState(t.Context(), inbox, "applied", ""))
		a.do("UPDATE inbox SET received_at = '2013-01-01T00:00:00.000Z'")
		a.do("UPDATE declaration_files SET reference = '" + reference + "'")
		a.sweep("2020-01-02")
		a.counts(map[string]int{"inbox": 2, "attachments": 1, "attachment_chunks": 1, "declaration_files": 1})
		for _, of := range []string{"messages", "transmissions", "deadlines", "timers", "postings", "filing_keys", "filing_names", "filing_terms"} {
			a.do("DELETE FROM " + of + " WHERE filing_id = '" + id + "'")
		}
		a.do("DELETE FROM filings")
		a.sweep("2020-01-03")
		a.sweep("2020-01-04")
		a.counts(map[string]int{"attachments": 0, "attachment_chunks": 0, "declaration_files": 0})
	})
}

// The oldest events are deleted. The trail verifies from the cut on and has an event about it. Stored
// checkpoints are compared as far as their events still exist.
func TestTrailIsCut(t *testing.T) {
	each(t, func(a *fixture) {
		a.file(ours, "2012-06-01", "2013-12-31", done)
		a.file(ours, "2014-06-03", "2014-06-04", done)
		var kept []audit.Checkpoint
		a.must(a.store.View(t.Context(), ours, func(tx *store.Tx) error {
			return tx.EachEvent(func(e audit.Event) error { kept = append(kept, e.Checkpoint(ours)); return nil })
		}))
		if r := a.sweep("2020-02-01"); r[retention.Events] != 4 { // two organisations, and the record's two events
			t.Errorf("removed %v", r)
		}
		chain := a.verify(ours)
		if chain.Truncation.Sequence != 3 || chain.Valid() != 4 || chain.Last.Type != audit.Truncated {
			t.Errorf("begins behind %d, %d good, last %s", chain.Truncation.Sequence, chain.Valid(), chain.Last.Type)
		}
		a.counts(map[string]int{"events WHERE sequence <= 3 AND org_id = '" + string(ours) + "'": 0, "trail_cuts": 2})
		chain = audit.Chain{Org: ours, Checkpoints: kept}
		if err := chain.Verify(t.Context(), storeAdapter{a.store}, func(int64) {}); err != nil || len(chain.Removed()) != 2 {
			t.Errorf("compared with %d checkpoints: %v, %d of deleted events", len(kept), err, len(chain.Removed()))
		}
		kept[2].Hash = strings.Repeat("0", 64)
		chain = audit.Chain{Org: ours, Checkpoints: kept}
		if err := chain.Verify(t.Context(), storeAdapter{a.store}, func(int64) {}); err == nil {
			t.Error("a checkpoint with another hash at the cut is accepted")
		}
		var page []audit.Event
		a.must(a.store.View(t.Context(), ours, func(tx *store.Tx) (err error) {
			page, err = tx.Events(audit.Query{From: day("2014-06-04"), To: day("2014-06-05"), Limit: 10})
			return err
		}))
		if len(page) != 1 || page[0].Sequence != 5 {
			t.Errorf("a day after the cut has %v", page)
		}
		if r := a.sweep("2021-01-01"); r[retention.Events] != 2 || a.verify(ours).Truncation.Sequence != 5 {
			t.Errorf("cut a second time: %v, %+v", r, a.verify(ours).Truncation)
		}
		a.must(a.store.View(t.Context(), ours, func(tx *store.Tx) (err error) {
			page, err = tx.Events(audit.Query{From: day("2020-06-01"), Limit: 10})
			return err
		}))
		if len(page) != 2 || page[0].Type != audit.Truncated {
			t.Errorf("the last half year has %d events", len(page))
		}
	})
}

// A trail that was truncated without an audit event does not verify.
func TestForgedCut(t *testing.T) {
	each(t, func(a *fixture) {
		a.file(ours, "2012-06-01", "2013-12-31", done)
		a.do("INSERT INTO trail_cuts (org_id, sequence, hash, occurred_at, cut_at) SELECT org_id, sequence, hash, occurred_at, occurred_at FROM events WHERE org_id = '" + string(ours) + "' AND sequence = 2")
		chain := audit.Chain{Org: ours}
		if err := chain.Verify(t.Context(), storeAdapter{a.store}, func(int64) {}); err == nil || !strings.Contains(err.Error(), "no event records their removal") {
			t.Errorf("it verifies: %v", err)
		}
	})
}

// The database refuses to delete events after the cut, and events that are too recent, even before it.
func TestOnlyCutEventsCanBeDeleted(t *testing.T) {
	each(t, func(a *fixture) {
		a.file(ours, "2012-06-01", "2013-12-31", done)
		a.now = time.Now().AddDate(-3, 0, 0)
		a.update(ours, func(tx *store.Tx) error {
			return tx.Record(audit.Event{ID: a.ids.UUID(), Hub: "customs", Type: "t", ResourceType: "t", ResourceID: "t"})
		})
		refused := func(what string) {
			t.Helper()
			_, err := a.raw.Exec("DELETE FROM events WHERE org_id = '" + string(ours) + "' AND " + what)
			if err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: %v", what, err)
			}
		}
		refused("sequence = 1")
		a.do("INSERT INTO trail_cuts (org_id, sequence, hash, occurred_at, cut_at) SELECT org_id, 2, hash, occurred_at, occurred_at FROM events WHERE org_id = '" + string(ours) + "' AND sequence = 2")
		refused("sequence = 3")
		a.do("UPDATE trail_cuts SET sequence = 4")
		refused("sequence = 4")
		a.do("DELETE FROM events WHERE org_id = '" + string(ours) + "' AND sequence = 1")
	})
}

// A sweep that is interrupted between the cut and the deletion of the events leaves a valid trail, and
// the next sweep continues. A hold that is set in between stops it.
func TestSweepInterrupted(t *testing.T) {
	each(t, func(a *fixture) {
		id := a.file(ours, "2012-06-01", "2013-12-31", done)
		a.file(theirs, "2014-06-01", "2014-06-02", done)
		ctx, kill := context.WithCancel(t.Context())
		a.now = day("2020-02-01")
		s := a.sweeper()
		s.Store = interruptedStore{storeAdapter{a.store}, kill}
		if _, err := s.SweepOnce(ctx); err == nil {
			t.Fatal("the sweep was not interrupted")
		}
		if n := a.count("events WHERE sequence <= 3 AND org_id = '" + string(ours) + "'"); n != 3 || !a.gone(ours, id) {
			t.Fatalf("%d events before the cut", n)
		}
		if chain := a.verify(ours); chain.Truncation.Sequence != 3 {
			t.Errorf("verified from %d", chain.Truncation.Sequence)
		}
		call := tenant.Call{Principal: tenant.System(ours)}
		a.update(ours, func(tx *store.Tx) error { return retention.SetHold(tx, call, a.ids.UUID, "", "court order") })
		if a.sweep("2020-02-02"); a.count("events WHERE sequence <= 3 AND org_id = '"+string(ours)+"'") != 3 {
			t.Error("events were deleted under a hold")
		}
		a.update(ours, func(tx *store.Tx) error { return retention.LiftHold(tx, call, a.ids.UUID, "", "withdrawn") })
		if a.sweep("2020-02-03"); a.count("events WHERE sequence <= 3 AND org_id = '"+string(ours)+"'") != 0 {
			t.Error("the next sweep did not continue")
		}
		a.verify(ours)
	})
}

// interruptedStore is a store whose first deletion of events is interrupted.
type interruptedStore struct {
	storeAdapter
	kill context.CancelFunc
}

func (k interruptedStore) RemoveEvents(context.Context, tenant.ID, int) (int64, error) {
	k.kill()
	return 0, fmt.Errorf("killed")
}

func (k interruptedStore) DropPartitions(context.Context, string, time.Time) ([]string, error) {
	return nil, nil
}

// Data under a hold stays: all data of an organisation, or a record with its events and deliveries.
// When the hold is lifted, it is deleted.
func TestHolds(t *testing.T) {
	each(t, func(a *fixture) {
		before := a.file(ours, "2012-06-01", "2012-07-01", done)
		held := a.file(ours, "2013-06-01", "2013-07-01", done)
		foreign := a.file(theirs, "2013-06-01", "2013-07-01", done)
		a.deliver()
		us, them := tenant.Call{Principal: tenant.System(ours)}, tenant.Call{Principal: tenant.System(theirs)}
		a.now = day("2019-01-01")
		a.update(ours, func(tx *store.Tx) error { return retention.SetHold(tx, us, a.ids.UUID, held, "court order") })
		a.update(theirs, func(tx *store.Tx) error { return retention.SetHold(tx, them, a.ids.UUID, "", "inquiry") })

		r := a.sweep("2025-02-01")
		if !a.gone(ours, before) || a.gone(ours, held) || a.gone(theirs, foreign) || r[retention.Records] != 1 {
			t.Errorf("removed %v", r)
		}
		a.counts(map[string]int{
			"events WHERE org_id = '" + string(theirs) + "'": 4, "events WHERE resource_id = '" + held + "'": 3, "events WHERE resource_id = '" + before + "'": 0,
			"deliveries": 2, "notices": 2, "inbox": 2, "record_versions": 2,
		})
		if chain := a.verify(ours); chain.Truncation.Sequence != 3 {
			t.Errorf("the trail is cut after %d, want 3, before the record under a hold", chain.Truncation.Sequence)
		}
		err := a.store.Update(t.Context(), ours, func(tx *store.Tx) error { return retention.SetHold(tx, us, a.ids.UUID, foreign, "not ours") })
		if !apierr.Is(err, apierr.NotFound) {
			t.Errorf("hold on a record of another organisation: %v", err)
		}
		a.update(ours, func(tx *store.Tx) error { return retention.LiftHold(tx, us, a.ids.UUID, held, "withdrawn") })
		a.update(theirs, func(tx *store.Tx) error { return retention.LiftHold(tx, them, a.ids.UUID, "", "closed") })
		if r := a.sweep("2025-02-02"); r[retention.Records] != 2 || !a.gone(ours, held) || !a.gone(theirs, foreign) {
			t.Errorf("after the holds: %v", r)
		}
		a.counts(map[string]int{"deliveries": 0, "notices": 0, "inbox": 0, "record_versions": 0})
		a.verify(ours)
		a.verify(theirs)
		if n := a.count("events WHERE type IN ('retention.hold_set', 'retention.hold_lifted')"); n != 4 {
			t.Errorf("%d events about holds, want 4", n)
		}
	})
}

// Deliveries and their notices are deleted after 90 days, except pending deliveries and their notices.
func TestDeliveriesAreDeleted(t *testing.T) {
	each(t, func(a *fixture) {
		a.file(ours, "2013-06-01", "2013-06-02", done) // two notices
		a.deliver()
		a.file(ours, "2013-06-03", "2013-06-04", done)
		a.do("UPDATE deliveries SET status = 'FAILED' WHERE status = 'PENDING' AND created_at < '2013-06-04T00:00:00.000Z'")
		if r := a.sweep("2013-08-29"); len(r) != 0 {
			t.Errorf("too early: %v", r)
		}
		if r := a.sweep("2013-09-01"); r[retention.Deliveries] != 2 || r[retention.Notices] != 2 {
			t.Errorf("removed %v", r)
		}
		a.sweep("2013-10-31")
		a.counts(map[string]int{"deliveries": 1, "notices": 1, "deliveries WHERE status = 'PENDING'": 1})
		due, err := a.store.DueDeliveries(t.Context(), webhook.Ref{Org: ours, EndpointID: a.hook}, webhook.Cursor{}, 10)
		if err != nil || len(due) != 1 {
			t.Errorf("%d deliveries are due: %v", len(due), err)
		}
	})
}

// Versions of records are deleted 90 days after they were replaced.
func TestVersionsAreDeleted(t *testing.T) {
	each(t, func(a *fixture) {
		a.file(ours, "2013-06-01", "2013-06-02", "OPEN")
		a.file(theirs, "2013-06-01", "2013-06-20", "OPEN")
		if r := a.sweep("2013-08-30"); r[retention.Versions] != 0 {
			t.Errorf("too early: %v", r)
		}
		if r := a.sweep("2013-09-02"); r[retention.Versions] != 1 {
			t.Errorf("removed %v", r)
		}
		a.counts(map[string]int{"record_versions": 1, "record_versions WHERE org_id = '" + string(theirs) + "'": 1})
	})
}

// A dry run reports what the next sweep deletes, and deletes nothing.
func TestDryRun(t *testing.T) {
	each(t, func(a *fixture) {
		a.file(ours, "2012-06-01", "2013-12-31", done)
		a.file(theirs, "2014-06-01", "2014-06-02", done)
		a.deliver()
		a.now = day("2020-02-01")
		s := a.sweeper()
		s.Dry = true
		dry, err := s.SweepOnce(t.Context())
		a.must(err)
		a.counts(map[string]int{"filings": 2, "events": 6, "deliveries": 2, "notices": 2, "inbox": 2, "trail_cuts": 0, "record_versions": 2})
		if dry[retention.Records] != 1 || dry[retention.Events] != 4 || dry[retention.Deliveries] != 2 || dry[retention.Notices] != 2 || dry[retention.Versions] != 2 {
			t.Errorf("dry run: %v", dry)
		}
		swept := a.sweep("2020-02-01")
		for _, class := range []retention.Class{retention.Records, retention.Events, retention.Deliveries, retention.Notices} {
			if swept[class] != dry[class] && swept[retention.Partitions] == 0 {
				t.Errorf("%s: dry run %d, sweep %d", class, dry[class], swept[class])
			}
		}
	})
}

// Only one of two instances sweeps. A lease that was not released expires.
func TestLease(t *testing.T) {
	each(t, func(a *fixture) {
		taken := func(turn string, want bool) {
			t.Helper()
			got, err := a.store.AcquireLease(t.Context(), "retention", turn, a.now.Add(time.Minute))
			if err != nil || got != want {
				t.Errorf("%s: %t %v", turn, got, err)
			}
		}
		taken("one", true)
		taken("two", false)
		taken("one", true)
		if r, err := a.sweeper().SweepOnce(t.Context()); r != nil || err != nil {
			t.Errorf("swept while another instance holds the lease: %v %v", r, err)
		}
		a.now = a.now.Add(2 * time.Minute)
		taken("two", true)
		a.now = a.now.Add(2 * time.Minute)
		a.sweep("2013-01-01")
		a.sweep("2013-01-01")
	})
}

// Failed jobs, and submissions to HMRC of deleted drafts, are deleted by their own age, unless the
// organisation has a hold.
func TestLeftovers(t *testing.T) {
	each(t, func(a *fixture) {
		a.file(ours, "2012-06-01", "2012-06-02", done)
		kept := a.file(theirs, "2012-06-01", "2019-06-02", done)
		job := func(org tenant.ID, at, state string) {
			a.do(fmt.Sprintf("INSERT INTO jobs (org_id, id, queue, subject, run_at, attempt, state, problem) VALUES ('%s', '%s', 'q', 's', '%sT00:00:00.000Z', 9, '%s', 'no')",
				org, a.ids.UUID(), at, state))
		}
		sent := func(org tenant.ID, filing, at string) {
			a.do(fmt.Sprintf("INSERT INTO mtd_submissions (org_id, id, filing_id, vrn, state, tries, body, receipt, problem, request, created_at) "+
				"VALUES ('%s', '%s', '%s', '1', 'sent', 1, '', '', '', '', '%sT00:00:00.000Z')", org, a.ids.UUID(), filing, at))
		}
		job(ours, "2012-06-01", "dead")
		job(ours, "2019-06-01", "dead")
		job(ours, "2012-06-01", "due")
		job(theirs, "2012-06-01", "dead")
		sent(ours, a.ids.UUID(), "2012-06-01")
		sent(ours, a.ids.UUID(), "2019-06-01")
		sent(theirs, kept, "2012-06-01")
		call := tenant.Call{Principal: tenant.System(theirs)}
		a.update(theirs, func(tx *store.Tx) error { return retention.SetHold(tx, call, a.ids.UUID, "", "inquiry") })
		if r := a.sweep("2020-02-01"); r[retention.Leftovers] != 2 {
			a.Errorf("with a hold: %v", r)
		}
		a.counts(map[string]int{"jobs WHERE queue = 'q'": 3, "mtd_submissions": 2})
		a.update(theirs, func(tx *store.Tx) error { return retention.LiftHold(tx, call, a.ids.UUID, "", "closed") })
		if r := a.sweep("2020-02-02"); r[retention.Leftovers] != 1 {
			a.Errorf("without: %v", r)
		}
		a.counts(map[string]int{"jobs WHERE queue = 'q'": 2, "mtd_submissions": 2})
	})
}

// A hold that the operator set can be changed and lifted by the operator only.
func TestHoldOfOperator(t *testing.T) {
	each(t, func(a *fixture) {
		operator := tenant.OperatorCall(ours, tenant.SystemUser)
		owner := tenant.Call{Principal: tenant.System(ours), RequestID: tenant.OperatorRequestID}
		a.update(ours, func(tx *store.Tx) error { return retention.SetHold(tx, operator, a.ids.UUID, "", "inquiry") })
		for name, try := range map[string]func(tx *store.Tx) error{
			"lift":   func(tx *store.Tx) error { return retention.LiftHold(tx, owner, a.ids.UUID, "", "ours") },
			"change": func(tx *store.Tx) error { return retention.SetHold(tx, owner, a.ids.UUID, "", "ours") },
		} {
			if err := a.store.Update(a.Context(), ours, try); !apierr.Is(err, apierr.InvalidState) {
				a.Errorf("%s: %v", name, err)
			}
		}
		a.update(ours, func(tx *store.Tx) error {
			all, err := tx.ActiveHolds(filing.Position{}, 2)
			if err != nil || len(all) != 1 || !all[0].Operator || all[0].Reason != "inquiry" {
				a.Errorf("%+v, %v", all, err)
			}
			return retention.LiftHold(tx, operator, a.ids.UUID, "", "closed")
		})
		a.update(ours, func(tx *store.Tx) error { return retention.SetHold(tx, owner, a.ids.UUID, "", "ours") })
		a.update(ours, func(tx *store.Tx) error { return retention.LiftHold(tx, owner, a.ids.UUID, "", "ours too") })
	})
}
