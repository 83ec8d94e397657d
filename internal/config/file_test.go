package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/config"
)

// load reads a configuration file into an environment that is a map.
func load(environment map[string]string, args ...string) error {
	return config.LoadFile(args, func(name string) string { return environment[name] }, func(name, value string) error {
		if value == "refused" {
			return errors.New("refused")
		}
		environment[name] = value
		return nil
	})
}

// The file has one setting a line, with comments, empty lines, spaces and quotes
// as people write them, and the line breaks of any system.
func TestFile(t *testing.T) {
	environment := map[string]string{"TIDEWAITER_DATA": "from the environment"}
	file := written(t, "# a comment\r\n\r\nTIDEWAITER_ADDR=0.0.0.0:1\n  TIDEWAITER_PUBLIC_URL = \"https://t.example/?a=b#c\"  \n"+
		"TIDEWAITER_DATA=from the file\nTIDEWAITER_REDIS_URL=\n")
	if err := load(environment, "serve", "--config", file); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"TIDEWAITER_ADDR": "0.0.0.0:1", "TIDEWAITER_PUBLIC_URL": "https://t.example/?a=b#c",
		"TIDEWAITER_DATA": "from the environment", "TIDEWAITER_REDIS_URL": "",
	} {
		if environment[name] != want {
			t.Errorf("%s is %q", name, environment[name])
		}
	}
}

// The file is named on the command line, in either form, or in the environment.
func TestWhichFile(t *testing.T) {
	one, two := written(t, "TIDEWAITER_ADDR=one"), written(t, "TIDEWAITER_ADDR=two")
	for _, c := range []struct {
		variable string
		args     []string
		want     string
	}{
		{"", nil, ""}, {"", []string{"serve", "--config"}, ""}, {one, nil, "one"}, {"", []string{"--config", two, "serve"}, "two"},
		{one, []string{"serve", "--config=" + two}, "two"},
	} {
		environment := map[string]string{"TIDEWAITER_CONFIG": c.variable}
		if err := load(environment, c.args...); err != nil || environment["TIDEWAITER_ADDR"] != c.want {
			t.Errorf("%q %q: %q, %v", c.variable, c.args, environment["TIDEWAITER_ADDR"], err)
		}
	}
}

// A line that is no setting is named by its number, and so is one that cannot be set.
func TestWrongLines(t *testing.T) {
	for text, want := range map[string]string{
		"\nTIDEWAITER_ADDR":     ":2: want TIDEWAITER_NAME=value",
		"PATH=/bin":             ":1: want TIDEWAITER_NAME=value",
		"export TIDEWAITER_A=1": ":1: want TIDEWAITER_NAME=value",
		"=1":                    ":1: want TIDEWAITER_NAME=value",
		"TIDEWAITER_A=refused":  ":1: refused",
	} {
		file := written(t, text)
		if err := load(map[string]string{}, "--config="+file); err == nil || !strings.HasSuffix(err.Error(), file+want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := load(map[string]string{}, "--config=/no/such/file"); err == nil || !strings.HasPrefix(err.Error(), "settings: open /no/such/file") {
		t.Errorf("no file: %v", err)
	}
}
