package check_test

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/records/evidence/check"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence/check/checktest"
)

func checked(t testing.TB, pack []byte) *check.Report {
	t.Helper()
	report, err := check.Pack(bytes.NewReader(pack), int64(len(pack)))
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// A pack that was made from the documentation alone passes all checks.
func TestPackByHand(t *testing.T) {
	m := checktest.NewMaker()
	r := checked(t, m.Write(t))
	if !r.OK() || len(r.Findings) != 8 || r.Fingerprint != m.Fingerprint() || r.RecordID != checktest.Record || len(r.NotVerifiable) != 4 {
		t.Errorf("%+v", r)
	}
	if !strings.HasSuffix(r.Findings[3].Text, "Personal values: 1 unchanged, 1 erased.") {
		t.Errorf("finding about events: %s", r.Findings[3].Text)
	}
	if r.Expect(m.Fingerprint()); !r.OK() {
		t.Error("the pack's own key is not accepted")
	}
	if r.Expect(strings.Repeat("0", 64)); r.OK() {
		t.Error("another key is accepted")
	}
}

// Changing any byte of any file is detected.
func TestEveryByte(t *testing.T) {
	m := checktest.NewMaker()
	pack := m.Write(t)
	z, err := zip.NewReader(bytes.NewReader(pack), int64(len(pack)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		var content bytes.Buffer
		in, _ := f.Open()
		_, _ = content.ReadFrom(in)
		files[f.Name] = content.String()
	}
	tried := 0
	for name, content := range files {
		for at := 0; at < len(content); at += 1 + len(content)/60 {
			changed := []byte(content)
			changed[at] ^= 1
			touched := maps.Clone(files)
			touched[name] = string(changed)
			tried++
			pack := checktest.Zipped(t, touched, "")
			if r, err := check.Pack(bytes.NewReader(pack), int64(len(pack))); err == nil && r.OK() {
				t.Errorf("%s: a change of byte %d is not detected", name, at)
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d changes", tried)
	}
}

// An inconsistent pack is detected although it is signed, and the report names the inconsistency.
func TestInconsistentPacks(t *testing.T) {
	for name, fault := range checktest.InconsistentPacks() {
		t.Run(name, func(t *testing.T) {
			r := checked(t, fault.Pack(t))
			told := slices.ContainsFunc(r.Findings, func(f check.Finding) bool { return !f.Passed && strings.Contains(f.Text, fault.Want) })
			if !told || r.OK() {
				t.Errorf("%q is not among %+v", fault.Want, r.Findings)
			}
		})
	}
}

// A pack whose parts are signed with two keys is detected.
func TestAnotherKey(t *testing.T) {
	m := checktest.NewMaker()
	m.Write(t) // fixes the checkpoint
	m.Key = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, ed25519.SeedSize))
	r := checked(t, m.Write(t))
	if r.OK() || r.Findings[2].Passed || !r.Findings[1].Passed {
		t.Errorf("%+v", r.Findings)
	}
}

// A file that is not a pack is rejected.
func TestNoPack(t *testing.T) {
	for name, pack := range map[string][]byte{
		"nothing": nil, "text": []byte("x"), "an empty ZIP": checktest.Zipped(t, nil, ""), "another ZIP": checktest.Zipped(t, map[string]string{"manifest.json": `{"format":"x"}`}, ""),
	} {
		if r, err := check.Pack(bytes.NewReader(pack), int64(len(pack))); err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// FuzzPack checks any contents of the files of a pack: the check ends, and no unsigned pack
// passes.
func FuzzPack(f *testing.F) {
	m := checktest.NewMaker()
	m.Write(f)
	f.Add(`{"format":"tidewaiter-evidence-1","files":[]}`, "{}", m.Files["checkpoint.json"], m.Files["events.json"], m.Files["timeline.json"], m.Files["record.json"])
	f.Add(`{"format":"tidewaiter-evidence-1","files":[{"name":"x","bytes":-1}]}`, "[]", "[]", "{}", `{"timeline":[{}]}`, `{"x":{}}`)
	f.Fuzz(func(t *testing.T, manifest, signature, checkpoint, events, timeline, record string) {
		pack := checktest.Zipped(t, map[string]string{
			"manifest.json": manifest, "signature.json": signature, "checkpoint.json": checkpoint, "events.json": events, "timeline.json": timeline, "record.json": record,
		}, "")
		if r, err := check.Pack(bytes.NewReader(pack), int64(len(pack))); err == nil && r.OK() {
			t.Errorf("passed: %+v", r)
		}
	})
}

// FuzzZip checks any bytes: the check ends, and passes only with the files that the key has
// signed.
func FuzzZip(f *testing.F) {
	m := checktest.NewMaker()
	good := m.Write(f)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, pack []byte) {
		r, err := check.Pack(bytes.NewReader(pack), int64(len(pack)))
		if err != nil || !r.OK() {
			return
		}
		z, err := zip.NewReader(bytes.NewReader(pack), int64(len(pack)))
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range m.Files {
			got, err := fs.ReadFile(z, name)
			if err != nil || string(got) != want {
				t.Errorf("passed, but %s is %q: %v", name, got, err)
			}
		}
	})
}
