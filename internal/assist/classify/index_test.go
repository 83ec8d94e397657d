package classify_test

import (
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

const today = "2026-11-21"

// goods is a small nomenclature.
func goods(t testing.TB) *nomenclature.Tree {
	t.Helper()
	file, err := os.Open("testdata/goods.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var nodes []nomenclature.Node
	for _, r := range rows[1:] {
		n := nomenclature.Node{
			Code: r[0], Suffix: nomenclature.Line, Indent: len(strings.TrimPrefix(r[1], "0")), Declarable: r[2] == "1", From: r[3], To: r[4], Description: r[5],
		}
		if r[1] == "2" {
			n.Indent = 2
		}
		if r[6] != "" {
			n.Terms = strings.Split(r[6], ";")
		}
		nodes = append(nodes, n)
	}
	tree, err := nomenclature.New(nodes)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func small(t testing.TB) *classify.Index { return classify.New(classify.Sources{Tree: goods(t)}) }

func ask(x *classify.Index, description string) []classify.Suggestion {
	return x.Classify(classify.Question{Description: description, Day: today}).Suggestions
}

func codes(found []classify.Suggestion) (all []string) {
	for _, s := range found {
		all = append(all, s.Code)
	}
	return all
}

// first returns the first code, or "" if there is none.
func first(found []classify.Suggestion) string {
	if len(found) == 0 {
		return ""
	}
	return found[0].Code
}

// Traders' words lead to the code in any spelling.
func TestFirst(t *testing.T) {
	x := small(t)
	for text, want := range map[string]string{
		"T-shirts of cotton":               "6109100010",
		"cotton t shirt":                   "6109100010",
		"tshirts, cotton":                  "6109100010",
		"COTTON TEE-SHIRTS 3-pack":         "6109100010",
		"aluminum cookware":                "7615103000",
		"aluminium cook-ware, foil dishes": "7615103000",
		"teddy bears":                      "9503004100",
		"Lego":                             "9503003500",
		"plastic btl 500ml":                "3923301000",
		"hairdryer":                        "8516310000",
		"jeans":                            "6203423100",
		"jeans for women":                  "6204623100",
		"Jackets, not of leather, denim trousers for men": "6203423100",
		"tea bags":                            "0902300000",
		"decaf":                               "0901220000",
		"microwave ovens":                     "8516500090",
		"other household articles of plastic": "3924900090",
	} {
		if got := first(ask(x, text)); got != want {
			t.Errorf("%q leads to %s, want %s", text, got, want)
		}
	}
}

// Sizes and stock numbers do not change the answer.
func TestSizes(t *testing.T) {
	x := small(t)
	plain, sized := ask(x, "plastic bottle"), ask(x, "12x plastic bottle 500ml GCJ0244-17")
	if !slices.Equal(codes(plain), codes(sized)) || plain[0].Confidence != sized[0].Confidence {
		t.Errorf("%v and %v", plain, sized)
	}
}

// Early words count more than late ones.
func TestEarlyWords(t *testing.T) {
	x := small(t)
	filler := strings.Repeat("retail outlet display stand print card colour logo ", 6)
	for text, want := range map[string]string{
		"leather wallet " + filler + " plastic bottle": "4202310000",
		"plastic bottle " + filler + " leather wallet": "3923301000",
	} {
		if got := first(ask(x, text)); got != want {
			t.Errorf("%q leads to %s, want %s", text, got, want)
		}
	}
}

// The words of a reference lead to its code before similar texts do, and with high confidence
// if all references agree on ten digits.
func TestExact(t *testing.T) {
	tree := goods(t)
	plain := classify.New(classify.Sources{Tree: tree})
	if got := first(ask(plain, "cotton bottle coat")); got == "4202210000" {
		t.Fatal("the test is pointless")
	}
	x := classify.New(classify.Sources{Tree: tree, References: []nomenclature.Text{{Text: "bottle coats, cotton", Code: "4202210000"}}})
	found := ask(x, "cotton bottle coat")
	if first(found) != "4202210000" || found[0].Confidence < 0.9 || !strings.Contains(found[0].Reasoning, "The same words: “bottle coats, cotton”") {
		t.Errorf("%+v", found)
	}
	torn := classify.New(classify.Sources{Tree: tree, References: []nomenclature.Text{
		{Text: "bottle coats, cotton", Code: "4202210000"}, {Text: "cotton bottle coat", Code: "9503004100"},
	}})
	if found := ask(torn, "cotton bottle coat"); found[0].Confidence >= 0.9 {
		t.Errorf("sure where the references are not: %+v", found)
	}
}

// A text with a heading's code leads to a line below it. A text with a code that no longer
// exists leads to the deepest prefix that does.
func TestReferenceDepth(t *testing.T) {
	for _, code := range []string{"9503", "9503000000", "950300", "95030099", "9503999999"} {
		x := classify.New(classify.Sources{Tree: goods(t), Labelled: []nomenclature.Text{{Text: "zorbing gimmick", Code: code}}})
		if got := first(ask(x, "zorbing gimmick")); !strings.HasPrefix(got, "9503") {
			t.Errorf("a text for %s leads to %q", code, got)
		}
	}
	x := classify.New(classify.Sources{Tree: goods(t), Labelled: []nomenclature.Text{{Text: "zorbing gimmick", Code: "9901"}, {Text: "zorbing", Code: "95"}}})
	for _, s := range ask(x, "zorbing gimmick") {
		if s.Confidence > 0.1 || strings.Contains(s.Reasoning, "gimmick”,") {
			t.Errorf("texts for codes that are not there lead to %+v", s)
		}
	}
}

// A repeated text counts once.
func TestRepeatedText(t *testing.T) {
	one := nomenclature.Text{Text: "Quibble stands", Code: "9503003500"}
	other := nomenclature.Text{Text: "quibble rests", Code: "7323930090"}
	once := classify.New(classify.Sources{Tree: goods(t), Labelled: []nomenclature.Text{one, other}})
	often := classify.New(classify.Sources{Tree: goods(t), Labelled: append(slices.Repeat([]nomenclature.Text{one}, 50), other, one)})
	if a, b := ask(once, "quibble"), ask(often, "quibble"); !slices.Equal(a, b) {
		t.Errorf("%+v\n%+v", a, b)
	}
}
