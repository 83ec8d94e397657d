package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

// smallest is a declaration with only what the schema needs.
const smallest = `<ie:CC315A xmlns:ie="http://ics.dgtaxud.ec/CC315A"><MesSenMES3>GB1/1</MesSenMES3><DatOfPreMES9>260101</DatOfPreMES9>` +
	`<TimOfPreMES10>0930</TimOfPreMES10><MesIdeMES19>M1</MesIdeMES19><MesTypMES20>CC315A</MesTypMES20>` +
	`<HEAHEA><RefNumHEA4>LRN1</RefNumHEA4><TraModAtBorHEA76>10</TraModAtBorHEA76><DecDatTimHEA114>202601010930</DecDatTimHEA114></HEAHEA>` +
	`<GOOITEGDS><IteNumGDS7>1</IteNumGDS7></GOOITEGDS><PERLODSUMDEC><TINPLD1>GB1</TINPLD1></PERLODSUMDEC>` +
	`<CUSOFFFENT730><RefNumCUSOFFFENT731>GB000060</RefNumCUSOFFFENT731><ExpDatOfArrFIRENT733>202601011200</ExpDatOfArrFIRENT733></CUSOFFFENT730></ie:CC315A>`

func find(document string, g verdict.Generation) (found []string) {
	root, err := element.Read([]byte(document))
	for _, e := range schema.Check(root, err, g, schema.Declaration, schema.Amendment) {
		found = append(found, fmt.Sprintf("%d %s", e.Number, e.Location))
	}
	return found
}

// What violates the schema has the number and place that HMRC's validator gives it.
func TestCheck(t *testing.T) {
	const root, item = "/ie:CC315A[1]", "/ie:CC315A[1]/GOOITEGDS[1]"
	seals := func(n int) string { return strings.Repeat("<SEAID529><SeaIdSEAID530>S</SeaIdSEAID530></SEAID529>", n) }
	documents := func(n int) string {
		return "</IteNumGDS7>" + strings.Repeat("<PRODOCDC2><DocTypDC21>N1</DocTypDC21><DocRefDC23>R</DocRefDC23></PRODOCDC2>", n)
	}
	for _, c := range []struct {
		what, old, new string
		want           []string
	}{
		{"as it is", "", "", nil},
		{"another prefix", "ie", "x", nil},
		{"instructions and comments", "<HEAHEA>", "<!-- c --><?p i?><HEAHEA><!-- c -->", nil},
		{"text in parts", "LRN1", "LR<!-- c --><![CDATA[N]]>&#49;", nil},
		{"white space around a token", ">GB000060<", ">\n GB000060\t<", nil},
		{"a schema's address", " xmlns:ie", ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b" xmlns:ie`, nil},
		{"many seals", "<CUSOFFFENT730>", seals(300) + "<CUSOFFFENT730>", nil},
		{"99 documents", "</IteNumGDS7>", documents(99), nil},
		{"an unknown element", "<HEAHEA>", "<HEAHEA><Foo>1</Foo>", []string{"4065 " + root + "/HEAHEA[1]"}},
		{"an element too early", "<MesIdeMES19>", "<HEAHEA/><MesIdeMES19>", []string{"4065 " + root, "4066 " + root + "/HEAHEA[1]"}},
		{"an element twice", "<MesIdeMES19>", "<TimOfPreMES10>0930</TimOfPreMES10><MesIdeMES19>", []string{"4065 " + root}},
		{"a namespace where none belongs", "<HEAHEA>", `<HEAHEA xmlns="u">`, []string{"4065 " + root}},
		{"one error for each group", "<HEAHEA>", "<HEAHEA><Foo/><Foo/>", []string{"4065 " + root + "/HEAHEA[1]"}},
		{"an element too much", "</PERLODSUMDEC>", "<TINPLD1>GB1</TINPLD1></PERLODSUMDEC>", []string{"4051 " + root + "/PERLODSUMDEC[1]"}},
		{"100 documents", "</IteNumGDS7>", documents(100), []string{"4999 " + item}},
		{"a group without its end", "<TINPLD1>GB1</TINPLD1>", "", []string{"4066 " + root + "/PERLODSUMDEC[1]"}},
		{"text in a group", "<HEAHEA>", "<HEAHEA>text", []string{"4053 " + root + "/HEAHEA[1]"}},
		{"an element in a text", ">LRN1<", ">LRN1<b/><", []string{"4051 " + root + "/HEAHEA[1]/RefNumHEA4[1]"}},
		{"an attribute of a group", "<HEAHEA>", `<HEAHEA a="1">`, []string{"4000 " + root}},
		{"an attribute of a text", "<RefNumHEA4>", `<RefNumHEA4 a="1">`, []string{"4068 " + root + "/HEAHEA[1]"}},
		{"nil", "<HEAHEA>", `<HEAHEA xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true">`, []string{"4003 " + root}},
		{"a text too long", ">LRN1<", ">" + strings.Repeat("L", 23) + "<", []string{"4085 " + root + "/HEAHEA[1]/RefNumHEA4[1]", "4065 " + root + "/HEAHEA[1]/RefNumHEA4[1]"}},
		{"an empty text", ">LRN1<", "><", []string{"4085 " + root + "/HEAHEA[1]/RefNumHEA4[1]", "4065 " + root + "/HEAHEA[1]/RefNumHEA4[1]"}},
		{"characters beyond the basic plane count twice", ">LRN1<", ">" + strings.Repeat("\U0001F34A", 12) + "<", []string{"4083 " + root + "/HEAHEA[1]/RefNumHEA4[1]", "4065 " + root + "/HEAHEA[1]/RefNumHEA4[1]"}},
		{"a code", ">CC315A<", ">CC999A<", []string{"4080 " + root + "/MesTypMES20[1]", "4065 " + root + "/MesTypMES20[1]"}},
		{"an EORI too short", ">GB1<", ">GB<", []string{"4082 " + root + "/PERLODSUMDEC[1]/TINPLD1[1]", "4065 " + root + "/PERLODSUMDEC[1]/TINPLD1[1]"}},
		{"an EORI too long", ">GB1<", ">GB1234567890123456<", []string{"4083 " + root + "/PERLODSUMDEC[1]/TINPLD1[1]", "4065 " + root + "/PERLODSUMDEC[1]/TINPLD1[1]"}},
		{"white space in an EORI counts", ">GB1<", "> GB1<", []string{"4085 " + root + "/PERLODSUMDEC[1]/TINPLD1[1]", "4065 " + root + "/PERLODSUMDEC[1]/TINPLD1[1]"}},
		{"a mass that is no number", "</IteNumGDS7>", "</IteNumGDS7><GroMasGDS46>1,5</GroMasGDS46>", []string{"4020 " + item + "/GroMasGDS46[1]", "4065 " + item + "/GroMasGDS46[1]"}},
		{"digits after the point", "</IteNumGDS7>", "</IteNumGDS7><GroMasGDS46>1.00010</GroMasGDS46>", []string{"4081 " + item + "/GroMasGDS46[1]", "4065 " + item + "/GroMasGDS46[1]"}},
		{"digits in all", "</IteNumGDS7>", "</IteNumGDS7><GroMasGDS46>123456789012</GroMasGDS46>", []string{"4086 " + item + "/GroMasGDS46[1]", "4065 " + item + "/GroMasGDS46[1]"}},
		{"zeros do not count", "</IteNumGDS7>", "</IteNumGDS7><GroMasGDS46>+00012345678.9010</GroMasGDS46>", nil},
		{"a method of payment too long", "</IteNumGDS7>", "</IteNumGDS7><MetOfPayGDI12>AB</MetOfPayGDI12>", []string{"4082 " + item + "/MetOfPayGDI12[1]", "4065 " + item + "/MetOfPayGDI12[1]"}},
		{"a second item", "<PERLODSUMDEC>", "<GOOITEGDS/><PERLODSUMDEC>", []string{"4066 " + root + "/GOOITEGDS[2]"}},
		{"another namespace", "/CC315A\"", "/CC313A\"", []string{"4057 /"}},
		{"another message", "ie:CC315A", "ie:CC328A", []string{"4057 /"}},
		{"not well-formed", "</HEAHEA>", "</HEAHE>", []string{"4999 " + root + "/HEAHEA[1]"}},
		{"a document type", "<ie:CC315A", "<!DOCTYPE a><ie:CC315A", []string{"4999 /"}},
		{"text after the end", "</ie:CC315A>", "</ie:CC315A>x", []string{"4999 /"}},
	} {
		document := strings.ReplaceAll(smallest, c.old, c.new)
		if c.old == "" {
			document = smallest
		}
		if found := find(document, verdict.New); !slices.Equal(found, c.want) {
			t.Errorf("%s: %q, want %q", c.what, found, c.want)
		}
	}
}

// The old schema needs three elements more than the new one.
func TestGenerations(t *testing.T) {
	want := []string{"4065 /ie:CC315A[1]/HEAHEA[1]"}
	if found := find(smallest, verdict.Old); !slices.Equal(found, want) {
		t.Errorf("%q, want %q", found, want)
	}
	whole := strings.ReplaceAll(smallest, "<DecDatTimHEA114>", "<TotNumOfIteHEA305>1</TotNumOfIteHEA305><DecPlaHEA394>Dover</DecPlaHEA394><DecDatTimHEA114>")
	if found := find(whole, verdict.Old); len(found) > 0 {
		t.Errorf("%q", found)
	}
	amendment := strings.NewReplacer("CC315A", "CC313A", "<RefNumHEA4>LRN1</RefNumHEA4>", "<DocNumHEA5>26GB00000000000018</DocNumHEA5>",
		"DecDatTimHEA114", "DatTimAmeHEA113").Replace(smallest)
	if found := find(amendment, verdict.New); len(found) > 0 {
		t.Errorf("%q", found)
	}
	if found := find(strings.Replace(amendment, "<DatTimAmeHEA113>", "<TotNumOfIteHEA305>1</TotNumOfIteHEA305><DatTimAmeHEA113>", 1), verdict.Old); len(found) != 1 {
		t.Errorf("without the place of amendment: %q", found)
	}
}

// The days and times of HMRC's patterns: every month has its own number of days, and February always 29.
func TestMoments(t *testing.T) {
	for moment, want := range map[string]bool{
		"202602290000": true, "202602300000": false, "202604310000": false, "202612312359": true, "202613010000": false, "202600010000": false,
		"202601012400": false, "202601010060": false, "002601010000": false, "20260101000": false, "2026010100000": false, "202601000000": false,
	} {
		found := find(strings.Replace(smallest, "202601010930", moment, 1), verdict.New)
		if (len(found) == 0) != want {
			t.Errorf("%s: %q", moment, found)
		}
	}
}
