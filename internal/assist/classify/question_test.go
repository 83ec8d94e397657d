package classify_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

func answered(t testing.TB, x *classify.Index, description string, answers ...string) classify.Answer {
	t.Helper()
	return x.Classify(classify.Question{Description: description, Day: today, Answers: answers})
}

// choiceOf returns the key of the choice that a code belongs to.
func choiceOf(q *classify.Inquiry, code string) string {
	for _, c := range q.Choices {
		if from, to, _ := strings.Cut(c.Key, "-"); from <= code && code <= max(from, to) {
			return c.Key
		}
	}
	return ""
}

// Up to three answers by a code put the code first.
func TestQuestionsLeadToTheCode(t *testing.T) {
	x := small(t)
	for _, c := range []struct{ description, code string }{
		{"household article", "7323930090"}, {"cotton", "6109100010"}, {"goods of leather", "4202210000"},
	} {
		var answers []string
		a := answered(t, x, c.description)
		for a.Inquiry != nil {
			key := choiceOf(a.Inquiry, c.code)
			if key == "" {
				t.Fatalf("%s: no choice for %s in %+v", c.description, c.code, a.Inquiry)
			}
			answers = append(answers, key)
			a = answered(t, x, c.description, answers...)
		}
		if first(a.Suggestions) != c.code || len(answers) == 0 || len(answers) > classify.MaxAnswers {
			t.Errorf("%s: %s first after %q, not %s", c.description, first(a.Suggestions), answers, c.code)
		}
	}
}

// If many headings are alike, the choices are chapters, so that each code that is left has one.
func TestQuestionsOfChapters(t *testing.T) {
	nodes := []nomenclature.Node{}
	add := func(code, description string, declarable bool) {
		nodes = append(nodes, nomenclature.Node{Code: code, Suffix: nomenclature.Line, Declarable: declarable, From: "2021-01-01", Description: description})
	}
	var lines []string
	for _, chapter := range []string{"39", "44", "69"} {
		add(chapter+"00000000", "Material "+chapter, false)
		for n := range 4 {
			code := fmt.Sprintf("%s%02d000000", chapter, n+1)
			add(code, fmt.Sprintf("Tiles of material %s, form %d", chapter, n), true)
			lines = append(lines, code)
		}
	}
	q := answered(t, classify.New(classify.Sources{Tree: nomenclatureOf(t, nodes...)}), "tiles").Inquiry
	if q == nil {
		t.Fatal("no question")
	}
	for _, code := range lines {
		if choiceOf(q, code) == "" {
			t.Errorf("no choice for %s in %+v", code, q)
		}
	}
}

// A question has a kind, several choices with different keys and texts, and the two that decline. It is the same each time.
func TestQuestion(t *testing.T) {
	x := small(t)
	q := answered(t, x, "cotton clothing and steel bottles").Inquiry
	if q == nil || len(q.Choices) < 4 {
		t.Fatalf("%+v", q)
	}
	var keys, texts []string
	for _, c := range q.Choices {
		if !classify.ValidAnswer(c.Key) || c.Text == "" || slices.Contains(keys, c.Key) || slices.Contains(texts, c.Text) {
			t.Errorf("%+v in %+v", c, q)
		}
		keys, texts = append(keys, c.Key), append(texts, c.Text)
	}
	if !strings.HasPrefix(keys[len(keys)-2], "none of ") || !strings.HasPrefix(keys[len(keys)-1], "unknown ") || q.Kind == "" {
		t.Errorf("%+v", q)
	}
	if again := answered(t, x, "cotton clothing and steel bottles").Inquiry; !reflect.DeepEqual(q, again) {
		t.Errorf("%+v, then %+v", q, again)
	}
}

// “None of these” puts other codes first; “I do not know” changes no suggestion and is not asked again.
func TestDeclinedQuestions(t *testing.T) {
	x := small(t)
	before := answered(t, x, "cotton clothing and steel bottles")
	unknown := before.Inquiry.Choices[len(before.Inquiry.Choices)-1].Key
	if a := answered(t, x, "cotton clothing and steel bottles", "none of "+first(before.Suggestions)); first(a.Suggestions) == first(before.Suggestions) {
		t.Errorf("%s is still first", first(a.Suggestions))
	}
	a := answered(t, x, "cotton clothing and steel bottles", unknown)
	if !slices.Equal(codes(a.Suggestions), codes(before.Suggestions)) || a.Inquiry != nil && reflect.DeepEqual(a.Inquiry.Choices, before.Inquiry.Choices) {
		t.Errorf("%v, then %v; %+v", codes(before.Suggestions), codes(a.Suggestions), a.Inquiry)
	}
}

// A chosen answer makes the codes that fit all of the evidence, however vague the description. One answer of six may be wrong, so a second
// that agrees makes sure; “none of these” proves none of the others.
func TestConfidenceAfterAnswers(t *testing.T) {
	x := small(t)
	const sure, unsure = 0.9, 0.5
	vague := answered(t, x, "household article")
	if c := vague.Suggestions[0].Confidence; c > unsure {
		t.Errorf("%v before an answer", c)
	}
	once := answered(t, x, "household article", "7323930090").Suggestions[0].Confidence
	if once <= unsure || once >= sure {
		t.Errorf("%v after the code itself is chosen once", once)
	}
	if c := answered(t, x, "household article", "7323000000-7323999999", "7323930090").Suggestions[0].Confidence; c < sure {
		t.Errorf("%v after the heading and then the code are chosen", c)
	}
	if c := answered(t, x, "household article", "none of "+first(vague.Suggestions)).Suggestions[0].Confidence; c > unsure {
		t.Errorf("%v after one code is denied", c)
	}
}

func TestAnswersAreKeys(t *testing.T) {
	for key, want := range map[string]bool{
		"6109100010": true, "6109100000-6109909000": true, "none of 6109100010,7323930090": true, "unknown 6109100010-6109909000": true,
		"": false, "cotton": false, "6109": false, "6109909000-6109100000": false, "6109100010,7323930090": false, "none of ": false,
		"none of " + strings.Repeat("6109100010,", 40) + "6109100010": false,
	} {
		if classify.ValidAnswer(key) != want {
			t.Errorf("%q: %v", key, !want)
		}
	}
}

// Certain goods and typed codes have no question, nor do unreadable answers change anything.
func TestNoQuestion(t *testing.T) {
	x := small(t)
	for _, text := range []string{"6109100010", "", "???"} {
		if q := answered(t, x, text).Inquiry; q != nil {
			t.Errorf("%q: %+v", text, q)
		}
	}
	if a, b := answered(t, x, "cotton"), answered(t, x, "cotton", "nonsense"); !reflect.DeepEqual(a, b) {
		t.Errorf("%+v, then %+v", a, b)
	}
}

// The kind of a question is what most of its choices differ by, not a word that nearly all of them share.
func TestKindOfQuestion(t *testing.T) {
	for want, all := range map[string][]string{
		classify.KindMaterial: {"Gloves of leather", "Gloves of wool", "Gloves of cotton", "Other gloves"},
		classify.KindState:    {"Fresh cod", "Frozen cod", "Dried cod"},
		classify.KindGoods:    {"Fish – Frozen whiting", "Fish – Frozen monkfish", "Fish – Frozen roe", "Fish – Frozen bream", "Fillets"},
	} {
		if got := classify.KindOf(choicesOf(all)); got != want {
			t.Errorf("%q: %s, want %s", all, got, want)
		}
	}
	if got := classify.KindOf(choicesOf([]string{"Copper winding wire", "Coaxial cable", "Cable up to 80 V", "Cable up to 1,000 V"})); got != classify.KindGoods {
		t.Errorf("half of the choices make the kind %s", got)
	}
}

func choicesOf(texts []string) (all []classify.Choice) {
	for _, text := range texts {
		all = append(all, classify.Choice{Text: text})
	}
	return all
}
