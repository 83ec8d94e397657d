package config_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// environmentOf returns an environment in a map, in which one value cannot be set.
func environmentOf(variables map[string]string) config.Environment {
	return config.Environment{
		Get: func(name string) string { return variables[name] },
		Set: func(name, value string) error {
			if value == "refused" {
				return errors.New("refused")
			}
			variables[name] = value
			return nil
		},
		Unset: func(name string) error { delete(variables, name); return nil },
		All: func() (all []string) {
			for _, name := range slices.Sorted(maps.Keys(variables)) {
				all = append(all, name+"="+variables[name])
			}
			return all
		},
	}
}

// load loads settings into an environment in a map.
func load(variables map[string]string, args ...string) error {
	_, err := config.Load(args, environmentOf(variables))
	return err
}

func faults(err error) []string {
	var wrong *config.Invalid
	if errors.As(err, &wrong) {
		return wrong.Faults
	}
	return nil
}

// named writes a configuration file with a name.
func named(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// The file has one setting per line, with comments, empty lines, spaces, quotes and the line breaks of any system.
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

// The same settings in YAML and JSON, nested by group, with lists, numbers, booleans and files of secrets, set the same
// variables.
func TestYAML(t *testing.T) {
	for name, text := range map[string]string{
		"t.yaml": "# a comment\naddr: 0.0.0.0:1\nlimit-standard: 7\nallow-private-webhooks: true\nwebhook-allow: [10.0.0.0/8, 'fd12::/32']\n" +
			"simulator-delay: 5ms\ndatabase-url-file: /run/secrets/d\ncustoms:\n  mode: hmrc\n  url: https://c.example\n  rate: 2.5\n  version: \"2.0\"\nhubs-off:\n  - tax\n  - cbam\ndata: from the file\n",
		"t.yml": "addr: \"0.0.0.0:1\"\nlimit-standard: 7\nallow-private-webhooks: true\nwebhook-allow: [10.0.0.0/8, 'fd12::/32']\n" +
			"simulator-delay: 5ms\ndatabase-url-file: /run/secrets/d\ncustoms: {mode: hmrc, url: https://c.example, rate: 2.5, version: '2.0'}\nhubs-off: [tax, cbam]\n",
		"t.json": `{"addr": "0.0.0.0:1", "limit-standard": 7, "allow-private-webhooks": true, "webhook-allow": ["10.0.0.0/8", "fd12::/32"], "simulator-delay": "5ms",
			"database-url-file": "/run/secrets/d", "customs": {"mode": "hmrc", "url": "https://c.example", "rate": 2.5, "version": "2.0"}, "hubs-off": ["tax", "cbam"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			environment := map[string]string{"TIDEWAITER_DATA": "from the environment", "TIDEWAITER_CONFIG": named(t, name, text)}
			if err := load(environment, "serve"); err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]string{
				"TIDEWAITER_ADDR": "0.0.0.0:1", "TIDEWAITER_LIMIT_STANDARD": "7", "TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS": "true",
				"TIDEWAITER_WEBHOOK_ALLOW": "10.0.0.0/8,fd12::/32", "TIDEWAITER_SIMULATOR_DELAY": "5ms", "TIDEWAITER_DATABASE_URL_FILE": "/run/secrets/d",
				"TIDEWAITER_CUSTOMS_MODE": "hmrc", "TIDEWAITER_CUSTOMS_URL": "https://c.example", "TIDEWAITER_CUSTOMS_RATE": "2.5", "TIDEWAITER_CUSTOMS_VERSION": "2.0",
				"TIDEWAITER_HUBS_OFF": "tax,cbam", "TIDEWAITER_DATA": "from the environment",
			} {
				if environment[name] != want {
					t.Errorf("%s is %q, want %q", name, environment[name], want)
				}
			}
		})
	}
	for _, empty := range []string{"", "# nothing\n"} {
		if err := load(map[string]string{"TIDEWAITER_CONFIG": named(t, "empty.yaml", empty)}); err != nil {
			t.Errorf("%q: %v", empty, err)
		}
	}
}

// All faults of a YAML file are reported together, with their lines.
func TestFaultsOfYAML(t *testing.T) {
	file := named(t, "t.yaml", "addr: 8080\naddr: 127.0.0.1:9\nlimit-standard: many\nnonsense: 1\ncustoms-mode: hmrc\ncustoms:\n  mode: moon\n  mode: hmrc\n  version: 1.0\n  url: [x]\n"+
		"webhook-allow: [10.0.0.0/8, everything]\nhubs-off: tax\nsimulator-delay: 300\nredis-url:\nallow-private-webhooks: perhaps\nai: on\nlimit:\n  ai: 3\ncustoms: {}\n"+
		"public-url: *x\nmtd: {every: soon, what: 1}\ndatabase-url-file: [x]\n")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "*x", "[https://x.example]", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{
		":1: addr: want text", ":2: addr was set in line 1", ":3: limit-standard: want a whole number", ":4: there is no setting nonsense",
		":5: there is no setting customs-mode; it is mode in the group customs", `:7: customs.mode: "moon" is not one of simulator, hmrc`, ":8: mode was set in line 7",
		":9: customs.version: want text", ":10: customs.url: want text", `:11: webhook-allow: netip.ParsePrefix("everything")`, ":12: hubs-off: want a list",
		":13: simulator-delay: want a time", ":14: redis-url: want text", ":15: allow-private-webhooks: want true or false", ":16: want settings, each as key: value in the group ai",
		":17: there is no setting limit", ":19: customs was set in line 6", ":20: public-url: want text", `:21: mtd.every: expected duration but got "soon"`,
		":21: there is no setting what in the group mtd", ":22: database-url-file: want the name of a file",
	}
	got := faults(load(map[string]string{}, "--config", file))
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !strings.HasPrefix(got[i], file+want[i]) {
			t.Errorf("fault %d: %q\nall %s", i, fmt.Sprintf("want %q", want[min(i, len(want)-1)]), strings.Join(got, "\n    "))
			break
		}
	}
}

// A file that is no valid configuration is rejected with a reason: bad syntax, other structure, aliases, two documents,
// or too large.
func TestNoYAML(t *testing.T) {
	for text, want := range map[string]string{
		"addr: [\n":                                        "line",
		"- addr\n":                                         ":1: want settings",
		"just text\n":                                      ":1: want settings",
		"addr: a:1\n---\naddr: b:1\n":                      "want one document",
		"x: &x {mode: hmrc}\ncustoms: *x\n":                ":2: want settings, each as key: value in the group customs",
		"addr: &a a:1\npublic-url: *a\n":                   ":2: public-url: want text",
		"customs:\n  <<: {mode: hmrc}\n":                   ":2: there is no setting << in the group customs",
		"customs:\n  inbound-token-file: 3\n":              ":2: inbound-token-file: want the name of a file",
		"? [a]\n: b\n":                                     "there is no setting",
		"# " + strings.Repeat("x", 256<<10) + "\n":         "is longer than 262144 bytes",
		"webhook-allow: ['10.0.0.0/8,fd00::/8']\n":         ":1: webhook-allow: want texts without commas",
		"customs:\n  client-id: a\n  client_id: b\n":       ":3: there is no setting client_id in the group customs",
		"limit-standard: 99999999999999999999999999\n":     ":1: limit-standard:",
		"log-level: debug\naddr-file: /run/secrets/addr\n": ":2: there is no setting addr-file",
	} {
		file := named(t, "t.yaml", text)
		err := load(map[string]string{}, "--config="+file)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

// The command line, in either form, or the environment names the file.
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

// A line that is invalid, repeated or cannot be set is reported by its number; the valid lines apply.
func TestWrongLines(t *testing.T) {
	for text, want := range map[string]string{
		"\nTIDEWAITER_ADDR":       ":2: want TIDEWAITER_NAME=value",
		"PATH=/bin":               ":1: want TIDEWAITER_NAME=value",
		"export TIDEWAITER_A=1":   ":1: want TIDEWAITER_NAME=value",
		"=1":                      ":1: want TIDEWAITER_NAME=value",
		"TIDEWAITER_A=1":          ":1: there is no setting TIDEWAITER_A",
		"TIDEWAITER_ADDR=refused": ":1: refused",
		"TIDEWAITER_ADDR_FILE=/x": ":1: there is no setting TIDEWAITER_ADDR_FILE",
		"TIDEWAITER_LIMIT_AI=x":   `:1: TIDEWAITER_LIMIT_AI: expected a valid 64 bit int but got "x"`,
		"TIDEWAITER_ADDR=a:1\n\nTIDEWAITER_ADDR=b:2": ":3: TIDEWAITER_ADDR was set in line 1",
	} {
		file := written(t, text+"\nTIDEWAITER_LOG_LEVEL=debug")
		environment := map[string]string{}
		if got := faults(load(environment, "--config="+file)); len(got) != 1 || got[0] != file+want || environment["TIDEWAITER_LOG_LEVEL"] != "debug" {
			t.Errorf("%q: %q, %v", text, got, environment)
		}
	}
	if err := load(map[string]string{}, "--config=/no/such/file"); err == nil || !strings.HasPrefix(err.Error(), "settings: stat /no/such/file: no such file") {
		t.Errorf("no file: %v", err)
	}
}

// A setting that was removed is accepted wherever it was accepted before, and is neither shown nor in the schema.
func TestRemovedSetting(t *testing.T) {
	yaml, lines := named(t, "t.yaml", "writes: single\n"), named(t, "t.env", "TIDEWAITER_WRITES=direct\n")
	for name, err := range map[string]error{
		"YAML": load(map[string]string{}, "--config="+yaml), "lines": load(map[string]string{}, "--config="+lines),
		"environment": load(map[string]string{"TIDEWAITER_WRITES": "grouped"}), "flag": load(map[string]string{}, "--writes=single"),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if schema, err := config.Schema(); err != nil || strings.Contains(string(schema), `"writes"`) {
		t.Errorf("the schema has it: %v", err)
	}
}
