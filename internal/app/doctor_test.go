package app

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

	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// patient is a deployment with an installation in it, whose master key has sealed.
func patient(t *testing.T, b storetest.Backend) config.Config {
	t.Helper()
	c := config.Config{Data: b.Folder, DatabaseURL: b.URL, Database: config.Database{Connections: 4}, Customs: config.Customs{Mode: "hmrc"}}
	if c.Data == "" {
		c.Data = t.TempDir()
	}
	a, err := Open(t.Context(), c, Deps{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	sealer, err := masterKey(c.MasterKey, c.Data)
	if err == nil {
		err = a.proveMasterKey(t.Context(), sealer)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// examine gives what was found by its name, the worst where there is more of it.
func examine(t *testing.T, c config.Config, now time.Time) (bool, map[string]doctor.Check) {
	t.Helper()
	given, err := config.Load(nil, config.Environment{
		Get: func(string) string { return "" }, All: func() []string { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	r := Examine(t.Context(), c, given, Deps{Now: func() time.Time { return now }}, false)
	found := map[string]doctor.Check{}
	for _, check := range r.Checks {
		if check.Outcome != doctor.OK && check.Remedy == "" {
			t.Errorf("nothing to do about %+v", check)
		}
		if found[check.Name].Outcome != doctor.Fail {
			found[check.Name] = check
		}
	}
	return r.Healthy, found
}

// ill asks for one fault, of a deployment that is not healthy because of it.
func ill(t *testing.T, c config.Config, name, says string) {
	t.Helper()
	healthy, found := examine(t, c, time.Now())
	if got := found[name]; healthy || got.Outcome != doctor.Fail || !strings.Contains(got.Finding, says) {
		t.Errorf("healthy %v, want %s to fail with %q: %+v", healthy, name, says, found)
	}
}

// A deployment as the book describes it is healthy, on both databases; nobody has
// changed anything by looking.
func TestHealthyDeployment(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		c := patient(t, b)
		healthy, found := examine(t, c, time.Now())
		for _, check := range found {
			if check.Outcome != doctor.OK && check.Name != "disk" {
				t.Errorf("%+v", check)
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
		if _, walls := found["database, walls"]; walls != (b.Name == "postgres") {
			t.Errorf("walls %v", walls)
		}
	})
}

// Before the first start the database is missing, and nothing is made by looking.
func TestDeploymentBeforeItsFirstStart(t *testing.T) {
	c := config.Config{Data: filepath.Join(t.TempDir(), "data"), Customs: config.Customs{Mode: "hmrc"}}
	healthy, found := examine(t, c, time.Now())
	for name, check := range found {
		if (check.Outcome == doctor.Fail) != (name == "database") {
			t.Errorf("%+v", check)
		}
	}
	if healthy {
		t.Error("a deployment without a database is healthy")
	}
	if _, err := os.Stat(c.Data); !os.IsNotExist(err) {
		t.Errorf("the folder was made: %v", err)
	}
}

// A PostgreSQL on which the service owns its tables, or where a table has no wall,
// is not healthy; nor is one that has not been migrated, or does not answer.
func TestUnwalledDeployment(t *testing.T) {
	b := storetest.Postgres(t)
	c := patient(t, b)
	asOwner := c
	asOwner.DatabaseURL = b.Owner
	ill(t, asOwner, "database, walls", "owns")

	db, err := sql.Open("pgx", b.Owner)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("ALTER TABLE filings NO FORCE ROW LEVEL SECURITY"); err != nil {
		t.Fatal(err)
	}
	ill(t, c, "database, walls", "filings")

	c.DatabaseURL = storetest.Unmigrated(t).URL
	ill(t, c, "database, schema", "cannot be told")
	c.DatabaseURL = "postgres://nobody@127.0.0.1:1/none"
	ill(t, c, "database", "does not answer")
}

// A schema that is behind, or ahead, is told with what to do.
func TestSchemaOfAnotherVersion(t *testing.T) {
	b := storetest.SQLite(t)
	c := patient(t, b)
	db, err := sql.Open("sqlite", filepath.Join(b.Folder, "tidewaiter.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)"); err != nil {
		t.Fatal(err)
	}
	healthy, found := examine(t, c, time.Now())
	if got := found["database, schema"]; !healthy || got.Outcome != doctor.Warn || !strings.Contains(got.Finding, "version 99999") {
		t.Errorf("healthy %v after a newer program has migrated: %+v", healthy, found)
	}
	for _, step := range []struct{ statement, says string }{
		{"UPDATE schema_floor SET oldest = 99999", "version 99999, this program knows"},
		{"DELETE FROM goose_db_version WHERE version_id > 20", "version 20, this program brings"},
	} {
		if _, err := db.Exec(step.statement); err != nil {
			t.Fatal(err)
		}
		ill(t, c, "database, schema", step.says)
	}
}

// A master key that others can read, is gone, is another one or is none at all is
// a fault, however it is given.
func TestMasterKeyExamined(t *testing.T) {
	c := patient(t, storetest.SQLite(t))
	file := filepath.Join(c.Data, masterFile)
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	ill(t, c, "master key", "can be read by others")
	key, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	ill(t, c, "master key", "is not there")
	other, err := NewMasterKey()
	if err != nil {
		t.Fatal(err)
	}
	for setting, says := range map[string]string{string(other): "not the one", "nonsense": "not a Tink keyset"} {
		with := c
		with.MasterKey = setting
		ill(t, with, "master key", says)
	}
	c.MasterKey = string(key)
	if healthy, found := examine(t, c, time.Now()); !healthy {
		t.Errorf("with the right key: %+v", found["master key"])
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("a key was made: %v", err)
	}
}

// Work that nobody takes up is a worry after minutes and a fault after a quarter of
// an hour.
func TestWaitingWork(t *testing.T) {
	c := patient(t, storetest.SQLite(t))
	a, err := Open(t.Context(), c, Deps{})
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
	for wait, want := range map[time.Duration]doctor.Outcome{time.Minute: "", 3 * time.Minute: doctor.Warn, 16 * time.Minute: doctor.Fail} {
		if _, found := examine(t, c, due.Add(wait)); found["queue send"].Outcome != want {
			t.Errorf("after %s: %+v", wait, found["queue send"])
		}
	}
}

// Whom the service calls is called: customs with its clock, and who is needed more
// than others counts more.
func TestEndpointsExamined(t *testing.T) {
	c := patient(t, storetest.SQLite(t))
	off := time.Duration(0)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", time.Now().Add(off).UTC().Format(http.TimeFormat))
	}))
	defer s.Close()
	c.Customs.URL, c.MTD.URL, c.OIDC.Issuer, c.AI = s.URL, s.URL, s.URL, config.AI{Provider: "openai", URL: s.URL}
	if healthy, found := examine(t, c, time.Now()); !healthy || len(found) < 11 || found["clock, customs"].Outcome != doctor.OK {
		t.Errorf("%+v", found)
	}
	off = time.Hour
	ill(t, c, "clock, customs", "apart")
	s.Close()
	for _, name := range []string{"customs", "making tax digital", "single sign-on"} {
		ill(t, c, name, "cannot be reached")
	}
	c.Customs.URL, c.MTD.URL, c.OIDC.Issuer = "", "", ""
	if healthy, found := examine(t, c, time.Now()); !healthy || found["language model"].Outcome != doctor.Warn {
		t.Errorf("without a model: %+v", found)
	}
	c.RedisURL = "redis://127.0.0.1:1/0"
	if healthy, found := examine(t, c, time.Now()); !healthy || found["redis"].Outcome != doctor.Warn {
		t.Errorf("without Redis: %+v", found)
	}
}

// The user's token for customs and the mark of the last backup are judged by their
// days.
func TestFilesExamined(t *testing.T) {
	c := patient(t, storetest.SQLite(t))
	c.Customs.UserToken = filepath.Join(c.Data, "token.json")
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]doctor.Outcome{
		`{"Access":"a","Refresh":"r","Granted":"2026-01-01T00:00:00Z"}`: doctor.OK,
		`{"Access":"a","Refresh":"r","Granted":"2025-06-01T00:00:00Z"}`: doctor.Warn,
		`{"Access":"a","Refresh":"r","Granted":"2025-05-01T00:00:00Z"}`: doctor.Fail,
		`{"Access":"a","Refresh":"r"}`:                                  doctor.Warn,
		`{"Access":"a"}`:                                                doctor.Fail,
		`{`:                                                             doctor.Fail,
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
	ill(t, c, "consent, customs", "can be read by others")
	for text, want := range map[string]doctor.Outcome{`{"at":"2026-11-20T12:00:00Z"}`: doctor.OK, `{"at":"2026-11-18T12:00:00Z"}`: doctor.Warn, `{`: doctor.Warn} {
		if err := os.WriteFile(filepath.Join(c.Data, backupMark), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, found := examine(t, c, now); found["backup"].Outcome != want {
			t.Errorf("%s: %+v", text, found["backup"])
		}
	}
}

// Settings that are for a try are told of.
func TestSettingsForATry(t *testing.T) {
	c := patient(t, storetest.SQLite(t))
	for name, change := range map[string]func(*config.Config){
		"simulator": func(c *config.Config) { c.Customs.Mode = "simulator" },
		"private":   func(c *config.Config) { c.AllowPrivateWebhooks = true },
		"TLS":       func(c *config.Config) { c.PublicURL = "http://127.0.0.1:1" },
	} {
		with := c
		change(&with)
		if healthy, found := examine(t, with, time.Now()); !healthy || found["settings"].Outcome != doctor.Warn || !strings.Contains(found["settings"].Finding, name) {
			t.Errorf("%s: %+v", name, found["settings"])
		}
	}
}

// The service is asked at the address that it listens on, whatever form that has.
func TestAskHealth(t *testing.T) {
	ready := http.StatusServiceUnavailable
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" {
			w.WriteHeader(ready)
		}
	}))
	defer s.Close()
	address := strings.TrimPrefix(s.URL, "http://")
	port := address[strings.LastIndex(address, ":"):]
	for _, listens := range []string{address, port, "0.0.0.0" + port} {
		if err := AskHealth(t.Context(), config.Config{Addr: listens}, false); err != nil {
			t.Errorf("%s: %v", listens, err)
		}
	}
	if err := AskHealth(t.Context(), config.Config{Addr: address}, true); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("not ready: %v", err)
	}
	ready = http.StatusOK
	if err := AskHealth(t.Context(), config.Config{Addr: address}, true); err != nil {
		t.Errorf("ready: %v", err)
	}
	s.Close()
	for _, listens := range []string{address, "nonsense"} {
		if err := AskHealth(t.Context(), config.Config{Addr: listens}, false); err == nil {
			t.Errorf("%s is well", listens)
		}
	}
}
