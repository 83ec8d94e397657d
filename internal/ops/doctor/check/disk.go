package check

import "fmt"

// Limits of free space.
const (
	diskWarn  = 2 << 30   // bytes
	diskFail  = 256 << 20 // bytes
	diskShare = 20        // a twentieth of the disk, however large it is
)

// Disk checks the free space of a folder's disk, in bytes.
func Disk(folder string, free, size uint64) Result {
	const name = "disk"
	const remedy = "free space, or enlarge the disk: without space every change fails"
	finding := fmt.Sprintf("%s free of %s at %s", gibi(free), gibi(size), folder)
	switch {
	case free < diskFail:
		return Failed(name, remedy, "%s", finding)
	case free < diskWarn, free < size/diskShare:
		return Warning(name, remedy, "%s", finding)
	}
	return Passed(name, "%s", finding)
}

func gibi(bytes uint64) string { return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30)) }
