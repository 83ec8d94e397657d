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

// A pack that somebody made by the documentation alone is whole.
func TestPackByHand(t *testing.T) {
	m := checktest.NewMaker()
	r := checked(t, m.Write(t))
	if !r.Whole() || len(r.Findings) != 8 || r.Fingerprint != m.Fingerprint() || r.RecordID != checktest.Record || len(r.CannotTell) != 4 {
		t.Errorf("%+v", r)
	}
	if !strings.HasSuffix(r.Findings[3].Text, "Personal values: 1 as they were written, 1 erased.") {
		t.Errorf("of the events: %s", r.Findings[3].Text)
	}
	if r.Expect(m.Fingerprint()); !r.Whole() {
		t.Error("the key is another than its own")
	}
	if r.Expect(strings.Repeat("0", 64)); r.Whole() {
		t.Error("any key will do")
	}
}

// Of each byte of each file in turn, any change is found.
func TestEveryByteCounts(t *testing.T) {
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
			if r, err := check.Pack(bytes.NewReader(pack), int64(len(pack))); err == nil && r.Whole() {
				t.Errorf("%s: byte %d can be changed", name, at)
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d changes", tried)
	}
}

// Whoever has the key and makes a pack that does not hold together is found out, and told
// by what.
func TestWhatDoesNotHold(t *testing.T) {
	for name, fault := range checktest.Faults() {
		t.Run(name, func(t *testing.T) {
			r := checked(t, fault.Pack(t))
			told := slices.ContainsFunc(r.Findings, func(f check.Finding) bool { return !f.Holds && strings.Contains(f.Text, fault.Want) })
			if !told || r.Whole() {
				t.Errorf("%q is not among %+v", fault.Want, r.Findings)
			}
		})
	}
}

// Two keys in one pack are found out.
func TestAnotherKey(t *testing.T) {
	m := checktest.NewMaker()
	m.Write(t) // fixes the checkpoint
	m.Key = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, ed25519.SeedSize))
	r := checked(t, m.Write(t))
	if r.Whole() || r.Findings[2].Holds || !r.Findings[1].Holds {
		t.Errorf("%+v", r.Findings)
	}
}

// What is no pack is refused, and said to be none.
func TestNoPack(t *testing.T) {
	for name, pack := range map[string][]byte{
		"nothing": nil, "text": []byte("x"), "an empty ZIP": checktest.Zipped(t, nil, ""), "another ZIP": checktest.Zipped(t, map[string]string{"manifest.json": `{"format":"x"}`}, ""),
	} {
		if r, err := check.Pack(bytes.NewReader(pack), int64(len(pack))); err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// FuzzPack gives the check any files under the names that a pack has: it ends, and finds
// nothing whole but what the key of the pack has signed.
func FuzzPack(f *testing.F) {
	m := checktest.NewMaker()
	m.Write(f)
	f.Add(`{"format":"tidewaiter-evidence-1","files":[]}`, "{}", m.Files["checkpoint.json"], m.Files["events.json"], m.Files["timeline.json"], m.Files["record.json"])
	f.Add(`{"format":"tidewaiter-evidence-1","files":[{"name":"x","bytes":-1}]}`, "[]", "[]", "{}", `{"timeline":[{}]}`, `{"x":{}}`)
	f.Fuzz(func(t *testing.T, manifest, signature, checkpoint, events, timeline, record string) {
		pack := checktest.Zipped(t, map[string]string{
			"manifest.json": manifest, "signature.json": signature, "checkpoint.json": checkpoint, "events.json": events, "timeline.json": timeline, "record.json": record,
		}, "")
		if r, err := check.Pack(bytes.NewReader(pack), int64(len(pack))); err == nil && r.Whole() {
			t.Errorf("whole: %+v", r)
		}
	})
}

// FuzzZip gives the check any bytes: it ends, and finds nothing whole but the files that
// the key of the pack has signed.
func FuzzZip(f *testing.F) {
	m := checktest.NewMaker()
	good := m.Write(f)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, pack []byte) {
		r, err := check.Pack(bytes.NewReader(pack), int64(len(pack)))
		if err != nil || !r.Whole() {
			return
		}
		z, err := zip.NewReader(bytes.NewReader(pack), int64(len(pack)))
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range m.Files {
			got, err := fs.ReadFile(z, name)
			if err != nil || string(got) != want {
				t.Errorf("whole, but %s is %q: %v", name, got, err)
			}
		}
	})
}
