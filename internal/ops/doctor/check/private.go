package check

import (
	"io/fs"
	"os"
)

// Private checks that only its owner can read a file with a secret.
func Private(name, path string) Result {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Failed(name, "put the file back, or correct its permissions", "%v", err)
	case readable(info.Mode()):
		return Failed(name, "chmod 600 "+path, "other users can read %s (%s)", path, info.Mode().Perm())
	}
	return Passed(name, "only its owner can read %s", path)
}

func readable(m fs.FileMode) bool { return m.Perm()&0o077 != 0 }
