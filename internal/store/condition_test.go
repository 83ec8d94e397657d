package store_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Rows runs statements directly in the database, with access to all organisations.
func Rows(t *testing.T, b storetest.Backend, statements ...string) {
	t.Helper()
	driver, address := "sqlite", filepath.Join(b.Folder, "tidewaiter.db")
	if b.URL != "" {
		driver, address = "pgx", b.URL
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if b.URL != "" {
		statements = slices.Insert(statements, 0, "SELECT set_config('tidewaiter.org', '*', false)")
	}
	for _, statement := range statements {
		if _, err := conn.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

const (
	someOrg  = "'11111111-1111-4111-8111-111111111111'"
	otherOrg = "'22222222-2222-4222-8222-222222222222'"
	operator = "'00000000-0000-0000-0000-000000000000'"
	old      = "'2026-01-02T03:04:05.000Z'"
)

// The backlog counts due work and jobs that were given up, for all organisations. Grants lists
// the consents. Both are empty in a new installation.
func TestCondition(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		b0, err := s.Backlog(t.Context(), nil)
		if err != nil || len(b0.Queues) != 0 || b0.Deliveries != (store.Waiting{}) || b0.Inbox["unmatched"]+b0.Inbox["unreadable"] != 0 {
			t.Fatalf("idle: %+v, %v", b0, err)
		}
		if grants, err := s.Grants(t.Context()); err != nil || grants != nil {
			t.Fatalf("idle: %+v, %v", grants, err)
		}
		later := time.Now().Add(time.Hour)
		err = s.Update(t.Context(), tenant.Operator, func(tx *store.Tx) error {
			return tx.Enqueue(jobs.Job{ID: "33333333-3333-4333-8333-333333333333", Queue: "later", Subject: "x", RunAt: later})
		})
		if err != nil {
			t.Fatal(err)
		}
		job := "INSERT INTO jobs (org_id, id, queue, subject, run_at, attempt, state, problem) VALUES "
		endpoint := "INSERT INTO endpoints (org_id, id, url, events, active, paused_reason, secret, secret_hint, former_secret, created_at, updated_at) VALUES "
		delivery := "INSERT INTO deliveries (org_id, id, endpoint_id, notice_id, event_type, resource_id, sequence, cause, status, attempts, due_at, http_status, duration_ms, error, response, created_at) VALUES "
		inbox := "INSERT INTO inbox (org_id, id, conversation_id, digest, headers, body, state, problem, received_at) VALUES "
		grant := "INSERT INTO mtd_connections (org_id, id, vrn, user_id, status, token, turn, turn_until, origin, obligations, problem, connected_at) VALUES "
		Rows(t, b,
			job+"("+someOrg+", "+someOrg+", 'a', 'x', "+old+", 0, 'due', '')",
			job+"("+otherOrg+", "+otherOrg+", 'a', 'x', '2026-06-02T03:04:05.000Z', 0, 'due', '')",
			job+"("+otherOrg+", "+someOrg+", 'b', 'x', "+old+", 3, 'dead', 'no')",
			job+"("+someOrg+", "+otherOrg+", 'b', 'x', "+old+", 3, 'dead', 'no')",
			"INSERT INTO organisations (org_id, name, profile, hubs, created_at, updated_at) VALUES ("+someOrg+", 'A', '{}', '[]', "+old+", "+old+")",
			"INSERT INTO organisations (org_id, name, profile, hubs, created_at, updated_at) VALUES ("+otherOrg+", 'B', '{}', '[]', "+old+", "+old+")",
			endpoint+"("+someOrg+", "+someOrg+", 'https://a.example', '[]', true, '', '', '', '', "+old+", "+old+")",
			endpoint+"("+otherOrg+", "+otherOrg+", 'https://b.example', '[]', false, 'x', '', '', '', "+old+", "+old+")",
			delivery+"("+someOrg+", "+someOrg+", "+someOrg+", 'n1', 'e', "+someOrg+", 1, 'event', 'PENDING', 0, '2026-03-02T03:04:05.000Z', 0, 0, '', '', "+old+")",
			delivery+"("+otherOrg+", "+otherOrg+", "+otherOrg+", 'n2', 'e', "+otherOrg+", 1, 'event', 'PENDING', 0, "+old+", 0, 0, '', '', "+old+")", // for a paused endpoint
			inbox+"("+operator+", "+someOrg+", 'c', 'd', '{}', '', 'unreadable', 'p', "+old+")",
			inbox+"("+operator+", "+otherOrg+", 'c', 'd', '{}', '', 'unmatched', 'p', "+old+")",
			inbox+"("+operator+", "+operator+", 'c', 'd', '{}', '', 'applied', '', "+old+")",
			grant+"("+someOrg+", "+someOrg+", '1', "+someOrg+", 'LAPSED', '', '', "+old+", '', '', '', '2026-05-02T03:04:05.000Z')",
			grant+"("+otherOrg+", "+otherOrg+", '1', "+otherOrg+", 'CONNECTED', '', '', "+old+", '', '', '', "+old+")",
		)
		backlog, err := s.Backlog(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		at := func(month time.Month) time.Time { return time.Date(2026, month, 2, 3, 4, 5, 0, time.UTC) }
		since := func(w store.Waiting, began time.Time) bool { return (time.Since(began) - w.Oldest).Abs() < time.Minute }
		if a, b := backlog.Queues["a"], backlog.Queues["b"]; a.Due != 2 || a.GivenUp != 0 || !since(a, at(1)) || b != (store.Waiting{GivenUp: 2}) || backlog.Queues["later"].Oldest != 0 || len(backlog.Queues) != 3 {
			t.Errorf("queues %+v", backlog.Queues)
		}
		if !since(backlog.Deliveries, at(3)) || backlog.Inbox["unreadable"] != 1 || backlog.Inbox["unmatched"] != 1 {
			t.Errorf("%+v", backlog)
		}
		grants, err := s.Grants(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := []store.Grant{{Org: tenant.ID(otherOrg[1:37]), Given: at(1)}, {Org: tenant.ID(someOrg[1:37]), Lapsed: true, Given: at(5)}}
		if !slices.Equal(grants, want) {
			t.Errorf("grants %+v", grants)
		}
	})
}

// Attach opens a database as it is, and creates nothing.
func TestAttach(t *testing.T) {
	ctx := context.Background()
	empty := storetest.Backend{Folder: t.TempDir()}
	if _, err := store.Attach(ctx, empty.Options()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if files, _ := filepath.Glob(filepath.Join(empty.Folder, "*")); files != nil {
		t.Errorf("made %q", files)
	}
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		if _, err := b.Open(t).InitInstallationValue(ctx, "a name", "a value"); err != nil {
			t.Fatal(err)
		}
		s, err := store.Attach(ctx, b.Options())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if value, found, err := s.InstallationValue(ctx, "a name"); err != nil || !found || value != "a value" {
			t.Errorf("%q, %v, %v", value, found, err)
		}
		if _, found, err := s.InstallationValue(ctx, "another"); err != nil || found {
			t.Errorf("%v, %v", found, err)
		}
		st, err := s.ConnectionState(ctx)
		if err != nil || !st.Local || st.Encrypted || st.Clock.IsZero() != (b.Name == "sqlite") || !st.Clock.IsZero() && time.Since(st.Clock).Abs() > time.Minute {
			t.Errorf("%+v, %v", st, err)
		}
	})
	t.Run("unmigrated", func(t *testing.T) {
		b := storetest.Unmigrated(t)
		s, err := store.Attach(ctx, b.Options())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if r, err := s.Rights(ctx); err == nil {
			t.Errorf("%+v", r)
		}
		if _, err := s.Backlog(ctx, nil); err == nil {
			t.Error("an unmigrated database has a backlog")
		}
	})
}

// Jobs that were given up are listed with their problems, for all organisations. Reviving a
// queue makes its jobs due again and wakes its workers; jobs of other queues stay.
func TestDeadJobs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		job := "INSERT INTO jobs (org_id, id, queue, subject, run_at, attempt, state, problem) VALUES "
		Rows(t, b,
			job+"("+someOrg+", "+someOrg+", 'a', 'x', '2026-02-02T03:04:05.000Z', 3, 'dead', 'no')",
			job+"("+otherOrg+", "+otherOrg+", 'a', 'y', "+old+", 4, 'dead', 'never')",
			job+"("+otherOrg+", "+someOrg+", 'b', 'z', '2026-03-02T03:04:05.000Z', 1, 'dead', '')",
			job+"("+someOrg+", "+otherOrg+", 'a', 'w', '2099-01-01T00:00:00.000Z', 1, 'due', '')",
		)
		all, err := s.DeadJobs(t.Context(), 2)
		if err != nil || len(all) != 2 || all[0].Subject != "y" || all[0].Problem != "never" || all[0].Attempt != 4 || all[1].Subject != "x" || all[1].Org != tenant.ID(someOrg[1:37]) {
			t.Errorf("%+v, %v", all, err)
		}
		wake := s.Wake("a")
		if n, err := s.ReviveJobs(t.Context(), "a"); err != nil || n != 2 {
			t.Errorf("%d revived, %v", n, err)
		}
		select {
		case <-wake:
		case <-time.After(10 * time.Second):
			t.Error("reviving jobs did not wake the workers of the queue")
		}
		if n, err := s.ReviveJobs(t.Context(), "a"); err != nil || n != 0 {
			t.Errorf("%d revived again, %v", n, err)
		}
		leased, err := s.LeaseJobs(t.Context(), "a", 10, time.Minute)
		if err != nil || len(leased) != 2 {
			t.Errorf("%+v, %v", leased, err)
		}
		for _, j := range leased {
			if j.Attempt < 4 {
				t.Errorf("the fencing token went back: %+v", j)
			}
		}
		if all, err := s.DeadJobs(t.Context(), 10); err != nil || len(all) != 1 || all[0].Subject != "z" {
			t.Errorf("left: %+v, %v", all, err)
		}
	})
}
