package app

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// look examines a deployment, quickly or deeply, and gives one of the checks.
func look(t *testing.T, c config.Config, deep bool, name string) doctor.Check {
	t.Helper()
	r := Examine(t.Context(), c, &config.Given{}, Deps{}, deep)
	for _, check := range r.Checks {
		if check.Name == name {
			return check
		}
	}
	t.Fatalf("%s was not examined: %+v", name, r)
	return doctor.Check{}
}

// A sound deployment passes both looks, on both databases, and so does one whose trail was verified.
func TestDoctorLooksAtPagesAndTrail(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		c := patient(t, b)
		a, err := Open(t.Context(), c, Deps{})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if _, err := a.CreateOrganisation(t.Context(), "Harbour Textiles Ltd", ""); err != nil {
			t.Fatal(err)
		}
		for _, deep := range []bool{false, true} {
			for _, name := range []string{pagesName, trailsName} {
				if check := look(t, c, deep, name); check.Outcome != doctor.OK {
					t.Errorf("deep %v: %+v", deep, check)
				}
			}
		}
		if err := a.NoteVerification(t.Context()); err != nil {
			t.Fatal(err)
		}
		if check := look(t, c, false, trailsName); !strings.Contains(check.Finding, "verified last on "+time.Now().UTC().Format(time.DateOnly)) {
			t.Errorf("%+v", check)
		}
		if err := a.Store.Note(t.Context(), lastVerification, time.Now().Add(-40*24*time.Hour).UTC().Format(time.RFC3339)); err != nil {
			t.Fatal(err)
		}
		if check := look(t, c, false, trailsName); check.Outcome != doctor.Warn {
			t.Errorf("a verification of forty days ago: %+v", check)
		}
		if err := a.NoteBackup(t.Context()); err != nil {
			t.Fatal(err)
		}
		if check := look(t, c, false, "backup"); check.Outcome != doctor.OK {
			t.Errorf("%+v", check)
		}
	})
}

// An event that was changed by SQL is found by the sample of the trail, and so is a damaged page by the look at pages,
// also if the database is larger than what is checked at start.
func TestDoctorFindsDamage(t *testing.T) {
	c := patient(t, storetest.SQLite(t))
	a, err := Open(t.Context(), c, Deps{})
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
	if _, err = db.Exec("UPDATE events SET actor_user_id = 'nobody'"); err == nil {
		_, err = db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, deep := range []bool{false, true} {
		if check := look(t, c, deep, trailsName); check.Outcome != doctor.Fail {
			t.Errorf("a changed event, deep %v: %+v", deep, check)
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
		r := Examine(t.Context(), c, &config.Given{}, Deps{}, deep)
		found := false
		for _, check := range r.Checks {
			found = found || check.Outcome == doctor.Fail && strings.HasPrefix(check.Name, databaseName)
		}
		if !found {
			t.Errorf("damaged pages, deep %v: %+v", deep, r)
		}
	}
}
