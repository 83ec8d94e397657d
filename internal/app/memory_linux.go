package app

import (
	"bufio"
	"fmt"
	"io"
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
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer maps.Close()
	for _, m := range untouched(maps, self) {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.from, m.to-m.from, dontNeed)
	}
}

// stretch is a part of the process' memory.
type stretch struct{ from, to uintptr }

// untouched are the stretches that hold a file, cannot be written and were not: what a
// loader has changed in a program that can stand anywhere would be lost.
func untouched(smaps io.Reader, file string) (all []stretch) {
	var m stretch
	ours := false
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
		line := lines.Text()
		var from, to uintptr
		var access string
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &from, &to, &access); n == 3 {
			m = stretch{from, to}
			ours = strings.HasSuffix(line, " "+file) && !strings.Contains(access, "w")
			continue
		}
		name, size, _ := strings.Cut(line, ":")
		switch {
		case (name == "Anonymous" || name == "Swap") && strings.TrimSpace(size) != "0 kB":
			ours = false
		case name == "VmFlags" && ours:
			all = append(all, m)
		}
	}
	return all
}
