package faults_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A small disk, and the room that is left on it.
const (
	diskSize = "size=16m"
	slack    = 512 << 10
)

// On a full disk callers are told that the store is unavailable and nothing worse;
// what was acknowledged can be read, and the service goes on once there is room.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	p := newPlace(t, storetest.SQLite(t))
	if err := syscall.Mount("tmpfs", p.Data(), "tmpfs", 0, diskSize); err != nil {
		t.Skipf("no small disk: a tmpfs cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(p.Data(), syscall.MNT_DETACH) })
	running, c := p.opened(t)
	shipment := c.shipment(t)
	ballast := filepath.Join(p.Data(), "ballast")
	fill(t, ballast)
	told := c.fileUntilRefused(t, shipment)
	for _, f := range told {
		if d := c.declaration(t, f.id); d.Status != "DRAFT" {
			t.Errorf("declaration %s is %s", f.id, d.Status)
		}
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	var made struct{ ID string }
	eventually(t, recoverLimit, "declarations are taken again", func() bool {
		a, err := c.do(t.Context(), http.MethodPost, "/api/declarations", "last", input(shipment, "Last shirts"))
		return err == nil && a.read(&made)
	})
	c.keeps(t, append(told, filed{mark: "Last shirts", id: made.ID}), shipment)
	running.Stop(t)
	p.verifyAudit(t)
	t.Logf("%d declarations were acknowledged on the full disk", len(told))
}

// fileUntilRefused creates declarations on a full disk until several in a row are refused.
func (c *client) fileUntilRefused(t *testing.T, shipment string) (told []filed) {
	t.Helper()
	const most, enough = 20_000, 20
	refused := 0
	for n := 0; refused < enough; n++ {
		if n == most {
			t.Fatalf("%d declarations were taken on a full disk", n)
		}
		mark := fmt.Sprintf("Shirts of lot %d", n)
		a, err := c.do(t.Context(), http.MethodPost, "/api/declarations", "", input(shipment, mark))
		var made struct{ ID string }
		switch {
		case err != nil:
			t.Fatal(err)
		case a.read(&made):
			refused, told = 0, append(told, filed{mark: mark, id: made.ID})
		case a.status != http.StatusServiceUnavailable || a.code() != "store_unavailable":
			t.Errorf("a full disk was answered with %d %s", a.status, a.body)
			refused++
		default:
			refused++
		}
	}
	return told
}

// fill writes a file until the disk is full but for the slack.
func fill(t *testing.T, path string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	size, err := io.Copy(file, zeros{})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	if err := file.Truncate(size - slack); err != nil {
		t.Fatal(err)
	}
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }
