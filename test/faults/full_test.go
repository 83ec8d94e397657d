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

// A small disk, and the space that is left on it.
const (
	diskSize  = "size=16m"
	freeSpace = 512 << 10
)

// On a full disk callers get disk_full and no other error, and the service is not ready. Acknowledged data can be
// read, and the service and the CDS simulator continue once there is space, without a restart.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	p := newHost(t, storetest.SQLite(t))
	if err := syscall.Mount("tmpfs", p.Data(), "tmpfs", 0, diskSize); err != nil {
		t.Skipf("cannot mount a tmpfs as a small disk: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(p.Data(), syscall.MNT_DETACH) })
	running, c := p.withOrganisation(t)
	shipment := c.shipment(t)
	filler := filepath.Join(p.Data(), "filler")
	fill(t, filler)
	filings := c.fileUntilRefused(t, shipment)
	if text, status := program.Get(t, running.Address+"/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(text, "disk is full") {
		t.Errorf("on a full disk /readyz says %d %s", status, text)
	}
	for _, f := range filings {
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
	c.checkAcknowledged(t, append(filings, filed{mark: "Last shirts", id: made.ID}), shipment)
	a, err := c.do(t.Context(), http.MethodPost, "/api/declarations", "", input(shipment, "Shirts to clear"))
	var cleared struct{ ID string }
	if err != nil || !a.read(&cleared) {
		t.Fatalf("%d %s, %v", a.status, a.body, err)
	}
	c.must(t, http.MethodPost, "/api/cds/submit", map[string]string{"declarationId": cleared.ID}, &struct{}{})
	eventually(t, recoverLimit, "customs clears a declaration", func() bool { return c.declaration(t, cleared.ID).Status == "CLEARED" })
	running.Stop(t)
	p.verifyAudit(t)
	t.Logf("%d declarations were acknowledged before the disk was full", len(filings))
}

// The ballast is deleted when the disk is full, and is created again when there is space for several of it.
func TestBallast(t *testing.T) {
	t.Parallel()
	p := newHost(t, storetest.SQLite(t))
	p.Settings["TIDEWAITER_DISK_BALLAST"] = "2MB"
	if err := syscall.Mount("tmpfs", p.Data(), "tmpfs", 0, diskSize); err != nil {
		t.Skipf("cannot mount a tmpfs as a small disk: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(p.Data(), syscall.MNT_DETACH) })
	running, c := p.withOrganisation(t)
	shipment, ballast := c.shipment(t), filepath.Join(p.Data(), "tidewaiter.ballast")
	there := func() bool { info, err := os.Stat(ballast); return err == nil && info.Size() == 2<<20 }
	eventually(t, finishLimit, "there is a ballast", there)
	filler := filepath.Join(p.Data(), "filler")
	fill(t, filler)
	filings := c.fileUntilRefused(t, shipment)
	if there() {
		t.Error("the ballast is still there")
	}
	p.organisation(t) // uses the space of the ballast
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	eventually(t, finishLimit, "there is a ballast again", there)
	c.checkAcknowledged(t, filings, shipment)
	running.Stop(t)
}

// During a long read the write-ahead log stays within its limit: beyond it changes are refused, and they are
// accepted again when the read has ended.
func TestWriteAheadLogLimit(t *testing.T) {
	t.Parallel()
	const limit = 4 // MB
	p := newHost(t, storetest.SQLite(t))
	p.Settings["TIDEWAITER_WAL_LIMIT"] = fmt.Sprintf("%dMB", limit)
	running, c := p.withOrganisation(t)
	shipment := c.shipment(t)
	reader := p.open(t)
	for _, statement := range []string{"BEGIN", "SELECT count(*) FROM organisations"} {
		if _, err := reader.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	filings := c.fileUntil(t, shipment, "store_unavailable")
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
	c.checkAcknowledged(t, filings, shipment)
	running.Stop(t)
}

// fileUntilRefused creates declarations on a full disk until several in a row are refused.
func (c *client) fileUntilRefused(t *testing.T, shipment string) (filings []filed) {
	t.Helper()
	return c.fileUntil(t, shipment, "disk_full")
}

// fileUntil creates declarations until several in a row are refused with a code.
func (c *client) fileUntil(t *testing.T, shipment, code string) (filings []filed) {
	t.Helper()
	const most, enough = 20_000, 20
	refused := 0
	for n := 0; refused < enough; n++ {
		if n == most {
			t.Fatalf("%d declarations were accepted on a full disk", n)
		}
		mark := fmt.Sprintf("Shirts of lot %d", n)
		a, err := c.do(t.Context(), http.MethodPost, "/api/declarations", "", input(shipment, mark))
		var made struct{ ID string }
		switch {
		case err != nil:
			t.Fatal(err)
		case a.read(&made):
			refused, filings = 0, append(filings, filed{mark: mark, id: made.ID})
		case a.status != http.StatusServiceUnavailable || a.code() != code:
			t.Errorf("instead of %s the answer was %d %s", code, a.status, a.body)
			refused++
		default:
			refused++
		}
	}
	return filings
}

// fill writes a file until the disk is full except for the slack.
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
	if err := file.Truncate(size - freeSpace); err != nil {
		t.Fatal(err)
	}
}

// zeros is an endless reader of zero bytes.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }
