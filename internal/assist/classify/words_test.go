package classify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
)

// The forms of a word and its British and American spellings have one stem; different words
// have different stems.
func TestStem(t *testing.T) {
	for _, forms := range []string{
		"shirt shirts", "box boxes", "berry berries", "potato potatoes", "watch watches", "knit knitted knitting", "bake baked baking bakes",
		"man men", "child children", "knife knives", "glass glasses", "colour color", "aluminium aluminum", "fibre fiber fibres",
		"jewellery jewelry", "tyre tyres tire tires", "grey gray", "mould mold", "catalogue catalog", "organise organize organised", "metre meter",
	} {
		words := strings.Fields(forms)
		for _, w := range words[1:] {
			if classify.Stem(w) != classify.Stem(words[0]) {
				t.Errorf("%s has the stem %s, %s has %s", w, classify.Stem(w), words[0], classify.Stem(words[0]))
			}
		}
	}
	for _, pair := range [][2]string{{"glass", "glaze"}, {"bus", "bush"}, {"ring", "r"}, {"bed", "b"}, {"tea", "teas er"}} {
		if classify.Stem(pair[0]) == classify.Stem(pair[1]) {
			t.Errorf("%s and %s have one stem, %s", pair[0], pair[1], classify.Stem(pair[0]))
		}
	}
}

// Words that do not describe the goods are removed: sizes, stock numbers, filler, and what the
// goods are not.
func TestKeywords(t *testing.T) {
	for text, want := range map[string]string{
		"12 x 500ml Water-bottles (GCJ024)":                "water bottles",
		"T-shirts, men's":                                  "tshirts mens",
		"Jackets (excluding those of leather), quilted":    "jackets quilted",
		"Hides, other than of bovine animals; tanned":      "hides tanned",
		"paper not coated, in rolls of 1,5 m":              "paper rolls m",
		"crème brûlée":                                     "creme brulee",
		"The product is used for the cleaning of windows.": "cleaning windows",
		"vitamin b12 tablets":                              "vitamin b12 tablets",
		"cotton t shirt, e bike":                           "cotton tshirt ebike",
		"mens_leather_boots":                               "mens leather boots",
		"e-bike of 250 W":                                  "ebike w",
		"":                                                 "",
		"100% 2.5":                                         "",
	} {
		if got := strings.Join(classify.Keywords(text), " "); got != want {
			t.Errorf("%q has the words %q, want %q", text, got, want)
		}
	}
}

// Abbreviations, everyday words and brands are expanded to the tariff's words, longer names
// first.
func TestImplied(t *testing.T) {
	for text, want := range map[string]string{
		"blk jkt": "jacket", "trainers": "footwear", "hair dryer": "thermic", "Lego Star Wars": "toy", "l'oreal shampoo": "skin",
		"head & shoulders": "shampoo", "tee shirt": "tshirt",
	} {
		if got := classify.Implied(text); !slices.Contains(got, classify.Stem(want)) {
			t.Errorf("%q means %v, and not %q", text, got, want)
		}
	}
	if got := classify.Implied("head and shoulders"); slices.Contains(got, classify.Stem("footwear")) {
		t.Errorf("head and shoulders means %v", got)
	}
}
