package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
)

// The records of all authorities, their simulators, the times at which they are asked, and deadlines follow the test clock before the answer to the request that sets it. Two
// organisations with the same requests at the same times have the same records and messages, byte for byte, apart from identifiers that are drawn.
func TestClockMovesAuthorities(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		first := newClockRun(t, p).run()
		second := newClockRun(t, p).run()
		a, b := strings.Split(first, "\n"), strings.Split(second, "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("the same requests give\n%s\nand\n%s", a[i], b[i])
			}
		}
		if len(a) != len(b) {
			t.Errorf("%d lines, and %d lines", len(a), len(b))
		}
	})
}

// clockRun is a goods movement, an entry summary declaration and an excise movement of one test organisation.
type clockRun struct {
	*caller
	now   time.Time
	paths map[string]string // of the records, by Hub
	seen  strings.Builder   // the records and messages at each time
}

func newClockRun(t *testing.T, p *server) *clockRun {
	t.Helper()
	live := p.organisation("A")
	live.call("PATCH", "/api/organisation", map[string]any{"eori": "GB123456789000"}).want(t, 200)
	s := &clockRun{caller: live.sandbox(), paths: map[string]string{}, now: time.Date(time.Now().Year()+1, 3, 1, 9, 0, 0, 0, time.UTC)}
	for _, hub := range []string{"gvms", "ics2", "emcs"} {
		s.call("POST", "/api/hubs/"+hub, nil).want(t, 200)
	}
	s.to(s.now)
	return s
}

// to sets the clock.
func (s *clockRun) to(at time.Time) {
	s.t.Helper()
	s.now = at
	s.call("POST", "/api/test/clock", map[string]any{"now": at.Format(time.RFC3339)}).want(s.t, 200)
}

// run makes the records, takes them through a crossing, and returns what was seen.
func (s *clockRun) run() string {
	s.t.Helper()
	start := s.now
	crossing := start.AddDate(0, 0, 2)
	s.paths["gvms"] = "/api/gvms/movements/" + s.call("POST", "/api/gvms/movements", map[string]any{
		"routeFrom": "Calais", "routeTo": "Dover", "vehicleReg": "AB24 CDE", "crossingDate": crossing.Format(time.RFC3339), "customsDeclarations": []string{"26GB3TTI2CQ1C7FGR4"}}).want(s.t, 201).id()
	entry := britishEntry()
	entry["estimatedArrival"] = start.AddDate(0, 0, 20).Format(time.RFC3339)
	s.paths["ics2"] = "/api/ics2/filings/" + s.call("POST", "/api/ics2/filings", entry).want(s.t, 200).id()
	draft := emcstest.Draft(emcs.V323, start)
	emcstest.Edit(draft.Body, "-EadEsadDraft/LocalReferenceNumber", "EadEsadDraft/DateOfDispatch="+start.AddDate(0, 0, 1).Format(time.DateOnly))
	content, err := draft.JSON()
	if err != nil {
		s.t.Fatal(err)
	}
	s.paths["emcs"] = "/api/emcs/movements/" + s.call("POST", "/api/emcs/movements", fmt.Sprintf(`{"message":%s}`, content)).want(s.t, 200).id()
	for _, hub := range []string{"ics2", "emcs"} {
		s.call("POST", s.paths[hub]+"/submit", nil).want(s.t, 200)
	}
	for hub, status := range map[string]string{"gvms": "OPEN", "ics2": "ACCEPTED", "emcs": "ACCEPTED"} {
		s.eventually(hub+" "+status, func() bool { return s.status(hub) == status })
	}
	s.look()
	s.due("crossing", true)
	for _, step := range []struct {
		at      time.Time
		gvms    string
		emcs    string
		overdue bool // the crossing is over
	}{
		{start.Add(time.Hour), "OPEN", "ACCEPTED", false}, {start.AddDate(0, 0, 1), "OPEN", "IN_TRANSIT", false}, {crossing.Add(-30 * time.Minute), "CHECKED_IN", "IN_TRANSIT", true},
		{crossing.Add(time.Minute), "EMBARKED", "IN_TRANSIT", true}, {crossing.Add(3 * time.Hour), "COMPLETED", "IN_TRANSIT", true},
	} {
		s.to(step.at)
		if got := s.status("gvms") + " " + s.status("ics2") + " " + s.status("emcs"); got != step.gvms+" ACCEPTED "+step.emcs {
			s.t.Errorf("after %s: %s", step.at.Sub(start), got)
		}
		s.due("crossing", !step.overdue)
		s.asked(step.at)
		s.look()
	}
	return s.seen.String()
}

// status returns the status of the record of a Hub.
func (s *clockRun) status(hub string) string {
	s.t.Helper()
	record := s.call("GET", s.paths[hub], nil).want(s.t, 200)
	for _, member := range record.body {
		return member.(map[string]any)["status"].(string)
	}
	return ""
}

// due checks whether there is a deadline of a kind.
func (s *clockRun) due(kind string, want bool) {
	s.t.Helper()
	if a := s.call("GET", "/api/deadlines", nil).want(s.t, 200); strings.Contains(a.text, `"kind":"`+kind+`"`) != want {
		s.t.Errorf("deadline %s, want %t: %s", kind, want, a.text)
	}
}

// asked checks that no authority was asked after the time of the clock, and that none is to be asked before it.
func (s *clockRun) asked(now time.Time) {
	s.t.Helper()
	for _, a := range s.call("GET", "/api/authorities", nil).want(s.t, 200).in("authorities").([]any) {
		for _, i := range a.(map[string]any)["identifiers"].([]any) {
			one := i.(map[string]any)
			fetched, _ := one["fetchedAt"].(string)
			next, _ := one["nextAt"].(string)
			if limit := now.Format("2006-01-02T15:04:05.000Z"); fetched > limit || next != "" && next < limit || one["problem"] != nil {
				s.t.Errorf("at %s: %v", limit, one)
			}
		}
	}
}

// drawn are the texts that may differ between two runs: identifiers of records and messages, and references that are made of them.
var drawn = regexp.MustCompile(`[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|SIM-[0-9a-f]{8}|\b[0-9A-Za-z]{12,44}\b`)

// undrawn returns a text without them. A word with less than two digits, and with small letters, is no identifier unless a simulator
// made it.
func undrawn(text string) string {
	return drawn.ReplaceAllStringFunc(text, func(word string) string {
		digits := len(word) - len(strings.Join(strings.FieldsFunc(word, unicode.IsDigit), ""))
		if digits < 2 && word != strings.ToUpper(word) && !strings.HasPrefix(word, "SIM-") {
			return word
		}
		return "*"
	})
}

// look notes the records and their messages, the messages in the order of their texts, because some are of the same instant.
func (s *clockRun) look() {
	s.t.Helper()
	for _, hub := range slices.Sorted(maps.Keys(s.paths)) {
		fmt.Fprintf(&s.seen, "%s\n", undrawn(s.call("GET", s.paths[hub], nil).want(s.t, 200).text))
		var all []string
		for _, m := range s.call("GET", s.paths[hub]+"/messages?limit=100", nil).want(s.t, 200).in("messages").([]any) {
			text, err := json.Marshal(m)
			if err != nil {
				s.t.Fatal(err)
			}
			all = append(all, undrawn(string(text)))
		}
		slices.Sort(all)
		fmt.Fprintln(&s.seen, strings.Join(all, "\n"))
	}
}
