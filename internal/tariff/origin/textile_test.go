package origin

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// mixedNotes are introductory notes in the words of most agreements.
const mixedNotes = `### Note 5:

1. Where, for a given product in the list, reference is made to this Note, the conditions set out in column 3 shall not be applied to any basic textile materials used in the manufacture of this product and which, taken together, represent **10 % or less** of the total weight of all the basic textile materials used. (See also Notes 5.3 and 5.4).

### Note 6:

1. Where, in the list, reference is made to this Note, textile materials (with the exception of linings and interlinings), which do not satisfy the rule set out in the list in column 3 for the made-up product concerned, may be used, provided that they are classified in a heading other than that of the product and that their value does not exceed 8 % of the ex-works price of the product.`

const (
	notedHeading = otherHeading + "\n\nFor special conditions relating to products made of a mixture of textile materials, see Introductory Note 5."
	notedFibres  = "Manufacture from:\n\n- natural fibres, *or*\n\n- chemical materials or textile pulp\n\nFor special conditions relating to products made of a mixture of textile materials, see Introductory Note 5."
	notedMadeUp  = "Manufacture from materials of any heading, except that of the product and heading 5205.\n\nSee Introductory Note 6."
)

// weighed is a material with a mass in kilograms; empty for unknown.
func weighed(m Material, mass string) Material {
	m.NetMass = nil
	if mass != "" {
		m.NetMass = number(mass)
	}
	return m
}

// The tolerances of textile products follow the notes to which the rule refers. Without a mass it is asked for; nothing qualifies by
// a note that the rule does not name, or that a person must read.
func TestTextileNotes(t *testing.T) {
	cotton := func(mass string) Material { return weighed(own("520511", "1"), mass) }
	yarn := func(mass string) Material { return weighed(foreign("550912", "1"), mass) }
	fabric := func(mass string) Material { return weighed(foreign("540710", "1"), mass) }
	unknown := foreign("550912", "1")
	unknown.Originating, unknown.Origin = nil, "CA"
	for _, c := range []struct {
		name, product, rule string
		materials           []Material
		want, fact          string
	}{
		{"10 % of the weight", "5509110000", notedHeading, []Material{cotton("90"), yarn("10")}, Qualifies, ""},
		{"a milligram above", "5509110000", notedHeading, []Material{cotton("90"), yarn("10.000001")}, Fails, ""},
		{"a milligram above, perhaps of polyurethane", "5402440000", notedHeading, []Material{cotton("90"), weighed(foreign("540233", "1"), "10.000001")}, NeedsPerson, ""},
		{"above every note", "5402440000", notedHeading, []Material{cotton("60"), weighed(foreign("540233", "1"), "40")}, Fails, ""},
		{"the mass of what offends is not known", "5509110000", notedHeading, []Material{cotton("90"), yarn("")}, NeedsFacts, "materials[1].netMassKg"},
		{"the mass of the others is not known", "5509110000", notedHeading, []Material{cotton(""), yarn("10")}, NeedsFacts, "materials[0].netMassKg"},
		{"the status is not known", "5509110000", notedHeading, []Material{cotton("60"), weighed(unknown, "40")}, NeedsFacts, "materials[1].originating"},
		{"the status does not matter", "5509110000", notedHeading, []Material{cotton("95"), weighed(unknown, "5")}, Qualifies, ""},
		{"buttons do not count", "5509110000", notedHeading, []Material{cotton("90"), yarn("10.1"), weighed(own("960621", "1"), "9")}, Fails, ""},
		{"a woven fabric counts", "5509110000", notedHeading, []Material{cotton("80"), yarn("10"), weighed(own("520811", "1"), "10")}, Qualifies, ""},
		{"one textile material only", "5509110000", notedHeading, []Material{weighed(own("550320", "1"), "95"), yarn("5")}, NeedsPerson, ""},
		{"a fabric that offends", "5407200000", notedHeading, []Material{cotton("90"), fabric("10")}, NeedsPerson, ""},
		{"a coated fabric", "5903100000", notedHeading, []Material{cotton("99"), weighed(foreign("590310", "1"), "1")}, NeedsPerson, ""},
		{"the rule names no note", "5509110000", otherHeading, []Material{cotton("90"), yarn("10")}, NeedsPerson, ""},
		{"the rule names no note, and no note helps", "5509110000", otherHeading, []Material{cotton("60"), yarn("40")}, Fails, ""},
		{"the rule names another note", "5509110000", strings.Replace(notedHeading, "Note 5", "Note 6", 1), []Material{cotton("90"), yarn("10")}, NeedsPerson, ""},
		{"from fibres, with yarn", "5208110000", notedFibres, []Material{weighed(own("520100", "1"), "90"), yarn("10")}, Qualifies, ""},
		{"from fibres, with too much yarn", "5208110000", notedFibres, []Material{weighed(own("520100", "1"), "90"), yarn("11")}, NeedsPerson, ""},
		{"made up, 8 % of the price", "6307100000", notedMadeUp, []Material{own("520811", "1"), foreign("520511", "80")}, Qualifies, ""},
		{"made up, a penny above", "6307100000", notedMadeUp, []Material{weighed(own("520811", "1"), "99"), foreign("520511", "80.01")}, NeedsPerson, ""},
		{"made up, price and weight above", "6307100000", notedMadeUp, []Material{own("520811", "1"), foreign("520511", "80.01")}, Fails, ""},
		{"made up, perhaps a lining", "6307100000", strings.Replace(notedMadeUp, "5205", "5407", 1), []Material{own("520811", "1"), foreign("540710", "1")}, NeedsPerson, ""},
		{"made up, of its own heading", "6307100000", notedMadeUp, []Material{weighed(own("520811", "1"), "99"), foreign("630710", "1")}, NeedsPerson, ""},
	} {
		q := complete(c.product, "CA")
		q.Materials = c.materials
		a := made{map[string][]string{c.product[:4]: {c.rule}}, allArticles, mixedNotes}.decide(t, q)
		if a.Decision != c.want || c.fact != "" && !slices.ContainsFunc(a.FactsNeeded, func(f FactBody) bool { return f.Field == c.fact }) {
			t.Errorf("%s: got %s, want %s. %s %+v", c.name, a.Decision, c.want, a.Why, a.FactsNeeded)
		}
	}
}

// At random, what the note on mixed products permits is what a plain sum of the masses permits, to the gram.
func TestTextileNotesAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6)) // #nosec G404 -- a test
	m := made{map[string][]string{"5509": {notedHeading}}, allArticles, mixedNotes}
	d := m.data(t)
	codes := []string{"520511", "540710", "550912", "510610", "540210", "960621", "590310"}
	asked := map[string]int{}
	for range 5000 {
		q := complete("5509110000", "CA")
		bad, all, kinds := 0, 0, map[string]bool{}
		for n := range 2 + r.IntN(4) {
			code, grams := codes[r.IntN(len(codes))], 1+r.IntN(90)
			material := own(code, "1")
			if n == 0 || r.IntN(5) == 0 {
				material = foreign(code, "1")
			}
			if n == 0 {
				material.Code, code, grams = "550912", "550912", 1+r.IntN(20)
			}
			q.Materials = append(q.Materials, weighed(material, fmt.Sprintf("0.%03d", grams)))
			if code < "56" {
				all += grams
				kinds[code[:2]] = true
			}
			if code == "550912" && !*material.Originating {
				bad += grams
			}
		}
		certain := bad*10 <= all && len(kinds) > 1
		got := d.Answer(q, noRates{}).Schemes[0].Decision
		if (got == Qualifies) != certain {
			t.Fatalf("%s: %d of %d g of %d kinds: %+v", got, bad, all, len(kinds), q.Materials)
		}
		asked[got]++
	}
	t.Log(asked)
	for _, decision := range []string{Qualifies, Fails, NeedsPerson} {
		if asked[decision] < 200 {
			t.Errorf("only %d are %s", asked[decision], decision)
		}
	}
}

// The notes of the published agreements are read with their numbers and percentages.
func TestPublishedTextileNotes(t *testing.T) {
	d := published(t)
	describe := func(n *textileNote) string {
		if n.number == 0 {
			return "none"
		}
		text := fmt.Sprintf("%d: %s", n.number, percentText(n.percent))
		for _, b := range n.bases {
			text += " " + baseNames[b]
		}
		if n.linings {
			text += ", no linings"
		}
		if n.trimmings {
			text += ", trimmings"
		}
		return text
	}
	usual := "5: 10% net mass; 6: 8% ex-works price, no linings"
	for scheme, want := range map[string]string{
		"albania": usual, "chile": usual, "south-korea": usual, "central-america": usual, "singapore": "6: 10% net mass; 7: 8% ex-works price, no linings",
		"turkey": "6: 15% net mass; 7: 15% ex-works price, no linings", "iceland-norway": "6: 15% net mass; 7: 15% ex-works price, no linings",
		"mexico": "5: 8% net mass; 6: 8% ex-works price, no linings", "vietnam": "6: 10% net mass; 7: 8% ex-works price", "gsp": "4: 10% net mass; 5: 8% ex-works price",
		"dcts-ldcs": "4: 10% net mass; 5: 8% ex-works price", "eu": "7: 10% net mass; 8: 8% ex-works price, no linings",
		"japan": "7: 10% net mass; 8: 8% ex-works price free on board price, no linings", "kenya": "5: 10% net mass; 6: 10% net mass, trimmings",
		"canada": "none; none", "cptpp": "none; none",
	} {
		s, ok := d.Scheme(UK, scheme)
		if !ok {
			t.Fatal(scheme)
		}
		if got := describe(&s.textiles.mixed) + "; " + describe(&s.textiles.madeUp); got != want {
			t.Errorf("%s: %s, want %s", scheme, got, want)
		}
	}
	for _, service := range []string{UK, XI} {
		rules, noted, unread := 0, 0, []string{}
		for _, s := range d.Schemes(service) {
			if n := &s.textiles; (n.mixed.number == 0) != (n.madeUp.number == 0) {
				unread = append(unread, s.Code)
			}
			for _, set := range s.Sets {
				if !textile(set.Min) {
					continue
				}
				for _, rule := range set.Rules {
					rules++
					if slices.Contains(rule.notes, s.textiles.mixed.number) || slices.Contains(rule.notes, s.textiles.madeUp.number) {
						noted++
					}
				}
			}
		}
		t.Logf("%s: %d rules of chapters 50 to 63, %d refer to a note with a tolerance", service, rules, noted)
		if len(unread) > 0 {
			t.Errorf("%s: of two notes one is read only: %s", service, unread)
		}
	}
}
