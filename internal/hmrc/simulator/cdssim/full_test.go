//go:build linux

package cdssim_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/cdssim"
)

// What cannot be written down because the disk is full is not taken; with room again the journal goes on where it was,
// and takes the same declaration and the same request as if they had never come before.
func TestJournalOnFullDisk(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("no small disk: a tmpfs cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	b := start(t, func(o *cdssim.Options) { o.Folder = folder })
	accepted := b.submit(withDocument(anImport("TWS1"), "SIM-G0S"))
	mrn, received := b.receiver.wait(1)[0].MRN, 1
	for ; !nearPageEnd(t, folder); received++ { // a page that is on the disk already has room
		b.submit(withDocument(anImport(fmt.Sprintf("TWSA%d", received)), "SIM-G0S"))
		b.receiver.wait(received + 1)
	}
	makeRoom := fillDisk(t, folder)
	if o := b.client.Submit(t.Context(), b.as, encode(t, anImport("TWS2"))); taken(o) {
		t.Fatalf("on a full disk a declaration ends as %v", o)
	}
	request := func() client.Outcome { return b.client.Cancel(t.Context(), b.as, cancellation(t, mrn)) }
	if o := request(); taken(o) {
		t.Fatalf("on a full disk a request to cancel ends as %v", o)
	}
	makeRoom()
	second := b.submit(anImport("TWS2"))
	if got := codes(b.receiver.wait(received+4), second); got != "01 13/67 13/4 09" {
		t.Fatalf("the declaration that was not taken at first gets %s", got)
	}
	if o := request(); !taken(o) {
		t.Fatalf("the request that was not taken at first ends as %v", o)
	}
	if got := codes(b.receiver.wait(received+6), accepted); got != "01 10" {
		t.Errorf("the declaration that is cancelled gets %s", got)
	}
	planned := len(b.Transcript())
	b.stop()
	makeRoom = fillDisk(t, folder)
	again := open(t, b.clock, b.receiver, b.options)
	if n := len(again.Transcript()); n != planned {
		t.Errorf("after a restart on the full disk %d messages are remembered instead of %d", n, planned)
	}
	makeRoom()
	again.submit(anImport("TWS3"))
	again.receiver.wait(received + 10)
}

func taken(o client.Outcome) bool { _, ok := o.(cds.Accepted); return ok }

// nearPageEnd reports whether the last page of the journal has no room for a record.
func nearPageEnd(t *testing.T, folder string) bool {
	t.Helper()
	info, err := os.Stat(filepath.Join(folder, "simulator.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	used := info.Size() % 4096
	return used > 3000 && used < 3900 // what is delivered meanwhile is written down in a hundred bytes
}

// fillDisk leaves no room on the disk of a folder.
func fillDisk(t *testing.T, folder string) (makeRoom func()) {
	t.Helper()
	path := filepath.Join(folder, "filler")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for err == nil {
		_, err = file.Write(make([]byte, 512))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	return func() {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
