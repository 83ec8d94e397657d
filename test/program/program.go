// Package program runs the real program for tests: it builds it once, configures it, starts it and its commands,
// reads their output, and stops or kills it.
package program

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/logbuffer"
)

// Program describes how the program is run; changes before a start apply to it.
type Program struct {
	File     string
	Settings map[string]string
	Log      *logbuffer.Buffer // of all processes and commands that are started from this value
}

// RareGC is a setting for programs whose memory no test measures: they spend less processor time on garbage collection.
const RareGC = "GOGC=400"

// New is the program under test on a free port, with settings in the form NAME=value. Its data is in a folder (by
// default one of the test's own) or in a database.
func New(t testing.TB, folder, database string, settings ...string) Program {
	t.Helper()
	if folder == "" {
		folder = t.TempDir()
	}
	p := Program{File: Binary(t), Log: &logbuffer.Buffer{}, Settings: map[string]string{
		"TIDEWAITER_ADDR": "127.0.0.1:0", "TIDEWAITER_DATA": folder, "TIDEWAITER_DATABASE_URL": database,
		"TIDEWAITER_STOP_DELAY":   "0",  // tests of stopping set their own value
		"TIDEWAITER_DISK_BALLAST": "0B", // the folders of tests are in memory
	}}
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		p.Settings[name] = value
	}
	return p
}

// Data is its data folder.
func (p Program) Data() string { return p.Settings["TIDEWAITER_DATA"] }

// ofTests are the variables that the tests run with and the program does not: its own settings, and how often the
// garbage collector runs, which decides how much memory it takes.
var ofTests = []string{"TIDEWAITER_", "GOGC=", "GOMEMLIMIT="}

// Command is one of the program's commands, with its settings and no others.
func (p Program) Command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.File, args...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return slices.ContainsFunc(ofTests, func(name string) bool { return strings.HasPrefix(v, name) })
	})
	for name, value := range p.Settings {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// Run runs a command that must succeed, and returns its output.
func (p Program) Run(t testing.TB, args ...string) []byte {
	t.Helper()
	cmd := p.Command(args...)
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("tidewaiter %s: %v\n%s%s", strings.Join(args, " "), err, out, problems.String())
	}
	return out
}

// Read runs a command that prints JSON, and parses it.
func (p Program) Read(t testing.TB, into any, args ...string) {
	t.Helper()
	out := p.Run(t, append(args, "--json")...)
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("tidewaiter %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// Code runs a command and returns its exit code and output.
func (p Program) Code(args ...string) (code int, out string) {
	cmd := p.Command(args...)
	text, _ := cmd.CombinedOutput()
	return cmd.ProcessState.ExitCode(), string(text)
}
