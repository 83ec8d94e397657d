package store_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Every table is exported or left out for a stated reason, so a new table requires a decision.
func TestEveryTableIsExported(t *testing.T) {
	b := storetest.SQLite(t)
	_ = b.Open(t)
	db, err := sql.Open("sqlite", filepath.Join(b.Folder, sqlite.File))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	known := map[string]bool{"organisations": true, "users": true, "filings": true, "events": true, "goose_db_version": true, "schema_floor": true}
	for _, from := range portability.Tables() {
		known[from.Name] = true
	}
	for _, from := range portability.Sources() {
		known[from.Table] = true
	}
	for name := range portability.Omitted() {
		if known[name] {
			t.Errorf("%s is exported and left out", name)
		}
		known[name] = true
	}
	rows, err := db.Query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if !known[name] {
			t.Errorf("%s is not exported: add it to portability.Tables, or to LeftOut with the reason", name)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}
