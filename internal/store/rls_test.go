package store_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// rlsFixture is a database in which two organisations have one row each in every table.
type rlsFixture struct {
	*testing.T
	storetest.Backend
	db     *sql.DB // as a superuser
	tables []string
}

func build(t *testing.T) *rlsFixture {
	w := &rlsFixture{T: t, Backend: storetest.Postgres(t)}
	w.db = storetest.Superuser(t, w.Backend)
	w.db.SetMaxOpenConns(1)
	w.do("SET session_replication_role = replica") // without foreign keys
	for _, constraint := range w.list("SELECT format('ALTER TABLE %I DROP CONSTRAINT %I', r.relname, c.conname) FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid " +
		"WHERE c.contype = 'c' AND r.relnamespace = 'public'::regnamespace AND NOT r.relispartition") {
		w.do(constraint)
	}
	w.tables = w.list("SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id' " +
		"WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1")
	for _, table := range w.tables {
		for _, org := range []string{string(ours), string(theirs)} {
			w.do(w.row(table, org))
		}
	}
	return w
}

// sampleValues holds a value for every column type.
var sampleValues = map[string]string{
	"uuid": "gen_random_uuid()", "text": "gen_random_uuid()::text", "int8": "1", "int4": "1", "timestamptz": "now()", "bytea": `'\x00'`, "bool": "false", "date": "now()",
}

// row returns a statement that inserts a row of an organisation into a table.
func (w *rlsFixture) row(table, org string) string {
	var columns, values []string
	for _, column := range w.list("SELECT attname || ' ' || typname FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid " +
		"WHERE attrelid = '" + table + "'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''") {
		name, kind, _ := strings.Cut(column, " ")
		value := sampleValues[kind]
		if name == "org_id" {
			value = "'" + org + "'"
		}
		if value == "" {
			w.Fatalf("%s.%s is of type %s: add a value", table, name, kind)
		}
		columns, values = append(columns, name), append(values, value)
	}
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")"
}

func (w *rlsFixture) do(statement string) {
	w.Helper()
	if _, err := w.db.ExecContext(ctx, statement); err != nil {
		w.Fatalf("%s: %v", statement, err)
	}
}

func (w *rlsFixture) list(query string) (all []string) {
	w.Helper()
	rows, err := w.db.QueryContext(ctx, query)
	if err != nil {
		w.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			w.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// violation returns how statements without a filter get past the organisation's own rows of a
// table, after a change that is rolled back; empty if they do not.
func (w *rlsFixture) violation(table, change string) string {
	w.Helper()
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		w.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, change+"; SET LOCAL session_replication_role = origin; SET LOCAL ROLE tidewaiter"); err != nil {
		w.Fatalf("%s: %v", change, err)
	}
	for scope, want := range map[string]int{"": 0, string(ours): 1, "*": 2} {
		var n int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT set_config('tidewaiter.org', $1, true)) s, LATERAL (SELECT * FROM "+table+" OFFSET 0) t", scope).Scan(&n); err != nil {
			return err.Error()
		}
		if n != want {
			return fmt.Sprintf("%q sees %d rows, want %d", scope, n, want)
		}
	}
	return w.writeViolation(tx, table)
}

// writeViolation tries to write rows of another organisation.
func (w *rlsFixture) writeViolation(tx *sql.Tx, table string) string {
	w.Helper()
	if _, err := tx.ExecContext(ctx, "SELECT set_config('tidewaiter.org', $1, true)", string(ours)); err != nil {
		w.Fatal(err)
	}
	for _, statement := range []string{"UPDATE " + table + " SET org_id = org_id", "DELETE FROM " + table} {
		if _, err := tx.ExecContext(ctx, "SAVEPOINT attempt"); err != nil {
			w.Fatal(err)
		}
		n := int64(0)
		result, err := tx.ExecContext(ctx, statement)
		if err == nil {
			n, err = result.RowsAffected()
		}
		if n > 1 || err != nil && !refused(err) {
			return fmt.Sprintf("%s: %d rows, %v", statement, n, err)
		}
		if _, err := tx.ExecContext(ctx, "ROLLBACK TO attempt"); err != nil {
			w.Fatal(err)
		}
	}
	if _, err := tx.ExecContext(ctx, "UPDATE "+table+" SET org_id = '"+string(theirs)+"'"); err == nil {
		return "a row was moved to another organisation"
	} else if !refused(err) {
		return err.Error()
	}
	return ""
}

// refused reports whether the error is about rights, or about rows that depend on one of our
// organisation.
func refused(err error) bool {
	return strings.Contains(err.Error(), "42501") || strings.Contains(err.Error(), "23503")
}

// withoutOrg is the number of tables without an organisation: the schema's version, its floor, and the instances that
// send webhooks.
const withoutOrg = 3

// No statement of the service gets past the rows of its organisation in any table, even without
// a filter, and every table has row-level security.
func TestRowLevelSecurityOnEveryTable(t *testing.T) {
	w := build(t)
	if len(w.tables) < 35 {
		t.Fatalf("only %d tables: %v", len(w.tables), w.tables)
	}
	for _, table := range w.tables {
		if b := w.violation(table, "SELECT"); b != "" {
			t.Errorf("%s: %s", table, b)
		}
	}
	if tables := w.list("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition"); len(tables) != len(w.tables)+withoutOrg {
		t.Errorf("of the tables %v, only those with an org_id have row-level security: %v", tables, w.tables)
	}
}

// If any policy is dropped, weakened or switched off, the row checks detect it and Rights names
// the table.
func TestRightsReportEveryMissingPolicy(t *testing.T) {
	w := build(t)
	s := w.Open(t)
	policies := w.list("SELECT format('%s %s %s', polrelid::regclass, polname, pg_get_expr(polqual, polrelid)) FROM pg_policy WHERE polname = 'own_rows' ORDER BY 1")
	if len(policies) < len(w.tables) {
		t.Fatalf("%d policies for %d tables", len(policies), len(w.tables))
	}
	for i, p := range policies {
		parts := strings.SplitN(p, " ", 3)
		table, name, condition := parts[0], parts[1], parts[2]
		for _, change := range []string{
			"DROP POLICY " + name + " ON " + table, "ALTER POLICY " + name + " ON " + table + " USING (true)", "ALTER TABLE " + table + " DISABLE ROW LEVEL SECURITY",
		} {
			if w.violation(table, change) == "" {
				t.Errorf("no violation after %s", change)
			}
		}
		for _, c := range []struct{ change, back string }{
			{"DROP POLICY " + name + " ON " + table, "CREATE POLICY " + name + " ON " + table + " USING (" + condition + ")"},
			{"ALTER POLICY " + name + " ON " + table + " USING (true)", "ALTER POLICY " + name + " ON " + table + " USING (" + condition + ")"},
			{"ALTER TABLE " + table + " DISABLE ROW LEVEL SECURITY", "ALTER TABLE " + table + " ENABLE ROW LEVEL SECURITY"},
			{"ALTER TABLE " + table + " NO FORCE ROW LEVEL SECURITY", "ALTER TABLE " + table + " FORCE ROW LEVEL SECURITY"},
		} {
			if i > 0 && c.change[:4] != "DROP" {
				continue // Rights distinguishes these in the same way for every table
			}
			w.do(c.change)
			if r := rights(t, s); !slices.Equal(r.WithoutRLS, []string{table}) || len(r.Faults()) != 1 || !strings.Contains(r.Faults()[0], table) {
				t.Errorf("after %s: %q", c.change, r.Faults())
			}
			w.do(c.back)
		}
	}
	// A further policy that lets organisations see more is a fault too.
	w.do("ALTER POLICY members_of_live ON memberships USING (true)")
	if r := rights(t, s); !slices.Equal(r.WithoutRLS, []string{"memberships"}) {
		t.Errorf("after weakening members_of_live: %q", r.Faults())
	}
	w.do("ALTER POLICY members_of_live ON memberships USING (org_id::text = current_setting('tidewaiter.org', true))")
	if r := rights(t, s); len(r.Faults()) > 0 {
		t.Errorf("faults after restoring: %q", r.Faults())
	}
}

// Rights also reports other ways around row-level security: views with their owner's rights,
// rights to the trail, a table without rights, and a role that can become a stronger one.
func TestRightsReportWaysAroundPolicies(t *testing.T) {
	b := storetest.Postgres(t)
	w := &rlsFixture{T: t, Backend: b, db: storetest.Superuser(t, b)}
	s := b.Open(t)
	for _, c := range []struct{ change, back, fault string }{
		{"CREATE VIEW every AS SELECT * FROM filings; GRANT SELECT ON every TO tidewaiter", "DROP VIEW every", "a way around row-level security by every"},
		{"CREATE VIEW every WITH (security_invoker = true) AS SELECT * FROM filings; GRANT SELECT ON every TO tidewaiter", "DROP VIEW every", ""},
		{"GRANT DELETE ON events TO tidewaiter", "REVOKE DELETE ON events FROM tidewaiter", "may change or delete audit events"},
		{"REVOKE SELECT ON jobs FROM tidewaiter", "GRANT SELECT ON jobs TO tidewaiter", "lacks rights on jobs"},
		{"GRANT CREATE ON SCHEMA public TO tidewaiter", "REVOKE CREATE ON SCHEMA public FROM tidewaiter", "may create tables"},
		{"INSERT INTO goose_db_version (version_id, is_applied) VALUES (10000, true); UPDATE schema_floor SET oldest = 10000",
			"DELETE FROM goose_db_version WHERE version_id = 10000; UPDATE schema_floor SET oldest = 42", "the database has schema 10000"},
		{"DELETE FROM goose_db_version WHERE version_id = 43", "INSERT INTO goose_db_version (version_id, is_applied) VALUES (43, true)", "the database has schema 42"},
	} {
		w.do(c.change)
		if faults := strings.Join(rights(t, s).Faults(), "; "); !strings.Contains(faults, c.fault) || c.fault == "" && faults != "" {
			t.Errorf("after %s: %q", c.change, faults)
		}
		w.do(c.back)
	}
	if r := rights(t, s); len(r.Faults()) > 0 {
		t.Errorf("faults after restoring: %q", r.Faults())
	}
}
