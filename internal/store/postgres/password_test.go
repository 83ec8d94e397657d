package postgres_test

import (
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/postgres"
)

// guarded starts a server that requires a password from every role except its superuser, and
// logs every statement with its parameters.
func guarded(t *testing.T) (s *postgres.Server, logs string) {
	t.Helper()
	folder, err := os.MkdirTemp("", "tidewaiter-password")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	access, logs := filepath.Join(folder, "hba.conf"), filepath.Join(folder, "postgres", "log")
	err = os.WriteFile(access, []byte("host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n"), 0o644)
	if err == nil {
		err = os.Chmod(folder, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err = postgres.Start(folder, "hba_file="+access, "log_statement=all", "log_parameter_max_length=-1", "logging_collector=on", "log_directory="+logs, "fsync=off")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s, logs
}

// The service's role can sign in only with the password of its address. The server logs all
// statements, and its log never contains the password.
func TestMigrateDoesNotLogThePassword(t *testing.T) {
	b := storetest.Unmigrated(t) // skips where there is no PostgreSQL
	server, logs := guarded(t)
	admin, err := sql.Open("pgx", server.Address("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	for _, statement := range []string{"CREATE ROLE keeper LOGIN CREATEROLE PASSWORD 'keeper'", "CREATE DATABASE tidewaiter OWNER keeper"} {
		if _, err := admin.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	address := func(user, password string) string {
		u, _ := url.Parse(server.Address("tidewaiter"))
		u.User = url.UserPassword(user, password)
		return u.String()
	}
	for role, password := range map[string]string{"plain": "open'sesame", "accented": "Zölle-Straße"} {
		o := b.Options()
		o.URL, o.OwnerURL = address(role, password), address("keeper", "keeper")
		if m, err := store.Migrate(t.Context(), o, role); err != nil || !m.Made || m.Passwordless {
			t.Fatalf("%+v, %v", m, err)
		}
		o.OwnerURL = ""
		s, err := store.Open(t.Context(), o)
		if err != nil {
			t.Fatalf("%s cannot sign in: %v", role, err)
		}
		_ = s.Close()
		o.URL = address(role, password+"!")
		if s, err := store.Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), "28P01") {
			t.Errorf("%s with another password: %v, %v", role, s, err)
		}
		if logged := logged(t, logs); !strings.Contains(logged, "CREATE ROLE "+role) || strings.Contains(logged, password) || strings.Contains(logged, "sesame") {
			t.Errorf("the server's log lacks CREATE ROLE %s or contains its password: %.2000s", role, logged)
		}
	}
}

func logged(t *testing.T, folder string) (all string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(folder, "*"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	return all
}
