//go:build !unix

package filemode

import "io/fs"

func setUmask(fs.FileMode) {}

// Umask is zero where processes have none.
func Umask() fs.FileMode { return 0 }

func foreign(fs.FileInfo) bool { return false }
