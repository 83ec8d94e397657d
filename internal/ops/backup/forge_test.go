package backup_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/ops/backup"
)

// resealed gives changed bytes a valid seal.
func resealed(t *testing.T, file []byte) []byte {
	t.Helper()
	content := file[:len(file)-len("sha256:")-64]
	return fmt.Appendf(bytes.Clone(content), "sha256:%x", sha256.Sum256(content))
}

// forged returns a ZIP file with any content and a valid seal.
func forged(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var to bytes.Buffer
	z := zip.NewWriter(&to)
	for name, content := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.SetComment(strings.Repeat("-", 71)), z.Close()); err != nil {
		t.Fatal(err)
	}
	return resealed(t, to.Bytes())
}

// A file with a valid seal that is no backup, or has a newer format, is rejected with a reason.
func TestForeignFilesAreRefused(t *testing.T) {
	for want, files := range map[string]map[string]string{
		"there is no manifest.json":      {"tidewaiter.db": ""},
		"manifest cannot be read":        {"tidewaiter.db": "", "manifest.json": "{"},
		"do not agree":                   {"tidewaiter.db": "", "manifest.json": `{"format":1,"keyInside":true}`},
		"Use the newer program":          {"tidewaiter.db": "", "manifest.json": `{"format":2,"news":1}`},
		"this is not a backup as it was": {"tidewaiter.db": "", "manifest.json": `{"format":1,"news":1}`},
	} {
		if _, err := open(forged(t, files)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	var d *backup.Damaged
	if _, err := open(resealed(t, bytes.Repeat([]byte("x"), 500))); !errors.As(err, &d) {
		t.Errorf("no ZIP: %v", err)
	}
}
