package move

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// selectAll reads whole rows, with their columns by name.
func selectAll(t *engine.Table) string {
	return "SELECT " + strings.Join(quoted(t.Columns), ", ") + " FROM " + engine.Quote(t.Name)
}

// selectPage reads some rows in the order of the key: the first, or those after a key.
func selectPage(t *engine.Table, after []any, limit int) (query string, args []any) {
	key := strings.Join(quoted(t.Key), ", ")
	query = selectAll(t)
	if len(after) > 0 {
		marks := make([]string, len(after))
		for i := range marks {
			marks[i] = numbered(i + 1)
		}
		query += " WHERE (" + key + ") > (" + strings.Join(marks, ", ") + ")"
	}
	return query + fmt.Sprintf(" ORDER BY %s LIMIT %d", key, limit), after
}

// insert stores a number of rows.
func insert(t *engine.Table, rows int, parameter func(n int) string) string {
	values, row := make([]string, rows), make([]string, len(t.Columns))
	for i := range values {
		for k := range row {
			row[k] = parameter(i*len(row) + k + 1)
		}
		values[i] = "(" + strings.Join(row, ", ") + ")"
	}
	return "INSERT INTO " + engine.Quote(t.Name) + " (" + strings.Join(quoted(t.Columns), ", ") + ") VALUES " + strings.Join(values, ", ")
}

// keyOf returns the key of a row.
func keyOf(t *engine.Table, row []any) []any {
	key := make([]any, len(t.Key))
	for i, column := range t.Key {
		key[i] = row[slices.Index(t.Columns, column)]
	}
	return key
}

// numbered is a parameter for both databases.
func numbered(n int) string { return fmt.Sprintf("$%d", n) }

// unnumbered is a parameter for SQLite, which searches for a numbered one among all before it.
func unnumbered(int) string { return "?" }

func quoted(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = engine.Quote(name)
	}
	return all
}
