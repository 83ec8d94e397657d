package faults_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// A small disk, and the room that is left on it.
const (
	diskSize = "size=16m"
	slack    = 512 << 10
)

// On a full disk callers are told so and nothing worse, and the service is not ready; what was acknowledged can be read,
// and both the service and the simulator of customs go on once there is room, without a restart.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	p := newPlace(t, storetest.SQLite(t))
	if err := syscall.Mount("tmpfs", p.Data(), "tmpfs", 0, diskSize); err != nil {
		t.Skipf("no small disk: a tmpfs cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(p.Data(), syscall.MNT_DETACH) })
	running, c := p.opened(t)
	shipment := c.shipment(t)
	filler := filepath.Join(p.Data(), "filler")
	fill(t, filler)
	told := c.fileUntilRefused(t, shipment)
	if text, status := program.Get(t, running.Address+"/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(text, "disk is full") {
		t.Errorf("on a full disk /readyz says %d %s", status, text)
	}
	for _, f := range told {
		if d := c.declaration(t, f.id); d.Status != "DRAFT" {
			t.Errorf("declaration %s is %s", f.id, d.Status)
		}
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	var made struct{ ID string }
	eventually(t, recoverLimit, "declarations are taken again", func() bool {
		a, err := c.do(t.Context(), http.MethodPost, "/api/declarations", "last", input(shipment, "Last shirts"))
		return err == nil && a.read(&made)
	})
	eventually(t, recoverLimit, "the service is ready", func() bool { return ready(t, running) })
	c.keeps(t, append(told, filed{mark: "Last shirts", id: made.ID}), shipment)
	a, err := c.do(t.Context(), http.MethodPost, "/api/declarations", "", input(shipment, "Shirts to clear"))
	var cleared struct{ ID string }
	if err != nil || !a.read(&cleared) {
		t.Fatalf("%d %s, %v", a.status, a.body, err)
	}
	c.must(t, http.MethodPost, "/api/cds/submit", map[string]string{"declarationId": cleared.ID}, &struct{}{})
	eventually(t, recoverLimit, "customs clears a declaration", func() bool { return c.declaration(t, cleared.ID).Status == "CLEARED" })
	running.Stop(t)
	p.verifyAudit(t)
	t.Logf("%d declarations were acknowledged on the full disk", len(told))
}

// The ballast is given up when the disk is full, and comes back when there is room for several of it.
func TestBallast(t *testing.T) {
	t.Parallel()
	p := newPlace(t, storetest.SQLite(t))
	p.Settings["TIDEWAITER_DISK_BALLAST"] = "2MB"
	if err := syscall.Mount("tmpfs", p.Data(), "tmpfs", 0, diskSize); err != nil {
		t.Skipf("no small disk: a tmpfs cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(p.Data(), syscall.MNT_DETACH) })
	running, c := p.opened(t)
	shipment, ballast := c.shipment(t), filepath.Join(p.Data(), "tidewaiter.ballast")
	there := func() bool { info, err := os.Stat(ballast); return err == nil && info.Size() == 2<<20 }
	eventually(t, settleLimit, "there is a ballast", there)
	filler := filepath.Join(p.Data(), "filler")
	fill(t, filler)
	told := c.fileUntilRefused(t, shipment)
	if there() {
		t.Error("the ballast is still there")
	}
	p.organisation(t) // has the room that the ballast had
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	eventually(t, settleLimit, "there is a ballast again", there)
	c.keeps(t, told, shipment)
	running.Stop(t)
}

// While something reads for long the write-ahead log stays within its limit: changes are refused beyond it, and taken
// again when the reader has ended.
func TestLogLimit(t *testing.T) {
	t.Parallel()
	const limit = 4 // MB
	p := newPlace(t, storetest.SQLite(t))
	p.Settings["TIDEWAITER_WAL_LIMIT"] = fmt.Sprintf("%dMB", limit)
	running, c := p.opened(t)
	shipment := c.shipment(t)
	reader := p.open(t)
	for _, statement := range []string{"BEGIN", "SELECT count(*) FROM organisations"} {
		if _, err := reader.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	told := c.fileUntil(t, shipment, "store_unavailable")
	if info, err := os.Stat(filepath.Join(p.Data(), "tidewaiter.db-wal")); err != nil || info.Size() > 2*limit<<20 {
		t.Errorf("the write-ahead log has %d bytes, %v", info.Size(), err)
	}
	if ready(t, running) {
		t.Error("the service is ready with a log at its limit")
	}
	if _, err := reader.ExecContext(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	eventually(t, recoverLimit, "the service is ready", func() bool { return ready(t, running) })
	c.keeps(t, told, shipment)
	running.Stop(t)
}

// fileUntilRefused creates declarations on a full disk until several in a row are refused.
func (c *client) fileUntilRefused(t *testing.T, shipment string) (told []filed) {
	t.Helper()
	return c.fileUntil(t, shipment, "disk_full")
}

// fileUntil creates declarations until several in a row are refused with a code.
func (c *client) fileUntil(t *testing.T, shipment, code string) (told []filed) {
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
		case a.status != http.StatusServiceUnavailable || a.code() != code:
			t.Errorf("instead of %s the answer was %d %s", code, a.status, a.body)
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
