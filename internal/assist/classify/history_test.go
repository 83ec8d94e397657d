package classify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// nomenclatureOf is a nomenclature of nodes.
func nomenclatureOf(t testing.TB, nodes ...nomenclature.Node) *nomenclature.Tree {
	t.Helper()
	tree, err := nomenclature.New(nodes)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// An organisation's own declarations lead it to the same code again, and affect no other
// organisation.
func TestHistory(t *testing.T) {
	x := small(t)
	own := x.History([]nomenclature.Text{{Text: "Widget Mk IV flange blanks", Code: "7323930090"}})
	asked := classify.Question{Description: "widget flange blanks, Mk IV", Day: today, Own: own}
	found := x.Classify(asked).Suggestions
	if first(found) != "7323930090" || found[0].Confidence < 0.5 || !strings.Contains(found[0].Reasoning, "goods of your own") {
		t.Errorf("%+v", found)
	}
	for _, other := range []*classify.History{nil, x.History(nil), x.History([]nomenclature.Text{{Text: "Cotton tees", Code: "6109100010"}})} {
		asked.Own = other
		for _, s := range x.Classify(asked).Suggestions {
			if strings.Contains(s.Reasoning, "blanks”,") || s.Confidence > 0.5 {
				t.Errorf("contains another organisation's goods: %+v", s)
			}
		}
	}
}

// An organisation's own text outweighs a shared one.
func TestOwnText(t *testing.T) {
	x := classify.New(classify.Sources{Tree: goods(t), Labelled: []nomenclature.Text{{Text: "quibble stand", Code: "9503003500"}}})
	own := x.History([]nomenclature.Text{{Text: "quibble stand", Code: "7323930090"}})
	if got := first(x.Classify(classify.Question{Description: "quibble stand", Day: today, Own: own}).Suggestions); got != "7323930090" {
		t.Errorf("leads to %s", got)
	}
}

// A history has at most MaxHistory texts.
func TestLongHistory(t *testing.T) {
	x := small(t)
	texts := make([]nomenclature.Text, classify.MaxHistory+1)
	for i := range texts {
		texts[i] = nomenclature.Text{Text: fmt.Sprintf("thing %s", strings.Repeat(string(rune('a'+i%26)), 3+i/26)), Code: "7323930090"}
	}
	texts[classify.MaxHistory].Text = "quibble"
	found := x.Classify(classify.Question{Description: "quibble", Day: today, Own: x.History(texts)}).Suggestions
	for _, s := range found {
		if strings.Contains(s.Reasoning, "quibble") {
			t.Errorf("read beyond its limit: %+v", s)
		}
	}
}
