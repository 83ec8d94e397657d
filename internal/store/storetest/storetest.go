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
	"path/filepath"
	"sync"
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

// SQLite is a folder with a database that nothing was put into yet.
func SQLite(t testing.TB) Backend {
	t.Helper()
	file, err := newFile()
	if err != nil {
		t.Fatal(err)
	}
	b := Backend{Name: "sqlite", Folder: t.TempDir()}
	if err := os.WriteFile(filepath.Join(b.Folder, store.File), file, 0o600); err != nil {
		t.Fatal(err)
	}
	return b
}

// newFile is the file of a new SQLite database: the migrations take a good part of a
// second under the race detector, and run once for all tests of a package.
var newFile = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "tidewaiter-new-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if err := migrate(Backend{Folder: folder}); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(folder, store.File))
})

func migrate(b Backend) error {
	s, err := store.Open(context.Background(), b.Options())
	if err != nil {
		return err
	}
	return s.Close()
}

// Postgres is a database that nothing was put into yet, whose owner cannot bypass
// row-level security.
func Postgres(t testing.TB) Backend {
	t.Helper()
	address := os.Getenv(PostgresVariable)
	if address == "" {
		t.Skipf("no PostgreSQL: %s is not set; make test starts one", PostgresVariable)
	}
	model, err := newDatabase()
	if err != nil {
		t.Fatal(err)
	}
	admin, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	name := newName()
	t.Cleanup(func() {
		_, _ = admin.Exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)")
		_ = admin.Close()
	})
	b, err := create(admin, address, name, model)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// newDatabase is the name of a new database on PostgreSQL, which those of the tests
// are copies of. It goes with the throw-away server.
var newDatabase = sync.OnceValues(func() (string, error) {
	address := os.Getenv(PostgresVariable)
	admin, err := sql.Open("pgx", address)
	if err != nil {
		return "", err
	}
	defer admin.Close()
	_, err = admin.Exec(`DO $$ BEGIN CREATE ROLE tidewaiter LOGIN PASSWORD 'tidewaiter'; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$`)
	if err != nil {
		return "", err
	}
	name := newName()
	b, err := create(admin, address, name, "template1")
	if err != nil {
		return "", err
	}
	return name, migrate(b)
})

func newName() string { return fmt.Sprintf("tidewaiter_%08x", rand.Uint64()) }

func create(admin *sql.DB, address, name, model string) (Backend, error) {
	if _, err := admin.Exec("CREATE DATABASE " + name + " OWNER tidewaiter TEMPLATE " + model); err != nil {
		return Backend{}, err
	}
	u, err := url.Parse(address)
	if err != nil {
		return Backend{}, err
	}
	u.User, u.Path = url.UserPassword("tidewaiter", "tidewaiter"), "/"+name
	return Backend{Name: "postgres", URL: u.String()}, nil
}
