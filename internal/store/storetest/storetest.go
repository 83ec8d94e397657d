// Package storetest gives tests every database that the store runs on: SQLite in
// a folder of the test's own, and a database of its own on a real PostgreSQL.
package storetest

import (
	"context"
	crand "crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/stdlib"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// PostgresVariable names the superuser address of the throw-away PostgreSQL that
// `make test` starts.
const PostgresVariable = "TIDEWAITER_TEST_POSTGRES"

// Backend is a place for data. On PostgreSQL its role owns nothing, as it should be of
// a service, and Owner is the address of the role that owns the tables.
type Backend struct {
	Name   string
	Folder string
	URL    string
	Owner  string
}

// AsOwner is the place as its owner serves it, for tests that change tables.
func (b Backend) AsOwner() Backend {
	b.URL = b.Owner
	return b
}

// patience is the most time for a transaction on PostgreSQL: on a machine with other work the usual 8 s may pass.
const patience = 2 * time.Minute

// Options open a store in the place.
func (b Backend) Options() store.Options {
	ids := ident.NewSource(crand.Reader, time.Now)
	return store.Options{
		Folder: b.Folder, URL: b.URL, Patience: patience, Now: time.Now, NewID: ids.UUID, Random: ids.Bytes,
		Observer: store.Observer{Statement: func(query string) { RecordStatement(b.Name, query) }},
	}
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

// SQLite is a folder with a database without records.
func SQLite(t testing.TB) Backend {
	t.Helper()
	file, err := newFile()
	if err != nil {
		t.Fatal(err)
	}
	b := Backend{Name: "sqlite", Folder: t.TempDir()}
	if err := os.WriteFile(filepath.Join(b.Folder, sqlite.File), file, 0o600); err != nil {
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
	s, err := store.Open(context.Background(), Backend{Folder: folder}.Options())
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(folder, sqlite.File)) // #nosec G304 -- of the test
})

// Postgres is a database without records, migrated by its owner.
func Postgres(t testing.TB) Backend {
	t.Helper()
	admin := server(t)
	return admin.database(t, admin.migrated(t))
}

// Unmigrated is a database without tables.
func Unmigrated(t testing.TB) Backend {
	t.Helper()
	return server(t).database(t, "")
}

// made are the databases that are made once, by purpose.
var made = struct {
	sync.Mutex
	names map[string]string
}{names: map[string]string{}}

// superuser is at the server itself.
type superuser struct {
	*sql.DB
	address string
}

func server(t testing.TB) superuser {
	t.Helper()
	address := os.Getenv(PostgresVariable)
	if address == "" {
		t.Skipf("no PostgreSQL: %s is not set; make test starts one", PostgresVariable)
	}
	db, err := administration()
	if err != nil {
		t.Fatal(err)
	}
	return superuser{db, address}
}

// administration is open until the process ends: a connection for each test would take as long as some tests.
var administration = sync.OnceValues(func() (*sql.DB, error) {
	db, err := sql.Open("pgx", os.Getenv(PostgresVariable))
	if err != nil {
		return nil, err
	}
	for _, role := range []string{owner, service} {
		if _, err := db.Exec("DO $$ BEGIN CREATE ROLE " + role + " LOGIN PASSWORD '" + role + "'; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$"); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db, nil
})

// Superuser opens the database of a backend as a superuser, to which row-level security does not
// apply.
func Superuser(t testing.TB, b Backend) *sql.DB {
	t.Helper()
	at, err := url.Parse(b.URL)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(server(t).address)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = at.Path
	db, err := sql.Open("pgx", u.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// The two roles, each of which has its name for a password.
const (
	owner   = "tidewaiter_owner"
	service = "tidewaiter"
)

// database makes a database of the owner's that ends with the test.
func (s superuser) database(t testing.TB, like string) Backend {
	t.Helper()
	name := fmt.Sprintf("tidewaiter_%016x", rand.Uint64()) // #nosec G404 -- a name in a test
	must(t, s.DB, "CREATE DATABASE "+name+" OWNER "+owner+like+s.copying(t))
	t.Cleanup(func() { _, _ = s.Exec("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)") })
	return Backend{Name: "postgres", URL: s.as(t, service, name), Owner: s.as(t, owner, name)}
}

func (s superuser) as(t testing.TB, role, database string) string {
	t.Helper()
	u, err := url.Parse(s.address)
	if err != nil {
		t.Fatal(err)
	}
	u.User, u.Path = url.UserPassword(role, role), "/"+database
	return u.String()
}

// copying is how databases are copied: files as they are, which takes half as long as through the log. Before version 15
// there is no other way.
func (s superuser) copying(t testing.TB) (option string) {
	t.Helper()
	err := s.QueryRow("SELECT CASE WHEN current_setting('server_version_num')::int >= 150000 THEN ' STRATEGY file_copy' ELSE '' END").Scan(&option)
	if err != nil {
		t.Fatal(err)
	}
	return option
}

// shared returns the name of a database that is made once, because that takes long, and stays until the server ends. The server of
// test/servers runs for the tests of one state of the sources: their packages share it. On another server each process has its own.
func (s superuser) shared(t testing.TB, purpose, like string, fill func(b Backend)) (name string) {
	t.Helper()
	made.Lock()
	defer made.Unlock()
	if name := made.names[purpose]; name != "" {
		return name
	}
	conn, err := s.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	must(t, conn, "SELECT pg_advisory_lock(hashtext('"+purpose+"'))")
	defer must(t, conn, "SELECT pg_advisory_unlock(hashtext('"+purpose+"'))")
	var lasting, exists bool
	err = conn.QueryRowContext(context.Background(), "SELECT current_setting('cluster_name') = 'tidewaiter-test', EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)",
		"tidewaiter_"+purpose).Scan(&lasting, &exists)
	if err != nil {
		t.Fatal(err)
	}
	name = "tidewaiter_" + purpose
	if !lasting {
		name += fmt.Sprintf("_%016x", rand.Uint64()) // #nosec G404 -- a name in a test
	}
	if !lasting || !exists {
		b := s.database(t, like)
		fill(b)
		must(t, s.DB, "ALTER DATABASE "+b.name(t)+" RENAME TO "+name)
	}
	made.names[purpose] = name
	return name
}

// migrated makes a new database a copy of one with the tables.
func (s superuser) migrated(t testing.TB) (like string) {
	t.Helper()
	return " TEMPLATE " + s.shared(t, "template", "", func(b Backend) {
		o := b.Options()
		o.OwnerURL = b.Owner
		if _, err := store.Migrate(context.Background(), o, ""); err != nil {
			t.Fatal(err)
		}
	})
}

// name is the name of a database on the server.
func (b Backend) name(t testing.TB) string {
	t.Helper()
	u, err := url.Parse(b.URL)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(u.Path, "/")
}

// executor is a database or one of its connections.
type executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func must(t testing.TB, db executor, statement string) {
	t.Helper()
	if _, err := db.ExecContext(context.Background(), statement); err != nil {
		t.Fatalf("%v: %s", err, statement)
	}
}

// Notifications are the notifications that have come, until one that ends with a word.
func Notifications(t testing.TB, db *sql.DB, last string) (received []string) {
	t.Helper()
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err = conn.Raw(func(c any) error {
		for {
			n, err := c.(*stdlib.Conn).Conn().WaitForNotification(ctx)
			if err != nil {
				return err
			}
			received = append(received, n.Payload)
			if strings.HasSuffix(n.Payload, last) {
				return nil
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return received
}
