package doctor

import (
	"io/fs"
	"os"
)

// Private judges a file with a secret in it by who can read it.
func Private(name, path string) Check {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Ill(name, "put the file back, or mend its rights", "%v", err)
	case readable(info.Mode()):
		return Ill(name, "chmod 600 "+path, "%s can be read by others (%s)", path, info.Mode().Perm())
	}
	return Well(name, "%s is read by its owner alone", path)
}

func readable(m fs.FileMode) bool { return m.Perm()&0o077 != 0 }
