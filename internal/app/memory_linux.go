package app

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
)

// dontNeed is MADV_DONTNEED: the pages of a mapped file are read again when they are used.
const dontNeed = 4

// settle gives back the memory that only starting needed: what is left of it on the
// heap, and the pages of the program that were read once, which are many where
// libraries bring large tables of types along.
func settle() {
	debug.FreeOSMemory()
	self, err := os.Executable()
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var from, to uintptr
		var access string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &from, &to, &access); err != nil {
			continue
		}
		if strings.HasSuffix(lines.Text(), " "+self) && !strings.Contains(access, "w") {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, dontNeed)
		}
	}
}
