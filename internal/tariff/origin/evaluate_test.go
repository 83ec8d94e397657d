package origin

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

// made is a scheme of the tests: for Canada, with cumulation with the United Kingdom, and further conditions with Mexico.
type made struct {
	rules    map[string][]string // texts of alternatives by heading, "ex 8501 Motors" with a subdivision
	articles map[string]string
	note     string // introductory notes
}

const tenPercentOfPrice = "Notwithstanding paragraph 1, non-originating materials may nevertheless be used, provided that:\n(a) their total value does not exceed 10 % of the ex-works price of the product;\n(b) any of the percentages given in the list are not exceeded.\nThis paragraph shall not apply to products falling within Chapters 50 to 63."

var allArticles = map[string]string{
	sufficientlyMade: tenPercentOfPrice, insufficient: "The following operations are insufficient: " + strings.Repeat("packing ", 10),
	directTransport: "Products shall be transported directly. " + strings.Repeat("Text. ", 10), dutyDrawback: "Materials shall not be subject to drawback. " + strings.Repeat("Text. ", 10),
}

// data builds the scheme.
func (m made) data(t *testing.T) *Data {
	t.Helper()
	schemes := `{"scope":"uk","schemes":[{"scheme_code":"testland","title":"Test","validity_start_date":"2021-01-01","validity_end_date":null,"countries":["CA"],
		"cumulation_methods":{"bilateral":{"countries":["GB","CA"]},"extended":{"countries":["EU","MX"]}},"proofs":[{"summary":"Origin declaration","proof_class":"origin-declaration","subtext":""}]}]}`
	var sets []publishedSet
	or := "or"
	for _, name := range slices.Sorted(maps.Keys(m.rules)) {
		heading, subdivision, _ := strings.Cut(strings.TrimPrefix(name, "ex "), " ")
		set := publishedSet{Heading: strings.TrimSuffix(name, " "+subdivision), Subdivision: subdivision, Min: filled(heading, "0"), Max: filled(heading, "9")}
		for i, text := range m.rules[name] {
			r := publishedRule{Rule: text}
			if i > 0 {
				r.Operator = &or
			}
			set.Rules = append(set.Rules, r)
		}
		sets = append(sets, set)
	}
	rules, err := json.Marshal(map[string]any{"rule_sets": sets})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"roo_schemes_uk.json": schemes, "uk/testland.json": string(rules),
		"uk/proofs/testland/origin-declaration.md": "An exporter may make it out for any consignment whose total value does not exceed £5,500.",
	}
	if m.note != "" {
		files["uk/introductory_notes/testland_intro.md"] = m.note
	}
	for name, text := range m.articles {
		files["uk/articles/testland/"+name+".md"] = text
	}
	var all []File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		all = append(all, File{Name: name, Reader: strings.NewReader(files[name])})
	}
	b, err := Read(all, "")
	if err != nil {
		t.Fatal(err)
	}
	d, err := build(b.documents)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// one returns a scheme with one rule set, for heading 8501.
func one(texts ...string) made {
	return made{rules: map[string][]string{"8501": texts}, articles: allArticles}
}

// motor is a question about a product of heading 8501 with materials.
func motor(materials ...Material) *Question {
	q := complete("8501100000", "CA")
	q.Materials = materials
	return q
}

func foreign(code, value string) Material {
	return Material{Code: code, Origin: "CN", Value: pounds(value), NetMass: number("1"), Originating: is(false)}
}

func own(code, value string) Material {
	return Material{Code: code, Origin: "CA", Value: pounds(value), NetMass: number("1"), Originating: is(true)}
}

func (m made) decide(t *testing.T, q *Question) SchemeBody {
	t.Helper()
	a := m.data(t).Answer(q, noRates{})
	if len(a.Schemes) != 1 {
		t.Fatalf("%d schemes", len(a.Schemes))
	}
	return a.Schemes[0]
}

const (
	otherHeading = "Manufacture from materials of any heading, except that of the product."
	fortyPercent = "Manufacture in which the value of all the materials used does not exceed 40% of the ex-works price of the product."
)

// Each rule is decided to the penny, the gram and the heading.
func TestDecisions(t *testing.T) {
	twenty := otherHeading + " However, materials of the same heading as the product may be used, provided that their total value does not exceed 20% of the ex-works price of the product."
	weight := "Manufacture from materials of any heading, except that of the product, in which the weight of sugar used does not exceed 40% of the weight of the final product."
	grams := func(code, mass string) Material {
		return Material{Code: code, Origin: "CN", Value: pounds("1"), NetMass: number(mass), Originating: is(false)}
	}
	processes := func(codes ...string) *Question {
		q := motor(foreign("850300", "1"))
		q.Production.Processes = codes
		return q
	}
	obtained := func(m Material) Material { m.Obtained = is(true); return m }
	for name, c := range map[string]struct {
		rule string
		q    *Question
		want string
	}{
		"another heading":                    {otherHeading, motor(foreign("850300", "900")), Qualifies},
		"same heading, above the tolerance":  {otherHeading, motor(foreign("850110", "100.01")), Fails},
		"same heading, within the tolerance": {otherHeading, motor(foreign("850110", "100")), Qualifies},
		"same heading, originating":          {otherHeading, motor(own("850110", "500")), Qualifies},
		"at the ceiling":                     {fortyPercent, motor(foreign("850300", "400")), Qualifies},
		"a penny above the ceiling":          {fortyPercent, motor(foreign("850300", "400.01")), Fails},
		"originating materials do not count": {fortyPercent, motor(foreign("850300", "400"), own("740811", "300")), Qualifies},
		"the tolerance does not lift it":     {fortyPercent, motor(foreign("850300", "450")), Fails},
		"allowance, at the limit":            {twenty, motor(foreign("850110", "200")), Qualifies},
		"allowance, a penny above":           {twenty, motor(foreign("850110", "200.01")), Fails},
		"weight, at the limit":               {weight, motor(grams("170199", "40")), Qualifies},
		"weight, a milligram above":          {weight, motor(grams("170199", "40.000001")), Fails},
		"weight, of something else":          {weight, motor(grams("740811", "90")), Qualifies},
		"regional value content":             {"Your goods contain a Regional Value Content (RVC) of at least 55% of the Free on Board (FOB) cost of the goods.", motor(foreign("850110", "495")), Qualifies},
		"regional value content, a penny":    {"Your goods contain a Regional Value Content (RVC) of at least 55% of the Free on Board (FOB) cost of the goods.", motor(foreign("850110", "495.01")), Fails},
		"build-up":                           {"No change in tariff classification required for a good of heading 8501, provided there is a regional value content of not less than 30% under the build-up method.", motor(own("740811", "330")), Qualifies},
		"wholly obtained materials":          {"Manufacture in which all the materials of chapter 4 used are wholly obtained.", motor(obtained(own("040210", "5"))), Qualifies},
		"materials not wholly obtained":      {"Manufacture in which all the materials of chapter 4 used are wholly obtained.", motor(foreign("040210", "200")), Fails},
		"perhaps wholly obtained":            {"Manufacture in which all the materials of chapter 4 used are wholly obtained.", motor(own("040210", "200"), foreign("170199", "1")), NeedsFacts},
		"process done":                       {"Weaving combined with dyeing or with printing.", processes("WEAVING", "DYEING"), Qualifies},
		"process not done":                   {"Weaving combined with dyeing or with printing.", processes("WEAVING"), Fails},
		"special process done":               {"Spinning.", processes("SPINNING_OF_NATURAL_FIBRES"), Qualifies},
		"process too general":                {"Spinning of natural fibres.", processes("SPINNING"), NeedsFacts},
		"both readings hold":                 {"Twisting or any mechanical operation combined with weaving.", processes("TWISTING", "WEAVING"), Qualifies},
		"only one reading holds":             {"Twisting or any mechanical operation combined with weaving.", processes("TWISTING"), NeedsPerson},
		"from a heading":                     {"Manufacture from materials of heading 7206.", motor(foreign("720690", "900")), Qualifies},
		"from another heading":               {"Manufacture from materials of heading 7206.", motor(foreign("720720", "900")), NeedsPerson},
		"described material":                 {otherHeading + " However, handles of base metal may be used.", motor(foreign("850110", "900")), NeedsFacts},
		"not compiled":                       {"On a Tuesday.", motor(foreign("850300", "1")), NeedsPerson},
		"not compiled, all originating":      {"On a Tuesday.", motor(own("850300", "1")), Qualifies},
		"partly compiled, fails":             {"Manufacture in which:\n\n- the value of all the materials used does not exceed 40% of the ex-works price of the product, and\n\n- it is a Tuesday.", motor(foreign("850300", "500")), Fails},
		"partly compiled, may hold":          {"Manufacture in which:\n\n- the value of all the materials used does not exceed 40% of the ex-works price of the product, and\n\n- it is a Tuesday.", motor(foreign("850300", "100")), NeedsPerson},
		"no materials":                       {otherHeading, motor(), NeedsFacts},
	} {
		if got := one(c.rule).decide(t, c.q); got.Decision != c.want {
			t.Errorf("%s: got %s, want %s. %s", name, got.Decision, c.want, got.Why)
		}
	}
}

// A described material is decided by its description, word for word.
func TestDescribedMaterial(t *testing.T) {
	rule := one(otherHeading + " However, handles of base metal may be used.")
	handle := foreign("850110", "900")
	a := rule.decide(t, motor(handle))
	if len(a.FactsNeeded) != 1 || a.FactsNeeded[0].Field != "materials[0].description" || a.FactsNeeded[0].Values[0] != "handles of base metal" {
		t.Fatalf("%+v", a.FactsNeeded)
	}
	handle.Description = "Handles of base metal"
	if a := rule.decide(t, motor(handle)); a.Decision != Qualifies {
		t.Errorf("%s: %s", a.Decision, a.Why)
	}
	handle.Description = "Knobs"
	if a := rule.decide(t, motor(handle)); a.Decision != NeedsPerson {
		t.Errorf("%s: %s", a.Decision, a.Why)
	}
}

// A fact that is not known is asked, by its path in the request, and never assumed.
func TestMissingFacts(t *testing.T) {
	unknown := own("850110", "500")
	unknown.Originating = nil
	noValue := foreign("850300", "1")
	noValue.Value = nil
	for field, change := range map[string]func(*Question){
		"production.country":               func(q *Question) { q.Production.Country = "" },
		"production.onlyMinimalOperations": func(q *Question) { q.Production.Minimal = nil },
		"transport.direct":                 func(q *Question) { q.Direct = nil },
		"consignment.drawbackClaimed":      func(q *Question) { q.Drawback = nil },
		"exWorksPrice":                     func(q *Question) { q.ExWorks = nil },
		"materials[0].value":               func(q *Question) { q.Materials[0] = noValue },
		"materials[0].originating":         func(q *Question) { q.Materials[0] = unknown },
	} {
		q := motor(foreign("850300", "100"))
		change(q)
		a := one(fortyPercent).decide(t, q)
		if a.Decision != NeedsFacts || len(a.FactsNeeded) == 0 || a.FactsNeeded[0].Field != field {
			t.Errorf("%s: got %s, %+v", field, a.Decision, a.FactsNeeded)
		}
	}
	q := motor(foreign("850300", "100")) // far below the ceiling whatever the unknown material is
	q.Materials = append(q.Materials, own("850300", "100"))
	q.Materials[1].Originating = nil
	if a := one(fortyPercent).decide(t, q); a.Decision != Qualifies {
		t.Errorf("a fact that does not matter: %s, %+v", a.Decision, a.FactsNeeded)
	}
}

// What a scheme forbids beside its rules makes goods fail.
func TestRequirementsBesideTheRule(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Question)
		want   string
	}{
		"minimal operations": {func(q *Question) { q.Production.Minimal = is(true) }, Fails},
		"altered in transit": {func(q *Question) { q.Altered = is(true) }, Fails},
		"not direct":         {func(q *Question) { q.Direct = is(false) }, NeedsPerson},
		"drawback":           {func(q *Question) { q.Drawback = is(true) }, Fails},
		"made elsewhere":     {func(q *Question) { q.Production.Country = "CN" }, Fails},
		"made by a party":    {func(q *Question) { q.Production.Country = "GB" }, NeedsPerson},
		"before the scheme":  {func(q *Question) { q.Date, q.Schemes = "2020-12-31", []string{"testland"} }, Fails},
		"another country":    {func(q *Question) { q.ExportCountry, q.Production.Country, q.Schemes = "US", "US", []string{"testland"} }, Fails},
		"wholly obtained":    {func(q *Question) { q.Production.Obtained, q.Production.Minimal, q.Materials = is(true), nil, nil }, Qualifies},
		"not wholly obtained as it has foreign materials": {func(q *Question) { q.Production.Obtained, q.Materials = is(true), []Material{foreign("850110", "900")} }, Fails},
	} {
		q := motor(foreign("850300", "1"))
		c.change(q)
		if got := one(otherHeading).decide(t, q); got.Decision != c.want {
			t.Errorf("%s: got %s, want %s. %s", name, got.Decision, c.want, got.Why)
		}
	}
}

// Materials of a party count as the exporter's; those of other countries only if the caller says that the scheme lets them.
func TestCumulation(t *testing.T) {
	from := func(country, scheme string) Material {
		m := own("850110", "900")
		m.Origin, m.Scheme = country, scheme
		return m
	}
	for name, c := range map[string]struct {
		m    Material
		want string
	}{
		"bilateral":                       {from("GB", ""), Qualifies},
		"extended, not confirmed":         {from("MX", ""), NeedsFacts},
		"extended, confirmed":             {from("MX", "testland"), Qualifies},
		"member of the EU, not confirmed": {from("DE", ""), NeedsFacts},
		"a country that is not named":     {from("CN", ""), Fails},
		"not named, and yet confirmed":    {from("CN", "testland"), NeedsPerson},
	} {
		a := one(otherHeading).decide(t, motor(c.m))
		if a.Decision != c.want {
			t.Errorf("%s: got %s, want %s. %s", name, a.Decision, c.want, a.Why)
		}
	}
	if a := one(otherHeading).decide(t, motor(from("GB", ""))); a.Cumulation.State != "MET" || !strings.Contains(a.Cumulation.Why, "GB") {
		t.Errorf("%+v", a.Cumulation)
	}
}

// Where several rule sets are for a code, the description chooses; if they all agree, it need not.
func TestChoiceAmongSets(t *testing.T) {
	two := made{rules: map[string][]string{"ex 8501 Motors": {otherHeading}, "8501 Other": {fortyPercent}}, articles: allArticles}
	q := motor(foreign("850300", "500"))
	a := two.decide(t, q)
	if a.Decision != NeedsPerson || a.Rule != nil || len(a.PossibleRules) != 2 || !slices.Contains(a.FactsNeeded[0].Values, "Motors") {
		t.Fatalf("%s %+v %+v", a.Decision, a.PossibleRules, a.FactsNeeded)
	}
	q.Description = "motors"
	if a := two.decide(t, q); a.Decision != Qualifies || a.Rule == nil || a.Rule.Subdivision != "Motors" {
		t.Errorf("%s %+v", a.Decision, a.Rule)
	}
	q.Description = "Other"
	if a := two.decide(t, q); a.Decision != Fails {
		t.Errorf("%s %s", a.Decision, a.Why)
	}
	if a := two.decide(t, motor(foreign("850300", "100"))); a.Decision != Qualifies {
		t.Errorf("both hold: %s %s", a.Decision, a.Why)
	}
	part := made{rules: map[string][]string{"ex 8501 Motors": {otherHeading}}, articles: allArticles}
	if a := part.decide(t, motor(foreign("850300", "1"))); a.Decision != NeedsPerson {
		t.Errorf("only a part of the heading has a rule: %s", a.Decision)
	}
	if a := one(otherHeading).decide(t, func() *Question { q := motor(foreign("850300", "1")); q.Code = "8601100000"; return q }()); a.Decision != NeedsPerson {
		t.Errorf("no rule set: %s", a.Decision)
	}
}

// Without introductory notes a person decides on the tolerance of textiles, unless the materials are above every tolerance.
func TestTextiles(t *testing.T) {
	shirt := made{rules: map[string][]string{"6205": {otherHeading}}, articles: allArticles}
	q := complete("6205200000", "CA")
	q.Materials = []Material{foreign("620520", "100")}
	if a := shirt.decide(t, q); a.Decision != NeedsPerson {
		t.Errorf("10 %% of the value: %s", a.Decision)
	}
	q.Materials = []Material{foreign("620520", "900")}
	if a := shirt.decide(t, q); a.Decision != Fails {
		t.Errorf("90 %% of the value, and all of the weight: %s %s", a.Decision, a.Why)
	}
}

// A proof that only an approved exporter can make out is left out for another exporter.
func TestProofs(t *testing.T) {
	q := motor(foreign("850300", "1"))
	for value, want := range map[string]int{"5500": 1, "5500.01": 0} {
		q.Consignment, q.Approved = number(value), is(false)
		if a := one(otherHeading).decide(t, q); len(a.Proofs) != want {
			t.Errorf("%s: %+v", value, a.Proofs)
		}
	}
	q.Approved = is(true)
	a := one(otherHeading).decide(t, q)
	if len(a.Proofs) != 1 || a.Proofs[0].Limit.String() != "5500" || !strings.Contains(a.Proofs[0].Wording, "An exporter may") {
		t.Errorf("%+v", a.Proofs)
	}
}

// The same question has the same answer, byte for byte.
func TestDeterministic(t *testing.T) {
	m := one(otherHeading, fortyPercent, "Spinning of natural fibres.")
	q := motor(foreign("850110", "300"), own("850300", "5"), foreign("850300", "200"))
	q.Production.Listed = false
	first, _ := json.Marshal(m.decide(t, q))
	for range 20 {
		if again, _ := json.Marshal(m.decide(t, q)); string(again) != string(first) {
			t.Fatalf("%s\n%s", first, again)
		}
	}
}

// The tolerances of the published articles are read with their chapters, bases and percentages.
func TestTolerances(t *testing.T) {
	d := published(t)
	for _, c := range []struct{ scheme, product, want string }{
		{"albania", "8501100000", "10% ex-works price"}, {"albania", "6205200000", ""}, {"cameroon", "8501100000", "15% ex-works price"},
		{"cotedivoire", "8501100000", "10% to 15% ex-works price"}, {"eu", "0402100000", "15% net mass"}, {"eu", "0301910000", "10% ex-works price"}, {"eu", "1604140000", ""},
		{"eu", "8501100000", "10% ex-works price"}, {"vietnam", "0402100000", "10% net mass, 10% ex-works price"}, {"japan", "0402100000", "10% ex-works price, 10% free on board price"},
		{"australia", "6205200000", "10% net mass, 10% free on board price"}, {"new-zealand", "8501100000", "15% free on board price"}, {"india", "0101210000", "7.5% free on board price, 7.5% net mass"},
		{"india", "8501100000", "12.5% free on board price"}, {"cptpp", "0402100000", ""}, {"cptpp", "8501100000", "10% free on board price"}, {"dcts-ldcs", "8501100000", ""},
	} {
		s, ok := d.Scheme(UK, c.scheme)
		if !ok {
			t.Fatal(c.scheme)
		}
		var got []string
		for _, a := range s.tolerance.of(c.product) {
			text := percentText(a.sure)
			if a.most.Cmp(a.sure) != 0 {
				text += " to " + percentText(a.most)
			}
			got = append(got, text+" "+baseNames[a.base])
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s, %s: %v, want %s", c.scheme, c.product, got, c.want)
		}
	}
}
