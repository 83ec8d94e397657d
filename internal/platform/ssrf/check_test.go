package ssrf_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
)

// hostile are forbidden hosts, by the kind of attack.
var hostile = map[string][]string{
	"loopback": {
		"127.0.0.1", "127.0.0.1:8080", "127.1.2.3", "127.255.255.255", "[::1]", "[::1]:443", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]",
		"localhost", "LOCALHOST", "LocalHost.", "a.localhost", "a.b.localhost.", "localhost:80", "localhost6", "ip6-localhost", "localhost.localdomain",
	},
	"number": {
		"2130706433", "017700000001", "0x7f000001", "0X7F000001", "0x7f.1", "0x7f.0.0.1", "0x7F.0x0.0x0.0x1", "127.1", "127.0.1", "127.0.0x1", "0177.0.0.1",
		"0177.0.0.01", "00000177.1", "0177.0x0.1", "127.0.0.1.", "127.1.", "127.00.00.01", "127.0.0.001", "127.65535", "127.16777215", "0", "0x0", "00", "0.0",
		"2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.16689662", "169.254.43518", "0xA9.0xFE.0xA9.0xFE", "167772161", "3232235777", "0xc0a80101", "10.1", "192.168.257",
		"4294967295", "4294967296", "99999999999999999999", "256.256.256.256", "1.2.3.4.5", "127.0.0.256", "0x", "1.0x", "08.8.8.8", "8.8.8.8.", "134744072", "010.8.8.8", "example.1", "a.0x7f",
		"0x7f000001.", "..1", "0.0_0", "127.0.0.0_1",
	},
	"special": {
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "100.100.100.200", "169.254.0.1", "169.254.169.254", "169.254.170.2",
		"172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.168.0.1", "192.168.255.255",
		"192.175.48.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "168.63.129.16",
		"[::]", "[fe80::1]", "[febf::1]", "[fec0::1]", "[feff::1]", "[fc00::1]", "[fd00::1]", "[fdff::1]", "[fd00:ec2::254]", "[fd20:ce::254]", "[ff02::1]", "[ff0e::1]",
		"[100::1]", "[100:0:0:1::1]", "[5f00::1]", "[2001:db8::1]", "[3fff::1]", "[3fff:fff::1]", "[2001:2::1]", "[2001:10::1]", "[2001:20::1]", "[2620:4f:8000::1]", "[3ffe::1]",
		"[4000::1]", "[8000::1]", "[e000::1]", "[1::1]", "[200::1]",
	},
	"embedded": {
		"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f00:1]", "[::FFFF:127.0.0.1]", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[::ffff:10.0.0.1]", "[::ffff:168.63.129.16]", "[::ffff:0.0.0.0]",
		"[::127.0.0.1]", "[::7f00:1]", "[::8.8.8.8]", "[::ffff:0:127.0.0.1]", "[::ffff:0:808:808]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b::10.0.0.1]",
		"[64:ff9b:1::7f00:1]", "[64:ff9b:1::808:808]", "[64:ff9b:0:1::1]", "[2002:7f00:1::]", "[2002:7f00:1::1]", "[2002:a9fe:a9fe::]", "[2002:808:808::1]", "[2001::1]", "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
		"[2a00:1450::5efe:127.0.0.1]", "[2a00:1450::200:5efe:10.0.0.1]", "[2a00:1450:0:0:0:5efe:a9fe:a9fe]", "[fe80::5efe:8.8.8.8]",
	},
	"zone": {
		"[::1%25lo]", "[fe80::1%25eth0]", "[2a00:1450:4009:81f::200e%25eth0]", "[::1%25]", "[::1%lo]", "[::ffff:127.0.0.1%25lo]",
	},
	"digits of other scripts": {
		"１２７.０.０.１", "①②⑦.⓪.⓪.①", "１２７。０。０。１", "127。0。0。1", "127．0．0．1", "127｡0｡0｡1", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "𝟣𝟤𝟩.0.0.1", "¹²⁷.⁰.⁰.¹", "₁₂₇.0.0.1", "٠.٠.٠.٠",
		"ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "ｌｏｃａｌｈｏｓｔ", "loc\u00adalhost", "local\u200bhost", "localho\u017ft", "[：：１]", "127\u00ad.0.0.1", "ⅼocalhost", "ℓocalhost",
	},
	"percent": {
		"%31%32%37.0.0.1", "127%2e0%2e0%2e1", "127.0.0.%31", "loc%61lhost", "%6c%6f%63%61%6c%68%6f%73%74", "%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1", "%e2%91%a0.0.0.1", "127.0.0.1%00.example.com", "[%3a%3a1]", "%",
	},
	"local name": {
		"printer.local", "db.internal", "a.b.INTERNAL.", "metadata", "metadata.google.internal", "METADATA.google.internal.", "metadata.goog", "instance-data", "instance-data.ec2.internal", "metadata.tencentyun.com",
		"router.home.arpa", "nas.lan", "box.home", "wiki.corp", "app.intranet", "x.private", "redis", "kubernetes", "local", "internal", "host.docker.internal", "kubernetes.default.svc.cluster.local",
	},
	"no host": {
		"", ":80", "/", ".", "..", "[]", "[]:80", "a..example.com", ".example.com", "example.com..", "exa mple.com", "exa\tmple.com", "exam\nple.com", "exam\x00ple.com", `127.0.0.1\@example.com`, `example.com\@127.0.0.1`,
		"[127.0.0.1]", "[example.com]", "[::1", "::1]", "::1", "fe80::1", "[::1]x", "[::1]:x", "[v1.fe80]", "[::g]", "[1:2:3:4:5:6:7:8:9]", "example.com,127.0.0.1", "example.com;127.0.0.1", "exa*mple.com", "a!b.example.com", "<x>.example.com",
		strings.Repeat("a", 64) + ".example.com", strings.Repeat("a.", 127) + "example.com",
	},
	"port": {
		"example.com:", "example.com:0", "example.com:65536", "example.com:-1", "example.com:+80", "example.com:80a", "example.com:99999999999999999999", "example.com:80:80", "example.com:0x50", "8.8.8.8:0", "[2a00:1450::1]:0", "example.com:８０",
	},
	"user": {
		"user@example.com", "user:secret@example.com", "@example.com", ":@example.com", "example.com@127.0.0.1", "127.0.0.1@example.com", "a%40b@example.com",
	},
}

// Every hostile host is rejected, with https and http, with and without a path.
func TestHostileHosts(t *testing.T) {
	g := ssrf.New(ssrf.Settings{})
	count := 0
	for kind, hosts := range hostile {
		for _, host := range hosts {
			count++
			for _, raw := range []string{"https://" + host, "http://" + host + "/hook", "https://" + host + "?a=b"} {
				if u, err := g.Check(raw); err == nil || u != nil {
					t.Errorf("%s: %q is good: %v", kind, raw, u)
				}
			}
		}
	}
	if count < 120 {
		t.Errorf("only %d hosts", count)
	}
}

// A URL that cannot be a receiver's is rejected, whatever its host.
func TestHostileURLs(t *testing.T) {
	for raw, want := range map[string]string{
		"":                                "must begin with https:// or http://",
		"example.com":                     "must begin with https:// or http://",
		"//example.com/hook":              "must begin with https:// or http://",
		"/hook":                           "must begin with https:// or http://",
		"https:example.com":               "must begin with https:// or http://",
		"ftp://example.com":               "must begin with https:// or http://",
		"file:///etc/passwd":              "must begin with https:// or http://",
		"gopher://example.com:25/":        "must begin with https:// or http://",
		"javascript:alert(1)":             "must begin with https:// or http://",
		"unix:///var/run/docker.sock":     "must begin with https:// or http://",
		"http+unix://%2fvar%2frun/":       "must be a URL such as https://example.com/hook",
		" https://example.com":            "must be a URL such as https://example.com/hook",
		"https://example.com/a b":         "must be a URL such as https://example.com/hook",
		"https://example.com\r\nX: y":     "must be a URL such as https://example.com/hook",
		`https:\\example.com`:             "must be a URL such as https://example.com/hook",
		"https:/example.com":              "must name a host",
		"https:///example.com":            "must name a host",
		"https://example.com#a":           "must not contain a fragment (#)",
		"https://example.com/#":           "must not contain a fragment (#)",
		"https://u:p@example.com":         "must not contain a user name or password",
		"https://example.com:70000":       "must have a port from 1 to 65535",
		"https://127.0.0.1":               "address 127.0.0.1 is refused: loopback",
		"https://0x7f.1":                  "address 127.0.0.1 is refused: loopback",
		"https://[::ffff:127.0.0.1]":      "address ::ffff:127.0.0.1 is refused: loopback",
		"https://[2a00::5efe:10.0.0.1]":   "address 2a00::5efe:a00:1 is refused: ISATAP address of 10.0.0.1, private network",
		"https://134744072":               "must write an IPv4 address as four decimal numbers, such as 8.8.8.8",
		"https://localhost":               "address localhost is refused: a name of the local machine or network",
		"https://metadata.goog":           "address metadata.goog is refused: metadata service of a cloud",
		"https://bücher.example":          "must write an international host name in its ASCII form (xn--…)",
		"https://h.example/" + long(2031): "must not be longer than 2048 bytes",
	} {
		if _, err := ssrf.New(ssrf.Settings{}).Check(raw); err == nil || err.Error() != want {
			t.Errorf("%.60q: %v, want %q", raw, err, want)
		}
	}
}

// A forbidden address is distinguishable from a malformed one.
func TestRefusedAtCheck(t *testing.T) {
	_, err := ssrf.New(ssrf.Settings{}).Check("https://0251.0376.0251.0376/latest")
	var refused *ssrf.Refused
	if !errors.As(err, &refused) || refused.Address != "169.254.169.254" || refused.Why != "link-local or a metadata service" {
		t.Errorf("got %v", err)
	}
	if _, err := ssrf.New(ssrf.Settings{}).Check("https://a b"); errors.As(err, &refused) {
		t.Errorf("a malformed URL is reported as forbidden: %v", err)
	}
}

// For a range within a wider range, the reason is that of the narrower one.
func TestReasons(t *testing.T) {
	for host, want := range map[string]string{
		"100.100.100.200":     "metadata service of a cloud",
		"100.100.100.201":     "shared address space of a provider",
		"[fd00:ec2::254]":     "metadata service of a cloud",
		"[fd00:ec3::254]":     "private network",
		"[fe80::1]":           "link-local or a metadata service",
		"[::127.0.0.1]":       "IPv4 address in IPv6 form",
		"[::ffff:0:8.8.8.8]":  "IPv4 address in IPv6 form",
		"[64:ff9b:1::808]":    "IPv4 address in IPv6 form",
		"[2001:0:1::1]":       "IPv4 address in IPv6 form",
		"[2001:1::1]":         "protocol assignments",
		"[100::1]":            "discarded",
		"[100:0:0:1::1]":      "dummy prefix",
		"[100:0:0:2::1]":      "outside of the public IPv6 addresses",
		"[5f00::1]":           "segment routing",
		"[6000::1]":           "outside of the public IPv6 addresses",
		"[64:ff9b::10.0.0.1]": "private network",
	} {
		if _, err := ssrf.New(ssrf.Settings{}).Check("https://" + host); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", host, err, want)
		}
	}
}

// Public receivers are accepted, and returned as written except that the host is in lower case.
func TestGoodURLs(t *testing.T) {
	for raw, want := range map[string]string{
		"https://example.com":                     "",
		"http://example.com":                      "",
		"HTTPS://Example.COM/Hook":                "https://example.com/Hook",
		"https://example.com.":                    "",
		"https://example.com:443/":                "",
		"https://example.com:1024":                "",
		"https://example.com:65535/x":             "",
		"https://a.b.c.d.e.example.co.uk/hook":    "",
		"https://hooks.slack.com/services/T0/B0":  "",
		"https://example.com/hook?token=a%20b&c":  "",
		"https://example.com/a%2Fb/../c":          "",
		"https://example.com/?u=http://127.0.0.1": "",
		"https://example.com/127.0.0.1":           "",
		"https://example.com/@localhost":          "",
		"https://xn--bcher-kva.example/":          "",
		"https://my_host.example.com":             "",
		"https://1password.com":                   "",
		"https://127.0.0.1.example.com":           "",
		"https://0x7f.example":                    "",
		"https://localhost.example.com":           "",
		"https://notlocalhost.com":                "",
		"https://internal.example.com":            "",
		"https://mylocal.example":                 "",
		"https://8.8.8.8":                         "",
		"https://1.1.1.1:8443/x":                  "",
		"https://9.255.255.255":                   "",
		"https://11.0.0.0":                        "",
		"https://100.63.255.255":                  "",
		"https://100.128.0.0":                     "",
		"https://126.255.255.255":                 "",
		"https://128.0.0.0":                       "",
		"https://168.63.129.15":                   "",
		"https://169.253.255.255":                 "",
		"https://169.255.0.0":                     "",
		"https://172.15.255.255":                  "",
		"https://172.32.0.0":                      "",
		"https://192.167.255.255":                 "",
		"https://192.169.0.0":                     "",
		"https://198.17.255.255":                  "",
		"https://198.20.0.0":                      "",
		"https://223.255.255.255":                 "",
		"https://[2606:4700:4700::1111]":          "",
		"https://[2a00:1450:4009:81f::200E]:8443": "https://[2a00:1450:4009:81f::200e]:8443",
		"https://[2001:200::1]":                   "",
		"https://[2003::1]":                       "",
		"https://[64:ff9b::808:808]":              "",
		"https://[::ffff:8.8.8.8]":                "",
		"https://[2a00:1450::5efe:8.8.8.8]":       "",
		"https://h.example/" + long(2030):         "",
	} {
		u, err := ssrf.New(ssrf.Settings{}).Check(raw)
		if want == "" {
			want = raw
		}
		if err != nil || u.String() != want {
			t.Errorf("%.60q: %v, %v", raw, u, err)
		}
	}
}

// Each setting allows what it names and nothing else.
func TestSettings(t *testing.T) {
	private := ssrf.Settings{AllowPrivate: true}
	ranges := func(prefixes ...string) ssrf.Settings {
		var s ssrf.Settings
		for _, p := range prefixes {
			s.Allowed = append(s.Allowed, netip.MustParsePrefix(p))
		}
		return s
	}
	everything := ranges("0.0.0.0/0", "::/0")
	for _, c := range []struct {
		settings ssrf.Settings
		good     string
		bad      string
	}{
		{private, "127.0.0.1 [::1] 10.1.2.3 192.168.1.1 100.64.0.1 [fd00::1] [fec0::1] 198.18.0.1 192.0.2.1 240.0.0.1 localhost a.local db.internal redis", "0.0.0.0 0.1.2.3 [::] 224.0.0.1 [ff02::1] 255.255.255.255"},
		{private, "[::ffff:10.0.0.1] [64:ff9b::a00:1] [2a00::5efe:a00:1]", "169.254.169.254 [fe80::1] 168.63.129.16 100.100.100.200 192.0.0.192 [fd00:ec2::254] [fd20:ce::254] [fd00:c1::a9fe:a9fe] [fd00:42::42] [::ffff:a9fe:a9fe] [64:ff9b::a9fe:a9fe]"},
		{private, "8.8.8.8 example.com", "[2002:7f00:1::] [::127.0.0.1] [2001::1] [64:ff9b:1::a00:1] [8000::1] 0x7f.1 127.1 metadata.google.internal metadata [fe80::1%25eth0] [2a00::5efe:a9fe:a9fe]"},
		{ranges("10.1.0.0/16"), "10.1.0.0 10.1.255.255 [::ffff:10.1.0.1] [64:ff9b::a01:1] a.internal redis", "10.0.255.255 10.2.0.0 127.0.0.1 [::1] 192.168.1.1 metadata"},
		{ranges("fd12::/32", "169.254.10.0/24"), "[fd12::1] 169.254.10.1", "[fd13::1] 169.254.11.1"},
		{everything, "127.0.0.1 [::1] 169.254.169.254 [2002:7f00:1::] [8000::1] 240.0.0.1", "0.0.0.0 0.255.255.255 [::] 224.0.0.1 [ff02::1] [::ffff:0.0.0.0] 255.255.255.255 [64:ff9b::] [64:ff9b::e000:1]"},
	} {
		g := ssrf.New(c.settings)
		for _, host := range strings.Fields(c.good) {
			if _, err := g.Check("https://" + host); err != nil {
				t.Errorf("%+v: %s: %v", c.settings, host, err)
			}
		}
		for _, host := range strings.Fields(c.bad) {
			if _, err := g.Check("https://" + host); err == nil {
				t.Errorf("%+v: %s is good", c.settings, host)
			}
		}
	}
}

func long(n int) string { return strings.Repeat("a", n) }
