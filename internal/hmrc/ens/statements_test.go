package ens_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/rule"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

// statedRule is a rule as HMRC's list states it.
type statedRule struct {
	name   string // the file of HMRC and the number in it
	file   string
	number int
	at     string // path below the root; "." for the root
	places map[string]int
	holds  condition
	paths  []string // that it names, and its own

	held, broken int // elements for which it held, and for which not
}

// sets are the names of HMRC's lists.
var sets = []struct {
	name, message string
	generation    verdict.Generation
}{
	{"315", schema.Declaration, verdict.Old}, {"315New", schema.Declaration, verdict.New}, {"313", schema.Amendment, verdict.Old}, {"313New", schema.Amendment, verdict.New},
}

var (
	namedPath = regexp.MustCompile(`(\.\./)*\b[A-Z][A-Za-z0-9]*[A-Z0-9][A-Za-z0-9]*(/[A-Z][A-Za-z0-9]+)*`)
	quoted    = regexp.MustCompile(`«[^»]*»`)
)

// statedRules reads the list of rules, and the paths and texts that they name.
func statedRules(t *testing.T) (rules []statedRule, paths, texts []string) {
	t.Helper()
	list, err := os.ReadFile(published + "rules.tsv")
	if err != nil {
		t.Skip("HMRC's rules are not at hand:", err)
	}
	named, inQuotes := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(string(list)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if f[0] == "rule" || strings.HasPrefix(line, "#") {
			continue
		}
		number, err := strconv.Atoi(f[3])
		if err != nil {
			t.Fatal(err)
		}
		r := statedRule{name: f[0], number: number, at: cmp.Or(strings.TrimPrefix(strings.TrimPrefix(f[4], "/CC31xA"), "/"), "."), places: placesOf(f[1], f[2])}
		r.file, _, _ = strings.Cut(r.name, ".")
		if r.holds, err = parseStatement(f[6]); err != nil {
			t.Fatal(r.name, err)
		}
		r.paths = []string{r.at}
		for _, p := range namedPath.FindAllString(f[6], -1) {
			r.paths = append(r.paths, absolute(r.at, p))
		}
		r.paths = slices.DeleteFunc(r.paths, func(p string) bool { return p == "." })
		for _, p := range r.paths {
			named[p] = true
		}
		for _, q := range quoted.FindAllString(f[6], -1) {
			inQuotes[strings.Trim(q, "«»")] = true
		}
		rules = append(rules, r)
	}
	return rules, slices.Sorted(maps.Keys(named)), slices.Sorted(maps.Keys(inQuotes))
}

// placesOf returns the place of a rule in each list that has it.
func placesOf(in, order string) map[string]int {
	places := map[string]int{}
	for _, s := range sets {
		if in != "all" && !slices.Contains(strings.Split(in, ","), s.name) {
			continue
		}
		places[s.name], _ = strconv.Atoi(order)
		for of := range strings.SplitSeq(order, ",") {
			if name, n, ok := strings.Cut(of, ":"); ok && name == s.name {
				places[s.name], _ = strconv.Atoi(n)
			}
		}
	}
	return places
}

// absolute returns a path below the root that is given from another.
func absolute(from, path string) string {
	steps := strings.Split(from, "/")
	if from == "." {
		steps = nil
	}
	for strings.HasPrefix(path, "../") {
		path, steps = path[3:], steps[:len(steps)-1]
	}
	return strings.Join(append(slices.Clone(steps), path), "/")
}

// judge returns the verdicts by one of HMRC's lists, in its order, and counts for each rule where it holds and where not.
func judge(list []*statedRule, root *element.Element) (found []string) {
	for len(list) > 0 {
		same := 1
		for same < len(list) && list[same].file == list[0].file {
			same++
		}
		for _, e := range hits(root, list[0].at) {
			for _, r := range list[:same] {
				if r.holds(scope{this: e}) {
					r.held++
				} else {
					r.broken++
					found = append(found, strconv.Itoa(r.number)+" "+placeOf(e))
				}
			}
		}
		list = list[same:]
	}
	return found
}

// listOf returns the rules of a list in its order.
func listOf(rules []statedRule, set string) (list []*statedRule) {
	for i := range rules {
		if rules[i].places[set] > 0 {
			list = append(list, &rules[i])
		}
	}
	slices.SortStableFunc(list, func(a, b *statedRule) int { return cmp.Compare(a.places[set], b.places[set]) })
	return list
}

func placeOf(e *element.Element) string {
	if e.Parent == nil {
		return "/ie:" + e.Name.Local + "[1]"
	}
	n := 0
	for _, c := range e.Parent.Children {
		if c.Name.Local == e.Name.Local {
			n++
		}
		if c == e {
			break
		}
	}
	return fmt.Sprintf("%s/%s[%d]", placeOf(e.Parent), e.Name.Local, n)
}

// editor makes random changes in a declaration, of the elements and texts that the rules name.
type editor struct {
	*rand.Rand
	paths, texts []string
}

// commonTexts are texts at the limits of the rules, besides those that the rules name.
var commonTexts = []string{
	"", " ", "0", "00", "01", "1", " 1 ", "2", "3", "4", "8", "08", "10", "11", "12", "10600", " 10600", "GB", "gb1", "GB123456789000", " GB1", "FR1", "XI1",
	"+1", "-1", ".5", "5.", "0.5", "00.5", "1.234", "1.2345", "12345678.901", "123456789012", "1.2.3", "1,5", "9811000", "98110001", "981100011",
	"BA123", "BA12345", "B1", "BAAB", "XFER", "XFERA1", " XFERA1:B2", "XFERA1:B2-C3", "XFER-A", "AXFER", "A\nB", "A \n", "GB1/0000000001", "GB1/000000001", "C ", "ne", "NE",
}

func (x editor) pick(all []string) string { return all[x.IntN(len(all))] }

// set gives all elements at a path a text, or one more element.
func (x editor) set(root *element.Element, path, text string) {
	found := hits(root, path)
	if len(found) == 0 {
		add(root, path, x)
		found = hits(root, path)
	}
	for _, e := range found {
		if len(e.Children) == 0 {
			e.Content = text
		}
	}
}

// edit makes one change at one of some paths.
func (x editor) edit(root *element.Element, among []string) {
	path := x.pick(among)
	found := hits(root, path)
	if len(found) == 0 || x.IntN(6) == 0 {
		add(root, path, x)
		return
	}
	e := found[x.IntN(len(found))]
	others := hits(root, x.pick(among))
	switch x.IntN(5) {
	case 0:
		at := slices.Index(e.Parent.Children, e)
		e.Parent.Children = slices.Delete(e.Parent.Children, at, at+1)
	case 1:
		e.Parent.Children = append(e.Parent.Children, clone(e, e.Parent))
	case 2:
		if len(e.Children) == 0 && len(others) > 0 {
			e.Content = others[x.IntN(len(others))].Content
		}
	default:
		if len(e.Children) == 0 {
			e.Content = x.pick(x.texts)
		}
	}
}

// add adds an element at a path, with those that it stands in.
func add(root *element.Element, path string, x editor) {
	e := root
	steps := strings.Split(path, "/")
	for i, step := range steps {
		in := hits(e, step)
		if i == len(steps)-1 || len(in) == 0 {
			e.Append(element.New(step, ""))
			in = e.Children[len(e.Children)-1:]
		}
		e = in[x.IntN(len(in))]
	}
	if !slices.ContainsFunc(x.paths, func(p string) bool { return strings.HasPrefix(p, path+"/") }) {
		e.Content = x.pick(x.texts)
	}
}

func clone(e, parent *element.Element) *element.Element {
	c := &element.Element{Name: e.Name, Raw: e.Raw, Content: e.Content, Parent: parent}
	for _, child := range e.Children {
		c.Children = append(c.Children, clone(child, c))
	}
	return c
}

// comparison compares the rules with HMRC's list.
type comparison struct {
	*testing.T
	rules    []statedRule
	lists    [4][]*statedRule // those of sets
	compared int
}

// compare compares what is found in a declaration by one of the lists.
func (c *comparison) compare(root *element.Element, list int) {
	c.Helper()
	set := sets[list]
	root.Name.Local, root.Name.Space = set.message, schema.Space(set.message)
	document := element.Write(root, "ie")
	root, err := element.Read(document)
	if err != nil {
		c.Fatalf("%v in %s", err, document)
	}
	found := []string{}
	for _, e := range rule.Check(root, set.generation) {
		found = append(found, strconv.Itoa(e.Number)+" "+e.Location)
	}
	if stated := judge(c.lists[list], root); !slices.Equal(found, stated) {
		c.Fatalf("%s: found %q, stated %q in %s", set.name, found, stated, document)
	}
	c.compared++
}

// long reports whether the long tests run.
func long() bool { return os.Getenv("TIDEWAITER_LONG") != "" }

// Of declarations that are changed at random, and in which each element that a rule names has each text (half of
// them, except in long tests), the rules find what HMRC's
// list states: the same numbers and locations in the same order, in each of the four lists. Every statement holds for some of them and not for others. The list is read by an interpreter
// that shares nothing with the rules, so what is not among the test cases is compared too.
func TestStatedRules(t *testing.T) {
	rules, paths, texts := statedRules(t)
	if len(rules) != 204 {
		t.Fatalf("%d rules", len(rules))
	}
	cases, texts := publishedCases(t), slices.Compact(slices.Sorted(slices.Values(append(texts, commonTexts...))))
	c := &comparison{T: t, rules: rules}
	for i, set := range sets {
		c.lists[i] = listOf(rules, set.name)
	}
	x := editor{rand.New(rand.NewPCG(31, 5)), paths, texts}
	rounds, share := 1, 2
	if long() {
		rounds, share = 10, 1
	}
	for round := range rounds {
		for i, path := range paths {
			c.texts(x, path, cases, func(text int) bool { return (text+i+round)%share == 0 })
		}
	}
	for list := range sets {
		c.crowds(cases[0].document, list)
	}
	rarest := c.compared
	for _, r := range rules {
		if rarest = min(rarest, r.broken); r.broken == 0 || r.held == 0 && !isNever(r.number) {
			t.Errorf("rule %s (%d) held %d times and was broken %d times", r.name, r.number, r.held, r.broken)
		}
	}
	t.Logf("%d declarations compared; the rule that was broken least was broken %d times", c.compared, rarest)
}

// transportMode is the element on which most rules depend.
const transportMode = "HEAHEA/TraModAtBorHEA76"

// texts compares declarations in which the elements at a path have each text that is taken, after changes that the rules about it name. If those
// depend on the mode of transport, several modes are tried.
func (c *comparison) texts(x editor, path string, cases []testCase, taken func(text int) bool) {
	c.Helper()
	related := slices.DeleteFunc(slices.Clone(c.rules), func(r statedRule) bool { return !slices.Contains(r.paths, path) })
	modes := []string{""}
	if slices.ContainsFunc(related, func(r statedRule) bool { return slices.Contains(r.paths, transportMode) }) && path != transportMode {
		modes = []string{"1", "2", "3", "4", "8", "10", ""}
	}
	for i, text := range x.texts {
		root, err := element.Read(cases[x.IntN(len(cases))].document)
		if err != nil || len(root.Children) == 0 || !taken(i) {
			continue
		}
		for range x.IntN(6) {
			x.edit(root, related[x.IntN(len(related))].paths)
		}
		for range x.IntN(3) {
			x.edit(root, x.paths)
		}
		x.set(root, path, text)
		for _, mode := range modes {
			if mode != "" {
				x.set(root, transportMode, mode)
			}
			c.compare(root, (i+x.IntN(2))%len(sets))
		}
	}
}

// crowds compares declarations with as many elements as HMRC allows, and with one more.
func (c *comparison) crowds(document []byte, list int) {
	c.Helper()
	for path, most := range map[string]int{"GOOITEGDS": 999, "SEAID529": 9999, "GOOITEGDS/IDEMEATRAGI970": 999} {
		for _, n := range []int{most, most + 1} {
			root, err := element.Read(document)
			if err != nil {
				c.Fatal(err)
			}
			above, name, _ := strings.Cut(path, "/")
			parent := root
			if name == "" {
				name = above
			} else {
				parent = hits(root, above)[0]
			}
			parent.Children = slices.DeleteFunc(parent.Children, func(e *element.Element) bool { return e.Name.Local == name })
			for range n {
				parent.Append(element.New(name, ""))
			}
			c.compare(root, list)
		}
	}
}

// isNever reports whether a rule is about an element that must not occur: no such element keeps it.
func isNever(number int) bool { return number >= 8656 && number <= 8665 }
