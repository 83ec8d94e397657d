package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
)

// machine describes the machine of the measurement.
func (b *bench) machine(date string) ([][]string, error) {
	synced, err := b.syncTime()
	return [][]string{
		{"Date", date},
		{"Machine", field("/proc/cpuinfo", "model name")},
		{"Cores", strconv.Itoa(runtime.NumCPU())},
		{"Memory", memory()},
		{"Write of 4 KB with a sync, median", short(synced.Seconds()*1e6) + " µs"},
		{"System", runtime.GOOS + "/" + runtime.GOARCH},
		{"Go", runtime.Version()},
		{"Command", "`" + strings.Join(append([]string{"go run ./test/bench"}, os.Args[1:]...), " ") + "`"},
	}, err
}

// syncs is the number of writes with which the disk is measured.
const syncs = 500

// syncTime is how long the disk takes to make a small write durable: the minimum cost of a commit, which grouping
// saves.
func (b *bench) syncTime() (time.Duration, error) {
	f, err := os.Create(filepath.Join(b.folder, "sync"))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var took []time.Duration
	for range syncs {
		began := time.Now()
		if _, err := f.Write(make([]byte, 4<<10)); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
		took = append(took, time.Since(began))
	}
	return load.Median(took), nil
}

// memory is the machine's memory; /proc has it in kB.
func memory() string {
	kilobytes, err := strconv.ParseFloat(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB"), 64)
	if err != nil {
		return "unknown"
	}
	return short(kilobytes/(1<<20)) + " GB"
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
