// Package storetest gives tests every database that the store runs on: SQLite in
// a folder of the test's own, and a database of its own on a real PostgreSQL.
package storetest

import (
	"context"
	crand "crypto/rand"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ident"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// PostgresVariable names the superuser address of the throw-away PostgreSQL that
// `make test` starts.
const PostgresVariable = "TIDEWAITER_TEST_POSTGRES"

// Backend is a place for data.
type Backend struct {
	Name   string
	Folder string
	URL    string
}

// Options open a store in the place.
func (b Backend) Options() store.Options {
	return store.Options{Folder: b.Folder, URL: b.URL, Now: time.Now, NewID: ident.NewSource(crand.Reader, time.Now).UUID}
}

// Open opens a store in the place and closes it when the test ends.
func (b Backend) Open(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), b.Options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Each runs a test on every database.
func Each(t *testing.T, run func(t *testing.T, b Backend)) {
	t.Run("sqlite", func(t *testing.T) { run(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { run(t, Postgres(t)) })
}

// SQLite is an empty folder.
func SQLite(t testing.TB) Backend {
	return Backend{Name: "sqlite", Folder: t.TempDir()}
}

// Postgres is an empty database whose owner cannot bypass row-level security.
func Postgres(t testing.TB) Backend {
	t.Helper()
	address := os.Getenv(PostgresVariable)
	if address == "" {
		t.Skipf("no PostgreSQL: %s is not set; make test starts one", PostgresVariable)
	}
	admin, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("tidewaiter_%08x", rand.Uint64())
	must(t, admin, `DO $$ BEGIN CREATE ROLE tidewaiter LOGIN PASSWORD 'tidewaiter'; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$`)
	must(t, admin, "CREATE DATABASE "+name+" OWNER tidewaiter")
	t.Cleanup(func() {
		_, _ = admin.Exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
		_ = admin.Close()
	})
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User, u.Path = url.UserPassword("tidewaiter", "tidewaiter"), "/"+name
	return Backend{Name: "postgres", URL: u.String()}
}

func must(t testing.TB, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}
