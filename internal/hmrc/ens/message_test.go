package ens_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/element"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/schema"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

// mustKeep reads a message, takes it through JSON and XML and back, and fails if anything is lost.
func mustKeep(t *testing.T, name string, document []byte) *ens.Message {
	t.Helper()
	first, err := ens.Read(document, schema.Names...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	written := first.XML()
	second, err := ens.Parse(first.Name, first.Header, first.JSON(), "message")
	if err != nil {
		t.Fatalf("%s: %v in %s", name, err, first.JSON())
	}
	if string(second.XML()) != string(written) || string(second.JSON()) != string(first.JSON()) {
		t.Errorf("%s: JSON changes it: %s", name, first.JSON())
	}
	root, err := element.Read(document)
	again, err2 := element.Read(written)
	if err != nil || err2 != nil || !same(root, again) {
		t.Errorf("%s: not the same again (%v, %v): %s", name, err, err2, written)
	}
	return first
}

// same reports whether two trees have the same names and texts. White space between elements does not count.
func same(a, b *element.Element) bool {
	return a.Name == b.Name && (len(a.Children) > 0 || a.Content == b.Content || len(element.Trim(a.Content+b.Content)) == 0) &&
		slices.EqualFunc(a.Children, b.Children, same)
}

// The sample is the same after JSON and XML, and its members have the schema's names.
func TestKept(t *testing.T) {
	m := mustKeep(t, "sample", sample(t))
	if m.Header.Sender != "GB123456789000/0000000001" || m.Header.PreparedOn != "260610" || m.Header.CorrelationID != "" {
		t.Errorf("%+v", m.Header)
	}
	text := string(m.JSON())
	for _, want := range []string{
		`{"hEAHEA":{"refNumHEA4":"FRUIT-0001",`, `"gOOITEGDS":[{"iteNumGDS7":"1",`, `"pRODOCDC2":[{"docTypDC21":"N730","docRefDC23":"CMR-77"},{`,
		`"cOMCODGODITM":{"comNomCMD1":"08051000"}`, `"iTI":[{"couOfRouCodITI1":"ES"},{"couOfRouCodITI1":"FR"}]`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if string(m.XML()) != string(sample(t)) {
		t.Errorf("written as %s", m.XML())
	}
}

// JSON that is not a message says where, and every fault at once.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ content, want string }{
		{`{"hEAHEA":{"refNumHEA4":1,"traModAtBorHEA76":10}}`, ""},
		{`{}`, ""},
		{`{"HEAHEA":{}}`, "message.HEAHEA is not an element of the message."},
		{`{"hEAHEA":{"foo":{"a":[1,{}]},"bar":1},"iTI":{},"gOOITEGDS":[{"iteNumGDS7":{}},1]}`, "message.hEAHEA.foo is not an element of the message. " +
			"message.hEAHEA.bar is not an element of the message. message.iTI must be an array. " +
			"message.gOOITEGDS[0].iteNumGDS7 must be a text. message.gOOITEGDS[1] must be an object."},
		{`{"hEAHEA":{"refNumHEA4":"a","refNumHEA4":"b"}}`, "message.hEAHEA.refNumHEA4 occurs twice."},
		{`{"hEAHEA":{"refNumHEA4":null,"traModAtBorHEA76":true}}`, "message.hEAHEA.refNumHEA4 must be a text. message.hEAHEA.traModAtBorHEA76 must be a text."},
		{`{"hEAHEA":{"refNumHEA4":"a\u0000"}}`, "message.hEAHEA.refNumHEA4 has a character that XML does not allow."},
		{`{"hEAHEA":[]}`, "message.hEAHEA must be an object."},
		{`{"mesSenMES3":"x"}`, "message.mesSenMES3 is made by the service."},
		{`[]`, "message must be an object."},
		{`{"hEAHEA":{}`, "EOF"},
		{`{"hEAHEA":{}} {}`, "there is more after the JSON value"},
		{``, "EOF"},
	} {
		m, err := ens.Parse(schema.Declaration, ens.Header{}, []byte(c.content), "message")
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || m != nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %s", c.content, err, c.want)
		}
	}
}

// XML that the schema does not know is refused with its places; another message and what is not XML too.
func TestUnknown(t *testing.T) {
	document := string(sample(t))
	for _, c := range []struct{ old, new, want string }{
		{"<ITI>", "<ITJ/><ITI>", "CC315A/ITJ is not an element"},
		{"<HEAHEA>", "<HEAHEA>x", "CC315A/HEAHEA has text"},
		{"<RefNumHEA4>", "<RefNumHEA4><b/>", "CC315A/HEAHEA/RefNumHEA4 has elements"},
		{"<RefNumHEA4>", `<RefNumHEA4 a="1">`, "CC315A/HEAHEA/RefNumHEA4 has an attribute a"},
		{"<RefNumHEA4>", "<RefNumHEA4>1</RefNumHEA4><RefNumHEA4>", "CC315A/HEAHEA/RefNumHEA4 may occur only once"},
		{"<RefNumHEA4>", `<RefNumHEA4 xmlns="u">1</RefNumHEA4><RefNumHEA4>`, "CC315A/HEAHEA/RefNumHEA4 is not an element"},
		{"/CC315A\"", "/CC315B\"", "ie:CC315A is not the root of CC315A"},
		{"CC315A", "CC313A", "ie:CC313A is not the root of CC315A"},
	} {
		var faults ens.Faults
		_, err := ens.Read([]byte(strings.ReplaceAll(document, c.old, c.new)), schema.Declaration)
		if !errors.As(err, &faults) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.new, err)
		}
	}
	if _, err := ens.Read([]byte(document[:len(document)-9]), schema.Declaration); !errors.Is(err, safexml.ErrSyntax) {
		t.Errorf("not well-formed: %v", err)
	}
}

// Published test cases that HMRC's schema takes are the same after JSON and XML: every seventh, and all in long tests.
func TestCasesKept(t *testing.T) {
	step := 7
	if os.Getenv("TIDEWAITER_LONG") != "" {
		step = 1
	}
	kept := 0
	cases := publishedCases(t)
	for i := 0; i < len(cases); i += step {
		c := cases[i]
		root, err := element.Read(c.document)
		if len(schema.Check(root, err, c.generation, schema.Declaration, schema.Amendment)) == 0 {
			mustKeep(t, c.name, c.document)
			kept++
		}
	}
	if t.Logf("%d of %d cases are kept", kept, len(cases)); kept < len(cases)/step*9/10 {
		t.Error("there are too few")
	}
}

// schemas are HMRC's schemas by message, as they are named beside the examples.
var schemas = map[string]string{
	"CC315A": "declaration/CC315A-v11-2-New.xsd", "CC313A": "declaration/CC313A-v11-2-New.xsd", "CC304A": "outcome/CC304A-v10-0.xsd", "CC305A": "outcome/CC305A-v10-0.xsd",
	"CC316A": "outcome/CC316A-v10-0.xsd", "CC328A": "outcome/CC328A-v10-0.xsd", "CC351A": "notification/CC351A-v10-0New.xsd",
}

// Every published example of a message is the same after JSON and XML; what is written of a valid one is valid for xmllint, and
// the tables judge examples as xmllint does.
func TestExamplesKept(t *testing.T) {
	paths, _ := filepath.Glob(published + "examples/*/*.xml")
	if len(paths) == 0 {
		t.Skip("HMRC's examples are not at hand")
	}
	read := map[string]int{}
	for _, path := range paths {
		document, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		root, err := element.Read(document)
		if err != nil || schemas[root.Name.Local] == "" {
			continue
		}
		m := mustKeep(t, path, document)
		read[m.Name]++
		valid := len(schema.Check(root, nil, verdict.New, m.Name)) == 0
		if linted, ok := lint(t, m.Name, m.XML()); ok && linted != valid {
			t.Errorf("%s: xmllint says %v, the tables %v", path, linted, valid)
		}
	}
	if t.Logf("%v", read); len(read) != len(schemas) {
		t.Errorf("not every message has an example: %v", read)
	}
}

// lint reports whether xmllint finds a document valid; ok is false if it is not at hand.
func lint(t *testing.T, name string, document []byte) (valid, ok bool) {
	t.Helper()
	program, err := exec.LookPath("xmllint")
	if err != nil {
		return false, false
	}
	path := filepath.Join(t.TempDir(), name+".xml")
	if err := os.WriteFile(path, document, 0o600); err != nil {
		t.Fatal(err)
	}
	xsd, err := filepath.Abs(published + "xsd/" + schemas[name])
	if err != nil {
		t.Fatal(err)
	}
	err = exec.CommandContext(t.Context(), program, "--noout", "--schema", xsd, path).Run() // #nosec G204 -- a test's own files
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return err == nil, true
}

// A declaration is read, checked and written in under a millisecond.
func BenchmarkCheck(b *testing.B) {
	document := sample(b)
	for b.Loop() {
		if found := ens.Check(document, verdict.New); len(found) > 0 {
			b.Fatal(found)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	document := sample(b)
	for b.Loop() {
		if _, err := ens.Read(document, schema.Declaration); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	m, err := ens.Read(sample(b), schema.Declaration)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		m.XML()
	}
}
