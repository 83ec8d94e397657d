package verify_test

import (
	"crypto/rand"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/ops/verify"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/records/integrity"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// tampered is an organisation whose records a test changes by SQL.
type tampered struct {
	*testing.T
	db    *sql.DB
	store *store.Store
	ids   *ident.Source
}

func tamper(t *testing.T, b storetest.Backend) *tampered {
	s := b.Open(t)
	driver, address := "sqlite", filepath.Join(b.Folder, sqlite.File)
	if b.URL != "" {
		driver, address = "pgx", b.Owner
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	x := &tampered{t, db, s, ident.NewSource(rand.Reader, time.Now)}
	if b.URL != "" {
		x.do("SELECT set_config('tidewaiter.org', '*', false)")
	}
	x.update(func(tx *store.Tx) error {
		if err := tx.AddOrganisation(access.Organisation{ID: victim, CreatedAt: tx.Now(), UpdatedAt: tx.Now()}); err != nil {
			return err
		}
		return tx.Record(audit.Event{ID: id(999), Type: access.OrganisationCreated, ResourceType: "organisation", ResourceID: string(victim)})
	})
	return x
}

func (x *tampered) do(statement string) {
	x.Helper()
	if _, err := x.db.Exec(statement); err != nil {
		x.Fatalf("%s: %v", statement, err)
	}
}

func (x *tampered) update(fn func(*store.Tx) error) {
	x.Helper()
	if err := x.store.Update(x.Context(), victim, fn); err != nil {
		x.Fatal(err)
	}
}

// write stores a version of a record.
func (x *tampered) write(record int, version int64, status, past, body string, erased bool) {
	x.Helper()
	x.update(func(tx *store.Tx) error {
		f := filing.Filing{
			ID: id(record), Kind: "tax.return", Status: lifecycle.State(status), Version: version, BodyVersion: 1, Body: []byte(body), Added: []byte(`{}`),
			CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		}
		if version > 1 {
			old, err := tx.Filing("tax.return", f.ID)
			if err != nil {
				return err
			}
			f.CreatedAt = old.CreatedAt
		}
		e := audit.Event{ID: id(1000 + record), Hub: "tax", Type: "tax.return." + past, ResourceType: "tax.return", ResourceID: f.ID, ToStatus: status}
		return tx.Write(filing.Change{Filing: f, Event: e, Deleted: erased})
	})
}

func (x *tampered) report() *integrity.Report {
	x.Helper()
	all, err := verify.Trails(x.Context(), x.store, kinds, victim, nil)
	if err != nil || len(all) != 1 || all[0].Problem != "" {
		x.Fatalf("%+v %v", all, err)
	}
	return all[0].Records
}

// mustFind fails the test unless exactly these records differ, in the form "id problem".
func (x *tampered) mustFind(what string, want ...string) {
	x.Helper()
	got := []string{}
	for _, f := range x.report().Differences {
		got = append(got, fmt.Sprint(f.RecordID, " ", f.Problem))
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		x.Errorf("%s: found %v, want %v", what, got, want)
	}
}

// Verification finds every field of a record that SQL changes, and records that SQL deletes or adds. It accepts the
// changes and deletions of the service.
func TestVerifyComparesRecords(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		x := tamper(t, b)
		x.write(1, 1, "DRAFT", "created", `{"a":1}`, false)
		x.write(1, 2, "SUBMITTED", "submitted", `{"a":1}`, false)
		x.write(2, 1, "DRAFT", "created", `{"a":2}`, false)
		x.write(3, 1, "DRAFT", "created", `{"a":3}`, false)
		x.write(3, 2, "DRAFT", "deleted", `{"a":3}`, true)
		x.update(func(tx *store.Tx) error {
			return tx.Record(audit.Event{
				ID: id(9), Hub: "tax", Type: "tax.return.mark_accepted.refused", ResourceType: "tax.return", ResourceID: id(77),
			})
		})
		x.mustFind("as written")
		if r := x.report(); r.Compared != 2 || r.ComparedInPart+r.NotCovered != 0 {
			t.Errorf("%+v", r)
		}
		one := "WHERE id = '" + id(1) + "'"
		x.do("CREATE TABLE kept AS SELECT * FROM filings " + one)
		for _, change := range []string{
			"status = 'ACCEPTED'", "version = 9", "body = '{\"a\":7}'", "brief = '{}'", "added = '{\"reference\":\"x\"}'",
			"created_at = '2020-01-01T00:00:00.000Z'", "updated_at = '2020-01-01T00:00:00.000Z'", "kind = 'declaration'",
		} {
			x.do("UPDATE filings SET " + change + " " + one)
			x.mustFind(change, id(1)+" changed")
			x.do("DELETE FROM filings " + one)
			x.do("INSERT INTO filings SELECT * FROM kept")
		}
		x.do("DELETE FROM filings WHERE id = '" + id(2) + "'")
		x.mustFind("deleted", id(2)+" missing")
		x.do("INSERT INTO filings (org_id, id, kind, status, version, body_version, added, created_at, updated_at, body) SELECT org_id, '" + id(4) +
			"', kind, status, version, body_version, added, created_at, updated_at, body FROM kept")
		x.mustFind("added", id(4)+" unrecorded", id(2)+" missing")
	})
}

// Records of a program version without digests are compared by body and status, also while that version is running.
func TestVerifyComparesOlderRecords(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		x := tamper(t, b)
		x.write(1, 1, "DRAFT", "created", `{"a":1}`, false)
		insert := func(version int64, status, data string) {
			x.update(func(tx *store.Tx) error {
				return tx.Record(audit.Event{
					ID: id(8), Hub: "tax", Type: "tax.return.submitted", ResourceType: "tax.return", ResourceID: id(1), FromStatus: "DRAFT", ToStatus: status,
					Data: []byte(data),
				})
			})
			x.do(fmt.Sprintf("UPDATE filings SET status = '%s', version = %d WHERE id = '%s'", status, version, id(1)))
		}
		insert(2, "SUBMITTED", "")
		if r := x.report(); !r.OK() || r.ComparedInPart != 1 {
			t.Errorf("%+v", r)
		}
		x.do("UPDATE filings SET status = 'ACCEPTED'")
		x.mustFind("status", id(1)+" changed")
		x.do("UPDATE filings SET status = 'SUBMITTED', version = 1")
		x.mustFind("version", id(1)+" changed")
	})
}
