//go:build !linux && !darwin

// Package disk measures the space of a disk.
package disk

import "errors"

// Free always fails: the free space is not known on this system.
func Free(string) (free, size uint64, err error) {
	return 0, 0, errors.New("free space is not known on this system")
}
