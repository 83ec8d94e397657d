package engine

import (
	"fmt"
	"slices"
	"strings"
)

// RightsTables are the tables that say who may use the service, by which key, and for what.
var RightsTables = []string{"api_keys", "memberships", "organisations", "test_organisations"}

// Table is a table as the database describes it, so that code for all tables needs no list
// that a new table could be missing from.
type Table struct {
	Name    string
	Columns []string          // by name
	Types   map[string]string // by column, in the words of the database
	Key     []string          // columns of the primary key, in its order
	refers  []string          // tables that its rows refer to
}

// catalogue holds the queries by which a database describes its tables, without partitions.
// The first column of each is the name of a table.
type catalogue struct {
	columns    string // with name and type
	keys       string // with a column of the primary key, in its order
	references string // with the table that is referred to
}

var catalogues = map[string]catalogue{SQLite: sqliteCatalogue, Postgres: postgresCatalogue}

var sqliteCatalogue = catalogue{
	columns: `SELECT m.name, c.name, c.type FROM sqlite_schema m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND m.name NOT IN ('goose_db_version', 'schema_floor') ORDER BY 1, 2`,
	keys: `SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND c.pk > 0 ORDER BY m.name, c.pk`,
	references: `SELECT DISTINCT m.name, f."table" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
		WHERE m.type = 'table' AND f."table" <> m.name ORDER BY 1, 2`,
}

// The primary key of a partitioned table, and sometimes its foreign keys, belong to its
// partitions.
var postgresCatalogue = catalogue{
	columns: `SELECT c.relname, a.attname, t.typname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
		WHERE ` + ownTables + ` AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname COLLATE "C", a.attname COLLATE "C"`,
	keys: `SELECT c.relname, a.attname FROM pg_class c
		JOIN pg_index i ON i.indisprimary AND i.indrelid = COALESCE((SELECT min(inhrelid::bigint)::oid FROM pg_inherits WHERE inhparent = c.oid), c.oid)
		CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (number, position)
		JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
		WHERE ` + ownTables + ` ORDER BY c.relname COLLATE "C", k.position`,
	references: `SELECT DISTINCT c.relname, r.relname FROM pg_class c
		JOIN pg_constraint f ON f.contype = 'f' AND (f.conrelid = c.oid OR f.conrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = c.oid))
		JOIN pg_class r ON r.oid = f.confrelid
		WHERE ` + ownTables + ` AND r.oid <> c.oid ORDER BY 1, 2`,
}

const ownTables = `c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT IN ('goose_db_version', 'schema_floor')`

// Tables lists all tables of a database, each after those that it refers to. The dialect is
// SQLite or Postgres.
func Tables(query QueryFunc, dialect string) ([]Table, error) {
	c := catalogues[dialect]
	found := map[string]*Table{}
	var names []string
	err := query(c.columns, nil, func(r Row) error {
		var table, column, kind string
		if err := r.Scan(&table, &column, &kind); err != nil {
			return err
		}
		if found[table] == nil {
			found[table] = &Table{Name: table, Types: map[string]string{}}
			names = append(names, table)
		}
		found[table].Columns = append(found[table].Columns, column)
		found[table].Types[column] = kind
		return nil
	})
	pairs := func(statement string, add func(t *Table, value string)) {
		if err != nil {
			return
		}
		err = query(statement, nil, func(r Row) error {
			var table, value string
			err := r.Scan(&table, &value)
			if t := found[table]; t != nil {
				add(t, value)
			}
			return err
		})
	}
	pairs(c.keys, func(t *Table, column string) { t.Key = append(t.Key, column) })
	pairs(c.references, func(t *Table, table string) { t.refers = append(t.refers, table) })
	if err != nil {
		return nil, fmt.Errorf("store: tables: %w", err)
	}
	return sortByReference(names, found)
}

// sortByReference puts each table after those that it refers to, and otherwise sorts by name.
func sortByReference(names []string, found map[string]*Table) (sorted []Table, err error) {
	var placed []string
	for len(placed) < len(names) {
		next := slices.IndexFunc(names, func(name string) bool {
			return !slices.Contains(placed, name) && !slices.ContainsFunc(found[name].refers, func(n string) bool { return !slices.Contains(placed, n) })
		})
		if next < 0 {
			return nil, fmt.Errorf("store: foreign keys form a circle: %d of %d tables cannot be sorted", len(names)-len(placed), len(names))
		}
		t := found[names[next]]
		if len(t.Key) == 0 {
			return nil, fmt.Errorf("store: the table %s has no primary key", t.Name)
		}
		placed, sorted = append(placed, t.Name), append(sorted, *t)
	}
	return sorted, nil
}

// Quote returns a name as an SQL identifier.
func Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
