package store

import (
	"fmt"
	"slices"
	"strings"
)

// shape is a table as the database describes it, so that whoever copies or counts all
// tables needs no list that a new one could be missing from.
type shape struct {
	name    string
	columns []string          // by name
	types   map[string]string // as the database calls them
	key     []string          // of its primary key, in its order
	needs   []string          // tables that its rows refer to
}

// catalogue are the statements by which a database describes its tables, partitions
// aside: each row begins with the name of a table.
type catalogue struct {
	columns    string // with name and type
	keys       string // with a column of the primary key, in its order
	references string // with the table that is referred to
}

var sqliteCatalogue = catalogue{
	columns: `SELECT m.name, c.name, c.type FROM sqlite_schema m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND m.name NOT IN ('goose_db_version', 'schema_floor') ORDER BY 1, 2`,
	keys: `SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND c.pk > 0 ORDER BY m.name, c.pk`,
	references: `SELECT DISTINCT m.name, f."table" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
		WHERE m.type = 'table' AND f."table" <> m.name ORDER BY 1, 2`,
}

// A partitioned table has its primary key, and may have what it refers to, by way of its
// partitions.
var postgresCatalogue = catalogue{
	columns: `SELECT c.relname, a.attname, t.typname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
		WHERE ` + ofOurs + ` AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname COLLATE "C", a.attname COLLATE "C"`,
	keys: `SELECT c.relname, a.attname FROM pg_class c
		JOIN pg_index i ON i.indisprimary AND i.indrelid = COALESCE((SELECT min(inhrelid::bigint)::oid FROM pg_inherits WHERE inhparent = c.oid), c.oid)
		CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (number, position)
		JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
		WHERE ` + ofOurs + ` ORDER BY c.relname COLLATE "C", k.position`,
	references: `SELECT DISTINCT c.relname, r.relname FROM pg_class c
		JOIN pg_constraint f ON f.contype = 'f' AND (f.conrelid = c.oid OR f.conrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = c.oid))
		JOIN pg_class r ON r.oid = f.confrelid
		WHERE ` + ofOurs + ` AND r.oid <> c.oid ORDER BY 1, 2`,
}

const ofOurs = `c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT IN ('goose_db_version', 'schema_floor')`

// asks runs a query and scans each of its rows.
type asks func(query string, args []any, scan func(row) error) error

// shapes lists all tables, each behind those that it refers to.
func shapes(ask asks, c catalogue) ([]shape, error) {
	found := map[string]*shape{}
	var names []string
	err := ask(c.columns, nil, func(r row) error {
		var table, column, kind string
		if err := r.Scan(&table, &column, &kind); err != nil {
			return err
		}
		if found[table] == nil {
			found[table] = &shape{name: table, types: map[string]string{}}
			names = append(names, table)
		}
		found[table].columns = append(found[table].columns, column)
		found[table].types[column] = kind
		return nil
	})
	pairs := func(query string, add func(s *shape, word string)) {
		if err != nil {
			return
		}
		err = ask(query, nil, func(r row) error {
			var table, word string
			err := r.Scan(&table, &word)
			if s := found[table]; s != nil {
				add(s, word)
			}
			return err
		})
	}
	pairs(c.keys, func(s *shape, column string) { s.key = append(s.key, column) })
	pairs(c.references, func(s *shape, table string) { s.needs = append(s.needs, table) })
	if err != nil {
		return nil, fmt.Errorf("store: tables: %w", err)
	}
	return behindOthers(names, found)
}

// behindOthers puts each table behind those that it refers to, by name where it is free.
func behindOthers(names []string, found map[string]*shape) (sorted []shape, err error) {
	var placed []string
	for len(placed) < len(names) {
		next := slices.IndexFunc(names, func(name string) bool {
			return !slices.Contains(placed, name) && !slices.ContainsFunc(found[name].needs, func(n string) bool { return !slices.Contains(placed, n) })
		})
		if next < 0 {
			return nil, fmt.Errorf("store: tables refer to each other in a circle: %d of %d are in it or behind it", len(names)-len(placed), len(names))
		}
		s := found[names[next]]
		if len(s.key) == 0 {
			return nil, fmt.Errorf("store: the table %s has no primary key", s.name)
		}
		placed, sorted = append(placed, s.name), append(sorted, *s)
	}
	return sorted, nil
}

// selection reads whole rows, their columns by name.
func (s *shape) selection() string {
	return "SELECT " + strings.Join(quoted(s.columns), ", ") + " FROM " + quote(s.name)
}

// portion reads some rows in the order of the key, from the first or behind one.
func (s *shape) portion(after []any, limit int) (query string, args []any) {
	key := strings.Join(quoted(s.key), ", ")
	query = s.selection()
	if len(after) > 0 {
		places := make([]string, len(after))
		for i := range places {
			places[i] = numbered(i + 1)
		}
		query += " WHERE (" + key + ") > (" + strings.Join(places, ", ") + ")"
	}
	return query + fmt.Sprintf(" ORDER BY %s LIMIT %d", key, limit), after
}

// insertion stores a number of rows.
func (s *shape) insertion(rows int, parameter func(n int) string) string {
	values, row := make([]string, rows), make([]string, len(s.columns))
	for i := range values {
		for k := range row {
			row[k] = parameter(i*len(row) + k + 1)
		}
		values[i] = "(" + strings.Join(row, ", ") + ")"
	}
	return "INSERT INTO " + quote(s.name) + " (" + strings.Join(quoted(s.columns), ", ") + ") VALUES " + strings.Join(values, ", ")
}

// keyOf picks the key from a row.
func (s *shape) keyOf(row []any) []any {
	key := make([]any, len(s.key))
	for i, column := range s.key {
		key[i] = row[slices.Index(s.columns, column)]
	}
	return key
}

// numbered is a parameter of a statement for both databases.
func numbered(n int) string { return fmt.Sprintf("$%d", n) }

// unnumbered is one for SQLite, which looks a numbered one up among all those before it.
func unnumbered(int) string { return "?" }

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func quoted(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = quote(name)
	}
	return all
}
