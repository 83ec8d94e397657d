// Package rulestest runs the tests that the rules of every Hub have in common: a table of cases, and what must hold
// for every rule and every finding.
package rulestest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// Case changes one thing in a good example and lists every finding that this causes.
type Case[E any] struct {
	Name   string
	from   func() E
	change func(E)
	want   []string
}

// Example returns the changed example.
func (c Case[E]) Example() E {
	example := c.from()
	c.change(example)
	return example
}

// NewCase returns a case. A finding is its code, severity and field, such as "EMCS-001 blocker productCode". No
// findings at all are the right answer where the rules must not be misled.
func NewCase[E any](name string, from func() E, change func(E), want ...string) Case[E] {
	return Case[E]{Name: name, from: from, change: change, want: want}
}

// Message is a text that the finding of a rule must contain, in its message or its suggestion, after a change to an
// example.
type Message[E any] struct {
	from   func() E
	change func(E)
	code   string
	text   string
}

// NewMessage returns a Message for the finding with a code.
func NewMessage[E any](from func() E, change func(E), code, text string) Message[E] {
	return Message[E]{from: from, change: change, code: code, text: text}
}

// Suite is the rules of one Hub with their examples. B is the body that the rules check, E what an example consists of.
type Suite[B, E any] struct {
	Rules    rules.Set[B]
	Prefix   string              // of the codes, such as EMCS
	Examples map[string]func() E // bodies without any finding
	Cases    []Case[E]
	Messages []Message[E]
	Ignore   []string       // codes of findings that count only in the cases that list them
	Related  map[string]any // other records that fields may belong to, such as imports: a zero struct of each

	// Body returns the body of an example, and the facts for its review.
	Body func(testing.TB, E) (*B, rules.Facts)

	// ReviewFunc reviews what is more than a stored body; nil for Rules.Review. The tests of stored bodies and of the names of
	// fields are left out then.
	ReviewFunc func(*B, rules.Facts) rules.Review
}

// Plain returns the Body function of examples that are bodies, all reviewed with the same facts.
func Plain[B any](f rules.Facts) func(testing.TB, *B) (*B, rules.Facts) {
	return func(_ testing.TB, b *B) (*B, rules.Facts) { return b, f }
}

// Run runs every test of the suite.
func (s Suite[B, E]) Run(t *testing.T) {
	t.Run("Examples", s.testExamples)
	t.Run("Cases", s.testCases)
	t.Run("EveryRuleHasACase", s.testEveryRule)
	t.Run("Catalogue", s.testCatalogue)
	t.Run("Messages", s.testMessages)
	t.Run("Findings", s.testFindings)
	t.Run("EmptyBody", s.testEmpty)
	if s.ReviewFunc == nil {
		t.Run("Stored", s.testStored)
		t.Run("Fields", s.testFields)
	}
}

// Review returns the review of an example.
func (s Suite[B, E]) Review(t testing.TB, example E) rules.Review {
	t.Helper()
	b, facts := s.Body(t, example)
	return s.review(b, facts)
}

func (s Suite[B, E]) review(b *B, facts rules.Facts) rules.Review {
	if s.ReviewFunc != nil {
		return s.ReviewFunc(b, facts)
	}
	return s.Rules.Review(b, facts)
}

// Find returns the findings of an example as cases list them, sorted.
func (s Suite[B, E]) Find(t testing.TB, example E) []string {
	t.Helper()
	found := []string{}
	for _, f := range s.Review(t, example).Findings {
		found = append(found, fmt.Sprintf("%s %s %s", f.Code, f.Severity, f.Field))
	}
	slices.Sort(found)
	return found
}

// Changed returns the findings of an example after a change, as cases list them.
func (s Suite[B, E]) Changed(t testing.TB, from func() E, change func(E)) []string {
	t.Helper()
	return s.Find(t, Case[E]{from: from, change: change}.Example())
}

// relevant returns the findings without those that the suite ignores and the case does not list.
func (s Suite[B, E]) relevant(found, want []string) []string {
	return slices.DeleteFunc(found, func(f string) bool {
		code, _, _ := strings.Cut(f, " ")
		return slices.Contains(s.Ignore, code) && !slices.Contains(want, f)
	})
}

// A correct body has no findings.
func (s Suite[B, E]) testExamples(t *testing.T) {
	for name, example := range s.Examples {
		if found := s.relevant(s.Find(t, example()), nil); len(found) > 0 {
			t.Errorf("%s: found %q in a correct body", name, found)
		}
	}
}

// Each error is found by its own rule, with its field and severity, and by no other rule.
func (s Suite[B, E]) testCases(t *testing.T) {
	for _, c := range s.Cases {
		t.Run(c.Name, func(t *testing.T) {
			want := slices.Sorted(slices.Values(c.want))
			if found := s.relevant(s.Find(t, c.Example()), want); !slices.Equal(found, want) {
				t.Errorf("found %q, want %q", found, want)
			}
		})
	}
}

// Each rule finds something in at least one case.
func (s Suite[B, E]) testEveryRule(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range s.Cases {
		for _, w := range c.want {
			code, _, _ := strings.Cut(w, " ")
			tried[code] = true
		}
	}
	for _, e := range s.Rules.Catalogue() {
		if !tried[e.Code] {
			t.Errorf("%s (%s) has no case", e.Code, e.Title)
		}
	}
}

// The codes have no gaps within a hundred, and every rule has a field, a title and a source.
func (s Suite[B, E]) testCatalogue(t *testing.T) {
	last := 0
	for _, e := range s.Rules.Catalogue() {
		number, err := strconv.Atoi(strings.TrimPrefix(e.Code, s.Prefix+"-"))
		begins := number%100 == 1 && number > last // a hundred
		if err != nil || number != last+1 && !begins || e.Code != fmt.Sprintf("%s-%03d", s.Prefix, number) {
			t.Errorf("after %s-%03d comes the code %s", s.Prefix, last, e.Code)
		}
		last = number
		if e.Field == "" || e.Title == "" || e.Source == "" || e.Severity == "" {
			t.Errorf("%s has no field, title, source or severity: %+v", e.Code, e)
		}
	}
}

// The field of each rule is one of the body.
func (s Suite[B, E]) testFields(t *testing.T) {
	for _, e := range s.Rules.Catalogue() {
		record, path := reflect.TypeFor[B](), strings.Split(e.Field, ".")
		if other, ok := s.Related[path[0]]; ok {
			record, path = reflect.TypeOf(other), path[1:]
		}
		if !hasField(record, path) {
			t.Errorf("%s: the body has no field %q", e.Code, e.Field)
		}
	}
}

// hasField reports whether a type has a JSON field at a path. Each member of a map counts as a field, as do those of the
// elements of a list.
func hasField(of reflect.Type, path []string) bool {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if len(path) == 0 || of.Kind() == reflect.Map || of.Kind() == reflect.Uint8 { // free-form, or the bytes of a message's content
		return true
	}
	if of.Kind() != reflect.Struct {
		return false
	}
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == path[0] && hasField(f.Type, path[1:]) || f.Anonymous && hasField(f.Type, path) {
			return true
		}
	}
	return false
}

// A finding names the value that is wrong.
func (s Suite[B, E]) testMessages(t *testing.T) {
	for _, m := range s.Messages {
		example := m.from()
		m.change(example)
		findings := s.Review(t, example).Findings
		at := slices.IndexFunc(findings, func(f rules.Finding) bool { return f.Code == m.code })
		if at < 0 || !strings.Contains(findings[at].Message+" "+findings[at].Suggestion, m.text) {
			t.Errorf("%s does not say %q: %+v", m.code, m.text, findings)
		}
	}
}

// Every finding has a message and a suggestion in whole sentences, and a source.
func (s Suite[B, E]) testFindings(t *testing.T) {
	for _, c := range s.Cases {
		for _, f := range s.Review(t, c.Example()).Findings {
			if !sentence(f.Message) || !sentence(f.Suggestion) || f.Source == "" {
				t.Errorf("%s: %+v", c.Name, f)
			}
		}
	}
}

func sentence(text string) bool {
	return len(text) > 1 && strings.ContainsRune(".?", rune(text[len(text)-1])) && !strings.Contains(text, "%!")
}

// A body that was stored has the same review as before.
func (s Suite[B, E]) testStored(t *testing.T) {
	for _, c := range s.Cases {
		b, facts := s.Body(t, c.Example())
		raw, err := json.Marshal(b)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		stored := new(B)
		if err := json.Unmarshal(raw, stored); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if got, want := s.Rules.Review(stored, facts), s.Rules.Review(b, facts); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the stored body has the review %+v, want %+v", c.Name, got, want)
		}
	}
}

// The review of an empty body does not panic, and is the same each time.
func (s Suite[B, E]) testEmpty(t *testing.T) {
	for _, example := range s.Examples {
		_, facts := s.Body(t, example())
		a, b := s.review(new(B), facts), s.review(new(B), facts)
		if !reflect.DeepEqual(a, b) || len(a.Findings) == 0 {
			t.Errorf("two reviews of an empty body: %+v and %+v", a, b)
		}
	}
}
