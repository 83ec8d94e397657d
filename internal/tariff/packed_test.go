package tariff_test

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

const packed = "own.zip"

// own.zip has the files of the folder own. TIDEWAITER_PACK=write packs them again.
func TestPackedFiles(t *testing.T) {
	names, err := filepath.Glob("own/*.csv")
	if err != nil || len(names) != 96 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	want := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want[filepath.ToSlash(name)] = string(text)
	}
	if os.Getenv("TIDEWAITER_PACK") == "write" {
		pack(t, names, want)
		return
	}
	got := map[string]string{}
	err = fs.WalkDir(tariff.EmbeddedFiles(), "own", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(tariff.EmbeddedFiles(), name)
		got[name] = string(text)
		return err
	})
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("own.zip is stale: run make generate (%d files of %d, %v)", len(got), len(want), err)
	}
}

// pack writes own.zip: the same bytes for the same files.
func pack(t *testing.T, names []string, content map[string]string) {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range names {
		file, err := w.CreateHeader(&zip.FileHeader{Name: filepath.ToSlash(name), Method: zip.Deflate})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write([]byte(content[filepath.ToSlash(name)])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(packed, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
