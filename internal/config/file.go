package config

import (
	"fmt"
	"os"
	"strings"
)

// LoadFile puts the settings of the configuration file into the environment, where
// the environment says nothing else. The file is named by --config or
// TIDEWAITER_CONFIG and has one NAME=value a line; # begins a comment.
func LoadFile(args []string, getenv func(string) string, setenv func(string, string) error) error {
	path := fileOf(args, getenv)
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	for n, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, found := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !found || !strings.HasPrefix(name, "TIDEWAITER_") {
			return fmt.Errorf("settings: %s:%d: want TIDEWAITER_NAME=value", path, n+1)
		}
		if getenv(name) == "" {
			if err := setenv(name, strings.Trim(strings.TrimSpace(value), `"`)); err != nil {
				return fmt.Errorf("settings: %s:%d: %w", path, n+1, err)
			}
		}
	}
	return nil
}

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
