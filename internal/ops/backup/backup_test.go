package backup_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/backup"
)

var manifest = backup.Manifest{
	Program: "1.2.3", At: time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC), Schema: 41,
	Rows: map[string]int64{"events": 2, "filings": 1}, Heads: []backup.Head{{OrganisationID: "o", Sequence: 2, Hash: "h"}},
}

// database is incompressible bytes, longer than any buffer.
func database() []byte {
	text, chance := make([]byte, 300_000), rand.NewPCG(1, 2)
	for i := range text {
		text[i] = byte(chance.Uint64())
	}
	return text
}

func write(t *testing.T, key string) ([]byte, backup.Written) {
	t.Helper()
	var to bytes.Buffer
	w, err := backup.Write(&to, manifest, bytes.NewReader(database()), []byte(key))
	if err != nil {
		t.Fatal(err)
	}
	return to.Bytes(), w
}

func open(file []byte) (*backup.Backup, error) {
	return backup.Open(bytes.NewReader(file), int64(len(file)))
}

// A backup reads back as it was written, with the key if it was requested. It is a ZIP file that any program unpacks.
func TestWriteAndRead(t *testing.T) {
	for _, key := range []string{"", "a key"} {
		file, w := write(t, key)
		b, err := open(file)
		if err != nil {
			t.Fatal(err)
		}
		var content bytes.Buffer
		if err := b.Database(&content); err != nil || !bytes.Equal(content.Bytes(), database()) {
			t.Errorf("%d bytes: %v", content.Len(), err)
		}
		found, err := b.Key()
		if err != nil || string(found) != key || b.Manifest.KeyInside != (key != "") || strings.Contains(b.Manifest.Key, "not in this backup") != (key == "") {
			t.Errorf("key %q, %+v, %v", found, b.Manifest, err)
		}
		if b.Seal != w.Seal || w.Size != int64(len(file)) || b.Manifest.Bytes != 300_000 || len(b.Manifest.Differences(41, manifest.Rows, manifest.Heads)) != 0 || b.Manifest.AllRows() != 3 {
			t.Errorf("%+v, written %+v", b, w)
		}
		z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
		if err != nil || z.Comment != b.Seal || len(z.File) != 2+len(key)/5 {
			t.Errorf("as a ZIP: %v", err)
		}
	}
}

// A backup with any changed bit, or that is truncated or extended, is rejected with a reason.
func TestDamageIsRefused(t *testing.T) {
	file, _ := write(t, "a key")
	refused := func(what string, file []byte) {
		t.Helper()
		var d *backup.Damaged
		if _, err := open(file); !errors.As(err, &d) || d.What == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	for at := 0; at < len(file); at += 1 + at%977 {
		changed := bytes.Clone(file)
		changed[at] ^= 1 << (at % 8)
		refused("changed", changed)
	}
	for _, length := range []int{0, 1, 70, 71, 72, 1000, len(file) / 2, len(file) - 72, len(file) - 71, len(file) - 1} {
		refused("cut", file[:length])
	}
	refused("longer", append(bytes.Clone(file), 0))
	refused("twice", append(bytes.Clone(file), file...))
}

// A rewritten backup with a valid seal is compared with its own manifest.
func TestDatabaseIsThatOfTheManifest(t *testing.T) {
	file, _ := write(t, "")
	other := bytes.Replace(file, database()[1000:1100], bytes.Repeat([]byte{7}, 100), 1)
	if bytes.Equal(file, other) {
		t.Fatal("nothing was changed")
	}
	b, err := open(resealed(t, other))
	if err != nil {
		t.Fatal(err)
	}
	var d *backup.Damaged
	if err := b.Database(io.Discard); !errors.As(err, &d) {
		t.Errorf("another database: %v", err)
	}
}

// A full disk is not reported as a damaged backup.
func TestWhereToIsNotTheBackupsFault(t *testing.T) {
	file, _ := write(t, "")
	b, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	var d *backup.Damaged
	if err := b.Database(failing{full}); !errors.Is(err, full) || errors.As(err, &d) {
		t.Errorf("got %v", err)
	}
	if _, err := backup.Write(failing{full}, manifest, bytes.NewReader(database()), nil); !errors.Is(err, full) {
		t.Errorf("written to a full disk: %v", err)
	}
	if _, err := backup.Write(io.Discard, manifest, iotest.ErrReader(full), nil); !errors.Is(err, full) {
		t.Errorf("read from a broken disk: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Every difference from the manifest is named.
func TestDifferences(t *testing.T) {
	for want, found := range map[string][]string{
		"schema is 40":                  manifest.Differences(40, manifest.Rows, manifest.Heads),
		"the table events has 1 rows":   manifest.Differences(41, map[string]int64{"events": 1, "filings": 1}, manifest.Heads),
		"the table filings has 0 rows":  manifest.Differences(41, map[string]int64{"events": 2}, manifest.Heads),
		"the table newcomer has 1 rows": manifest.Differences(41, map[string]int64{"events": 2, "filings": 1, "newcomer": 1}, manifest.Heads),
		"the trails do not end":         manifest.Differences(41, manifest.Rows, nil),
	} {
		if len(found) != 1 || !strings.Contains(found[0], want) {
			t.Errorf("want %q, got %q", want, found)
		}
	}
}
