package emcs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
)

// published is the folder with HMRC's examples and schemas.
var published = filepath.Join("..", "..", "..", "..", "shared", "authorities", "emcs")

// examples returns HMRC's example messages by their file names.
func examples(t *testing.T) map[string][]byte {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(published, "examples", "*.xml"))
	if len(files) == 0 {
		t.Skip("HMRC's examples are not beside the project")
	}
	all := map[string][]byte{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = data
	}
	return all
}

// Every example of HMRC's keeps its whole content through XML and JSON, in both versions, and has no finding.
func TestExamplesRoundTrip(t *testing.T) {
	for name, data := range examples(t) {
		m, err := emcs.Decode(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if found := emcs.Check(m); len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
		const envelope = 3 // root, Header and Body
		if tags := strings.Count(string(data), "</") - strings.Count(string(data), "</urn1:"); m.Kind != emcs.Refusal && count(m.Body)+envelope != tags {
			t.Errorf("%s: %d elements of %d", name, count(m.Body), tags-envelope)
		}
		if again, err := emcs.Decode(encoded(t, m)); err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("%s: not the same after writing: %v", name, err)
		}
		if body := viaJSON(t, m); !reflect.DeepEqual(body, m.Body) {
			t.Errorf("%s: not the same after JSON", name)
		}
	}
}

func count(e *emcs.Element) int {
	n := 1
	for _, c := range e.Children {
		n += count(c)
	}
	return n
}

func encoded(t *testing.T, m emcs.Message) []byte {
	t.Helper()
	data, err := emcs.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func viaJSON(t *testing.T, m emcs.Message) *emcs.Element {
	t.Helper()
	text, err := m.JSON()
	if err != nil {
		t.Fatal(err)
	}
	body, faults := emcs.FromJSON(m.Kind, m.Version, text)
	if len(faults) > 0 {
		t.Fatalf("%s: %v", text, faults)
	}
	return body
}

// What is written is valid by HMRC's schemas in both versions: the smallest and the largest message of each kind that the table allows, and
// HMRC's examples.
func TestWrittenMessagesAreValid(t *testing.T) {
	sources := map[emcs.Version]string{emcs.V313: "v1-V3.13", emcs.V323: "v2-V3.23"}
	if _, err := os.Stat(filepath.Join(published, "xsd")); err != nil {
		t.Skip("HMRC's schemas are not beside the project")
	}
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("no xmllint here; make deps installs it")
	}
	messages := emcs.Samples()
	for _, data := range examples(t) {
		m, err := emcs.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, m)
		if m.Kind != emcs.ExportAccepted { // its elements have other places in V3.23
			messages = append(messages, m.As(emcs.V323))
		}
	}
	files := map[string][]string{} // by schema
	folder := t.TempDir()
	for i, m := range messages {
		if found := emcs.Check(m); len(found) > 0 {
			t.Errorf("%s %s: %+v", m.Kind, m.Version, found)
		}
		schema := filepath.Join(published, "xsd", sources[m.Version], schemaFile(m.Kind))
		file := filepath.Join(folder, string(m.Kind)+string(m.Version)+"-"+string(rune('a'+i%26))+string(rune('a'+i/26))+".xml")
		if err := os.WriteFile(file, encoded(t, m), 0o600); err != nil {
			t.Fatal(err)
		}
		files[schema] = append(files[schema], file)
	}
	for schema, all := range files {
		if out, err := exec.Command("xmllint", append([]string{"--noout", "--nonet", "--schema", schema}, all...)...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%.2000s", schema, err, out)
		}
	}
	if len(files) != len(emcs.Kinds())*len(emcs.Versions()) {
		t.Errorf("%d schemas were used", len(files))
	}
}

func schemaFile(kind emcs.Kind) string {
	if kind == emcs.Refusal {
		return "ie704uk.xsd"
	}
	return strings.ToLower(string(kind)) + ".xsd"
}
