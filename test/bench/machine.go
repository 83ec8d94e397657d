package main

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// machine is what the figures were measured on.
func machine(date string) [][]string {
	return [][]string{
		{"Date", date},
		{"Machine", field("/proc/cpuinfo", "model name")},
		{"Cores", strconv.Itoa(runtime.NumCPU())},
		{"Memory", field("/proc/meminfo", "MemTotal")},
		{"System", runtime.GOOS + "/" + runtime.GOARCH},
		{"Go", runtime.Version()},
		{"Command", "`" + strings.Join(append([]string{"go run ./test/bench"}, os.Args[1:]...), " ") + "`"},
	}
}

// field is the first value of a name in a file of lines such as "name: value".
func field(file, name string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}
