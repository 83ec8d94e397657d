package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// maxFile is the maximum size of a configuration file in bytes.
const maxFile = 256 << 10

// entry is a variable in a configuration file.
type entry struct {
	variable string
	value    string
	line     int
}

// readFile reads a configuration file: YAML (or JSON) by its name, otherwise lines of NAME=value. It returns the valid
// entries and the faults.
func readFile(path string, settings []Setting) (entries []entry, faults []string) {
	text, err := readBounded(path)
	if err != nil {
		return nil, []string{err.Error()}
	}
	read := readLines
	switch filepath.Ext(path) {
	case ".yaml", ".yml", ".json":
		read = readYAML
	}
	entries, faults = read(text, settings)
	for i := range faults {
		faults[i] = path + ":" + faults[i]
	}
	return entries, faults
}

func readBounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s is longer than %d bytes", path, maxFile)
	}
	return os.ReadFile(path) // #nosec G304 -- the operator names it
}

// readLines reads lines of NAME=value; # begins a comment.
func readLines(text []byte, settings []Setting) (entries []entry, faults []string) {
	known := byVariable(settings)
	seen := map[string]int{}
	for n, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, found := strings.Cut(line, "=")
		e := entry{strings.TrimSpace(name), strings.Trim(strings.TrimSpace(value), `"`), n + 1}
		var fault error
		switch s := known[e.variable]; {
		case !found || !strings.HasPrefix(e.variable, "TIDEWAITER_"):
			fault = fmt.Errorf("want TIDEWAITER_NAME=value")
		case seen[e.variable] != 0:
			fault = fmt.Errorf("%s was set in line %d", e.variable, seen[e.variable])
		case s == nil:
			fault = fmt.Errorf("there is no setting %s", e.variable)
		case e.value == "" || e.variable != s.Variable: // not set, or the name of a file
		default:
			if err := s.take(e.value); err != nil {
				fault = fmt.Errorf("%s: %w", e.variable, err)
			}
		}
		seen[e.variable] = e.line
		if fault != nil {
			faults = append(faults, fmt.Sprintf("%d: %v", e.line, fault))
		} else {
			entries = append(entries, e)
		}
	}
	return entries, faults
}

// byVariable returns settings by their variables, including those that name the file of a secret.
func byVariable(settings []Setting) map[string]*Setting {
	known := map[string]*Setting{}
	for i := range settings {
		s := &settings[i]
		known[s.Variable] = s
		if s.Secret {
			known[s.Variable+fileSuffix] = s
		}
	}
	return known
}

// fileSuffix is added to a secret's variable to name the secret's file.
const fileSuffix = "_FILE"

func fileOf(args []string, getenv func(string) string) string {
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, "--config="); ok {
			return value
		}
		if arg == "--config" && i+1 < len(args) {
			return args[i+1]
		}
	}
	return getenv("TIDEWAITER_CONFIG")
}
