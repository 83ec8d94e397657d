package app

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// opens tells whether what one key has closed opens with another.
func opens(t *testing.T, closed []byte, setting, folder string) bool {
	t.Helper()
	sealer, err := masterKey(setting, folder)
	if err != nil {
		t.Fatal(err)
	}
	text, err := sealer.Decrypt(closed, []byte("owner"))
	return err == nil && string(text) == "secret"
}

func closedBy(t *testing.T, setting, folder string) []byte {
	t.Helper()
	sealer, err := masterKey(setting, folder)
	if err != nil {
		t.Fatal(err)
	}
	closed, err := sealer.Encrypt([]byte("secret"), []byte("owner"))
	if err != nil {
		t.Fatal(err)
	}
	return closed
}

// The master key is made once, for nobody else to read, and is the same ever after.
func TestMasterKeyIsMadeOnce(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	closed := closedBy(t, "", folder)
	path := filepath.Join(folder, masterFile)
	made, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if !opens(t, closed, "", folder) {
		t.Error("the key has changed")
	}
	if err := makeMasterKey(path); err != nil {
		t.Errorf("made by another process meanwhile: %v", err)
	}
	if again, _ := os.ReadFile(path); string(again) != string(made) {
		t.Error("the file has changed")
	}
	if opens(t, closed, "", t.TempDir()) {
		t.Error("two folders have the same key")
	}
	if files, _ := os.ReadDir(folder); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}

// A key that others can read, or that is none, is refused without telling it.
func TestMasterKeyIsRefused(t *testing.T) {
	for _, mode := range []os.FileMode{0o640, 0o604, 0o644, 0o620} {
		folder := t.TempDir()
		closedBy(t, "", folder)
		if err := os.Chmod(filepath.Join(folder, masterFile), mode); err != nil {
			t.Fatal(err)
		}
		if _, err := masterKey("", folder); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("%o: %v", mode, err)
		}
	}
	for _, text := range []string{"", "nonsense-4711", `{"primaryKeyId":4711}`, `[]`} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, masterFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := masterKey("", folder); err == nil || strings.Contains(err.Error(), "4711") {
			t.Errorf("file %q: %v", text, err)
		}
		if text == "" {
			continue
		}
		if _, err := masterKey(text, folder); err == nil || strings.Contains(err.Error(), "4711") {
			t.Errorf("setting %q: %v", text, err)
		}
	}
}

// sealingFolder names the folder in which a process of TestMasterKeyIsAgreedOn seals.
const sealingFolder = "TIDEWAITER_TEST_SEALING_FOLDER"

// TestSealInAnotherProcess does nothing unless TestMasterKeyIsAgreedOn starts it.
func TestSealInAnotherProcess(t *testing.T) {
	folder := os.Getenv(sealingFolder)
	if folder == "" {
		t.Skip("a part of TestMasterKeyIsAgreedOn")
	}
	fmt.Printf("sealed=%s\n", base64.StdEncoding.EncodeToString(closedBy(t, "", folder)))
}

// Processes that start at once on an empty folder have one key between them.
func TestMasterKeyIsAgreedOn(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	var all sync.WaitGroup
	results := make([]string, 8)
	for n := range results {
		all.Go(func() {
			other := exec.Command(os.Args[0], "-test.run=^TestSealInAnotherProcess$", "-test.v")
			other.Env = append(os.Environ(), sealingFolder+"="+folder)
			out, err := other.CombinedOutput()
			if err != nil {
				t.Errorf("%v: %s", err, out)
			}
			results[n] = string(out)
		})
	}
	all.Wait()
	for _, out := range results {
		_, text, _ := strings.Cut(out, "sealed=")
		text, _, _ = strings.Cut(text, "\n")
		closed, err := base64.StdEncoding.DecodeString(text)
		if err != nil || !opens(t, closed, "", folder) {
			t.Errorf("another key: %v, %q", err, out)
		}
	}
	if files, _ := os.ReadDir(folder); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}

// The key of the settings, by variable or by file, wins over the folder, which is left alone.
func TestMasterKeyOfTheSettings(t *testing.T) {
	folder, other := t.TempDir(), t.TempDir()
	closed := closedBy(t, "", other)
	path := filepath.Join(other, masterFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := config.Config{Addr: "127.0.0.1:0"}
	if err := c.Complete(func(name string) string { return map[string]string{"TIDEWAITER_MASTER_KEY_FILE": path}[name] }); err != nil {
		t.Fatal(err)
	}
	for name, setting := range map[string]string{"the variable": string(text), "the file": c.MasterKey} {
		if !opens(t, closed, setting, folder) {
			t.Errorf("%s gives another key", name)
		}
	}
	if files, _ := os.ReadDir(folder); len(files) != 0 {
		t.Errorf("made: %v", files)
	}
}
