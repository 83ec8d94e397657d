package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// A conditional header is * or a list of ETags. W/ and the suffix of a content encoding do not count, a tag that is not
// a version matches none, and everything else is malformed.
func TestConditions(t *testing.T) {
	long := `"` + strings.Repeat("1", 1000) + `"`
	for _, c := range []struct {
		headers []string
		allows  filing.IfVersion // nil for every version
		valid   bool
	}{
		{nil, nil, true},
		{[]string{"*"}, nil, true},
		{[]string{" * "}, nil, true},
		{[]string{`"7"`}, filing.IfVersion{7}, true},
		{[]string{`W/"7"`}, filing.IfVersion{7}, true},
		{[]string{`"7-gzip"`, `W/"8-zstd"`}, filing.IfVersion{7, 8}, true},
		{[]string{`"7-full-gzip"`}, filing.IfVersion{7}, true},
		{[]string{`"7" ,, "9",`}, filing.IfVersion{7, 9}, true},
		{[]string{`"a,b", "12"`}, filing.IfVersion{12}, true},
		{[]string{`"x"`}, filing.IfVersion{}, true},
		{[]string{`""`}, filing.IfVersion{}, true},
		{[]string{`"07"`}, filing.IfVersion{}, true},
		{[]string{`"99999999999999999999"`}, filing.IfVersion{}, true},
		{[]string{""}, nil, false},
		{[]string{","}, nil, false},
		{[]string{"7"}, nil, false},
		{[]string{`"7`}, nil, false},
		{[]string{`w/"7"`}, nil, false},
		{[]string{`"7" "8"`}, nil, false},
		{[]string{`*, "7"`}, nil, false},
		{[]string{`"7"-gzip`}, nil, false},
		{[]string{`"7 8"`}, nil, false},
		{[]string{long}, nil, false},
	} {
		versions, valid := api.VersionsOf(c.headers...)
		if valid != c.valid || valid && !reflect.DeepEqual(versions, c.allows) {
			t.Errorf("%q: %v, %t", c.headers, versions, valid)
		}
	}
	for header, want := range map[string]bool{
		`"7"`: true, `W/"7-gzip"`: true, "*": true, `"6", "7"`: true, `"6"`: false, `"7-full"`: false, `"77"`: false, "7": false,
	} {
		if api.Matches(7, header) != want {
			t.Errorf("%s matches version 7: %t", header, !want)
		}
	}
}

// Of many corrections of one version at the same time exactly one succeeds, and the others are 412.
func TestCorrectionsRace(t *testing.T) {
	f := newFixture(t, nil)
	var made struct{ ID string }
	f.must(json.Unmarshal([]byte(f.send("POST", "/api/clients", `{"name":"Old"}`).text), &made))
	one := "/api/clients/" + made.ID
	statuses := make([]int, 8)
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() {
			statuses[i] = f.send("PATCH", one, fmt.Sprintf(`{"name":"Name %d"}`, i), "If-Match", `"1"`).status
		})
	}
	all.Wait()
	counts := map[int]int{}
	for _, status := range statuses {
		counts[status]++
	}
	if counts[http.StatusOK] != 1 || counts[http.StatusPreconditionFailed] != len(statuses)-1 {
		t.Errorf("statuses %v", statuses)
	}
	if got := f.send("GET", one, "").header.Get("ETag"); got != `"2"` {
		t.Errorf("the ETag is %s", got)
	}
}
