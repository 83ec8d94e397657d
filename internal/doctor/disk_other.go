//go:build !linux && !darwin

package doctor

import "errors"

// Free is not known on this system.
func Free(string) (free, size uint64, err error) {
	return 0, 0, errors.New("this system does not tell")
}
