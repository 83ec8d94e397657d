// Package deploy compares the files of the folder deploy with the program: the settings and commands that they
// name exist, and their readers accept them.
package deploy_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

const folder = "../../deploy"

// text reads a file of the folder.
func text(t *testing.T, name ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(append([]string{folder}, name...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// decoded parses YAML.
func decoded[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return v
}

var variable = regexp.MustCompile(`TIDEWAITER_[A-Z_]+`)

// variables are the settings' variables and those that name a secret's file.
func variables(t *testing.T) map[string]bool {
	t.Helper()
	settings, err := config.Settings(&config.Config{})
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"TIDEWAITER_CONFIG": true}
	for _, s := range settings {
		known[s.Variable] = true
		if s.Secret {
			known[s.Variable+"_FILE"] = true
		}
	}
	return known
}

// Every setting that a file of the folder names exists.
func TestSettingsExist(t *testing.T) {
	known, seen := variables(t), 0
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		for _, name := range variable.FindAllString(string(b), -1) {
			seen++
			if !known[name] && name != "TIDEWAITER_" {
				t.Errorf("%s names %s, which is not a setting", path, name)
			}
		}
		return err
	})
	if err != nil || seen < 15 {
		t.Errorf("%d settings, %v", seen, err)
	}
}

// checked fails the test if the program refuses a configuration file.
func checked(t *testing.T, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tidewaiter.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	environment := map[string]string{"TIDEWAITER_CONFIG": file}
	_, err := config.Load(nil, config.Environment{
		Get:   func(name string) string { return environment[name] },
		Set:   func(name, value string) error { environment[name] = value; return nil },
		Unset: func(string) error { return nil },
		All:   func() []string { return nil },
	})
	if err != nil || len(environment) < 3 {
		t.Errorf("%v: %v\n%s", err, environment, text)
	}
}

// The program accepts the example of its configuration file.
func TestExampleIsTaken(t *testing.T) { checked(t, text(t, "systemd", "tidewaiter.yaml")) }

var (
	command  = regexp.MustCompile("(?m)^\t(\\w+) +\\w+Command +`cmd:\"\"(?: name:\"(\\w+)\")?")
	commands = func(t *testing.T) (all []string) {
		t.Helper()
		b, err := os.ReadFile("../../cmd/tidewaiter/main.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range command.FindAllStringSubmatch(string(b), -1) {
			name := strings.ToLower(found[1])
			if found[2] != "" {
				name = found[2]
			}
			all = append(all, name)
		}
		return all
	}
)

// runs fails the test unless the program has a command.
func runs(t *testing.T, where, name string) {
	t.Helper()
	if all := commands(t); !slices.Contains(all, name) {
		t.Errorf("%s runs %q; there are %q", where, name, all)
	}
}
