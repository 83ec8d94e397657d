package recovery_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/app/apptest"
	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/ops/recovery"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// The commands for PostgreSQL work as they are printed, contain no password, and restore all rows.
func TestPostgresCommands(t *testing.T) {
	for _, tool := range []string{"pg_dump", "pg_restore"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s", tool)
		}
	}
	here, there := storetest.Postgres(t), storetest.Unmigrated(t)
	c := apptest.Simulated(t)
	c.DatabaseURL, c.Database.OwnerURL = here.URL, here.Owner
	apptest.Serve(t, c, time.Now, func(ctx context.Context, a *app.App, _ string) {
		if _, err := a.CreateOrganisation(ctx, "Quay", ""); err != nil {
			t.Error(err)
		}
	})
	file := filepath.Join(t.TempDir(), "it's a copy")
	c.Database.OwnerURL = "" // the database names its owner
	text := recovery.PostgresCommands(t.Context(), c, file)
	if !strings.Contains(text, "//tidewaiter_owner@") {
		t.Errorf("not as the owner: %s", text)
	}
	if strings.Contains(text, "tidewaiter_owner:") {
		t.Errorf("it contains a password: %s", text)
	}
	c.DatabaseURL, c.Database.OwnerURL = there.URL, there.Owner
	paste(t, lineWith(t, text, "pg_dump"))
	paste(t, lineWith(t, recovery.PostgresCommands(t.Context(), c, file), "pg_restore"))
	if _, err := installation.Migrate(t.Context(), c, app.Deps{}.Environment(), "", false); err != nil {
		t.Fatal(err)
	}
	if before, after := rowCounts(t, here), rowCounts(t, there); before != after || !strings.Contains(before, "organisations:1") {
		t.Errorf("before %s, after %s", before, after)
	}
	a, err := app.Open(t.Context(), c, app.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if all, err := a.VerifyAudit(t.Context(), "", nil); err != nil || len(all) != 1 || all[0].Problem != "" {
		t.Errorf("%+v, %v", all, err)
	}
	if r, err := a.Store.Rights(t.Context()); err != nil || len(r.Faults()) > 0 {
		t.Errorf("%q, %v", r.Faults(), err)
	}
}

func lineWith(t *testing.T, text, word string) string {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  ") && strings.Contains(line, word) {
			return line
		}
	}
	t.Fatalf("no %s in %s", word, text)
	return ""
}

func paste(t *testing.T, line string) {
	t.Helper()
	c := exec.Command("sh", "-c", line)
	c.Env = append(c.Environ(), "PGPASSWORD=tidewaiter_owner")
	if output, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", line, err, output)
	}
}

// rowCounts counts the rows of a database, as its owner.
func rowCounts(t *testing.T, b storetest.Backend) string {
	t.Helper()
	s, err := store.Attach(t.Context(), b.AsOwner().Options())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := s.Census(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(c)
}

// Every form of the service's address becomes that of the owner, also if the database does not answer.
func TestAddressOfOwner(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://u:secret@127.0.0.1:1/d":               "postgres://OWNER@127.0.0.1:1/d",
		"postgres://127.0.0.1:1/d?user=u":                 "postgres://OWNER@127.0.0.1:1/d",
		"host=127.0.0.1 port=1 user=u dbname=d":           "host=127.0.0.1 port=1 user=OWNER dbname=d",
		"host=127.0.0.1 port=1 dbname=d password='a b c'": "host=127.0.0.1 port=1 dbname=d user=OWNER",
	} {
		text := recovery.PostgresCommands(t.Context(), config.Config{DatabaseURL: address}, "f")
		if !strings.Contains(text, " '"+want+"'\n") || strings.Contains(text, "secret") {
			t.Errorf("%s: want %s, got %s", address, want, text)
		}
	}
}

// The password is removed from every form of a database's address.
func TestAddressWithoutPassword(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://u:secret@h:5432/d?sslmode=require":                 "postgres://u@h:5432/d?sslmode=require",
		"postgresql://u:secret@h1:1,h2:2/d":                            "postgresql://u@h1:1,h2:2/d",
		"postgres://h/d?user=u&password=secret&sslpassword=secret":     "postgres://h/d?user=u",
		"host=h user=u password=secret dbname=d":                       "host=h user=u dbname=d",
		`host=h password = 'it\'s secret' sslpassword=secret dbname=d`: "host=h dbname=d",
		"postgres://u:secret@h:%zz/d":                                  "postgres://…",
	} {
		text := recovery.PostgresCommands(t.Context(), config.Config{Database: config.Database{OwnerURL: address}}, "f")
		if !strings.Contains(text, " '"+want+"'\n") || strings.Contains(text, "secret") {
			t.Errorf("%s: want %s, got %s", address, want, text)
		}
	}
}
