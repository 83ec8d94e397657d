package doctor_test

import (
	"context"
	"database/sql"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
	"github.com/tidewaiter/tidewaiter/internal/ops/doctor/check"
	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// deployment returns the settings of an installation whose master key is in use.
func deployment(t *testing.T, b storetest.Backend) config.Config {
	t.Helper()
	c := config.Config{Data: b.Folder, DatabaseURL: b.URL, Database: config.Database{Connections: 4}, Customs: config.Customs{Mode: "hmrc"}}
	if c.Data == "" {
		c.Data = t.TempDir()
	}
	a, err := app.Open(t.Context(), c, app.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	key, err := masterkey.Open(c)
	if err == nil {
		err = masterkey.Check(t.Context(), a.Store, key)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// examine runs a quick examination and returns its results by name; a failure wins over other results of that name.
func examine(t *testing.T, c config.Config, now time.Time) (healthy bool, results map[string]check.Result) {
	t.Helper()
	given, err := config.Load(nil, config.Environment{
		Get: func(string) string { return "" }, All: func() []string { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	r := doctor.Examine(t.Context(), c, given, app.Deps{Now: func() time.Time { return now }}.Environment(), false)
	results = map[string]check.Result{}
	for _, one := range r.Checks {
		if one.Outcome != check.OK && one.Remedy == "" {
			t.Errorf("no remedy: %+v", one)
		}
		if results[one.Name].Outcome != check.Fail {
			results[one.Name] = one
		}
	}
	return r.Healthy, results
}

// mustFail fails the test unless a check fails with a text, and makes the deployment unhealthy.
func mustFail(t *testing.T, c config.Config, name, text string) {
	t.Helper()
	healthy, found := examine(t, c, time.Now())
	if got := found[name]; healthy || got.Outcome != check.Fail || !strings.Contains(got.Finding, text) {
		t.Errorf("healthy %v, want %s to fail with %q: %+v", healthy, name, text, found)
	}
}

// A deployment as docs/operating.md describes it is healthy, on both databases.
func TestHealthyDeployment(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		c := deployment(t, b)
		healthy, found := examine(t, c, time.Now())
		for _, one := range found {
			if one.Outcome != check.OK && one.Name != "disk" {
				t.Errorf("%+v", one)
			}
		}
		for _, name := range []string{"settings", "disk", "database", "database, schema", "database, pages", "audit trail", "master key", "queues", "messages from customs"} {
			if found[name].Name == "" {
				t.Errorf("%s was not examined", name)
			}
		}
		if !healthy {
			t.Error("not healthy")
		}
		if _, checked := found["database, walls"]; checked != (b.Name == "postgres") {
			t.Errorf("row-level security checked: %v", checked)
		}
	})
}

// Before the first start only the database fails, and doctor creates nothing.
func TestDeploymentBeforeFirstStart(t *testing.T) {
	c := config.Config{Data: filepath.Join(t.TempDir(), "data"), Customs: config.Customs{Mode: "hmrc"}}
	healthy, found := examine(t, c, time.Now())
	for name, one := range found {
		if (one.Outcome == check.Fail) != (name == "database") {
			t.Errorf("%+v", one)
		}
	}
	if healthy {
		t.Error("a deployment without a database is healthy")
	}
	if _, err := os.Stat(c.Data); !os.IsNotExist(err) {
		t.Errorf("the folder was created: %v", err)
	}
}

// A PostgreSQL database is not healthy if the service owns its tables, if a table has no row-level security, if it is
// not migrated, or if it does not answer.
func TestPostgresFaults(t *testing.T) {
	b := storetest.Postgres(t)
	c := deployment(t, b)
	asOwner := c
	asOwner.DatabaseURL = b.Owner
	mustFail(t, asOwner, "database, walls", "owns")

	db, err := sql.Open("pgx", b.Owner)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("ALTER TABLE filings NO FORCE ROW LEVEL SECURITY"); err != nil {
		t.Fatal(err)
	}
	mustFail(t, c, "database, walls", "filings")

	c.DatabaseURL = storetest.Unmigrated(t).URL
	mustFail(t, c, "database, schema", "cannot be read")
	c.DatabaseURL = "postgres://user@127.0.0.1:1/none"
	mustFail(t, c, "database", "does not answer")
}

// An older or newer schema is reported.
func TestSchemaOfAnotherVersion(t *testing.T) {
	b := storetest.SQLite(t)
	c := deployment(t, b)
	db, err := sql.Open("sqlite", filepath.Join(b.Folder, "tidewaiter.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)"); err != nil {
		t.Fatal(err)
	}
	healthy, found := examine(t, c, time.Now())
	if got := found["database, schema"]; !healthy || got.Outcome != check.Warn || !strings.Contains(got.Finding, "version 99999") {
		t.Errorf("healthy %v after a newer program has migrated: %+v", healthy, found)
	}
	for _, step := range []struct{ statement, text string }{
		{"UPDATE schema_floor SET oldest = 99999", "version 99999, this program knows"},
		{"DELETE FROM goose_db_version WHERE version_id > 20", "version 20, this program needs"},
	} {
		if _, err := db.Exec(step.statement); err != nil {
			t.Fatal(err)
		}
		mustFail(t, c, "database, schema", step.text)
	}
}

// A master key fails if other users can read it, or if it is missing, another one or malformed.
func TestMasterKeyExamined(t *testing.T) {
	c := deployment(t, storetest.SQLite(t))
	file := filepath.Join(c.Data, masterkey.File)
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	mustFail(t, c, "master key", "other users can read")
	key, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	mustFail(t, c, "master key", "does not exist")
	other, err := masterkey.New()
	if err != nil {
		t.Fatal(err)
	}
	for setting, text := range map[string]string{string(other): "not the key", "nonsense": "not a Tink keyset"} {
		with := c
		with.MasterKey = setting
		mustFail(t, with, "master key", text)
	}
	c.MasterKey = string(key)
	if healthy, found := examine(t, c, time.Now()); !healthy {
		t.Errorf("with the right key: %+v", found["master key"])
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("a key was created: %v", err)
	}
}

// Work that is due causes a warning after minutes and a failure after a quarter of an hour.
func TestWaitingWork(t *testing.T) {
	c := deployment(t, storetest.SQLite(t))
	a, err := app.Open(t.Context(), c, app.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	due := time.Now().Truncate(time.Millisecond)
	err = a.Store.Update(context.Background(), tenant.Operator, func(tx *store.Tx) error {
		return tx.Enqueue(jobs.Job{ID: a.IDs.UUID(), Queue: "send", Subject: "x", RunAt: due})
	})
	if err != nil {
		t.Fatal(err)
	}
	for wait, want := range map[time.Duration]check.Outcome{time.Minute: "", 3 * time.Minute: check.Warn, 16 * time.Minute: check.Fail} {
		if _, found := examine(t, c, due.Add(wait)); found["queue send"].Outcome != want {
			t.Errorf("after %s: %+v", wait, found["queue send"])
		}
	}
}

// Endpoints are probed, CDS with its clock. Required endpoints fail, others cause a warning.
func TestEndpointsExamined(t *testing.T) {
	c := deployment(t, storetest.SQLite(t))
	off := time.Duration(0)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", time.Now().Add(off).UTC().Format(http.TimeFormat))
	}))
	defer s.Close()
	c.Customs.URL, c.MTD.URL, c.OIDC.Issuer, c.AI = s.URL, s.URL, s.URL, config.AI{Provider: "openai", URL: s.URL}
	if healthy, found := examine(t, c, time.Now()); !healthy || len(found) < 11 || found["clock, customs"].Outcome != check.OK {
		t.Errorf("%+v", found)
	}
	off = time.Hour
	mustFail(t, c, "clock, customs", "apart")
	s.Close()
	for _, name := range []string{"customs", "making tax digital", "single sign-on"} {
		mustFail(t, c, name, "cannot be reached")
	}
	c.Customs.URL, c.MTD.URL, c.OIDC.Issuer = "", "", ""
	if healthy, found := examine(t, c, time.Now()); !healthy || found["language model"].Outcome != check.Warn {
		t.Errorf("without a model: %+v", found)
	}
	c.RedisURL = "redis://127.0.0.1:1/0"
	if healthy, found := examine(t, c, time.Now()); !healthy || found["redis"].Outcome != check.Warn {
		t.Errorf("without Redis: %+v", found)
	}
}

// The user's token for CDS and the last backup are checked by their dates.
func TestFilesExamined(t *testing.T) {
	c := deployment(t, storetest.SQLite(t))
	c.Customs.UserToken = filepath.Join(c.Data, "token.json")
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]check.Outcome{
		`{"Access":"a","Refresh":"r","Granted":"2026-01-01T00:00:00Z"}`: check.OK,
		`{"Access":"a","Refresh":"r","Granted":"2025-06-01T00:00:00Z"}`: check.Warn,
		`{"Access":"a","Refresh":"r","Granted":"2025-05-01T00:00:00Z"}`: check.Fail,
		`{"Access":"a","Refresh":"r"}`:                                  check.Warn,
		`{"Access":"a"}`:                                                check.Fail,
		`{`:                                                             check.Fail,
	} {
		if err := os.WriteFile(c.Customs.UserToken, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, found := examine(t, c, now); found["consent, customs"].Outcome != want {
			t.Errorf("%s: %+v", text, found["consent, customs"])
		}
	}
	if err := os.Chmod(c.Customs.UserToken, 0o644); err != nil {
		t.Fatal(err)
	}
	mustFail(t, c, "consent, customs", "other users can read")
	for text, want := range map[string]check.Outcome{`{"at":"2026-11-20T12:00:00Z"}`: check.OK, `{"at":"2026-11-18T12:00:00Z"}`: check.Warn, `{`: check.Warn} {
		if err := os.WriteFile(filepath.Join(c.Data, installation.BackupFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, found := examine(t, c, now); found["backup"].Outcome != want {
			t.Errorf("%s: %+v", text, found["backup"])
		}
	}
}

// Settings that are not for production cause a warning.
func TestSettingsForTrials(t *testing.T) {
	c := deployment(t, storetest.SQLite(t))
	for name, change := range map[string]func(*config.Config){
		"simulator": func(c *config.Config) { c.Customs.Mode = "simulator" },
		"private":   func(c *config.Config) { c.AllowPrivateWebhooks = true },
		"TLS":       func(c *config.Config) { c.PublicURL = "http://127.0.0.1:1" },
	} {
		with := c
		change(&with)
		if healthy, found := examine(t, with, time.Now()); !healthy || found["settings"].Outcome != check.Warn || !strings.Contains(found["settings"].Finding, name) {
			t.Errorf("%s: %+v", name, found["settings"])
		}
	}
}
