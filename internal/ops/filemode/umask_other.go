//go:build !unix

package filemode

import "io/fs"

func setUmask(fs.FileMode) {}

// Umask returns 0 on systems without a umask.
func Umask() fs.FileMode { return 0 }

func foreign(fs.FileInfo) bool { return false }
