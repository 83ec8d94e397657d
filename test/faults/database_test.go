package faults_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// logOnFailure logs, for a failed test, unfinished work and the program's log.
func (p host) logOnFailure(t *testing.T) {
	if !t.Failed() {
		return
	}
	t.Logf("the log of %s:\n%s", p.Data(), p.Log.Tail())
	conn := p.open(t)
	for _, query := range []string{
		"SELECT queue || ' ' || state || ', attempt ' || attempt || ', due ' || run_at || ': ' || problem FROM jobs ORDER BY run_at LIMIT 50",
		"SELECT 'message ' || state || ' at ' || received_at || ' in ' || conversation_id || ': ' || problem FROM inbox WHERE state <> 'applied' LIMIT 50",
		"SELECT 'transmission ' || state || ' of ' || lrn || ': ' || problem FROM transmissions WHERE state <> 'sent' LIMIT 50",
	} {
		rows, err := conn.QueryContext(context.Background(), query)
		if err != nil {
			t.Log(err)
			continue
		}
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err == nil {
				t.Log(line)
			}
		}
		_ = rows.Close()
	}
}

// open opens the database of a host beside the program, with access to all rows.
func (p host) open(t *testing.T) *sql.Conn {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	driver, address := "sqlite", (&url.URL{Scheme: "file", Path: filepath.Join(p.Data(), "tidewaiter.db"), RawQuery: "_pragma=busy_timeout(10000)"}).String()
	if u := p.Settings["TIDEWAITER_DATABASE_URL"]; u != "" {
		driver, address = "pgx", u
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if driver == "pgx" {
		if _, err := conn.ExecContext(ctx, "SELECT set_config('tidewaiter.org', '*', false)"); err != nil {
			t.Fatal(err)
		}
	}
	return conn
}

// sentOnce checks that each declaration was sent in one request, which was answered.
func (p host) sentOnce(t *testing.T) {
	t.Helper()
	p.none(t, map[string]string{
		"open transmissions":  "SELECT count(*) FROM transmissions WHERE state <> 'sent'",
		"extra transmissions": "SELECT count(*) - count(DISTINCT filing_id) FROM transmissions",
	})
}

// noJobsLeft checks that no job is dead or due, and that every message from CDS was applied.
func (p host) noJobsLeft(t *testing.T) {
	t.Helper()
	p.none(t, map[string]string{
		"dead jobs":             "SELECT count(*) FROM jobs WHERE state = 'dead'",
		"jobs that are due":     "SELECT count(*) FROM jobs WHERE state = 'due'",
		"unapplied messages":    "SELECT count(*) FROM inbox WHERE state <> 'applied'",
		"pending transmissions": "SELECT count(*) FROM transmissions WHERE state = 'pending'",
	})
}

// none checks that all counts are zero.
func (p host) none(t *testing.T, counts map[string]string) {
	t.Helper()
	conn := p.open(t)
	for what, query := range counts {
		var n int
		if err := conn.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if n != 0 {
			t.Errorf("%d %s are left", n, what)
		}
	}
}

// allMessagesApplied checks that every message from CDS was applied exactly once.
func (p host) allMessagesApplied(t *testing.T, j journal) {
	t.Helper()
	all, unheard := p.countMessages(t, j)
	for _, u := range unheard {
		t.Error(u)
	}
	if all == 0 {
		t.Error("CDS sent no message")
	}
}

// countMessages counts the messages from CDS, and names those that were not applied exactly once.
func (p host) countMessages(t *testing.T, j journal) (all int, unheard []string) {
	t.Helper()
	conn := p.open(t)
	defer conn.Close()
	for _, conversations := range j {
		for _, c := range conversations {
			for _, l := range c.Letters {
				var n int
				err := conn.QueryRowContext(t.Context(), "SELECT count(*) FROM messages WHERE conversation_id = $1 AND message_id = $2", c.ID, l.ID).Scan(&n)
				if err != nil || n != 1 {
					unheard = append(unheard, fmt.Sprintf("message %s of conversation %s, LRN %s, was applied %d times: %v", l.ID, c.ID, c.LRN, n, err))
				}
				all++
			}
		}
	}
	return all, unheard
}

// waitForWork waits until no job is due.
func (p host) waitForWork(t *testing.T) {
	t.Helper()
	conn := p.open(t)
	eventually(t, finishLimit, "the jobs are done", func() bool {
		var due int
		err := conn.QueryRowContext(t.Context(), "SELECT count(*) FROM jobs WHERE state = 'due'").Scan(&due)
		return err == nil && due == 0
	})
	_ = conn.Close()
}

// cut ends all connections of the program to its PostgreSQL database.
func cut(ctx context.Context, admin *sql.DB, database string) error {
	_, err := admin.ExecContext(ctx, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", database)
	return err
}

// superuser opens PostgreSQL as the server's superuser.
func superuser(t *testing.T, b storetest.Backend, server string) (admin *sql.DB, database string) {
	t.Helper()
	u, err := url.Parse(b.URL)
	if err != nil {
		t.Fatal(err)
	}
	if admin, err = sql.Open("pgx", server); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = admin.Close() })
	return admin, u.Path[1:]
}
