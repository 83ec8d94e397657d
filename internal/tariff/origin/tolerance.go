package origin

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// tolerance is how much of the materials that a rule does not permit may be used nevertheless.
type tolerance struct {
	known      bool
	allowances []allowance
	onlyChange bool   // of a change in tariff classification only
	text       string // as published
}

// allowance is a share for products of some chapters. Below sure it certainly permits the materials, above most certainly
// not.
type allowance struct {
	from, to   int // chapters
	sure, most *big.Rat
	base       Base
}

// exception recognises that a prohibition of drawback has exceptions.
var exception = lazyregexp.New(`shall not (?:apply|preclude)|may be (?:applied|derogated)|shall be applied from`)

func percent(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return new(big.Rat)
	}
	return r
}

// The forms of the articles. Percentages are of the ex-works price unless the form says otherwise.
var (
	tolValue   = lazyregexp.New(`their total value does not exceed (\d+(?:\.\d+)?)% of the ex-works price of the product(?: for products of the united kingdom, and (\d+(?:\.\d+)?)% of the ex-works price of the product for products of)?`)
	tolWeight  = lazyregexp.New(`(\d+(?:\.\d+)?)% of the (?:net )?weight of the product (?:or ex-works price )?(?:for products )?(?:falling within|of) chapters? 2 and 4 to 24`)
	tolWeight2 = lazyregexp.New(`classified under chapters 2 and 4 to 24 .{0,90}?does not exceed (\d+(?:\.\d+)?)% of the weight of the product`)
	tolOther   = lazyregexp.New(`(\d+(?:\.\d+)?)% of the ex-works price of the product for (?:products )?other (?:products|than those covered)`)
	tolOther1  = lazyregexp.New(`(\d+(?:\.\d+)?)% of the ex-works price of the product for products other than those`)
	tolOther2  = lazyregexp.New(`total value of non-originating materials for all other products, except for products classified under chapters 50 to 63 .{0,40}?does not exceed (\d+(?:\.\d+)?)% of the ex-works price of the product`)
	tolOther3  = lazyregexp.New(`(\d+(?:\.\d+)?)% of the ex-works price of other products, except for products falling within chapters 50 to 63`)
	tolJapan   = lazyregexp.New(`chapters 1 to 49 or chapters 64 to 97 of hs 2017, the value of all those non-originating materials does not exceed (\d+)% of the ex-works or free on board price of the product`)
	tolCanada  = lazyregexp.New(`total value of those non-originating materials does not exceed (\d+)% of the transaction value or ex-works price of the product`)
	tolAU      = lazyregexp.New(`in the case of goods in chapters 1 through 24 and 50 through 63 .{0,60}?total weight of those materials does not exceed (\d+)% of the weight of the good .{0,80}?the value of those materials does not exceed (\d+)% of the value of the good.{0,120}?chapters 25 through 49 and 64 through 97 .{0,60}?does not exceed (\d+)% of the value of the good`)
	tolNZ      = lazyregexp.New(`the value of those non-originating materials does not exceed (\d+)% of the value of the good.{0,120}?chapters 1 to 24 and 50 to 63 .{0,60}?total weight of all those materials does not exceed (\d+)% of the net weight of the good`)
	tolCPTPP   = lazyregexp.New(`except as provided in paragraphs 4 to 7, a good that contains .{0,300}?the value of all those materials does not exceed (\d+)% of the value of the good`)
	tolIndia   = lazyregexp.New(`chapters 1 through 3, 5, 6, 10 or 14 .{0,80}?does not exceed (\d+(?:\.\d+)?)% of the value of the good.{0,140}?net weight of those non-originating materials does not exceed (\d+(?:\.\d+)?)% .{0,240}?chapters 4, 7 through 9, 11 through 13 or 15 through 24 .{0,80}?does not exceed (\d+(?:\.\d+)?)% of the value of the good.{0,140}?does not exceed (\d+(?:\.\d+)?)% of the net weight .{0,240}?chapters 25 through 98 .{0,90}?does not exceed (\d+(?:\.\d+)?)% of the value of the good`)
	tenPercent = lazyregexp.New(`\bten percent\b`)
)

// toleranceOf reads the tolerance from the articles. Products of chapters 50 to 63 have rules of their own, in notes.
func toleranceOf(text string) tolerance {
	t := tolerance{text: shown(text)}
	flat := tenPercent.ReplaceAllString(flatten(text), "10%")
	add := func(from, to int, percentage string, base Base) {
		p := percent(percentage)
		t.allowances = append(t.allowances, allowance{from, to, p, p, base})
	}
	nonTextile := func(from, to int, percentage string, base Base) {
		if from < 50 {
			add(from, min(to, 49), percentage, base)
		}
		add(max(from, 64), to, percentage, base)
	}
	if m := tolIndia.FindStringSubmatch(flat); m != nil {
		for _, c := range []int{1, 2, 3, 5, 6, 10, 14} {
			add(c, c, m[1], FOB)
			add(c, c, m[2], Mass)
		}
		for _, c := range [][2]int{{4, 4}, {7, 9}, {11, 13}, {15, 24}} {
			add(c[0], c[1], m[3], FOB)
			add(c[0], c[1], m[4], Mass)
		}
		add(25, 98, m[5], FOB)
	} else if m := tolAU.FindStringSubmatch(flat); m != nil {
		for _, c := range [][2]int{{1, 24}, {50, 63}} {
			add(c[0], c[1], m[1], Mass)
			add(c[0], c[1], m[2], FOB)
		}
		nonTextile(25, 97, m[3], FOB)
		t.onlyChange = true
	} else if m := tolNZ.FindStringSubmatch(flat); m != nil {
		for _, c := range [][2]int{{1, 24}, {50, 63}} {
			add(c[0], c[1], m[2], Mass)
			add(c[0], c[1], m[1], FOB)
		}
		nonTextile(25, 97, m[1], FOB)
		t.onlyChange = true
	} else if m := tolCPTPP.FindStringSubmatch(flat); m != nil {
		t.onlyChange = true
		for _, c := range [][2]int{{1, 3}, {5, 14}, {16, 18}, {24, 49}, {64, 97}} { // the others have exceptions
			add(c[0], c[1], m[1], FOB)
		}
	} else if m := tolJapan.FindStringSubmatch(flat); m != nil {
		nonTextile(1, 97, m[1], ExWorks)
		nonTextile(1, 97, m[1], FOB)
	} else if m := tolCanada.FindStringSubmatch(flat); m != nil {
		nonTextile(1, 97, m[1], ExWorks)
	} else if !t.byKind(flat, add, nonTextile) {
		if m := tolValue.FindStringSubmatch(flat); m != nil {
			nonTextile(1, 97, m[1], ExWorks)
			if m[2] != "" {
				for i := range t.allowances {
					t.allowances[i].most = percent(m[2])
				}
			}
		}
	}
	t.known = len(t.allowances) > 0
	return t
}

// byKind reads articles that measure farm products by weight and others by value.
func (t *tolerance) byKind(flat string, add, nonTextile func(int, int, string, Base)) bool {
	first := func(all ...*lazyregexp.Regexp) string {
		for _, r := range all {
			if m := r.FindStringSubmatch(flat); m != nil {
				return m[1]
			}
		}
		return ""
	}
	weight, value := first(tolWeight, tolWeight2), first(tolOther, tolOther1, tolOther2, tolOther3)
	if weight == "" || value == "" {
		return false
	}
	for _, c := range [][2]int{{2, 2}, {4, 15}, {17, 24}} {
		add(c[0], c[1], weight, Mass)
		if strings.Contains(flat, "% of the weight of the product or ex-works price") {
			add(c[0], c[1], weight, ExWorks)
		}
	}
	add(1, 1, value, ExWorks)
	add(3, 3, value, ExWorks)
	nonTextile(25, 97, value, ExWorks)
	return true // chapter 16 depends on whether the product is processed fish
}

// flatten puts an article on one line.
func flatten(text string) string {
	return spacesAndMarks.ReplaceAllString(normal(text), " ")
}

var spacesAndMarks = lazyregexp.New(`[\x01\s]+`)

// of returns the allowances for a product; none if the articles have none that can be read for it.
func (t *tolerance) of(product string) (all []allowance) {
	chapter, err := strconv.Atoi(product[:2])
	if err != nil {
		return nil
	}
	for _, a := range t.allowances {
		if a.from <= chapter && chapter <= a.to {
			all = append(all, a)
		}
	}
	return all
}
