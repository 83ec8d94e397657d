package origin_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff/importerr"
	"github.com/tidewaiter/tidewaiter/internal/tariff/origin"
)

const schemesFile = `{"scope":"uk","links":[],"schemes":[{"scheme_code":"canada","title":"UK-Canada","countries":["CA"]},{"scheme_code":"chile","title":"UK-Chile","countries":["CL"]}]}`

func ruleFile(text string) string {
	return fmt.Sprintf(`{"rule_sets":[{"heading":"8501","min":"8501000000","max":"8501999999","rules":[{"rule":%q,"class":[],"operator":null}]}]}`, text)
}

// files are pairs of name and content.
func files(pairs ...string) (all []origin.File) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, origin.File{Name: pairs[i], Reader: strings.NewReader(pairs[i+1])})
	}
	return all
}

func put(t *testing.T, s origin.Store, replace bool, all []origin.File) origin.Report {
	t.Helper()
	b, err := origin.Read(all, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.Put(context.Background(), s, replace)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// held returns the rule texts that another process holds, by scheme.
func held(t *testing.T, s origin.Store) (*origin.Data, map[string]string) {
	t.Helper()
	var l origin.Library
	if err := l.Refresh(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, scheme := range l.Current().Schemes(origin.UK) {
		texts[scheme.Code] = ""
		for _, set := range scheme.Sets {
			texts[scheme.Code] += set.Rules[0].Text
		}
	}
	return l.Current(), texts
}

// A document replaces its former version and nothing else; the same content again is no new version; replacing drops the rest. Other
// processes read the same.
func TestImports(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		mine, other := b.Open(t), b.Open(t)
		if d, _ := held(t, other); d.Version != 0 {
			t.Errorf("version %d before the first import", d.Version)
		}
		first := files("roo_schemes_uk.json", schemesFile, "rule_sets_uk/canada.json", ruleFile("Weaving."), "rule_sets_uk/chile.json", ruleFile("Spinning."))
		if r := put(t, mine, false, first); r.Version != 1 || r.Changed != 3 || r.Schemes != 2 || r.Rules != 2 || r.Compiled != 2 {
			t.Errorf("%+v", r)
		}
		if r := put(t, mine, false, files("x/uk/canada.json", ruleFile("Weaving."))); r.Version != 1 || r.Changed != 0 {
			t.Errorf("the same again: %+v", r)
		}
		if r := put(t, mine, false, files("x/uk/canada.json", ruleFile("Knitting."))); r.Version != 2 || r.Changed != 1 {
			t.Errorf("%+v", r)
		}
		if d, texts := held(t, other); d.Version != 2 || texts["canada"] != "Knitting." || texts["chile"] != "Spinning." {
			t.Errorf("%d %v", d.Version, texts)
		}
		only := func() []origin.File {
			return files("roo_schemes_uk.json", schemesFile, "uk/chile.json", ruleFile("Printing."))
		}
		if r := put(t, mine, true, only()); r.Version != 3 || r.Changed != 2 {
			t.Errorf("%+v", r)
		}
		if d, texts := held(t, other); d.Version != 3 || texts["canada"] != "" || texts["chile"] != "Printing." {
			t.Errorf("%d %v", d.Version, texts)
		}
		if r := put(t, mine, true, only()); r.Version != 3 || r.Changed != 0 {
			t.Errorf("replacing by the same: %+v", r)
		}
	})
}

// Two imports at the same time: the second one is refused, not lost.
func TestImportAtTheSameTime(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	if _, err := s.AddOrigin(context.Background(), 0, origin.Import{Documents: []origin.Document{{Service: "uk", Kind: "note", Scheme: "chile"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddOrigin(context.Background(), 0, origin.Import{}); !errors.Is(err, origin.ErrChanged) {
		t.Errorf("%v", err)
	}
}

// Every faulty file is named, and no other is read.
func TestFaultyFiles(t *testing.T) {
	for name, content := range map[string]string{
		"uk/a.json":                      `{"rule_sets":[]}`,
		"uk/b.json":                      `{"rule_sets":[{"heading":"1","min":"1","max":"2","rules":[{"rule":"x"}]}]}`,
		"uk/c.json":                      `{"rule_sets":[{"heading":"1","min":"8501000000","max":"8400000000","rules":[{"rule":"x"}]}]}`,
		"uk/d.json":                      `{"rule_sets":[{"heading":"1","min":"8501000000","max":"8501999999","rules":[]}]}`,
		"uk/e.json":                      `{"rule_sets":[{"heading":`,
		"uk/F!.json":                     ruleFile("Weaving."),
		"canada.json":                    ruleFile("Weaving."), // of no service
		"roo_schemes_uk.json":            `{"schemes":[{"scheme_code":"canada","countries":[]}]}`,
		"schemes_uk.json":                `{"schemes":[]}`,
		"uk/articles/canada/sets.md":     "\xff",
		"uk/unknown.txt":                 "x",
		"uk/articles/canada/too-long.md": strings.Repeat("x", 8<<20+1),
	} {
		good := files("rule_sets_uk/chile.json", ruleFile("Weaving."))
		_, err := origin.Read(append(good, files(name, content)...), "")
		var faulty *importerr.Error
		if !errors.As(err, &faulty) || len(faulty.Faults) != 1 || faulty.Faults[0].File != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := origin.Read(files("canada.json", ruleFile("Weaving.")), "xi"); err != nil {
		t.Errorf("with a service: %v", err)
	}
	if _, err := origin.Read(files("a/uk/canada.json", ruleFile("Weaving."), "b/uk/canada.json", ruleFile("Knitting.")), ""); err == nil {
		t.Error("two versions of one document are read")
	}
}

// An archive is read like its files; those of other kinds are skipped.
func TestArchive(t *testing.T) {
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zip)
	for name, text := range map[string]string{
		"rule_sets_uk/canada.json": ruleFile("Weaving."), "roo_schemes_uk/articles/canada/sets.md": "Sets.", "roo_schemes_uk/fta_intro/canada.md": "Introduction",
	} {
		if err := errors.Join(archive.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text))}), func() error { _, err := archive.Write([]byte(text)); return err }()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(archive.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	s := storetest.SQLite(t).Open(t)
	r := put(t, s, false, []origin.File{{Name: "rules.tar.gz", Reader: bytes.NewReader(packed.Bytes())}})
	if r.Documents != 2 || len(r.Skipped) != 1 || !strings.HasSuffix(r.Skipped[0], "fta_intro/canada.md") {
		t.Errorf("%+v", r)
	}
	var empty bytes.Buffer
	nothing := gzip.NewWriter(&empty)
	if err := errors.Join(tar.NewWriter(nothing).Close(), nothing.Close()); err != nil {
		t.Fatal(err)
	}
	unused := empty.Bytes()
	if _, err := origin.Read([]origin.File{{Name: "empty.tar.gz", Reader: bytes.NewReader(unused)}}, ""); err == nil {
		t.Error("an archive that has nothing to import is taken")
	}
	if _, err := origin.Read([]origin.File{{Name: "folder/empty.tar.gz", Reader: bytes.NewReader(unused), Found: true}}, ""); err != nil {
		t.Errorf("an archive of other files in a folder: %v", err)
	}
	cut := packed.Bytes()[:packed.Len()-20]
	if _, err := origin.Read([]origin.File{{Name: "rules.tar.gz", Reader: bytes.NewReader(cut)}}, ""); err == nil {
		t.Error("a broken archive is read")
	}
}
