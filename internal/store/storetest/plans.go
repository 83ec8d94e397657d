package storetest

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// CheckPlans has each database explain its plans of statements, and fails the test where one reads more than it needs: a
// whole table or index that grows, all rows of an organisation, or a set without limit to sort it. SQLite makes its plans
// without looking at the data. PostgreSQL is asked while its tables are empty, with rows but no statistics, and with both.
func CheckPlans(t *testing.T, statements []string) {
	for _, database := range []string{"sqlite", "postgres"} {
		t.Run(database, func(t *testing.T) { CheckPlansOf(t, database, statements) })
	}
}

// CheckPlansOf is CheckPlans on one kind of database.
func CheckPlansOf(t *testing.T, database string, statements []string) {
	t.Helper()
	if database == "sqlite" {
		checkSQLite(t, SQLite(t), statements)
	} else {
		checkPostgres(t, statements)
	}
}

// plan is how a database runs a statement.
type plan struct {
	*catalogue
	statement string
	aliases   map[string]string // tables by the name that the statement gives them
	first     string            // the first table
	faults    []string
}

// catalogue is what a database knows about its tables.
type catalogue struct {
	tables     []string
	single     []string          // those with one row for each organisation
	of         map[string]string // the table of an index or a partition
	unanalysed bool              // there are no statistics
	small      []string          // tables and partitions with few rows by the statistics, which it is right to read whole
}

// table returns the table of a table, index or partition.
func (c *catalogue) table(name string) string {
	for c.of[name] != "" {
		name = c.of[name]
	}
	return name
}

// fault notes what is wrong with the plan of a statement, unless there is a reason for it.
func (p *plan) fault(table, what string) {
	if p.permitted(table, what) {
		return
	}
	p.faults = append(p.faults, strings.TrimSpace(what+" of "+table))
}

// What a plan can do wrong.
const (
	wholeTable   = "scan"
	wholeOrg     = "reading all rows of an organisation"
	sortsAll     = "sort"
	fewestTables = 40 // of a migrated database
)

// tableNames finds the tables of a statement and their other names.
var tableNames = regexp.MustCompile(`\b(?:FROM|JOIN|UPDATE|INTO)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?`)

func newPlan(statement string, c *catalogue) *plan {
	p := &plan{catalogue: c, statement: statement, aliases: map[string]string{}}
	for _, found := range tableNames.FindAllStringSubmatch(statement, -1) {
		if slices.Contains(c.tables, found[1]) {
			p.aliases[found[1]], p.aliases[found[2]] = found[1], found[1]
			p.first = cmp.Or(p.first, found[1])
		}
	}
	return p
}

// bounded reports whether a statement stops after some rows.
func (p *plan) bounded() bool { return strings.Contains(p.statement, "LIMIT") }

// report fails the test with the faults of a plan.
func (p *plan) report(t *testing.T, when string) {
	t.Helper()
	if slices.Sort(p.faults); len(p.faults) > 0 {
		t.Errorf("%s: %s\n  %s", when, strings.Join(slices.Compact(p.faults), "; "), p.statement)
	}
}

func checkSQLite(t *testing.T, b Backend, statements []string) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.Folder, sqlite.File))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	c := &catalogue{tables: column(t, db, "SELECT name FROM sqlite_master WHERE type = 'table'")}
	c.single = column(t, db, "SELECT m.name FROM sqlite_master m WHERE m.type = 'table' AND (SELECT group_concat(c.name) FROM pragma_table_info(m.name) c WHERE c.pk > 0) = 'org_id'")
	for _, statement := range statements {
		if !hasPlan(statement) || isOf(statement, "postgres") {
			continue
		}
		p := newPlan(statement, c)
		for _, step := range sqliteSteps(t, db, statement) {
			p.sqlite(step)
		}
		p.report(t, "SQLite")
	}
}

// sqliteSteps returns the lines of a plan.
func sqliteSteps(t *testing.T, db *sql.DB, statement string) (steps []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+statement, make([]any, parameters(statement))...)
	if err != nil {
		t.Fatalf("%v: %s", err, statement)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, detail)
	}
	return steps
}

// search is the step that looks rows up: SEARCH f USING INDEX filings_by_status (org_id=? AND kind=?).
var search = regexp.MustCompile(`^SEARCH (\w+) USING .*\((.*)\)`)

// sqlite notes the faults of a step.
func (p *plan) sqlite(step string) {
	words := strings.Fields(step)
	switch {
	case strings.HasPrefix(step, "USE TEMP B-TREE"):
		p.fault(p.first, sortsAll)
	case words[0] == "SCAN" && p.aliases[words[1]] != "":
		p.fault(p.aliases[words[1]], wholeTable)
	case words[0] == "SEARCH":
		if found := search.FindStringSubmatch(step); found != nil && found[2] == "org_id=?" && !p.bounded() && !slices.Contains(p.single, p.aliases[found[1]]) {
			p.fault(p.aliases[found[1]], wholeOrg)
		}
	}
}

var parameter = regexp.MustCompile(`\$(\d+)`)

// parameters is the number of parameters of a statement.
func parameters(statement string) (count int) {
	for _, found := range parameter.FindAllStringSubmatch(statement, -1) {
		n, _ := strconv.Atoi(found[1])
		count = max(count, n)
	}
	return count
}

// hasPlan reports whether a statement reads or changes rows of a table.
func hasPlan(statement string) bool {
	verb, _, _ := strings.Cut(statement, " ")
	return tableNames.MatchString(statement) && slices.Contains([]string{"SELECT", "INSERT", "UPDATE", "DELETE", "WITH"}, verb)
}

// isOf reports whether only one of the databases knows a statement.
func isOf(statement, database string) bool {
	only := map[string][]string{
		"postgres": {"ROW LEVEL", "SKIP LOCKED", "clock_timestamp", "pg_", "_partition", "::"},
		"sqlite":   {"unixepoch", "json_", "strftime", "sqlite_", "julianday", "fts"},
	}
	return slices.ContainsFunc(only[database], func(part string) bool { return strings.Contains(statement, part) })
}

func column(t testing.TB, db *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// explainSettings are those of the service's connections. Row-level security applies to the owner of the tables too.
const explainSettings = "SET ROLE tidewaiter_owner; SET jit = off; SET enable_sort = off; SET plan_cache_mode = force_generic_plan; SELECT set_config('tidewaiter.org', '*', false)"

func checkPostgres(t *testing.T, statements []string) {
	for _, state := range planStates {
		db := planned(t, state)
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		c := newCatalogue(t, db, state)
		must(t, conn, explainSettings)
		for _, statement := range statements {
			if hasPlan(statement) && !isOf(statement, "sqlite") {
				p := newPlan(statement, c)
				p.postgres(explainAsAsked(t, conn, statement))
				p.report(t, "PostgreSQL, "+state)
			}
		}
	}
}

func newCatalogue(t *testing.T, db *sql.DB, state string) *catalogue {
	t.Helper()
	c := &catalogue{of: map[string]string{}, unanalysed: state != withStatistics}
	c.tables = column(t, db, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')")
	for _, pair := range column(t, db, "SELECT indexrelid::regclass || ' ' || indrelid::regclass FROM pg_index UNION SELECT inhrelid::regclass || ' ' || inhparent::regclass FROM pg_inherits") {
		part, whole, _ := strings.Cut(pair, " ")
		c.of[part] = whole
	}
	c.single = column(t, db, singleRow)
	if len(c.tables) < fewestTables {
		t.Fatalf("only %d tables", len(c.tables))
	}
	if state == withStatistics {
		c.small = column(t, db, fmt.Sprintf("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples < %d", planRows/2))
	}
	return c
}

// node is a step of PostgreSQL's plan.
type node struct {
	Type  string `json:"Node Type"`
	Table string `json:"Relation Name"`
	Cond  string `json:"Index Cond"`
	Index string `json:"Index Name"`
	Plans []node
}

// byKeys are parts of the statements before which a transaction makes the settings of store.ByKeys: those over lists, and the one that
// reads due deliveries.
var byKeys = []string{"unnest(", "FROM deliveries d JOIN notices n ON n.org_id = d.org_id AND n.id = d.notice_id WHERE"}

// explainAsAsked explains a statement with the settings that a transaction makes before it.
func explainAsAsked(t *testing.T, conn *sql.Conn, statement string) node {
	t.Helper()
	if !slices.ContainsFunc(byKeys, func(part string) bool { return strings.Contains(statement, part) }) {
		return explain(t, conn, statement)
	}
	must(t, conn, "BEGIN")
	defer must(t, conn, "ROLLBACK")
	must(t, conn, store.ByKeys)
	return explain(t, conn, statement)
}

func explain(t *testing.T, conn *sql.Conn, statement string) node {
	t.Helper()
	must(t, conn, "PREPARE asked AS "+statement)
	defer must(t, conn, "DEALLOCATE asked")
	execute := "asked"
	if n := parameters(statement); n > 0 {
		execute += "(" + strings.TrimSuffix(strings.Repeat("NULL, ", n), ", ") + ")"
	}
	var text string
	if err := conn.QueryRowContext(t.Context(), "EXPLAIN (FORMAT JSON, COSTS OFF) EXECUTE "+execute).Scan(&text); err != nil {
		t.Fatalf("%v: %s", err, statement)
	}
	var plans []struct{ Plan node }
	if err := json.Unmarshal([]byte(text), &plans); err != nil {
		t.Fatal(err)
	}
	return plans[0].Plan
}

// postgres notes the faults of a step and of those below it.
func (p *plan) postgres(n node) {
	table := p.table(cmp.Or(n.Table, n.Index))
	switch {
	case n.Type == "Seq Scan" && slices.Contains(p.small, n.Table):
	case n.Type == "Seq Scan":
		p.fault(table, wholeTable)
	case strings.HasSuffix(n.Type, "Sort") && !limited(n):
		p.fault(p.first, sortsAll)
	case strings.Contains(n.Type, "Index") && n.Cond == "" && !p.bounded():
		p.fault(table, wholeTable)
	case strings.Contains(n.Type, "Index") && onlyOrg(n.Cond) && !p.bounded() && !slices.Contains(p.single, table):
		p.fault(table, wholeOrg)
	}
	for _, below := range n.Plans {
		p.postgres(below)
	}
}

// limited reports whether everything below a step comes through a limit.
func limited(n node) bool {
	if n.Type == "Limit" {
		return true
	}
	return len(n.Plans) > 0 && !slices.ContainsFunc(n.Plans, func(below node) bool { return !limited(below) })
}

// onlyOrg reports whether an index is entered by the organisation alone.
func onlyOrg(condition string) bool {
	return strings.Count(condition, "org_id") > 0 && !strings.Contains(condition, " AND ") && !strings.Contains(condition, ", ")
}
