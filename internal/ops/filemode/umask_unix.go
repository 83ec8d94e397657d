//go:build unix

package filemode

import (
	"io/fs"
	"os"
	"syscall"
)

func setUmask(mask fs.FileMode) { syscall.Umask(int(mask)) }

// Umask returns the umask of this process: the bits that new files do not get.
func Umask() fs.FileMode {
	mask := syscall.Umask(int(others))
	syscall.Umask(mask)
	return fs.FileMode(mask) // #nosec G115 -- nine bits
}

func foreign(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) != os.Geteuid()
}
