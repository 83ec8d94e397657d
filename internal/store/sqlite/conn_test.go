package sqlite_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// Only parameters that are used once and in their order lose their numbers.
func TestWithoutNumbers(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT 1":                             "SELECT 1",
		"INSERT INTO a (b, c) VALUES ($1, $2)": "INSERT INTO a (b, c) VALUES (?, ?)",
		"INSERT INTO a VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)":            "INSERT INTO a VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"SELECT a->'$.b' FROM a WHERE org_id = $1":                                       "SELECT a->'$.b' FROM a WHERE org_id = ?",
		"UPDATE a SET b = $2 WHERE org_id = $1":                                          "UPDATE a SET b = $2 WHERE org_id = $1",
		"SELECT b FROM a WHERE org_id = $1 AND b IN (SELECT b FROM c WHERE org_id = $1)": "SELECT b FROM a WHERE org_id = $1 AND b IN (SELECT b FROM c WHERE org_id = $1)",
	} {
		if got := sqlite.WithoutNumbers(query); got != want {
			t.Errorf("%s becomes %s", query, got)
		}
	}
}
