package masterkey

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

// decryptsSecret reports whether the key of a setting or folder decrypts what another key has encrypted.
func decryptsSecret(t *testing.T, closed []byte, setting, folder string) bool {
	t.Helper()
	sealer, err := Open(config.Config{MasterKey: setting, Data: folder})
	if err != nil {
		t.Fatal(err)
	}
	text, err := sealer.Decrypt(closed, []byte("owner"))
	return err == nil && string(text) == "secret"
}

func encrypted(t *testing.T, setting, folder string) []byte {
	t.Helper()
	sealer, err := Open(config.Config{MasterKey: setting, Data: folder})
	if err != nil {
		t.Fatal(err)
	}
	closed, err := sealer.Encrypt([]byte("secret"), []byte("owner"))
	if err != nil {
		t.Fatal(err)
	}
	return closed
}

// The master key is created once, readable by its owner only, and never changes.
func TestMasterKeyIsMadeOnce(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	closed := encrypted(t, "", folder)
	path := filepath.Join(folder, File)
	made, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if !decryptsSecret(t, closed, "", folder) {
		t.Error("the key has changed")
	}
	if err := create(path); err != nil {
		t.Errorf("created by another process before: %v", err)
	}
	if again, _ := os.ReadFile(path); string(again) != string(made) {
		t.Error("the file has changed")
	}
	if decryptsSecret(t, closed, "", t.TempDir()) {
		t.Error("two folders have the same key")
	}
	if files, _ := os.ReadDir(folder); len(files) != 1 {
		t.Errorf("unexpected files: %v", files)
	}
}

// A key that other users can read, or that is malformed, is rejected by an error that does not contain it.
func TestMasterKeyIsRefused(t *testing.T) {
	for _, mode := range []os.FileMode{0o640, 0o604, 0o644, 0o620} {
		folder := t.TempDir()
		encrypted(t, "", folder)
		if err := os.Chmod(filepath.Join(folder, File), mode); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(config.Config{Data: folder}); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("%o: %v", mode, err)
		}
	}
	for _, text := range []string{"", "nonsense-4711", `{"primaryKeyId":4711}`, `[]`} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, File), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(config.Config{Data: folder}); err == nil || strings.Contains(err.Error(), "4711") {
			t.Errorf("file %q: %v", text, err)
		}
		if text == "" {
			continue
		}
		if _, err := Open(config.Config{MasterKey: text, Data: folder}); err == nil || strings.Contains(err.Error(), "4711") {
			t.Errorf("setting %q: %v", text, err)
		}
	}
}

// folderVariable names the data folder for the processes of TestProcessesShareMasterKey.
const folderVariable = "TIDEWAITER_TEST_KEY_FOLDER"

// TestEncryptInAnotherProcess does nothing unless TestProcessesShareMasterKey starts it.
func TestEncryptInAnotherProcess(t *testing.T) {
	folder := os.Getenv(folderVariable)
	if folder == "" {
		t.Skip("run by TestProcessesShareMasterKey")
	}
	fmt.Printf("encrypted=%s\n", base64.StdEncoding.EncodeToString(encrypted(t, "", folder)))
}

// Processes that start at the same time on an empty folder use the same key.
func TestProcessesShareMasterKey(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	var all sync.WaitGroup
	results := make([]string, 8)
	for n := range results {
		all.Go(func() {
			other := exec.Command(os.Args[0], "-test.run=^TestEncryptInAnotherProcess$", "-test.v")
			other.Env = append(os.Environ(), folderVariable+"="+folder)
			out, err := other.CombinedOutput()
			if err != nil {
				t.Errorf("%v: %s", err, out)
			}
			results[n] = string(out)
		})
	}
	all.Wait()
	for _, out := range results {
		_, text, _ := strings.Cut(out, "encrypted=")
		text, _, _ = strings.Cut(text, "\n")
		closed, err := base64.StdEncoding.DecodeString(text)
		if err != nil || !decryptsSecret(t, closed, "", folder) {
			t.Errorf("another key: %v, %q", err, out)
		}
	}
	if files, _ := os.ReadDir(folder); len(files) != 1 {
		t.Errorf("unexpected files: %v", files)
	}
}

// A key of the settings, as a variable or a file, is used instead of the folder's, and no file is created.
func TestMasterKeyOfSettings(t *testing.T) {
	folder, other := t.TempDir(), t.TempDir()
	closed := encrypted(t, "", other)
	path := filepath.Join(other, File)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := config.Config{Addr: "127.0.0.1:0"}
	if err := c.Complete(func(name string) string { return map[string]string{"TIDEWAITER_MASTER_KEY_FILE": path}[name] }); err != nil {
		t.Fatal(err)
	}
	for name, setting := range map[string]string{"the variable": string(text), "the file": c.MasterKey} {
		if !decryptsSecret(t, closed, setting, folder) {
			t.Errorf("%s gives another key", name)
		}
	}
	if files, _ := os.ReadDir(folder); len(files) != 0 {
		t.Errorf("unexpected files: %v", files)
	}
}
