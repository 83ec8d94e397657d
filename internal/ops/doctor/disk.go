package doctor

import "fmt"

// Free space of a disk below which something is to be done.
const (
	diskWorry = 2 << 30
	diskIll   = 256 << 20
	diskShare = 20 // a twentieth of a disk is little, however large it is
)

// Disk judges the free space of a folder's disk, in bytes.
func Disk(folder string, free, size uint64) Check {
	const name = "disk"
	const remedy = "make room, or enlarge the disk: without space nothing can be written, and no change is taken"
	finding := fmt.Sprintf("%s free of %s at %s", gibi(free), gibi(size), folder)
	switch {
	case free < diskIll:
		return Ill(name, remedy, "%s", finding)
	case free < diskWorry, free < size/diskShare:
		return Worry(name, remedy, "%s", finding)
	}
	return Well(name, "%s", finding)
}

func gibi(bytes uint64) string { return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30)) }
