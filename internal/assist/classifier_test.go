package assist_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

var ctx = context.Background()

const (
	ours   = tenant.ID("ours")
	theirs = tenant.ID("theirs")
)

// classifierFixture is a classifier with what each organisation has declared, and a clock.
type classifierFixture struct {
	*assist.Classifier
	mu    sync.Mutex
	goods map[tenant.ID][]nomenclature.Text
	reads map[tenant.ID]int
	err   error
	now   time.Time
}

func open() *classifierFixture {
	s := &classifierFixture{goods: map[tenant.ID][]nomenclature.Text{}, reads: map[tenant.ID]int{}, now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return s.now }
	small := cornerCases()
	s.Classifier = &assist.Classifier{
		Imported: func() *tariff.Snapshot { return small }, Now: clock, History: &assist.Histories{Goods: s.accepted, Now: clock}, Log: slog.New(slog.DiscardHandler),
	}
	return s
}

// cornerCases is a tariff of a few goods.
func cornerCases() *tariff.Snapshot {
	var nodes []nomenclature.Node
	for _, line := range []struct{ code, text, terms string }{
		{"0900000000", "Coffee and tea", ""}, {"0902000000", "Tea", "tea"}, {"0902300000", "Black tea in small packings", "tea bags"},
		{"6100000000", "Knitted clothing", ""}, {"6109000000", "T-shirts and vests", ""}, {"6109100010", "Cotton T-shirts", "cotton tee"},
		{"7300000000", "Articles of iron or steel", ""}, {"7323000000", "Household articles of steel", ""}, {"7323930090", "Of stainless steel", "steel bottle"},
		{"9500000000", "Toys and games", ""}, {"9503000000", "Toys", ""}, {"9503004100", "Stuffed toys showing animals", "teddy bear"},
	} {
		n := nomenclature.Node{Code: line.code, Suffix: nomenclature.Line, Description: line.text, From: "2021-01-01", Declarable: !strings.HasSuffix(line.code, "000000")}
		if n.Declarable {
			n.Indent = 1
		}
		if line.terms != "" {
			n.Terms = []string{line.terms}
		}
		nodes = append(nodes, n)
	}
	tree, err := nomenclature.New(nodes)
	if err != nil {
		panic(err)
	}
	return &tariff.Snapshot{Tree: tree, Tariff: tariff.Embedded()}
}

func (s *classifierFixture) accepted(_ context.Context, org tenant.ID, _ int) ([]nomenclature.Text, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads[org]++
	return s.goods[org], s.err
}

func (s *classifierFixture) classify(t *testing.T, org tenant.ID, description string) assist.Suggestions {
	t.Helper()
	found, err := s.Classify(ctx, org, assist.Question{Description: description})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A trader's description leads to ten digits of the embedded nomenclature, with duty, reason and
// source. Two services give the same bytes.
func TestClassify(t *testing.T) {
	one, other := open(), open()
	for _, s := range []*classifierFixture{one, other} {
		s.Imported = func() *tariff.Snapshot { return nil }
		go func() { _, _ = s.Compare(ctx, "tea", "0902300000", time.Time{}) }()
	}
	found := one.classify(t, ours, "men's cotton T-shirts")
	at := slices.IndexFunc(found.Suggestions, func(s assist.Suggestion) bool { return s.Code == "6109100010" })
	if at < 0 || found.Source != "offline" {
		t.Fatalf("%+v", found)
	}
	if s := found.Suggestions[at]; !s.Validated || !strings.HasPrefix(s.DutyExpression, "12.0") || !strings.Contains(s.DutyExpression, "(as of 20") || !strings.Contains(s.Reasoning, "“tshirts”") {
		t.Errorf("%+v", s)
	}
	for _, text := range []string{"men's cotton T-shirts", "stainless steel bottle", "gift", "耳机", "tea bags 80s", "6109", strings.Repeat("plastic cup ", 300)} {
		a, _ := json.Marshal(one.classify(t, ours, text))
		b, _ := json.Marshal(other.classify(t, ours, text))
		if string(a) != string(b) {
			t.Errorf("%q:\n%s\n%s", text, a, b)
		}
	}
}

// A question with a time, such as that of a test clock, is answered by the codes of that day: a code that has ended is
// not valid any more. Suggestions for a review are of the review's time too.
func TestQuestionsHaveATime(t *testing.T) {
	s := open()
	ended, err := nomenclature.New([]nomenclature.Node{
		{Code: "9500000000", Suffix: nomenclature.Line, Description: "Toys and games", From: "2021-01-01"},
		{Code: "9503000000", Suffix: nomenclature.Line, Description: "Toys", From: "2021-01-01"},
		{Code: "9503004100", Suffix: nomenclature.Line, Description: "Stuffed toys", From: "2021-01-01", To: "2027-12-31", Indent: 1, Declarable: true, Terms: []string{"teddy bear"}},
		{Code: "9503004900", Suffix: nomenclature.Line, Description: "Other stuffed toys", From: "2028-01-01", Indent: 1, Declarable: true, Terms: []string{"teddy bear"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Imported = func() *tariff.Snapshot { return &tariff.Snapshot{Tree: ended, Tariff: tariff.Embedded()} }
	for at, want := range map[time.Time]string{{}: "9503004100", s.now.AddDate(2, 0, 0): "9503004900"} {
		found, err := s.Classify(ctx, ours, assist.Question{Description: "teddy bear", At: at})
		if err != nil || len(found.Suggestions) == 0 || found.Suggestions[0].Code != want {
			t.Errorf("at %s: %+v, %v; want %s first", at, found.Suggestions, err, want)
		}
		a, err := s.Compare(ctx, "teddy bear", want, at)
		if err != nil || a.Likely != want {
			t.Errorf("for a review at %s: %+v, %v; want %s as the likely code", at, a, err, want)
		}
	}
}

// An organisation's declarations are suggested to that organisation only.
func TestOrganisationsAreSeparate(t *testing.T) {
	s := open()
	s.goods[ours] = []nomenclature.Text{{Text: "Wherry canary flange, annealed", Code: "7323930090"}}
	s.goods[theirs] = []nomenclature.Text{{Text: "Teddy bears", Code: "9503004100"}}
	for range 2 { // from the store, and from the cache
		mine, _ := json.Marshal(s.classify(t, ours, "annealed wherry canary flange"))
		other, _ := json.Marshal(s.classify(t, theirs, "annealed wherry canary flange"))
		without, _ := json.Marshal(s.classify(t, "", "annealed wherry canary flange"))
		if !strings.Contains(string(mine), "“Wherry canary flange, annealed”, goods of your own") {
			t.Errorf("our own: %s", mine)
		}
		for _, answer := range []string{string(other), string(without)} {
			if strings.Contains(answer, "Wherry canary flange, annealed") || strings.Contains(answer, "of your own") {
				t.Errorf("another organisation gets: %s", answer)
			}
		}
	}
	if s.reads[""] != 0 {
		t.Error("read the goods of no organisation")
	}
}

// An organisation's goods are read again after a minute, and not before.
func TestHistoryAge(t *testing.T) {
	s := open()
	s.classify(t, ours, "wherry flange")
	s.goods[ours] = []nomenclature.Text{{Text: "wherry flange", Code: "9503004100"}}
	for _, step := range []struct {
		wait  time.Duration
		reads int
	}{{0, 1}, {59 * time.Second, 1}, {time.Second, 2}, {time.Second, 2}} {
		s.now = s.now.Add(step.wait)
		if s.classify(t, ours, "wherry flange"); s.reads[ours] != step.reads {
			t.Errorf("%v later: read %d times, want %d", step.wait, s.reads[ours], step.reads)
		}
	}
	if found := s.classify(t, ours, "wherry flange"); len(found.Suggestions) == 0 || found.Suggestions[0].Confidence < 0.5 {
		t.Errorf("the new goods are not used: %+v", found)
	}
}

// The cache holds the organisations that asked last.
func TestManyOrganisations(t *testing.T) {
	s := open()
	for i := range 16 {
		s.classify(t, tenant.ID(fmt.Sprint(i)), "tea")
	}
	s.classify(t, "0", "tea") // asked again, so 1 is removed next
	s.classify(t, "16", "tea")
	s.classify(t, "0", "tea")
	s.classify(t, "1", "tea")
	if s.reads["0"] != 1 || s.reads["1"] != 2 {
		t.Errorf("read %v", s.reads)
	}
}

// An error of the store is returned, and is not cached.
func TestStoreFails(t *testing.T) {
	s := open()
	s.err = errors.New("down")
	if _, err := s.Classify(ctx, ours, assist.Question{Description: "tea"}); !errors.Is(err, s.err) {
		t.Errorf("err %v", err)
	}
	s.err = nil
	s.classify(t, ours, "tea")
}

// Another tariff is used as soon as its index is ready, without any question waiting.
// Histories are read again for it.
func TestAnotherTariff(t *testing.T) {
	s := open()
	current := *cornerCases()
	next := current
	next.References = []nomenclature.Text{{Text: "zorbing gimmick", Code: "9503"}}
	s.Imported = func() *tariff.Snapshot { s.mu.Lock(); defer s.mu.Unlock(); return &current }
	if _, err := s.Compare(ctx, "tea", "0902300000", time.Time{}); err != nil {
		t.Fatal(err)
	}
	s.classify(t, ours, "zorbing gimmick")
	s.mu.Lock()
	s.Imported = func() *tariff.Snapshot { return &next }
	s.mu.Unlock()
	for deadline := time.Now().Add(3 * time.Minute); ; {
		found := s.classify(t, ours, "zorbing gimmick")
		if len(found.Suggestions) > 0 && strings.HasPrefix(found.Suggestions[0].Code, "9503") && strings.Contains(found.Suggestions[0].Reasoning, "The same words") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the other tariff is not used: %+v", found)
		}
	}
	if s.reads[ours] != 2 {
		t.Errorf("the history was read %d times, want once for each tariff", s.reads[ours])
	}
}

// The first question waits for the index until its context ends.
func TestWaiting(t *testing.T) {
	s := open()
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Classify(gone, ours, assist.Question{Description: "tea"}); !errors.Is(err, context.Canceled) {
		t.Errorf("err %v", err)
	}
	if found := s.classify(t, ours, "tea"); len(found.Suggestions) == 0 {
		t.Errorf("%+v", found)
	}
}

// Everyday words of another nomenclature lead to codes of the tariff.
func TestEveryday(t *testing.T) {
	s := open()
	lender, err := nomenclature.New([]nomenclature.Node{
		{Code: "9500000000", Suffix: nomenclature.Line}, {Code: "9503000000", Suffix: nomenclature.Line, Description: "Playthings", Terms: []string{"quibbles"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Everyday = func() *nomenclature.Tree { return lender }
	if found := s.classify(t, ours, "quibbles").Suggestions; len(found) == 0 || found[0].Code != "9503004100" || found[0].Confidence < 0.5 {
		t.Errorf("%+v", found)
	}
}
