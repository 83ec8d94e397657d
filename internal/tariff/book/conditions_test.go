package book_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording/recordingtest"
)

// shown is what an answer says about one measure.
type shown struct {
	conditions []duty.ConditionState
	preference string
	applies    bool // an option is open, or a control is satisfied
}

// askAbout asks for goods of a recording, and returns what the answer says by measure.
func askAbout(t *testing.T, r *recording.Recording, b duty.Tariff, origin string, held []string, others string) (map[int64]shown, duty.ResponseLine) {
	t.Helper()
	facts := duty.Facts{OtherDocuments: others, ProofOfOrigin: duty.AnswerHeld}
	for _, code := range held {
		facts.Documents = append(facts.Documents, duty.Document{Code: code})
	}
	text, err := json.Marshal(facts.Documents)
	if err != nil {
		t.Fatal(err)
	}
	line := ask(t, fmt.Sprintf(`{"date": %q, "destination": "GB", "vatCosts": [], "lines": [{"commodityCode": %q, "origin": %q, "dispatchCountry": "CN",
		"price": {"amount": 1000, "currency": "GBP"}, "facts": {"documents": %s, "otherDocuments": %q, "proofOfOrigin": "HELD"}}]}`,
		r.Name.Day, r.Code, origin, text, others), duty.Editions{UK: b}).Lines[0]
	all := map[int64]shown{}
	for n, options := range [][]duty.Option{line.Options, line.Unavailable} {
		for _, o := range options {
			for _, c := range o.Charges {
				if c.SID == nil {
					continue
				}
				s := all[*c.SID]
				s.conditions = c.Conditions
				if o.SID != nil && *o.SID == *c.SID && o.PreferenceCode != nil {
					s.preference = *o.PreferenceCode
				}
				s.applies = s.applies || n == 0
				all[*c.SID] = s
			}
		}
	}
	for _, c := range line.Controls {
		all[c.SID] = shown{conditions: c.Conditions, applies: c.Status == duty.Satisfied}
	}
	return all, line
}

// originOf is a country that a measure concerns, and that the recording holds.
func originOf(b duty.Tariff, r *recording.Recording, m *measure.Measure) string {
	if r.Name.Country != "" {
		return r.Name.Country
	}
	for _, candidate := range []string{m.Area, "US", "CN", "CA", "VN", "UA", "CH", "NO"} {
		if len(candidate) == 2 && b.Areas().Applies(m, candidate) {
			return candidate
		}
	}
	countries, _ := b.Areas().Countries(m.Area)
	for _, c := range countries {
		if c != "EU" && b.Areas().Applies(m, c) {
			return c
		}
	}
	return ""
}

// eachBook calls f for each recording with a book of it alone.
func eachBook(t *testing.T, f func(r *recording.Recording, b duty.Tariff)) {
	t.Helper()
	for _, archive := range []string{"commodities.tar.gz", "nested.tar.gz"} {
		for _, r := range recordings(t, archive, func(recording.Name) bool { return true }) {
			f(r, bookOf(t, r.Name.Service, []*recording.Recording{r}))
		}
	}
}

// Every condition of every recorded measure is judged: unknown as long as nothing is known, met with its document.
func TestEveryConditionIsJudged(t *testing.T) {
	judged, met := 0, 0
	eachBook(t, func(r *recording.Recording, b duty.Tariff) {
		answers := map[string]map[int64]shown{}
		get := func(origin string, held ...string) map[int64]shown {
			key := origin + strings.Join(held, "")
			if answers[key] == nil {
				others := duty.AnswerNone
				if held == nil {
					others = duty.AnswerUnknown
				}
				answers[key], _ = askAbout(t, r, b, origin, held, others)
			}
			return answers[key]
		}
		for i := range r.Import {
			m := &r.Import[i]
			origin := originOf(b, r, m)
			doubled := slices.ContainsFunc(r.Import[:i], func(o measure.Measure) bool { return o.SID == m.SID }) // edited by hand
			if len(m.Conditions) == 0 || !m.InForce(r.Name.Day) || origin == "" || doubled || slices.Contains([]string{"442", "447", "SPL"}, m.Type) {
				continue
			}
			open := get(origin)[m.SID].conditions
			if len(open) != len(m.Conditions) && m.Additional == "" {
				t.Errorf("%v: measure %d of type %s, %s: %d of %d conditions", r.Name, m.SID, m.Type, origin, len(open), len(m.Conditions))
			}
			for _, c := range open {
				judged++
				if c.State == duty.NotReached {
					t.Errorf("%v: measure %d: %+v", r.Name, m.SID, c)
				}
				if c.Document == nil || *c.Document == "999L" {
					continue
				}
				for _, s := range get(origin, *c.Document)[m.SID].conditions {
					if s.Code == c.Code && s.Sequence == c.Sequence && s.State == duty.Met {
						met++
					}
				}
			}
		}
	})
	t.Logf("%d conditions were judged, %d were met by their document", judged, met)
	if judged < 850 || met < 400 {
		t.Error("too few")
	}
}

// The codes of DE 4/17 are those that HMRC's tariff service states.
func TestPreferenceCodes(t *testing.T) {
	compared := 0
	each(t, func(a *apiAnswer, r *recording.Recording, b duty.Tariff) {
		answers := map[string]map[int64]shown{}
		for i := range r.Import {
			m := &r.Import[i]
			want, origin := a.preference[m.SID], originOf(b, r, m)
			if want == "" || origin == "" || !m.InForce(r.Name.Day) || m.Additional != "" { // a code chooses among those that have one
				continue
			}
			if answers[origin] == nil {
				answers[origin], _ = askAbout(t, r, b, origin, nil, duty.AnswerUnknown)
			}
			compared++
			if got := answers[origin][m.SID].preference; got != want {
				t.Errorf("%v: measure %d of type %s, %s: %q, not %q", r.Name, m.SID, m.Type, m.Area, got, want)
			}
		}
	})
	t.Logf("%d codes were compared", compared)
}

// Each set of documents with which HMRC's tariff service says that a measure is satisfied satisfies it. The service counts
// "measure not applicable" as satisfied too: then nothing is charged. A control whose first group refuses whatever is held
// lacks its documents in the answer.
func TestSetsOfDocuments(t *testing.T) {
	compared := 0
	each(t, func(a *apiAnswer, r *recording.Recording, b duty.Tariff) {
		for i := range r.Import {
			m := &r.Import[i]
			origin := originOf(b, r, m)
			if origin == "" || !m.InForce(r.Name.Day) || m.Additional != "" {
				continue
			}
			for _, set := range a.sets(m.SID) {
				compared++
				answer, line := askAbout(t, r, b, origin, set, duty.AnswerNone)
				excepted := slices.ContainsFunc(m.Conditions, func(c measure.Condition) bool {
					return slices.Contains(set, c.Document) && c.Action == measure.ActionNot
				})
				refusing := m.Conditions[0].Document == "" && measure.Refuses(m.Conditions[0].Action)
				if answer[m.SID].applies == excepted && !refusing && line.Outcome != duty.Refused {
					t.Errorf("%v: measure %d of type %s is not satisfied with %v", r.Name, m.SID, m.Type, set)
				}
			}
		}
	})
	t.Logf("%d sets were compared", compared)
}

// apiAnswer is what answers in JSON:API say besides: preference codes, and sets of conditions that satisfy a measure.
type apiAnswer struct {
	preference map[int64]string
	groups     map[int64][][][]string // by measure: groups, of which each needs one of its sets of documents
}

// sets combines each set of each group with the first sets of the other groups.
func (a *apiAnswer) sets(sid int64) (all [][]string) {
	groups := a.groups[sid]
	for g, group := range groups {
		for _, set := range group {
			whole := slices.Clone(set)
			for other := range groups {
				if other != g {
					whole = append(whole, groups[other][0]...)
				}
			}
			all = append(all, whole)
		}
	}
	return all
}

type apiObject struct {
	ID, Type   string
	Attributes struct {
		Document  string  `json:"document_code"`
		Threshold any     `json:"condition_duty_amount"`
		Code      string  `json:"condition_code"`
		Number    float64 `json:"id"`
	}
	Relationships map[string]struct{ Data json.RawMessage }
}

// each calls f for each answer in JSON:API.
func each(t *testing.T, f func(*apiAnswer, *recording.Recording, duty.Tariff)) {
	t.Helper()
	recordingtest.Each(t, filepath.Join(recordingtest.Published, "commodities.tar.gz"), func(file string, document []byte) {
		name, _ := recording.ParseName(file)
		r, err := recording.Read(name, document)
		if err != nil {
			t.Fatal(err)
		}
		var d struct{ Included []json.RawMessage }
		if err := json.Unmarshal(document, &d); err != nil {
			t.Fatal(err)
		}
		objects := map[string]apiObject{}
		for _, text := range d.Included {
			var o apiObject
			if json.Unmarshal(text, &o) == nil { // areas have ids that are no numbers
				objects[o.Type+"/"+o.ID] = o
			}
		}
		f(readAnswer(objects), r, bookOf(t, r.Name.Service, []*recording.Recording{r}))
	})
}

func readAnswer(objects map[string]apiObject) *apiAnswer {
	a := &apiAnswer{preference: map[int64]string{}, groups: map[int64][][][]string{}}
	related := func(o apiObject, name string) (all []apiObject) {
		var list []struct{ ID, Type string }
		if json.Unmarshal(o.Relationships[name].Data, &list) != nil {
			var one struct{ ID, Type string }
			if json.Unmarshal(o.Relationships[name].Data, &one) != nil || one.ID == "" {
				return nil
			}
			list = append(list, one)
		}
		for _, l := range list {
			found := objects[l.Type+"/"+l.ID]
			found.ID = l.ID
			all = append(all, found)
		}
		return all
	}
	for _, o := range objects {
		if o.Type != "measure" {
			continue
		}
		sid := int64(o.Attributes.Number)
		for _, p := range related(o, "preference_code") {
			a.preference[sid] = p.ID
		}
		for _, group := range related(o, "measure_condition_permutation_groups") {
			if sets := setsOf(related, group); len(sets) > 0 {
				a.groups[sid] = append(a.groups[sid], sets)
			}
		}
	}
	return a
}

// setsOf are the sets of documents of a group; without those that need a quantity or price.
func setsOf(related func(apiObject, string) []apiObject, group apiObject) (sets [][]string) {
	for _, permutation := range related(group, "permutations") {
		var set []string
		usable := true
		for _, c := range related(permutation, "measure_conditions") {
			if c.Attributes.Document == "" {
				usable = false
				continue
			}
			set = append(set, c.Attributes.Document)
		}
		if usable {
			sets = append(sets, set)
		}
	}
	return sets
}
