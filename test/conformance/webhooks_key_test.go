package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A service signs with secrets sealed by another process if both have the same master key, by variable or by file;
// it then creates no key of its own.
func TestMasterKeyFromSettings(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		r := receive(t)
		elsewhere := t.TempDir()
		serve(t, storetest.Backend{Folder: elsewhere}) // creates a key
		file := filepath.Join(elsewhere, "master.key")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b.Folder = t.TempDir()
		var c *caller
		var path string
		t.Run("variable", func(t *testing.T) {
			p := serve(t, b, allowPrivate, "TIDEWAITER_MASTER_KEY="+string(text))
			c = p.organisation("A")
			id, _ := c.endpoint(r.URL)
			path = endpoints + "/" + id + "/test"
			if a := c.call("POST", path, nil).want(t, 200); a.in("delivery", "status") != "DELIVERED" {
				t.Error(a.text)
			}
		})
		t.Run("file", func(t *testing.T) {
			again := &caller{serve(t, b, allowPrivate, "TIDEWAITER_MASTER_KEY_FILE="+file), c.org, c.key}
			if a := again.call("POST", path, nil).want(t, 200); a.in("delivery", "status") != "DELIVERED" {
				t.Error(a.text)
			}
		})
		if _, err := os.Stat(filepath.Join(b.Folder, "master.key")); !os.IsNotExist(err) {
			t.Errorf("a key was created although one was given: %v", err)
		}
	})
}
