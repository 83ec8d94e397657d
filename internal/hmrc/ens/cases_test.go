package ens_test

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/xmltree"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

const published = "../../../../shared/authorities/safety-security/"

// testCase is one of HMRC's test cases: a document and the errors that HMRC expects.
type testCase struct {
	name       string // file in its folder
	generation verdict.Generation
	schema     bool // a case for the schema, which expects any error or none
	document   []byte
	control    *xmltree.Element
}

// verdicts are the numbers and locations that HMRC compares, in order. An error without a number says that the document breaks
// the schema, and nothing is expected of the rules.
func (c testCase) verdicts() (all []string) {
	for e := range c.control.All("Error") {
		if n := e.Text("Number"); n != "" {
			all = append(all, n+" "+e.Text("Location"))
		}
	}
	slices.Sort(all)
	return all
}

func verdictsOf(found []verdict.Error) (all []string) {
	for _, e := range found {
		all = append(all, strconv.Itoa(e.Number)+" "+e.Location)
	}
	slices.Sort(all)
	return all
}

// publishedCases reads HMRC's test cases, as far as they are at hand.
func publishedCases(t testing.TB) (cases []testCase) {
	t.Helper()
	file, err := os.Open(published + "cases/ens-cases.tar.gz")
	if err != nil {
		t.Skip("HMRC's test cases are not at hand:", err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for archive := tar.NewReader(unpacked); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[header.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
	for name, document := range files {
		base, ok := strings.CutSuffix(name, ".xml")
		if !ok {
			continue
		}
		control, err := xmltree.Read(files[base+".ctl"], xmltree.Limits{Elements: 10_000, Content: 10_000}, "http://www.govtalk.gov.uk/CM/errorresponse")
		if err != nil {
			t.Fatal(name, err)
		}
		c := testCase{name: name, generation: verdict.Old, document: document, control: control, schema: strings.HasPrefix(path.Base(path.Dir(name)), "schema")}
		if strings.HasSuffix(path.Dir(name), "New") {
			c.generation = verdict.New
		}
		cases = append(cases, c)
	}
	slices.SortFunc(cases, func(a, b testCase) int { return cmp.Compare(a.name, b.name) })
	return cases
}

// tally counts the cases whose verdict is HMRC's, and names some that differ.
type tally struct {
	right, all int
	wrong      []string
}

func (c *tally) add(right bool, format string, args ...any) {
	c.all++
	if right {
		c.right++
	} else if len(c.wrong) < 20 {
		c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
	}
}

func (c *tally) report(t *testing.T, what string) {
	t.Helper()
	t.Logf("%s: %d of %d verdicts are HMRC's", what, c.right, c.all)
	if c.right < c.all {
		t.Errorf("%s: %s", what, strings.Join(c.wrong, "\n"))
	}
}

// Of every published test case, the numbers and locations are HMRC's. The rules are applied alone, and the schema says whether
// anything is wrong, as HMRC compares them.
func TestPublishedCases(t *testing.T) {
	var rules, schemas tally
	for _, c := range publishedCases(t) {
		if c.schema {
			expected := c.control.At("Error") != nil
			root, err := element.Read(c.document)
			found := schema.Check(root, err, c.generation, schema.Declaration, schema.Amendment)
			schemas.add(expected == (len(found) > 0), "%s: %v", c.name, found)
			continue
		}
		found := verdictsOf(ens.CheckRules(c.document, c.generation))
		rules.add(slices.Equal(found, c.verdicts()), "%s: found %q, HMRC %q", c.name, found, c.verdicts())
	}
	rules.report(t, "rules")
	schemas.report(t, "schema")
}
