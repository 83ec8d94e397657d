package config_test

import (
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// parse reads a command line as the program does, with its own environment.
func parse(t *testing.T, environment map[string]string, args ...string) (config.Config, error) {
	t.Helper()
	for _, line := range os.Environ() {
		if name, _, _ := strings.Cut(line, "="); strings.HasPrefix(name, "TIDEWAITER_") {
			unset(t, name)
		}
	}
	for name, value := range environment {
		t.Setenv(name, value)
	}
	var c config.Config
	parser, err := kong.New(&c, kong.Name("tidewaiter"), kong.Exit(func(int) {}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		return c, err
	}
	return c, c.Complete(os.Getenv)
}

func unset(t *testing.T, name string) {
	t.Helper()
	t.Setenv(name, "") // restores it when the test ends
	if err := os.Unsetenv(name); err != nil {
		t.Fatal(err)
	}
}

// Every setting has a default that works.
func TestDefaults(t *testing.T) {
	c, err := parse(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Addr != "127.0.0.1:8080" || filepath.Base(c.Data) != "data" || c.DatabaseURL != "" || c.LogLevel != "info" {
		t.Errorf("got %+v", c)
	}
	if c.AllowPrivateWebhooks || c.WebhookAllow != nil {
		t.Errorf("webhooks may go to private addresses: %v, %v", c.AllowPrivateWebhooks, c.WebhookAllow)
	}
	if c.LimitStandard != 1000 || c.LimitAI != 100 || c.LimitPublic != 10 {
		t.Errorf("limits %d, %d, %d", c.LimitStandard, c.LimitAI, c.LimitPublic)
	}
	if c.Customs.Mode != "simulator" || c.Customs.Inbound != "signed" || c.Customs.Rate != 3 || c.SimulatorDelay != 300*time.Millisecond {
		t.Errorf("customs %+v", c.Customs)
	}
}

// OpenTelemetry's standard variable also sets the collector; the setting has priority. By default every trace is
// recorded.
func TestCollectorByConvention(t *testing.T) {
	for _, c := range []struct{ ours, convention, want string }{
		{"", "", ""}, {"", "http://there:4318", "http://there:4318"}, {"http://here:4318", "http://there:4318", "http://here:4318"},
	} {
		got, err := parse(t, map[string]string{"TIDEWAITER_TRACES_URL": c.ours, "OTEL_EXPORTER_OTLP_ENDPOINT": c.convention})
		if err != nil || got.TracesURL != c.want || got.TracesShare != 1 {
			t.Errorf("%+v: %q, %v, %v", c, got.TracesURL, got.TracesShare, err)
		}
	}
}

// Every setting has its own variable with the service's prefix.
func TestEverySettingHasAVariable(t *testing.T) {
	seen := map[string]string{}
	var walk func(reflect.Type, string)
	walk = func(of reflect.Type, prefix string) {
		for i := range of.NumField() {
			f := of.Field(i)
			if _, embedded := f.Tag.Lookup("embed"); embedded {
				walk(f.Type, prefix+f.Tag.Get("envprefix"))
				continue
			}
			name := prefix + f.Tag.Get("env")
			if !strings.HasPrefix(name, "TIDEWAITER_") || f.Tag.Get("env") == "" || seen[name] != "" || f.Tag.Get("help") == "" {
				t.Errorf("%s: variable %q (also %s), help %q", f.Name, name, seen[name], f.Tag.Get("help"))
			}
			seen[name] = f.Name
		}
	}
	walk(reflect.TypeFor[config.Config](), "")
}

// The variables that operators use set the right settings.
func TestVariables(t *testing.T) {
	c, err := parse(t, map[string]string{
		"TIDEWAITER_ADDR": "0.0.0.0:1", "TIDEWAITER_DATA": "/var/t", "TIDEWAITER_DATABASE_URL": "postgres://d", "TIDEWAITER_REDIS_URL": "redis://r",
		"TIDEWAITER_METRICS_ADDR": ":9", "TIDEWAITER_PUBLIC_URL": "https://t.example", "TIDEWAITER_LIMIT_STANDARD": "0", "TIDEWAITER_LIMIT_AI": "1",
		"TIDEWAITER_LIMIT_PUBLIC": "2", "TIDEWAITER_HUBS_OFF": "tax,cbam", "TIDEWAITER_CUSTOMS_MODE": "hmrc", "TIDEWAITER_CUSTOMS_URL": "https://c.example",
		"TIDEWAITER_CUSTOMS_INBOUND": "static-token", "TIDEWAITER_CUSTOMS_INBOUND_TOKEN": "x", "TIDEWAITER_SIMULATOR_DELAY": "5ms", "TIDEWAITER_SIMULATOR_SEED": "7",
		"TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS": "true", "TIDEWAITER_WEBHOOK_ALLOW": "10.1.0.0/16,fd12::/32",
		"TIDEWAITER_TRUSTED_PROXIES": "10.2.0.0/16", "TIDEWAITER_FORWARDED_HEADER": "forwarded",
	})
	if err != nil {
		t.Fatal(err)
	}
	got := []any{
		c.Addr, c.Data, c.DatabaseURL, c.RedisURL, c.MetricsAddr, c.PublicURL, c.LimitStandard, c.LimitAI, c.LimitPublic, strings.Join(c.HubsOff, " "),
		c.Customs.Mode, c.Customs.URL, c.Customs.Inbound, c.Customs.InboundToken, c.SimulatorDelay, c.SimulatorSeed,
		c.AllowPrivateWebhooks, c.WebhookAllow, c.TrustedProxies, c.ForwardedHeader,
	}
	want := []any{
		"0.0.0.0:1", "/var/t", "postgres://d", "redis://r", ":9", "https://t.example", 0, 1, 2, "tax cbam",
		"hmrc", "https://c.example", "static-token", "x", 5 * time.Millisecond, uint64(7),
		true, []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fd12::/32")}, []netip.Prefix{netip.MustParsePrefix("10.2.0.0/16")}, "forwarded",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// The command line has priority over the environment.
func TestCommandLineWins(t *testing.T) {
	c, err := parse(t, map[string]string{"TIDEWAITER_ADDR": "0.0.0.0:1", "TIDEWAITER_CUSTOMS_VERSION": "2.0"}, "--addr=0.0.0.0:2", "--customs-version=3.0")
	if err != nil || c.Addr != "0.0.0.0:2" || c.Customs.Version != "3.0" {
		t.Errorf("%s, %s, %v", c.Addr, c.Customs.Version, err)
	}
}

// A secret can be in a file, with or without a final line break. The file has priority over the variable.
func TestSecretsInFiles(t *testing.T) {
	file := written(t, "  s3cret\n")
	for _, name := range []string{"TIDEWAITER_DATABASE_URL", "TIDEWAITER_REDIS_URL", "TIDEWAITER_CUSTOMS_INBOUND_TOKEN", "TIDEWAITER_CUSTOMS_CLIENT_SECRET"} {
		t.Run(name, func(t *testing.T) {
			c, err := parse(t, map[string]string{name + "_FILE": file, name: "from the variable"})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{
				"TIDEWAITER_DATABASE_URL": c.DatabaseURL, "TIDEWAITER_REDIS_URL": c.RedisURL,
				"TIDEWAITER_CUSTOMS_INBOUND_TOKEN": c.Customs.InboundToken, "TIDEWAITER_CUSTOMS_CLIENT_SECRET": c.Customs.ClientSecret,
			}
			for other, value := range got {
				if want := map[bool]string{true: "s3cret", false: ""}[other == name]; value != want {
					t.Errorf("%s is %q", other, value)
				}
			}
		})
	}
}

// Making Tax Digital is off by default, and on with the settings that it needs, with the secret in a file.
func TestMTD(t *testing.T) {
	if c, err := parse(t, nil); err != nil || c.MTD.URL != "" || c.MTD.Rate != 3 || c.MTD.Every != 6*time.Hour {
		t.Errorf("off: %+v, %v", c.MTD, err)
	}
	c, err := parse(t, map[string]string{
		"TIDEWAITER_MTD_URL": "https://h.example", "TIDEWAITER_MTD_CLIENT_ID": "m", "TIDEWAITER_MTD_CLIENT_SECRET_FILE": written(t, "s3cret\n"),
		"TIDEWAITER_PUBLIC_URL": "https://t.example", "TIDEWAITER_MTD_PUBLIC_IP": "203.0.113.6",
	})
	if err != nil || c.MTD.URL != "https://h.example" || c.MTD.ClientSecret != "s3cret" {
		t.Errorf("on: %+v, %v", c.MTD, err)
	}
}

// A token in a file satisfies the setting that needs one.
func TestSecretFileCompletes(t *testing.T) {
	if _, err := parse(t, map[string]string{"TIDEWAITER_CUSTOMS_INBOUND": "static-token", "TIDEWAITER_CUSTOMS_INBOUND_TOKEN_FILE": written(t, "x")}); err != nil {
		t.Error(err)
	}
}

// Each invalid setting is named.
func TestWrongSettings(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"TIDEWAITER_ADDR", "8080", "addr: address 8080: missing port in address"},
		{"TIDEWAITER_METRICS_ADDR", "localhost", "metrics-addr: address localhost: missing port in address"},
		{"TIDEWAITER_TRACES_URL", "collector:4318", `traces-url: "collector:4318" is not an address`},
		{"TIDEWAITER_TRACES_SHARE", "1.5", "traces-share must be from 0 to 1"},
		{"TIDEWAITER_TRACES_SHARE", "NaN", "traces-share must be from 0 to 1"},
		{"TIDEWAITER_PUBLIC_URL", "example.com", `public-url: "example.com" is not an address`},
		{"TIDEWAITER_PUBLIC_URL", "ftp://example.com", `public-url: "ftp://example.com" is not an address`},
		{"TIDEWAITER_CUSTOMS_URL", "example.com", `customs-url: "example.com" is not an address`},
		{"TIDEWAITER_CUSTOMS_MODE", "hmrc", "customs-mode hmrc needs customs-url"},
		{"TIDEWAITER_AI_PROVIDER", "openai", "ai-provider needs ai-model"},
		{"TIDEWAITER_AI_PROVIDER", "anthropic", "ai-provider anthropic needs ai-key"},
		{"TIDEWAITER_AI_URL", "localhost", "ai-url"},
		{"TIDEWAITER_AI_BUDGET", "-1", "ai-budget"},
		{"TIDEWAITER_AI_TIMEOUT", "soon", "--ai-timeout"},
		{"TIDEWAITER_AI_PROVIDER", "oracle", "--ai-provider"},
		{"TIDEWAITER_CUSTOMS_INBOUND", "static-token", "customs-inbound static-token needs customs-inbound-token"},
		{"TIDEWAITER_CUSTOMS_RATE", "-1", "customs-rate must not be negative"},
		{"TIDEWAITER_MTD_URL", "https://h.example", "mtd-url needs mtd-client-id and mtd-client-secret; mtd-url needs mtd-redirect-url or public-url"},
		{"TIDEWAITER_MTD_URL", "h.example", `mtd-url: "h.example" is not an address`},
		{"TIDEWAITER_MTD_CLIENT_ID", "x", "mtd-client-id needs mtd-url"},
		{"TIDEWAITER_MTD_CLIENT_SECRET", "x", "mtd-client-secret needs mtd-url"},
		{"TIDEWAITER_MTD_REDIRECT_URL", "https://t.example/back", "mtd-redirect-url needs mtd-url"},
		{"TIDEWAITER_MTD_PUBLIC_IP", "203.0.113", `mtd-public-ip: "203.0.113" is not an IP address`},
		{"TIDEWAITER_MTD_RATE", "-1", "mtd-rate must not be negative"},
		{"TIDEWAITER_MTD_EVERY", "-1s", "mtd-every must be at least a second"},
		{"TIDEWAITER_LIMIT_STANDARD", "-1", "limit-standard must not be negative"},
		{"TIDEWAITER_LIMIT_AI", "-1", "limit-ai must not be negative"},
		{"TIDEWAITER_KEEP_RECORDS", "3y", "keep-records must be at least 4y"},
		{"TIDEWAITER_KEEP_RECORDS", "0", "keep-records: \"0\" is not an age"},
		{"TIDEWAITER_KEEP_DELIVERIES", "6d", "keep-deliveries must be at least 7d"},
		{"TIDEWAITER_KEEP_DELIVERIES", "24h", "is not an age, such as 6y or 90d"},
		{"TIDEWAITER_LIMIT_PUBLIC", "-1", "limit-public must not be negative"},
		{"TIDEWAITER_SIMULATOR_DELAY", "-1s", "simulator-delay must not be negative"},
		{"TIDEWAITER_CUSTOMS_CLIENT_SECRET_FILE", "/no/such/file", "TIDEWAITER_CUSTOMS_CLIENT_SECRET_FILE: open /no/such/file: no such file or directory"},
		{"TIDEWAITER_WEBHOOK_ALLOW", "10.1.2.3/8", "webhook-allow: 10.1.2.3/8 is not a range"},
		{"TIDEWAITER_WEBHOOK_ALLOW", "::ffff:10.0.0.0/104", "webhook-allow"},
		{"TIDEWAITER_WEBHOOK_ALLOW", "10.1.2.3", "--webhook-allow"},
		{"TIDEWAITER_WEBHOOK_ALLOW", "10.0.0.0/8,everything", "--webhook-allow"},
		{"TIDEWAITER_TRUSTED_PROXIES", "10.1.2.3/8", "trusted-proxies: 10.1.2.3/8 is not a range"},
		{"TIDEWAITER_TRUSTED_PROXIES", "proxy.example", "--trusted-proxies"},
		{"TIDEWAITER_FORWARDED_HEADER", "x-real-ip", "--forwarded-header"},
		{"TIDEWAITER_TLS_CERT", "/c.pem", "set both tls-cert and tls-key, or neither"},
		{"TIDEWAITER_STOP_DELAY", "61s", "stop-delay must be from 0 to 1m0s"},
		{"TIDEWAITER_BODY_MEMORY", "31MB", "body-memory must be at least 32MB"},
		{"TIDEWAITER_BODY_MEMORY", "lots", `"lots" is not a size; write it like 256MB`},
		{"TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS", "perhaps", "--allow-private-webhooks"},
		{"TIDEWAITER_CUSTOMS_MODE", "moon", "--customs-mode"},
		{"TIDEWAITER_CUSTOMS_INBOUND", "none", "--customs-inbound"},
		{"TIDEWAITER_CUSTOMS_VERSION", "4.0", "--customs-version"},
		{"TIDEWAITER_LOG_LEVEL", "loud", "--log-level"},
		{"TIDEWAITER_LIMIT_STANDARD", "many", "--limit-standard"},
		{"TIDEWAITER_SIMULATOR_DELAY", "300", "--simulator-delay"},
	} {
		t.Run(c.name+" "+c.value, func(t *testing.T) {
			_, err := parse(t, map[string]string{c.name: c.value})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// All faults are reported together.
func TestAllWrongSettingsAtOnce(t *testing.T) {
	_, err := parse(t, map[string]string{
		"TIDEWAITER_REDIS_URL_FILE": "/no/such/file", "TIDEWAITER_ADDR": "x", "TIDEWAITER_PUBLIC_URL": "x",
		"TIDEWAITER_LIMIT_AI": "-1", "TIDEWAITER_LIMIT_PUBLIC": "-1", "TIDEWAITER_CUSTOMS_MODE": "hmrc", "TIDEWAITER_CUSTOMS_INBOUND": "static-token",
	})
	if err == nil {
		t.Fatal("nothing is wrong")
	}
	if n := strings.Count(err.Error(), ";") + 1; n != 7 || !strings.HasPrefix(err.Error(), "settings: ") {
		t.Errorf("%d of 7: %v", n, err)
	}
}

func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "settings")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// The timeout of a model is positive, and not longer than the server allows.
func TestAITimeout(t *testing.T) {
	for timeout, fine := range map[string]bool{"0s": false, "-1s": false, "61s": false, "1s": true, "1m": true} {
		_, err := parse(t, map[string]string{"TIDEWAITER_AI_PROVIDER": "openai", "TIDEWAITER_AI_MODEL": "m", "TIDEWAITER_AI_TIMEOUT": timeout})
		if (err == nil) != fine || err != nil && !strings.Contains(err.Error(), "ai-timeout") {
			t.Errorf("%s: %v", timeout, err)
		}
	}
}
