package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
)

// config check and the start reject the same values of each setting, with the same messages, all together and with exit
// code 2.
func TestConfigCheckParsesEveryValue(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	wrong := map[string]string{
		"addr": "127.0.0.1:http-no", "metrics-addr": "127.0.0.1:99999", "public-url": "customs.example.com", "traces-url": "collector:4318", "tariff-url": "ftp://x", "rates-url": "ftp://y",
		"database-url": "postgres://u:hidden@h:port/d", "database-owner-url": "postgres://u:hidden@h/d?sslmode=maybe", "database-wait": "a minute", "database-connections": "-1",
		"redis-url": "redis://u:hidden@h:port", "master-key": "hidden", "cbam-price": "65,56", "hubs-off": "taxx,customs", "keep-records": "long", "keep-deliveries": "1d",
		"webhook-allow": "10.0.0.1/33", "trusted-proxies": "proxy", "simulator-delay": "1", "simulator-seed": "-1", "log-level": "loud", "disk-ballast": "-1", "wal-limit": "x",
		"customs-mode": "live", "customs-url": "api.service.hmrc.gov.uk", "customs-token-url": "/oauth/token", "customs-jwks": file("jwks.json", "{"),
		"customs-user-token": filepath.Join(folder, "none.json"), "customs-rate": "fast", "ai-provider": "other", "ai-url": "x", "ai-budget": "-1",
		"mtd-url": "x", "mtd-redirect-url": "y", "mtd-public-ip": "z", "mtd-every": "-1s", "oidc-issuer": "login", "tls-cert": "/no/such/certificate",
	}
	var all []string
	for name, value := range wrong {
		args := []string{"--" + name + "=" + value}
		switch name {
		case "database-owner-url":
			args = append(args, "--database-url=postgres://h/d")
		case "tls-cert":
			args = append(args, "--tls-key=/no/such/key")
		}
		code, output := runHere(t, append(args, "config", "check"))
		if code != exitUsage || !strings.Contains(output, name) || strings.Contains(output, "hidden") {
			t.Errorf("%s: %d %s", args, code, output)
		}
		all = append(all, args[0])
	}
	all = append(all, "--tls-key=/no/such/key")
	code, output := runHere(t, append(all, "config", "check"))
	if started, refused := runHere(t, append(all, "--data="+filepath.Join(folder, "data"), "serve")); started != code || refused != output {
		t.Errorf("the start ends with %d and other messages:\n%s", started, refused)
	}
	for name := range wrong {
		if !strings.Contains(output, name) {
			t.Errorf("not reported: %s", name)
		}
	}
	if lines := strings.Count(output, "\n"); code != exitUsage || lines < len(wrong) {
		t.Errorf("%d, %d faults in %d lines:\n%s", code, len(wrong), lines, output)
	}
	if _, err := os.Stat(filepath.Join(folder, "data")); !os.IsNotExist(err) {
		t.Errorf("invalid settings created the data folder: %v", err)
	}
}

// Valid values pass, and a file with an invalid key does not.
func TestConfigCheckPasses(t *testing.T) {
	key, err := masterkey.New()
	if err != nil {
		t.Fatal(err)
	}
	right := []string{"config", "check", "--addr=:0", "--database-url=postgres://u:p@h:5432/d?sslmode=verify-full", "--redis-url=rediss://h:6379/1", "--master-key=" + string(key),
		"--cbam-price=65.56", "--hubs-off=tax,cbam", "--webhook-allow=10.0.0.0/8", "--keep-records=7y"}
	if code, output := runHere(t, right); code != exitOK {
		t.Errorf("%d %s", code, output)
	}
	file := filepath.Join(t.TempDir(), "tidewaiter.yaml")
	if err := os.WriteFile(file, []byte("addr: 127.0.0.1:0\nadress: x\ncustoms:\n  mod: hmrc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, output := runHere(t, []string{"config", "check", "--config=" + file}); code != exitUsage || !strings.Contains(output, "adress") || !strings.Contains(output, "mod") {
		t.Errorf("%d %s", code, output)
	}
}

// runHere runs a command in this process, and returns its exit code and what it wrote to standard error.
func runHere(t *testing.T, args []string) (code int, output string) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stderr
	os.Stderr = file
	code = run(args)
	os.Stderr = before
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, string(text)
}
