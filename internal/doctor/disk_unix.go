//go:build linux || darwin

package doctor

import "syscall"

// Free is the space of a folder's disk that the service can use, and its size.
func Free(folder string) (free, size uint64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, 0, err
	}
	block := uint64(s.Bsize) // #nosec G115 -- the size of a block
	return s.Bavail * block, s.Blocks * block, nil
}
