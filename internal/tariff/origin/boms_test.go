package origin

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The rules that the slow check reads by itself, from the published text: most of the published rules, counted by
// frequency. It shares nothing with the compiler.
var (
	slowHeading    = regexp.MustCompile(`^(Manufacture from materials of any heading, except that of the (product|good)|Manufacture in which all the materials used are classified within a heading other than that of the product|CTH: All non-originating materials used in the production of the good have undergone a change in tariff classification at the 4-digit level \(tariff heading\)|A change from any other heading)\.$`)
	slowSubheading = regexp.MustCompile(`^(CTSH: All non-originating .* at the 6-digit level \(subheading\)|A change from any other subheading)\.$`)
	slowChapter    = regexp.MustCompile(`^(CC: All non-originating .* at the 2-digit level \(chapter\)|A change from any other chapter)\.$`)
	slowCeiling    = regexp.MustCompile(`^(?:Manufacture in which the value of all the materials used does not exceed|A maximum of) ([0-9.]+)% of the ex.works price (?:of the (?:product|good)|\(EXW\) is made up of non-originating parts \(MAXNOM\))\.$`)
	slowBoth       = regexp.MustCompile(`^Manufacture:\n- from materials of any heading, except that of the product, and\n- in which the value of all the materials used does not exceed ([0-9.]+)% of the ex.works price of the product\.$`)
	slowAllowance  = regexp.MustCompile(`^Manufacture from materials of any heading, except that of the product\. However, materials of the same heading as the product may be used, provided that their total value does not exceed ([0-9.]+)% of the ex.works price of the product\.$`)
	slowContent    = regexp.MustCompile(`^Your goods contain a Regional Value Content \(RVC\) of at least ([0-9.]+)% of the Free on Board \(FOB\) cost of the goods\.$`)
	slowExcept     = regexp.MustCompile(`^Manufacture from materials of any heading, except those of heading (\d{4}) and heading (\d{4})\.$`)
)

// slow is a plain reading of one text: the digits that must change, a ceiling on all materials, one on those of the same
// heading, and headings that are excluded.
type slow struct {
	digits             int
	all, same, content *big.Rat
	except             []string
}

func readSlowly(text string) (slow, bool) {
	if m := slowCeiling.FindStringSubmatch(text); m != nil {
		return slow{all: number(m[1])}, true
	}
	if m := slowBoth.FindStringSubmatch(text); m != nil {
		return slow{digits: 4, all: number(m[1])}, true
	}
	if m := slowAllowance.FindStringSubmatch(text); m != nil {
		return slow{same: number(m[1])}, true
	}
	if m := slowContent.FindStringSubmatch(text); m != nil {
		return slow{content: number(m[1])}, true
	}
	if m := slowExcept.FindStringSubmatch(text); m != nil {
		return slow{except: m[1:]}, true
	}
	for digits, form := range map[int]*regexp.Regexp{2: slowChapter, 4: slowHeading, 6: slowSubheading} {
		if form.MatchString(text) {
			return slow{digits: digits}, true
		}
	}
	return slow{}, false
}

// tolerated are the tolerances of the agreements in percent of the price, for products outside of chapters 1 to 24 and 50
// to 63, as a person reads them in the articles of 2026; -1 if there is none that can be read.
var tolerated = map[string]string{
	"cameroon": "15", "cotedivoire": "10", "esa": "15", "ghana": "15", "iceland-norway": "15", "kenya": "15", "oct": "15", "pacific": "15",
	"switzerland-liechtenstein": "15", "dcts-ldcs": "0", "gsp": "0",
}

// satisfied decides a bill of materials by the slow reading: sums of fractions of the price, one by one.
func (r *slow) satisfied(q *Question, tolerance *big.Rat) bool {
	all, same, bad := new(big.Rat), new(big.Rat), new(big.Rat)
	for _, m := range q.Materials {
		if *m.Originating {
			continue
		}
		value := m.Value.Value
		all.Add(all, value)
		if m.Code[:4] == q.Code[:4] {
			same.Add(same, value)
		}
		if r.digits > 0 && m.Code[:r.digits] == q.Code[:r.digits] || slices.Contains(r.except, m.Code[:4]) {
			bad.Add(bad, value)
		}
	}
	of := func(sum *big.Rat, price *big.Rat) *big.Rat {
		return new(big.Rat).Mul(new(big.Rat).Quo(sum, price), big.NewRat(100, 1))
	}
	price := q.ExWorks.Value
	switch {
	case r.all != nil && of(all, price).Cmp(r.all) > 0, r.same != nil && of(same, price).Cmp(r.same) > 0:
		return false
	case r.content != nil && new(big.Rat).Sub(big.NewRat(100, 1), of(all, q.FOB.Value)).Cmp(r.content) < 0:
		return false
	}
	return bad.Sign() == 0 || of(bad, price).Cmp(tolerance) <= 0
}

// aBill is a bill of materials for a rule set of a scheme.
type aBill struct {
	scheme, what string
	q            *Question
	rules        []slow
}

// bills makes bills of materials from the published rules: one that satisfies each rule, and those that just miss it by
// one heading, one penny or one wrong origin.
func bills(d *Data) (all []aBill) {
	for _, s := range d.Schemes(UK) {
		taken := 0
		for i := range s.Sets {
			set := &s.Sets[i]
			rules, ok := slowSet(set)
			if !ok || taken == 12 || i%7 != 3 {
				continue
			}
			taken++
			for _, r := range rules {
				for what, materials := range r.materials(set.Min) {
					q := complete(set.Min, exporter(s))
					q.Schemes, q.FOB, q.Materials = []string{s.Code}, pounds("1000"), materials
					if s.To != "" {
						q.Date = s.To // the last day is included
					}
					all = append(all, aBill{s.Code, fmt.Sprintf("%s %s", set.Heading, what), q, rules})
				}
			}
		}
	}
	return all
}

// slowSet reads a set that holds for its whole interval and has only rules that the slow check knows.
func slowSet(set *RuleSet) (rules []slow, ok bool) {
	if set.Special || set.Unsure || "24" < set.Min[:2] == false || textile(set.Min) {
		return nil, false
	}
	for _, r := range set.Rules {
		read, ok := readSlowly(r.Text)
		if !ok {
			return nil, false
		}
		rules = append(rules, read)
	}
	return rules, len(rules) > 0
}

func exporter(s *Scheme) string {
	for _, c := range s.Countries {
		if len(c) == 2 && c != "EU" {
			return strings.Replace(c, "XS", "RS", 1)
		}
	}
	return ""
}

// materials are the bills for one rule, by what they try. The price is 1,000 pounds, ex-works and free on board.
func (r *slow) materials(product string) map[string][]Material {
	other := "0101210000" // of another chapter than any product here
	bad := other
	if r.digits > 0 {
		bad = product[:r.digits] + "0000000000"[r.digits:]
	}
	if len(r.except) > 0 {
		bad = r.except[0] + "100000"
	}
	limit := big.NewRat(100, 1)
	for _, c := range []*big.Rat{r.all, r.same} {
		if c != nil {
			limit = c
		}
	}
	if r.content != nil {
		limit = new(big.Rat).Sub(limit, r.content)
	}
	pence := new(big.Rat).Mul(limit, big.NewRat(10, 1)) // of 1,000 pounds
	penny := big.NewRat(1, 100)
	limited := other
	if r.same != nil {
		limited = product
	}
	at := Material{Code: limited, Origin: "CN", Value: &Amount{pence, "GBP"}, NetMass: number("1"), Originating: is(false)}
	above := at
	above.Value = &Amount{new(big.Rat).Add(pence, penny), "GBP"}
	wrong := Material{Code: bad, Origin: "CN", Value: pounds("250"), NetMass: number("1"), Originating: is(false)}
	right := wrong
	right.Origin, right.Originating = "GB", is(true)
	all := map[string][]Material{"satisfies": {at, right}, "a penny above": {above, right}, "another heading": {at, wrong}, "wrong origin": {wrong, above}}
	for _, percent := range []string{"10", "15"} {
		small := wrong
		small.Value = &Amount{new(big.Rat).Mul(number(percent), big.NewRat(10, 1)), "GBP"}
		all["at "+percent+" percent"] = []Material{small}
		small.Value = &Amount{new(big.Rat).Add(small.Value.Value, penny), "GBP"}
		all["a penny above "+percent+" percent"] = []Material{small}
	}
	return all
}

// Of at least 600 bills of materials that are made from the published rules, none qualifies that does not by a plain reading
// of the text; and where a single rule set applies, the same bills qualify.
func TestNoFalseQualifies(t *testing.T) {
	d := published(t)
	tried, qualified, missed := 0, 0, 0
	for _, b := range bills(d) {
		tolerance := number("10")
		if text, ok := tolerated[b.scheme]; ok {
			tolerance = number(text)
		}
		want := slices.ContainsFunc(b.rules, func(r slow) bool { return r.satisfied(b.q, tolerance) })
		a := d.Answer(b.q, noRates{}).Schemes[0]
		tried++
		switch {
		case a.Decision == Qualifies && !want:
			t.Errorf("%s, %s: qualifies, but the text says otherwise: %+v", b.scheme, b.what, a)
		case a.Decision == Qualifies:
			qualified++
		case a.Decision == Fails && want && a.Rule != nil:
			t.Errorf("%s, %s: fails, but the text says otherwise: %s", b.scheme, b.what, a.Why)
		case want && a.Rule != nil:
			missed++
			t.Logf("%s, %s: %s. %s", b.scheme, b.what, a.Decision, a.Why)
		}
	}
	t.Logf("%d bills of materials; %d qualify, of %d others the slow check says so", tried, qualified, missed)
	if tried < 600 || qualified < 200 {
		t.Errorf("only %d bills, of which %d qualify", tried, qualified)
	}
}

var sugarRule = regexp.MustCompile(`^CTH: .*, provided that the total weight of non-originating materials of heading 1701 and heading 1702 used does not exceed ([0-9.]+)% of the weight of the product\.$`)

// A ceiling of weight holds to the gram.
func TestGramAbove(t *testing.T) {
	d := published(t)
	tried := 0
	for _, s := range d.Schemes(UK) {
		for i := range s.Sets {
			set := &s.Sets[i]
			if len(set.Rules) != 1 || set.Partial || set.Min[:2] == "17" {
				continue
			}
			m := sugarRule.FindStringSubmatch(set.Rules[0].Text)
			if m == nil {
				continue
			}
			tried++
			q := complete(set.Min, exporter(s)) // of 100 kg
			q.Schemes = []string{s.Code}
			for mass, want := range map[string]string{m[1]: Qualifies, m[1] + ".001": Fails} {
				q.Materials = []Material{{Code: "170199", Origin: "BR", Value: pounds("1"), NetMass: number(mass), Originating: is(false)}}
				if a := d.Answer(q, noRates{}).Schemes[0]; a.Rule != nil && a.Decision != want {
					t.Errorf("%s %s, %s kg: %s, want %s. %s", s.Code, set.Heading, mass, a.Decision, want, a.Why)
				}
			}
		}
	}
	if tried < 2 {
		t.Errorf("only %d rules", tried)
	}
}
