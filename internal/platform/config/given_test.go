package config_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// Faults of file, environment and command line are reported together. Invalid settings are removed, so that the others
// can be read.
func TestFaultsTogether(t *testing.T) {
	file := written(t, "TIDEWAITER_LIMIT_AI=x\nTIDEWAITER_LOG_LEVEL=debug\n")
	environment := map[string]string{"TIDEWAITER_LIMIT_STANDARD": "many", "TIDEWAITER_CUSTOMS_MODE": "moon", "TIDEWAITER_AI_BUDGET": "", "TIDEWAITER_ADRR": "1", "HOME": "/root"}
	args := []string{"serve", "--config", file, "--limit-public", "z", "--ai-budget", "-1", "--allow-private-webhooks", "--mtd-every=soon", "--unknown"}
	given, err := config.Load(args, environmentOf(environment))
	want := []string{
		`TIDEWAITER_CUSTOMS_MODE: "moon" is not one of simulator, hmrc`,
		`TIDEWAITER_LIMIT_STANDARD: expected a valid 64 bit int but got "many"`,
		file + `:1: TIDEWAITER_LIMIT_AI: expected a valid 64 bit int but got "x"`,
		`--limit-public: expected a valid 64 bit int but got "z"`,
		`--mtd-every: expected duration but got "soon": time: invalid duration "soon"`,
	}
	if got := faults(err); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if rest := []string{"serve", "--config", file, "--ai-budget=-1", "--allow-private-webhooks=true", "--unknown"}; !slices.Equal(given.Args, rest) {
		t.Errorf("left: %q", given.Args)
	}
	for _, name := range []string{"TIDEWAITER_LIMIT_STANDARD", "TIDEWAITER_CUSTOMS_MODE", "TIDEWAITER_AI_BUDGET", "TIDEWAITER_LIMIT_AI"} {
		if value, there := environment[name]; there {
			t.Errorf("%s is left as %q", name, value)
		}
	}
	if environment["TIDEWAITER_LOG_LEVEL"] != "debug" || !slices.Equal(given.Unknown, []string{"TIDEWAITER_ADRR"}) {
		t.Errorf("%v, %q", environment, given.Unknown)
	}
}

// Variables of Kubernetes, of tests and of the settings themselves are not reported as misspelt settings.
func TestStrays(t *testing.T) {
	given, err := config.Load(nil, environmentOf(map[string]string{
		"TIDEWAITER_PORT": "tcp://10.0.0.1:80", "TIDEWAITER_PORT_8080_TCP_ADDR": "10.0.0.1", "TIDEWAITER_SERVICE_HOST": "10.0.0.1", "TIDEWAITER_TEST_REDIS": "x",
		"TIDEWAITER_CONFIG": "", "TIDEWAITER_LONG": "1", "TIDEWAITER_DATABASE_URL_FILE": "/x", "TIDEWAITER_ADDR_FILE": "/x",
	}))
	if err != nil || !slices.Equal(given.Unknown, []string{"TIDEWAITER_ADDR_FILE"}) {
		t.Errorf("%q, %v", given.Unknown, err)
	}
}

// show loads and shows settings as the program does.
func show(t *testing.T, variables map[string]string, args ...string) (config.Config, map[string]config.Shown) {
	t.Helper()
	for _, line := range os.Environ() {
		if name, _, _ := strings.Cut(line, "="); strings.HasPrefix(name, "TIDEWAITER_") {
			unset(t, name)
		}
	}
	settings, err := config.Settings(&config.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings {
		unset(t, s.Variable)
		unset(t, s.Variable+"_FILE")
	}
	for name, value := range variables {
		t.Setenv(name, value)
	}
	given, err := config.Load(args, config.Process())
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		ConfigFile string `name:"config"`
		config.Config
	}
	parser, err := kong.New(&p)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(given.Args); err != nil {
		t.Fatal(err)
	}
	if err := p.Complete(given.Getenv); err != nil {
		t.Fatal(err)
	}
	all, err := given.Show(&p.Config)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]config.Shown{}
	for _, row := range all {
		rows[row.Setting] = row
	}
	return p.Config, rows
}

// Flags have priority over the environment, and the environment over the file, also if one gives a secret and another
// its file. Each setting is shown with its origin.
func TestWhoWins(t *testing.T) {
	secret := written(t, "from a secret's file")
	file := named(t, "t.yaml", "addr: a:1\npublic-url: https://file.example\nlog-level: debug\ndatabase-url-file: "+secret+"\nredis-url: from the file\nai:\n  key: from the file\n")
	c, rows := show(t, map[string]string{
		"TIDEWAITER_CONFIG": file, "TIDEWAITER_ADDR": "b:1", "TIDEWAITER_PUBLIC_URL": "https://env.example", "TIDEWAITER_DATABASE_URL": "from the environment",
		"TIDEWAITER_REDIS_URL_FILE": secret, "TIDEWAITER_MASTER_KEY_FILE": secret, "TIDEWAITER_LIMIT_AI": "",
	}, "--addr", "c:1", "--master-key=from the command line")
	got := []string{c.Addr, c.PublicURL, c.LogLevel, c.DatabaseURL, c.RedisURL, c.MasterKey, c.AI.Key}
	want := []string{"c:1", "https://env.example", "debug", "from the environment", "from a secret's file", "from the command line", "from the file"}
	if !slices.Equal(got, want) || c.LimitAI != 100 {
		t.Errorf("got  %q\nwant %q; limit %d", got, want, c.LimitAI)
	}
	for setting, want := range map[string]config.Shown{
		"addr":         {Value: "c:1", From: "--addr"},
		"public-url":   {Value: "https://env.example", From: "TIDEWAITER_PUBLIC_URL"},
		"log-level":    {Value: "debug", From: file + ":3"},
		"database-url": {Value: "set", From: "TIDEWAITER_DATABASE_URL"},
		"redis-url":    {Value: "set", From: secret + " (TIDEWAITER_REDIS_URL_FILE)"},
		"master-key":   {Value: "set", From: "--master-key"},
		"ai.key":       {Value: "set", From: file + ":7"},
		"mtd.every":    {Value: "6h0m0s", From: "default"},
	} {
		want.Setting = setting
		if rows[setting] != want {
			t.Errorf("%+v\nwant %+v", rows[setting], want)
		}
	}
}

// No secret is shown, nor a part of a URL that may be one. A secret in the configuration file is reported.
func TestNoSecretIsShown(t *testing.T) {
	settings, err := config.Settings(&config.Config{})
	if err != nil {
		t.Fatal(err)
	}
	variables := map[string]string{
		"TIDEWAITER_MTD_URL": "https://h.example", "TIDEWAITER_MTD_CLIENT_ID": "x", "TIDEWAITER_PUBLIC_URL": "https://t.example",
		"TIDEWAITER_CUSTOMS_URL": "https://user:hunter2@c.example/?key=hunter2", "TIDEWAITER_CUSTOMS_JWKS": "https://c.example/%zz?key=hunter2",
		"TIDEWAITER_CONFIG": named(t, "t.yaml", "oidc:\n  client-secret: hunter2\n"),
	}
	variables["TIDEWAITER_MAIL_FROM"] = "t@t.example"
	secrets := 0
	for _, s := range settings {
		if s.Secret && s.Path() != "oidc.client-secret" {
			variables[s.Variable] = "hunter2"
			switch s.Variable {
			case "TIDEWAITER_SMTP_URL":
				variables[s.Variable] = "smtp://user:hunter2@mail.example"
			case "TIDEWAITER_WEBHOOK_PROXY":
				variables[s.Variable] = "http://user:hunter2@proxy.example:3128"
			}
			secrets++
		}
	}
	if secrets < 7 {
		t.Errorf("%d secrets", secrets)
	}
	_, rows := show(t, variables)
	for _, row := range rows {
		if strings.Contains(row.Value, "hunter2") {
			t.Errorf("%+v", row)
		}
	}
	if rows["customs.url"].Value != "https://user:xxxxx@c.example/?%E2%80%A6" && rows["customs.url"].Value != "https://user:xxxxx@c.example/?…" {
		t.Errorf("%+v", rows["customs.url"])
	}
	given, err := config.Load(nil, environmentOf(map[string]string{"TIDEWAITER_CONFIG": variables["TIDEWAITER_CONFIG"]}))
	if err != nil || !slices.Equal(given.SecretsInFile(), []string{"TIDEWAITER_OIDC_CLIENT_SECRET"}) {
		t.Errorf("%q, %v", given.SecretsInFile(), err)
	}
}
