package store_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A list of values in a constraint would make SQLite fill a temporary table for every delivery that is stored.
func TestDeliveriesAreCheckedWithoutTemporaryTables(t *testing.T) {
	b := storetest.SQLite(t)
	open(t, b)
	db := raw(t, b)
	defer db.Close()
	rows, err := db.Query("EXPLAIN "+store.CompleteDelivery, make([]any, 16)...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	updates := false
	for rows.Next() {
		var at, p1, p2, p3, p5 int
		var operation string
		var p4, comment any
		if err := rows.Scan(&at, &operation, &p1, &p2, &p3, &p4, &p5, &comment); err != nil {
			t.Fatal(err)
		}
		updates = updates || operation == "Insert"
		if operation == "OpenEphemeral" {
			t.Errorf("step %d makes a temporary table", at)
		}
	}
	if !updates {
		t.Fatalf("the statement changes nothing: %v", rows.Err())
	}
}

// Only the known statuses and causes can be stored.
func TestDeliveriesAreChecked(t *testing.T) {
	b := storetest.SQLite(t)
	open(t, b)
	db := raw(t, b)
	defer db.Close()
	for values, stored := range map[string]bool{
		"'event', 'PENDING'": true, "'test', 'DELIVERED'": true, "'resend', 'FAILED'": true, "'event', 'LOST'": false, "'chance', 'PENDING'": false, "'', 'FAILED'": false, "'event', ''": false,
	} {
		_, err := db.Exec("INSERT INTO deliveries (cause, status, org_id, id, endpoint_id, notice_id, event_type, resource_id, sequence, attempts, due_at, http_status, duration_ms, error, response, created_at) "+
			"VALUES ("+values+", 'o', ?, 'e', 'n', 't', 'r', 1, 0, '', 0, 0, '', '', '')", values)
		if refused := err != nil && strings.Contains(err.Error(), "CHECK constraint failed"); refused == stored || err != nil && !refused {
			t.Errorf("%s: %v", values, err)
		}
	}
}
