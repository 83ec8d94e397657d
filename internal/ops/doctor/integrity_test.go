package doctor_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
	"github.com/tidewaiter/tidewaiter/internal/ops/doctor/check"
	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// resultOf examines a deployment and returns one of the results.
func resultOf(t *testing.T, c config.Config, deep bool, name string) check.Result {
	t.Helper()
	r := doctor.Examine(t.Context(), c, &config.Given{}, app.Deps{}.Environment(), deep)
	for _, one := range r.Checks {
		if one.Name == name {
			return one
		}
	}
	t.Fatalf("%s was not examined: %+v", name, r)
	return check.Result{}
}

// Pages and audit trail of an undamaged deployment pass, on both databases. An old verification causes a warning.
func TestPagesAndTrail(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		c := deployment(t, b)
		a, err := app.Open(t.Context(), c, app.Deps{})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if _, err := a.CreateOrganisation(t.Context(), "Harbour Textiles Ltd", ""); err != nil {
			t.Fatal(err)
		}
		for _, deep := range []bool{false, true} {
			for _, name := range []string{"database, pages", "audit trail"} {
				if r := resultOf(t, c, deep, name); r.Outcome != check.OK {
					t.Errorf("deep %v: %+v", deep, r)
				}
			}
		}
		if err := a.RecordVerification(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r := resultOf(t, c, false, "audit trail"); !strings.Contains(r.Finding, "last verified on "+time.Now().UTC().Format(time.DateOnly)) {
			t.Errorf("%+v", r)
		}
		if err := a.Store.SetInstallationValue(t.Context(), installation.LastVerification, time.Now().Add(-40*24*time.Hour).UTC().Format(time.RFC3339)); err != nil {
			t.Fatal(err)
		}
		if r := resultOf(t, c, false, "audit trail"); r.Outcome != check.Warn {
			t.Errorf("a verification of forty days ago: %+v", r)
		}
		if err := a.RecordBackup(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r := resultOf(t, c, false, "backup"); r.Outcome != check.OK {
			t.Errorf("%+v", r)
		}
	})
}

// A quick examination finds an event that SQL changed among the newest, and a damaged page.
func TestDamage(t *testing.T) {
	c := deployment(t, storetest.SQLite(t))
	a, err := app.Open(t.Context(), c, app.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.CreateOrganisation(t.Context(), "Harbour Textiles Ltd", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(c.Data, sqlite.File)
	db, err := sql.Open("sqlite", "file:"+file)
	if err != nil {
		t.Fatal(err)
	}
	var trigger string
	for db.QueryRow("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'events'").Scan(&trigger) == nil {
		if _, err := db.Exec("DROP TRIGGER " + trigger); err != nil {
			t.Fatal(err)
		}
	}
	if _, err = db.Exec("UPDATE events SET actor_user_id = 'x'"); err == nil {
		_, err = db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, deep := range []bool{false, true} {
		if r := resultOf(t, c, deep, "audit trail"); r.Outcome != check.Fail {
			t.Errorf("a changed event, deep %v: %+v", deep, r)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(text) / 4 * 3; i < len(text); i++ {
		text[i] = 0xff
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, deep := range []bool{false, true} {
		r := doctor.Examine(t.Context(), c, &config.Given{}, app.Deps{}.Environment(), deep)
		found := false
		for _, one := range r.Checks {
			found = found || one.Outcome == check.Fail && strings.HasPrefix(one.Name, "database")
		}
		if !found {
			t.Errorf("damaged pages, deep %v: %+v", deep, r)
		}
	}
}
