//go:build linux || darwin

// Package disk measures the space of a disk.
package disk

import "syscall"

// Free returns the bytes that the service can still use on a folder's disk, and the size of that disk in bytes.
// The error is fs.ErrNotExist if the folder does not exist.
func Free(folder string) (free, size uint64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, 0, err
	}
	block := uint64(s.Bsize) // #nosec G115 -- the size of a block
	return s.Bavail * block, s.Blocks * block, nil
}
