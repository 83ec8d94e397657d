package importer

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// elementTable lists every element of HMRC's schema with its facets.
const elementTable = "../../../../../shared/customs/wco_elements.csv"

// randomDocuments is the number of documents that are made from the schema alone.
const randomDocuments = 300

// ofRequests are elements of amendments and of other requests, which no original declaration has.
var ofRequests = []string{"Declaration/ID", "Declaration/Amendment", "Declaration/AdditionalInformation/Pointer"}

// element is an element of the schema with those within it.
type element struct {
	name, base, facets, attributes string
	least, most                    int
	within                         []*element
}

// schemaElements returns the Declaration of the schema.
func schemaElements(t *testing.T) *element {
	t.Helper()
	file, err := os.Open(elementTable)
	if err != nil {
		t.Skip("the list of elements is not here")
	}
	defer file.Close() // it was only read
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) int { return slices.Index(records[0], name) }
	all := map[string]*element{}
	for _, r := range records[1:] {
		path := r[at("path")]
		if r[at("schema")] != "DEC" || slices.Contains(ofRequests, path) || strings.HasSuffix(path, "/AccessCode") {
			continue
		}
		e := &element{name: filepath.Base(path), base: r[at("base")], facets: r[at("facets")], attributes: r[at("attrs")], most: 3}
		e.least, _ = strconv.Atoi(r[at("min")])
		if r[at("max")] == "1" {
			e.most = 1
		}
		all[path] = e
		if parent := all[filepath.Dir(path)]; parent != nil {
			parent.within = append(parent.within, e)
		}
	}
	return all["Declaration"]
}

// facet returns the number after a facet's name; 0 if it is absent.
func (e *element) facet(name string) (n int) {
	if _, after, found := strings.Cut(e.facets, name+"="); found {
		_, _ = fmt.Sscanf(after, "%d", &n)
	}
	return n
}

// largest is the number of digits of the largest numbers. The service refuses amounts and masses of more than a billion by name.
const largest = 9

// isMass reports whether an element is a mass, which is in kilograms.
func isMass(name string) bool {
	return strings.Contains(name, "Mass") || strings.Contains(name, "Weight")
}

// documentWriter writes documents with any of the elements.
type documentWriter struct {
	*rand.Rand
	strings.Builder
	share int // of the optional elements, in percent
}

func (w *documentWriter) element(e *element, path string) {
	attribute := ""
	switch {
	case strings.Contains(e.attributes, "currencyID"):
		attribute = ` currencyID="` + []string{"GBP", "USD", "JPY"}[w.IntN(3)] + `"`
	case strings.Contains(e.attributes, "unitCode") && strings.Contains(e.facets, "fractionDigits=6") && !isMass(e.name):
		attribute = ` unitCode="` + []string{"KGM", "LTR", "KGM#G"}[w.IntN(3)] + `"`
	case strings.Contains(e.attributes, "listID") && w.IntN(10) == 0:
		attribute = ` listID="ignored"`
	}
	fmt.Fprintf(w, "<%s%s>", e.name, attribute)
	switch path {
	case "Declaration/FunctionCode":
		w.WriteString("9")
	case "Declaration/TypeCode":
		w.WriteString([]string{"IM", "EX", "CO"}[w.IntN(3)] + []string{"A", "D", "Y", "Z", "C", "F", "J", "K"}[w.IntN(8)])
	default:
		if e.within == nil {
			w.WriteString(w.value(e))
		}
	}
	only := -1 // what an element has at least, because one without anything says nothing
	if len(e.within) > 0 {
		only = w.IntN(len(e.within))
	}
	for n, child := range e.within {
		below := path + "/" + child.name
		count := child.least
		if n == only || w.IntN(100) < w.share || below == "Declaration/FunctionCode" || below == "Declaration/TypeCode" || below == "Declaration/GoodsShipment" || child.name == "GovernmentAgencyGoodsItem" {
			count = max(1, 1+w.IntN(child.most))
		}
		for range count {
			w.element(child, below)
		}
	}
	fmt.Fprintf(w, "</%s>", e.name)
}

// value returns one that the facets allow, of any length.
func (w *documentWriter) value(e *element) string {
	most := max(e.facet("maxLength"), e.facet("length"), e.facet("totalDigits"), 1)
	n := 1 + w.IntN(most)
	if e.facet("length") > 0 {
		n = most
	}
	digits := func(n int) string {
		return strconv.Itoa(1+w.IntN(9)) + strings.Repeat(strconv.Itoa(w.IntN(10)), n-1)
	}
	switch {
	case strings.Contains(e.facets, "enumeration=0"):
		return strconv.Itoa(w.IntN(2))
	case strings.Contains(e.attributes, "formatCode"):
		return []string{
			`<t:DateTimeString formatCode="304">20261121093000Z</t:DateTimeString>`, `<t:DateTimeString formatCode="304">20260621093000+01</t:DateTimeString>`,
			`<t:DateTimeString formatCode="102">20261121</t:DateTimeString>`,
		}[w.IntN(3)]
	case e.base == "xsd:decimal" && e.facet("fractionDigits") == 0:
		return digits(min(n, 5))
	case e.base == "xsd:decimal":
		places := w.IntN(e.facet("fractionDigits") + 1)
		whole := digits(max(1, min(n, largest, most-places)))
		if places > 0 {
			return whole + "." + digits(places)
		}
		return whole
	case strings.Contains(e.facets, "[0-9]"):
		return digits(n)
	case strings.Contains(e.facets, "[a-zA-Z]"):
		return strings.Repeat(string(rune('A'+w.IntN(26))), n)
	}
	return w.text(n)
}

// text returns a text of a length that begins and ends with a letter or digit, in which others have any characters.
func (w *documentWriter) text(n int) string {
	var out []string
	for at := range n {
		if at == 0 || at == n-1 {
			out = append(out, string("ABCDEFGHabcdefgh0123456789"[w.IntN(26)]))
			continue
		}
		out = append(out, []string{"a", "Z", "7", " ", "-", "/", ".", ";", "&amp;", "&lt;", "'", `"`, "#", "ü", "€", "[", "="}[w.IntN(17)])
	}
	return strings.Join(strings.Fields(strings.Join(out, "")), " ") // the schema joins the white space of codes
}

// Documents with any elements of HMRC's schema, each with any value that its facets allow, are imported and come out equal.
func TestAnyElementsOfTheSchema(t *testing.T) {
	root := schemaElements(t)
	folder := t.TempDir()
	texts := make([]string, randomDocuments)
	for n := range texts {
		w := documentWriter{Rand: rand.New(rand.NewPCG(variantSeed, uint64(n))), share: []int{10, 30, 60}[n%3]}
		w.WriteString(`<md:MetaData xmlns="urn:wco:datamodel:WCO:DEC-DMS:2" xmlns:md="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2" xmlns:t="urn:wco:datamodel:WCO:Declaration_DS:DMS:2">`)
		w.element(root, root.name)
		w.WriteString("</md:MetaData>")
		texts[n] = w.String()
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%04d.xml", n)), []byte(texts[n]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	invalid := invalidFiles(t, folder)
	for n, text := range texts {
		if name := fmt.Sprintf("%04d.xml", n); !invalid[name] {
			if problem := comesOutEqual(t, []byte(text)); problem != "" {
				t.Errorf("%s: %s", name, problem)
			}
		}
	}
	t.Logf("%d of %d documents are valid", len(texts)-len(invalid), len(texts))
	if len(invalid) > len(texts)/5 {
		t.Errorf("%d documents are not valid", len(invalid))
	}
}
