package main

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// A bill lists each module once, with version, licence, hash and dependencies within the program. The same contents
// give the same bill.
func TestSBOM(t *testing.T) {
	all := modules(t)
	var sorted []*module
	for _, path := range slices.Sorted(maps.Keys(all)) {
		sorted = append(sorted, all[path])
	}
	c := commit{Hash: "4a", Version: "v1.2.3", At: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)}
	text, err := newSBOM(c, platform{"linux", "amd64"}, []byte("program"), sorted)
	if err != nil {
		t.Fatal(err)
	}
	var b sbom
	if err := json.Unmarshal(text, &b); err != nil || b.Format != "CycloneDX" || b.Spec != "1.6" || b.Metadata.Timestamp != "2026-03-01T10:00:00Z" {
		t.Fatalf("%+v, %v", b, err)
	}
	refs := map[string]bool{b.Metadata.Component.Ref: true}
	for _, m := range b.Components {
		if refs[m.Ref] {
			t.Errorf("%s is there twice", m.Ref)
		}
		refs[m.Ref] = true
		if m.Version == "" || len(m.Licences) != 1 || m.Name != std && (len(m.Hashes) != 1 || len(m.Hashes[0].Content) != 64) {
			t.Errorf("%+v", m)
		}
	}
	needs := map[string][]string{}
	for _, d := range b.Dependencies {
		needs[d.Ref] = d.On
		for _, on := range d.On {
			if !refs[on] {
				t.Errorf("%s needs %s, which is not there", d.Ref, on)
			}
		}
	}
	if len(needs) != len(refs) || len(needs["pkg:golang/github.com/tidewaiter/tidewaiter@v1.2.3"]) != len(all)+1 {
		t.Errorf("%d need something, of %d", len(needs), len(refs))
	}
	sqlite := slices.IndexFunc(b.Dependencies, func(d dependency) bool { return strings.HasPrefix(d.Ref, "pkg:golang/modernc.org/sqlite@v1.") })
	if sqlite < 0 || !slices.ContainsFunc(b.Dependencies[sqlite].On, func(ref string) bool { return strings.HasPrefix(ref, "pkg:golang/modernc.org/libc@v1.") }) {
		t.Error("SQLite does not need its libc")
	}
	if again, _ := newSBOM(c, platform{"linux", "amd64"}, []byte("program"), sorted); string(again) != string(text) {
		t.Error("the same contents give another bill")
	}
	if other, _ := newSBOM(c, platform{"linux", "amd64"}, []byte("another"), sorted); string(other) == string(text) {
		t.Error("another program has the same bill")
	}
}

// The bill names the version of pdf.js that is fetched.
func TestVersionOfPDFJS(t *testing.T) {
	script, err := os.ReadFile("../../scripts/pdfjs")
	if err != nil || !strings.Contains(string(script), "version="+pdfjsVersion+"\n") || !strings.Contains(string(script), "digest="+pdfjsDigest+"\n") {
		t.Errorf("scripts/pdfjs fetches another one (%v)", err)
	}
}

// A program with other modules than those listed is rejected.
func TestHolds(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := holds(self, nil); err == nil || !strings.Contains(err.Error(), "kong") {
		t.Error(err)
	}
}
