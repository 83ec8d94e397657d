package disk_test

import (
	"os"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/disk"
)

// A folder's disk has free space and a size; a folder that does not exist is an error.
func TestFree(t *testing.T) {
	if free, size, err := disk.Free(t.TempDir()); err != nil || free == 0 || size < free {
		t.Errorf("%d of %d, %v", free, size, err)
	}
	if _, _, err := disk.Free("/no/such/folder"); !os.IsNotExist(err) {
		t.Errorf("no folder: %v", err)
	}
}
