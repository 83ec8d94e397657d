package wco_test

import (
	"encoding/csv"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

type row struct{ path, kind, base, facets, attributes string }

// declared is the list of every element of HMRC's schema for declarations, in its order.
func declared(t *testing.T) []row {
	t.Helper()
	file, err := os.Open(shared + "/wco_elements.csv")
	if err != nil {
		t.Skip("the list of elements is not beside the project")
	}
	defer file.Close() // it was only read
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) int { return slices.Index(records[0], name) }
	var rows []row
	for _, r := range records[1:] {
		if r[at("schema")] == "DEC" {
			rows = append(rows, row{r[at("path")], r[at("kind")], r[at("base")], r[at("facets")], r[at("attrs")]})
		}
	}
	return rows
}

// value is one that the facets of a row allow, as long as they allow.
func (r row) value() string {
	var n int
	if found := regexp.MustCompile(`(?:totalDigits|maxLength|length)=(\d+)`).FindStringSubmatch(r.facets); found != nil {
		for _, c := range found[1] {
			n = n*10 + int(c-'0')
		}
	}
	enumeration := regexp.MustCompile(`enumeration=(\S+)`).FindStringSubmatch(r.facets)
	switch {
	case enumeration != nil:
		return enumeration[1]
	case strings.Contains(r.attributes, "formatCode"):
		return `<t:DateTimeString formatCode="304">20261121093000Z</t:DateTimeString>`
	case r.base == "xsd:decimal" && n == 0:
		return "12.5"
	case r.base == "xsd:decimal" && strings.Contains(r.facets, "fractionDigits=0"), strings.Contains(r.facets, "[0-9]"):
		return strings.Repeat("1", n)
	case r.base == "xsd:decimal":
		return "123456789.125"
	default:
		return strings.Repeat("A", n)
	}
}

// everything is a document that has each element of the schema once.
func everything(rows []row) string {
	var out strings.Builder
	var open []string
	for _, r := range rows {
		steps := strings.Split(r.path, "/")
		for len(open) >= len(steps) {
			out.WriteString("</" + open[len(open)-1] + ">")
			open = open[:len(open)-1]
		}
		name := steps[len(steps)-1]
		out.WriteString("<" + name + ">")
		open = append(open, name)
		if r.kind == "field" {
			out.WriteString(r.value())
		}
	}
	for _, name := range slices.Backward(open) {
		out.WriteString("</" + name + ">")
	}
	return out.String()
}

// Every element of HMRC's schema has its field, in its order and to its full length.
func TestEveryElementOfTheSchema(t *testing.T) {
	inside := everything(declared(t))
	document := strings.Replace(metadata(inside), "<Declaration><Declaration>", "<Declaration>", 1)
	document = strings.Replace(document, "</Declaration></Declaration>", "</Declaration>", 1)
	document = strings.Replace(document, "<m:MetaData ", `<m:MetaData xmlns:t="urn:wco:datamodel:WCO:Declaration_DS:DMS:2" `, 1)
	d, err := wco.Decode([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	written := encode(t, d)
	_, got, _ := strings.Cut(string(written), "v2.1</md:AgencyAssignedCustomizationVersionCode>")
	got = strings.ReplaceAll(got, `<DateTimeString xmlns="urn:wco:datamodel:WCO:Declaration_DS:DMS:2"`, "<t:DateTimeString")
	got = strings.ReplaceAll(got, "</DateTimeString>", "</t:DateTimeString>")
	if got = strings.TrimSuffix(got, "</md:MetaData>\n"); got != inside {
		t.Errorf("written %s\nread    %s", got, inside)
	}
	mustBeValid(t, submitSchema, [][]byte{[]byte(document), written})
}
