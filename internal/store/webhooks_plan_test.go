package store_test

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// PostgreSQL keeps the plan of a statement that it makes while tables are small, and they may grow by thousands of rows before it makes another
// one. Due deliveries are found by indexes from the beginning.
func TestDueDeliveriesAreFoundByIndexInSmallTables(t *testing.T) {
	b := storetest.Postgres(t)
	s, _ := clocked(t, b, store.Observer{})
	update(t, s, ours, func(tx *store.Tx) error { return errors.Join(endpoint(tx, 10, true, time.Time{}), announce(tx, 30)) })
	db := storetest.Superuser(t, b)
	if _, err := db.ExecContext(ctx, "VACUUM ANALYZE"); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open(ctx, b.Options()) // its connections have no plans yet
	if err != nil {
		t.Fatal(err)
	}
	scans, lookups := noticeReads(t, db)
	if got := dueNow(t, again, ours); len(got) != 1 {
		t.Fatalf("due: %v", got)
	}
	if err := again.Close(); err != nil { // PostgreSQL counts what a connection has read when it ends
		t.Fatal(err)
	}
	for {
		whole, one := noticeReads(t, db)
		if whole > scans {
			t.Fatal("the table of notices is read as a whole")
		}
		if one > lookups {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// noticeReads returns how often notices were read as a whole, and by an index.
func noticeReads(t *testing.T, db *sql.DB) (scans, lookups int) {
	t.Helper()
	if err := db.QueryRowContext(ctx, "SELECT sum(seq_scan), sum(idx_scan) FROM pg_stat_user_tables WHERE relname LIKE 'notices%'").Scan(&scans, &lookups); err != nil {
		t.Fatal(err)
	}
	return scans, lookups
}
