package instance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/ops/instance"
)

// counted makes ids 1, 2, 3 and so on.
func counted() func() string {
	n := 0
	return func() string { n++; return fmt.Sprint(n) }
}

func open(t *testing.T, folder string, newID func() string) *instance.Instance {
	t.Helper()
	i, err := instance.Open(folder, newID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	return i
}

// An instance has its id again after a restart; a second one beside it has its own, and so has a copy of the folder on
// another machine, and one whose file is damaged.
func TestOpen(t *testing.T) {
	folder, newID := t.TempDir(), counted()
	first := open(t, folder, newID)
	if beside := open(t, folder, newID); beside.ID == first.ID {
		t.Error("two running instances have one id")
	}
	first.Close()
	second := open(t, folder, newID)
	if second.ID != first.ID {
		t.Errorf("after a restart the id is %s, not %s", second.ID, first.ID)
	}
	second.Close()
	for _, content := range []string{`{"id":"` + first.ID + `","host":"elsewhere"}`, `{`, ``} {
		if err := os.WriteFile(filepath.Join(folder, instance.File), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		other := open(t, folder, newID)
		if other.ID == first.ID {
			t.Errorf("%s: the id is used again", content)
		}
		other.Close()
		again := open(t, folder, newID)
		if again.ID != other.ID {
			t.Errorf("%s: the new id is not kept", content)
		}
		again.Close()
	}
}

// A folder that cannot be written gives an id and says why it will not last.
func TestFolderIsMissing(t *testing.T) {
	i, err := instance.Open(filepath.Join(t.TempDir(), "missing"), counted())
	if err == nil || i.ID != "1" {
		t.Errorf("%+v, %v", i, err)
	}
	i.Close()
}
