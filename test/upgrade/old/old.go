// Package old describes the databases of earlier commits that are kept for the tests of upgrades.
package old

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Commits are those whose databases are kept, from the first with a command line to the newest tagged version.
// Several had migrations under other numbers, or in another order.
var Commits = []string{
	"439c277", // migrations 1 to 4
	"2aaa28e", // row-level security of webhooks as migration 9
	"d3a9c0c", // 10
	"3d8b786", // 15
	"35e8670", // the tariff (22) before MTD (20)
	"ad4595a", // 25: accounts
	"5d3290a", // the console (32) before search (27)
	"d729fdb", // all 32 migrations
	"051f85d", // the Merkle tree (40) before retention (35)
	"55f9ea5", // retention without its hashes
	"70bc1b6", // migration 34, which was removed
	"be274fa", // 43: before versions were tagged
	"30bbfd4", // v0.2.0
}

// Short are the commits whose databases every test run upgrades.
var Short = []string{"2aaa28e", "be274fa", "30bbfd4"}

// Names of files in a fixture.
const (
	ManifestFile = "manifest.json"
	Dump         = "database.sql"
)

// Manifest is what the API of an old program showed.
type Manifest struct {
	Commit  string
	Key     string                       // of an OWNER
	Records map[string]map[string]string // by the path of their list: states by id
}

// Count is the number of records.
func (m Manifest) Count() (n int) {
	for _, list := range m.Records {
		n += len(list)
	}
	return n
}

// unsettled are lists of events, lists whose reading creates an event, and lists that change with time.
var unsettled = regexp.MustCompile(`/(audit|export|events|stats|evidence|deadlines)`)

// Lasts reports whether the records of a list are permanent.
func Lasts(path string) bool { return !unsettled.MatchString(path) }

// Records reads the first page of every list in the API document, with the status of each record if it has one.
func Records(address, key string) (map[string]map[string]string, error) {
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := get(address+"/api/openapi.json", "", &document); err != nil {
		return nil, err
	}
	all := map[string]map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
		if _, reads := document.Paths[path]["get"]; !reads || strings.Contains(path, "{") || !Lasts(path) {
			continue
		}
		list, err := List(address, key, path)
		if err != nil {
			continue // not a list, or not JSON
		}
		if len(list) > 0 {
			all[path] = list
		}
	}
	return all, nil
}

// List reads one list.
func List(address, key, path string) (map[string]string, error) {
	var answer map[string]json.RawMessage
	if err := get(address+path+"?limit=100", key, &answer); err != nil {
		if err := get(address+path, key, &answer); err != nil {
			return nil, err
		}
	}
	records := map[string]string{}
	for _, member := range answer {
		var list []struct{ ID, Status string }
		if json.Unmarshal(member, &list) != nil {
			continue
		}
		for _, record := range list {
			if record.ID != "" {
				records[record.ID] = record.Status
			}
		}
	}
	return records, nil
}

var client = http.Client{Timeout: 30 * time.Second}

func get(address, key string, into any) error {
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 32<<20))
	if err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %d %v", address, answer.StatusCode, err)
	}
	return json.Unmarshal(text, into)
}
