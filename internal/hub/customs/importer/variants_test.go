package importer

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/wcotest"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

const (
	submissions = "../../../../../shared/customs/submissions/*.xml"
	submitXSD   = "../../../../../shared/customs/xsd/customs/wrapper_submit.xsd"
	variants    = 600 // of HMRC's samples
	variantSeed = 21
)

// originalSamples are the original submissions that HMRC publishes, as documents.
func originalSamples(t *testing.T) (all []wco.Declaration, documents [][]byte) {
	t.Helper()
	files, _ := filepath.Glob(submissions)
	if files == nil {
		t.Skip("the published samples are not here")
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d, err := wco.Decode(raw); err == nil && d.FunctionCode == wco.FunctionOriginal {
			all, documents = append(all, d), append(documents, raw)
		}
	}
	return all, documents
}

// Documents that differ from HMRC's samples in what they contain and in how they are written are imported, and come out equal: with
// elements of another sample, without some, with more items, entries in another order; with other prefixes, comments, processing
// instructions, CDATA, white space, quotes and references. Only what HMRC's schema refuses may be refused.
func TestVariantsOfSamples(t *testing.T) {
	samples, documents := originalSamples(t)
	random := rand.New(rand.NewPCG(variantSeed, 0))
	folder := t.TempDir()
	var texts [][]byte
	for n := range variants {
		text := documents[n%len(documents)]
		if n%3 > 0 {
			text = encodedVariant(t, random, &samples[n%len(samples)], &samples[random.IntN(len(samples))])
		}
		text = inAnotherEncoding(random, rewritten(t, random, text))
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%04d.xml", n)), text, 0o600); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	invalid := invalidFiles(t, folder)
	equal, valid := 0, 0
	for n, text := range texts {
		name := fmt.Sprintf("%04d.xml", n)
		problem := comesOutEqual(t, text)
		if invalid[name] {
			continue
		}
		valid++
		if problem != "" {
			t.Errorf("%s: %s", name, problem)
			continue
		}
		equal++
	}
	t.Logf("%d of %d valid variants come out equal; the schema refuses %d", equal, valid, len(invalid))
	if valid < variants*8/10 {
		t.Errorf("only %d variants are valid", valid)
	}
}

// invalidFiles returns the names of the files that HMRC's schema refuses.
func invalidFiles(t *testing.T, folder string) map[string]bool {
	t.Helper()
	lint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("xmllint is not installed")
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*.xml"))
	out, _ := exec.Command(lint, append([]string{"--noout", "--schema", submitXSD}, files...)...).CombinedOutput()
	if !strings.Contains(string(out), " validates") {
		t.Fatalf("xmllint: %s", out)
	}
	invalid := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if file, found := strings.CutSuffix(strings.TrimSpace(line), " fails to validate"); found {
			invalid[filepath.Base(file)] = true
		}
	}
	return invalid
}

var declarationSchemas = schema.NewSchemas()

// comesOutEqual imports a document and returns how the declaration that it makes differs; empty if it does not.
func comesOutEqual(t *testing.T, text []byte) string {
	t.Helper()
	src, err := Read(text, "")
	if err != nil {
		refused, _ := apierr.As(err)
		return fmt.Sprintf("refused: %v", refused.Details)
	}
	d := draft{Source: src}
	body, err := d.encode("0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a")
	if err != nil {
		t.Fatal(err)
	}
	if details := (schema.Validator{Schemas: declarationSchemas}).Check(declarationSchemas.Of(reflect.TypeFor[customs.Declaration]()), body); details != nil {
		return fmt.Sprintf("the body is refused: %+v", details)
	}
	var again customs.Declaration
	if err := json.Unmarshal(body, &again); err != nil {
		t.Fatal(err)
	}
	was, is := wcotest.Canonical(t, src.document), wcotest.Canonical(t, datamodel.Encode(datamodel.Body{Direction: again.DeclarationType, Header: &again.Header, Items: again.Items}))
	if was != is {
		return "was " + was + "\nis " + is
	}
	return ""
}

// encodedVariant is a sample with elements of another one, without some of its own, and with its lists changed.
func encodedVariant(t *testing.T, random *rand.Rand, sample, other *wco.Declaration) []byte {
	t.Helper()
	for {
		d := copied(t, sample)
		blend(random, reflect.ValueOf(&d).Elem(), reflect.ValueOf(copied(t, other)), 0)
		d.FunctionCode, d.TypeCode = sample.FunctionCode, sample.TypeCode
		if items := &d.GoodsShipment.GovernmentAgencyGoodsItem; len(*items) == 0 {
			*items = copied(t, sample).GoodsShipment.GovernmentAgencyGoodsItem
		}
		if text, err := d.Encode(); err == nil { // otherwise it lacks part of a value, which the schema requires
			return text
		}
	}
}

// copied returns a deep copy of a document.
func copied(t *testing.T, d *wco.Declaration) wco.Declaration {
	t.Helper()
	text, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := wco.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// blend changes a value: it takes absent parts from another one, drops parts, and repeats, drops or moves entries of lists.
func blend(random *rand.Rand, value, other reflect.Value, depth int) {
	switch value.Kind() {
	case reflect.Struct:
		for i := range value.NumField() {
			field := value.Field(i)
			if !field.CanSet() {
				continue
			}
			switch chance := random.IntN(100); {
			case field.IsZero() && chance < 25:
				field.Set(other.Field(i))
			case chance < 4 && depth > 0:
				field.SetZero()
			default:
				blend(random, field, other.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		for i := range value.Len() {
			from := value.Index(i)
			if other.Len() > 0 {
				from = other.Index(random.IntN(other.Len()))
			}
			blend(random, value.Index(i), from, depth+1)
		}
		if n := value.Len(); n > 1 && random.IntN(3) == 0 {
			i, j := random.IntN(n), random.IntN(n)
			a, b := value.Index(i).Interface(), value.Index(j).Interface()
			value.Index(i).Set(reflect.ValueOf(b))
			value.Index(j).Set(reflect.ValueOf(a))
		}
		if n := value.Len(); n > 0 && n < 40 && random.IntN(3) == 0 {
			value.Set(reflect.Append(value, value.Index(random.IntN(n))))
		}
	}
}

// rewritten is a document with the same content in another form.
func rewritten(t *testing.T, random *rand.Rand, document []byte) []byte {
	t.Helper()
	w := rewriter{random: random, prefixes: map[string]string{}, names: random.Perm(40), spaced: random.IntN(8) == 0}
	w.out.WriteString([]string{`<?xml version="1.0"?>`, `<?xml version='1.0' encoding='utf-8'?>`, "\ufeff", `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`, ""}[random.IntN(5)])
	in := xml.NewDecoder(bytes.NewReader(document))
	for {
		token, err := in.Token()
		if err == io.EOF {
			return w.out.Bytes()
		}
		if err != nil {
			t.Fatal(err)
		}
		w.token(token)
	}
}

// inAnotherEncoding returns one document in ten in UTF-16, one in ten in an encoding of one byte, if it can be written in it, and
// the others as they are.
func inAnotherEncoding(random *rand.Rand, document []byte) []byte {
	head := regexp.MustCompile(`^\x{feff}?(<\?xml[^>]*>)?`)
	with := func(name string) string {
		return `<?xml version="1.0" encoding="` + name + `"?>` + head.ReplaceAllString(string(document), "")
	}
	switch random.IntN(10) {
	case 0:
		name := []string{"UTF-16", "UTF-16LE", "utf-16"}[random.IntN(3)]
		out := []byte("\xff\xfe")
		for _, unit := range utf16.Encode([]rune(with(name))) {
			out = binary.LittleEndian.AppendUint16(out, unit)
		}
		return out
	case 1:
		if out, err := charmap.Windows1252.NewEncoder().String(with("windows-1252")); err == nil {
			return []byte(out)
		}
	}
	return document
}

// rewriter writes XML tokens in a form of its own choice.
type rewriter struct {
	random   *rand.Rand
	out      bytes.Buffer
	prefixes map[string]string // by namespace; of the whole document
	names    []int
	open     []string
	spaced   bool   // whether there is white space around values, which the schema counts as part of some
	text     []byte // of the innermost element so far
	leaf     bool
}

func (w *rewriter) token(token xml.Token) {
	switch v := token.(type) {
	case xml.StartElement:
		w.between()
		w.start(v)
		w.text, w.leaf = nil, true
	case xml.CharData:
		w.text = append(w.text, v...)
	case xml.EndElement:
		if w.leaf {
			w.value(strings.TrimSpace(string(w.text)))
		} else {
			w.between()
		}
		w.text, w.leaf = nil, false
		fmt.Fprintf(&w.out, "</%s%s>", w.open[len(w.open)-1], strings.Repeat(" ", w.random.IntN(2)))
		w.open = w.open[:len(w.open)-1]
	}
}

// between writes what may stand between elements.
func (w *rewriter) between() {
	switch w.random.IntN(6) {
	case 0:
		w.out.WriteString("<!-- DE 5/23: <not> & \"read\" -->")
	case 1:
		w.out.WriteString("<?house keeping?>")
	case 2:
		w.out.WriteString("\r\n\t ")
	case 3:
		w.out.WriteString("\n")
	}
}

// start writes a start tag. A namespace is declared where it is first used, with a prefix or, at times, as the default.
func (w *rewriter) start(e xml.StartElement) {
	prefix, known := w.prefixes[e.Name.Space]
	quote := []string{`"`, "'"}[w.random.IntN(2)]
	declared := ""
	w.random.Shuffle(len(e.Attr), func(i, j int) { e.Attr[i], e.Attr[j] = e.Attr[j], e.Attr[i] })
	if !known || w.random.IntN(10) == 0 && len(w.open) > 0 {
		prefix = []string{"md", "ns" + fmt.Sprint(w.names[len(w.prefixes)%len(w.names)]), "_2_" + fmt.Sprint(len(w.prefixes)), "x-y.z"}[w.random.IntN(4)]
		for space, used := range w.prefixes {
			if used == prefix && space != e.Name.Space {
				prefix += "a" + fmt.Sprint(len(w.prefixes))
			}
		}
		if !known {
			w.prefixes[e.Name.Space] = prefix
			if len(w.open) > 0 {
				delete(w.prefixes, e.Name.Space) // declared for this element only
			}
		}
		declared = fmt.Sprintf(" xmlns:%s=%s%s%s", prefix, quote, e.Name.Space, quote)
	}
	name := e.Name.Local
	if prefix != "" {
		name = prefix + ":" + name
	}
	last := w.random.IntN(2) == 0
	fmt.Fprintf(&w.out, "<%s", name)
	if !last {
		w.out.WriteString(declared)
	}
	for _, a := range e.Attr {
		if a.Name.Space == "" && a.Name.Local != "xmlns" {
			fmt.Fprintf(&w.out, " %s=%s%s%s", a.Name.Local, quote, escapedText(a.Value), quote)
		}
	}
	if last {
		w.out.WriteString(declared)
	}
	w.out.WriteString(strings.Repeat(" ", w.random.IntN(2)) + ">")
	w.open = append(w.open, name)
}

func escapedText(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "'", "&#39;").Replace(text)
}

// value writes the value of an element.
func (w *rewriter) value(text string) {
	space := ""
	if w.spaced {
		space = []string{"", " ", "\t "}[w.random.IntN(3)]
	}
	w.out.WriteString(space)
	switch w.random.IntN(4) {
	case 0:
		if text != "" && !strings.Contains(text, "]]>") {
			fmt.Fprintf(&w.out, "<![CDATA[%s]]>", text)
			break
		}
		fallthrough
	case 1:
		for i, r := range text {
			if i%3 == 0 {
				fmt.Fprintf(&w.out, "&#x%X;", r)
				continue
			}
			w.out.WriteString(escapedText(string(r)))
		}
	case 2:
		half := len([]rune(text)) / 2
		w.out.WriteString(escapedText(string([]rune(text)[:half])) + "<!-- within -->" + escapedText(string([]rune(text)[half:])))
	default:
		w.out.WriteString(escapedText(text))
	}
	w.out.WriteString(space)
}
