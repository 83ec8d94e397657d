package storetest

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The states of the tables in which PostgreSQL is asked for its plans.
const (
	withoutRows       = "without rows"
	withoutStatistics = "without statistics"
	withStatistics    = "with statistics"
)

var planStates = []string{withoutRows, withoutStatistics, withStatistics}

// planRows is the number of rows of each table, and planOrgs that of the organisations to which they belong.
const planRows, planOrgs = 4000, 20

// singleRow are the tables with one row for each organisation.
const singleRow = "SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'p' AND pg_get_constraintdef(oid) = 'PRIMARY KEY (org_id)'"

// planned opens the database with tables in a state. Nothing changes it: tests only ask it for plans.
func planned(t *testing.T, state string) *sql.DB {
	t.Helper()
	admin := server(t)
	name := admin.shared(t, "plans_"+strings.ReplaceAll(state, " ", "_"), admin.migrated(t), func(b Backend) {
		db := Superuser(t, b)
		defer db.Close() // a database with connections cannot be renamed
		if state != withoutRows {
			fill(t, db)
		}
		if state == withStatistics {
			must(t, db, "ANALYZE")
		}
	})
	return Superuser(t, Backend{URL: admin.as(t, service, name)})
}

// fill writes rows of several organisations into every table. It drops what would refuse them, and keeps the server from analysing them.
func fill(t testing.TB, db *sql.DB) {
	t.Helper()
	for _, alter := range column(t, db, "SELECT format('ALTER TABLE %I DROP CONSTRAINT %I', r.relname, c.conname) FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid "+
		"WHERE c.contype = 'c' AND r.relnamespace = 'public'::regnamespace AND NOT r.relispartition "+
		"UNION ALL SELECT format('ALTER TABLE %I SET (autovacuum_enabled = off)', relname) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace") {
		must(t, db, alter)
	}
	single := column(t, db, singleRow)
	statements := []string{"SET session_replication_role = replica"} // without foreign keys
	for _, table := range column(t, db, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT IN ('goose_db_version', 'schema_floor')") {
		orgs := planOrgs
		if slices.Contains(single, table) {
			orgs = planRows
		}
		statements = append(statements, insertion(table, orgs, column(t, db, "SELECT attname || ' ' || typname FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid "+
			"WHERE attrelid = '"+table+"'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''")))
	}
	must(t, db, strings.Join(statements, ";\n"))
}

// insertion is the statement that writes rows of some organisations into a table with these columns, each with its type.
func insertion(table string, orgs int, columns []string) string {
	var names, values []string
	for _, each := range columns {
		name, kind, _ := strings.Cut(each, " ")
		value := map[string]string{
			"uuid": "gen_random_uuid()", "text": "md5(n::text)", "int8": "n", "int4": "n", "timestamptz": "now() - n * interval '1 minute'",
			"bytea": `'\x00'`, "bool": "n % 2 = 0", "date": "current_date - n % 1000", "float8": "n", "jsonb": "'{}'",
		}[kind]
		if name == "org_id" {
			value = fmt.Sprintf("('01900000-0000-7000-8000-' || lpad((n %% %d)::text, 12, '0'))::uuid", orgs)
		}
		names, values = append(names, name), append(values, value)
	}
	return fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM generate_series(1, %d) n ON CONFLICT DO NOTHING", table, strings.Join(names, ", "), strings.Join(values, ", "), planRows)
}
