package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// contracts are the migrations that remove something, each with the reason why the previous
// release still works: what it removes has not been used for a whole release.
var contracts = map[string]string{
	"00035_retention.postgres.sql":          "nothing goes: the trigger still refuses to change events, and what may delete them is new",
	"00036_partitions.postgres.sql":         "functions that are called later: nothing goes",
	"00041_tree_walls.postgres.sql":         "nothing goes: the trigger refuses changes of a table that is new",
	"00055_key_limits.sql":                  "nothing goes: the unique index is on a column of its own, which an older program leaves null",
	"00060_personal.postgres.sql":           "nothing goes: the triggers still refuse all changes but erasure, and the column is new",
	"00215_search_words.postgres.sql":       "an index that follows from filings and events: an older program makes it again too",
	"00215_search_words.sqlite.sql":         "an index that follows from filings and events: an older program makes it again too",
	"00202_single_tree_of_keys.sqlite.sql":  "the table goes on under its name, with the same columns, as a single tree",
	"00214_single_tree_of_names.sqlite.sql": "the table goes on under its name, with the same columns, as a single tree",
	"00037_partitioned.postgres.sql":        "the tables go on under their names, with the same columns, as partitioned ones",
}

// firstExpanding is the first migration after which an older program must keep working.
const firstExpanding = "00033"

// contracting matches changes that could break an older program on the migrated database. The
// first group is the table, if there is one.
var contracting = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\bDROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?(\S+)`),
	regexp.MustCompile(`(?i)\bALTER\s+TABLE\s+(?:ONLY\s+)?(\S+)[^;]*\b(?:DROP\s+COLUMN|RENAME|DISABLE\s+ROW|NO\s+FORCE)\b`),
	regexp.MustCompile(`(?i)\bALTER\s+TABLE\s+(?:ONLY\s+)?(\S+)[^;]*\bALTER\s+(?:COLUMN\s+)?\S+\s+(?:SET\s+NOT\s+NULL|TYPE|SET\s+DATA|DROP\s+DEFAULT)\b`),
	regexp.MustCompile(`(?i)\bALTER\s+TABLE\s+(?:ONLY\s+)?(\S+)[^;]*\bADD\s+(?:CONSTRAINT|CHECK|UNIQUE|FOREIGN|PRIMARY)\b`),
	regexp.MustCompile(`(?i)\bCREATE\s+UNIQUE\s+INDEX[^;]*?\bON\s+(\S+)`),
	regexp.MustCompile(`(?i)\bDROP\s+POLICY\s+\S+\s+ON\s+(\S+)`),
	regexp.MustCompile(`(?i)\b(?:TRUNCATE|DELETE\s+FROM)\s+(?:TABLE\s+)?(\S+)`),
}

var (
	addition = regexp.MustCompile(`(?i)\bALTER\s+TABLE\s+(?:ONLY\s+)?(\S+)[^;]*\bADD\s+COLUMN\b([^;]*)`)
	creation = regexp.MustCompile(`(?i)\bCREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\S+)`)
	remark   = regexp.MustCompile(`--[^\n]*`)
)

// contraction returns what a migration removes from tables that existed before it.
func contraction(text string) (found []string) {
	text = remark.ReplaceAllString(text, "")
	var own []string
	for _, m := range creation.FindAllStringSubmatch(text, -1) {
		own = append(own, strings.Trim(m[1], "(;"))
	}
	note := func(m []string) {
		if !slices.Contains(own, strings.Trim(m[1], "(;")) {
			found = append(found, strings.Join(strings.Fields(m[0]), " "))
		}
	}
	for _, pattern := range contracting {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			note(m)
		}
	}
	for _, m := range addition.FindAllStringSubmatch(text, -1) {
		for _, column := range strings.Split(m[2], "ADD COLUMN") {
			if words := strings.ToUpper(column); strings.Contains(words, "NOT NULL") && !strings.Contains(words, "DEFAULT") {
				note(m)
			}
		}
	}
	return found
}

// Migrations only add, so that the previous release keeps working on the migrated database.
// Those that remove something are listed with their reason.
func TestMigrationsExpand(t *testing.T) {
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d migrations: %v", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if name < firstExpanding {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := contraction(string(text))
		if _, listed := contracts[name]; listed != (len(found) > 0) {
			t.Errorf("%s: listed in contracts: %v; removes: %q", name, listed, found)
		}
	}
}

// The test recognises changes that remove something, and ignores those that only add.
func TestContractionsAreRecognised(t *testing.T) {
	for text, takes := range map[string]bool{
		"CREATE TABLE a (id UUID NOT NULL, CHECK (id <> ''));\nCREATE UNIQUE INDEX i ON a (id);\nALTER TABLE a ADD CONSTRAINT c CHECK (true);": false,
		"ALTER TABLE filings ADD COLUMN note TEXT":                               false,
		"ALTER TABLE filings ADD COLUMN note TEXT NOT NULL DEFAULT ''":           false,
		"CREATE INDEX more ON filings (note); DROP INDEX less;":                  false,
		"-- DROP TABLE filings\nCREATE INDEX more ON filings (note)":             false,
		"ALTER TABLE filings ADD COLUMN note TEXT NOT NULL":                      true,
		"ALTER TABLE filings\n  ADD COLUMN a TEXT,\n  ADD COLUMN b INT NOT NULL": true,
		"ALTER TABLE filings DROP COLUMN note":                                   true,
		"DROP TABLE IF EXISTS filings":                                           true,
		"ALTER TABLE filings RENAME TO records":                                  true,
		"ALTER TABLE filings RENAME COLUMN note TO remark":                       true,
		"ALTER TABLE filings ALTER COLUMN note SET NOT NULL":                     true,
		"ALTER TABLE filings ALTER note TYPE BIGINT":                             true,
		"ALTER TABLE filings ADD CONSTRAINT c CHECK (note <> '')":                true,
		"CREATE UNIQUE INDEX one ON filings (note)":                              true,
		"DROP POLICY own_rows ON filings":                                        true,
		"ALTER TABLE filings DISABLE ROW LEVEL SECURITY":                         true,
		"DO $$ BEGIN EXECUTE 'ALTER TABLE ' || t || ' RENAME TO x'; END $$":      true,
	} {
		if found := contraction(text); (len(found) > 0) != takes {
			t.Errorf("%s: %q", text, found)
		}
	}
}
