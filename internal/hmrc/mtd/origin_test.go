package mtd_test

import (
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
)

// All headers of the connection method go out with every call, in HMRC's own forms.
func TestFraudPreventionHeaders(t *testing.T) {
	w := newFixture(t)
	if outcome := w.client.Submit(t.Context(), w.caller, submission()); outcomeName(outcome) != "accepted" {
		t.Fatal(outcome)
	}
	sent := w.hmrc.Header()
	for name, want := range map[string]string{
		"Gov-Client-Connection-Method":     "WEB_APP_VIA_SERVER",
		"Gov-Client-Browser-JS-User-Agent": "Mozilla/5.0 (X11; Linux x86_64)",
		"Gov-Client-Device-ID":             "beec798b-b366-47fa-b1f8-92cede14a1ce",
		"Gov-Client-Multi-Factor":          "type=TOTP&timestamp=2026-10-12T08%3A30%3A00.000Z&unique-reference=c672b8d1ef56ed28",
		"Gov-Client-Public-IP":             "198.51.100.7",
		"Gov-Client-Public-IP-Timestamp":   "2026-10-12T09:00:00.123Z",
		"Gov-Client-Public-Port":           "47138",
		"Gov-Client-Screens":               "width=1920&height=1080&scaling-factor=1&colour-depth=24,width=3000&height=2000&scaling-factor=1.25&colour-depth=24",
		"Gov-Client-Timezone":              "UTC+00:00",
		"Gov-Client-User-IDs":              "tidewaiter=019aa2f0-7c1e-7b3a-9d54-3f2b8c6e1a70",
		"Gov-Client-Window-Size":           "width=1256&height=803",
		"Gov-Vendor-Forwarded":             "by=203.0.113.6&for=198.51.100.7",
		"Gov-Vendor-License-IDs":           "",
		"Gov-Vendor-Product-Name":          "Tidewaiter%20%26%20Co",
		"Gov-Vendor-Public-IP":             "203.0.113.6",
		"Gov-Vendor-Version":               "tidewaiter=1.2.0&console=1.2",
		"Accept":                           "application/vnd.hmrc.1.0+json",
		"Content-Type":                     "application/json",
	} {
		if got := sent.Get(name); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
	if missing := origin.Missing(vendor); len(missing) != 0 {
		t.Errorf("missing: %v", missing)
	}
}

// IPv6 addresses stand percent-encoded in lists; an IPv4 address in IPv6 form is IPv4.
func TestAddresses(t *testing.T) {
	o, v := origin, vendor
	o.PublicIP, v.PublicIP = netip.MustParseAddr("2001:db8::7"), netip.MustParseAddr("::ffff:203.0.113.6")
	h := o.Header(v)
	if h.Get("Gov-Client-Public-IP") != "2001:db8::7" || h.Get("Gov-Vendor-Public-IP") != "203.0.113.6" || h.Get("Gov-Vendor-Forwarded") != "by=203.0.113.6&for=2001%3Adb8%3A%3A7" {
		t.Errorf("%v", h)
	}
}

// What is not known, or not public, is left out and named, and nothing is made up for it.
func TestMissingHeaders(t *testing.T) {
	got := mtd.Origin{}.Header(mtd.Vendor{})
	if len(got) != 1 || got.Get("Gov-Client-Connection-Method") != "WEB_APP_VIA_SERVER" {
		t.Errorf("%v", got)
	}
	if missing := (mtd.Origin{}).Missing(mtd.Vendor{}); len(missing) != 14 {
		t.Errorf("missing: %v", missing)
	}
	for _, private := range []string{"10.1.2.3", "192.168.0.1", "172.16.0.1", "127.0.0.1", "169.254.1.1", "100.64.0.1", "::1", "fe80::1", "fd00::1", "0.0.0.0", "224.0.0.1", "::ffff:10.0.0.1"} {
		o := origin
		o.PublicIP = netip.MustParseAddr(private)
		want := []string{"Gov-Client-Public-IP", "Gov-Client-Public-IP-Timestamp", "Gov-Client-Public-Port", "Gov-Vendor-Forwarded"}
		if missing := o.Missing(vendor); !slices.Equal(missing, want) {
			t.Errorf("%s: missing %v", private, missing)
		}
	}
}

// seen is a request as the service sees it.
var seen = mtd.Seen{
	Peer: netip.MustParseAddrPort("198.51.100.7:47138"), At: time.Date(2026, 10, 12, 9, 0, 0, 123e6, time.UTC),
	User: mtd.Pair{Name: "tidewaiter", Value: "019aa2f0-7c1e-7b3a-9d54-3f2b8c6e1a70"},
}

// reported are the headers of a browser in good order.
func reported() http.Header {
	h := http.Header{}
	for name, value := range map[string]string{
		"Gov-Client-Browser-JS-User-Agent": "Mozilla/5.0 (X11; Linux x86_64)",
		"Gov-Client-Device-ID":             "beec798b-b366-47fa-b1f8-92cede14a1ce",
		"Gov-Client-Timezone":              "UTC+00:00",
		"Gov-Client-Screens":               "width=1920&height=1080&scaling-factor=1&colour-depth=24,width=3000&height=2000&scaling-factor=1.25&colour-depth=24",
		"Gov-Client-Window-Size":           "width=1256&height=803",
		"Gov-Client-Multi-Factor":          "type=TOTP&timestamp=2026-10-12T08%3A30Z&unique-reference=c672b8d1ef56ed28",
	} {
		h.Set(name, value)
	}
	return h
}

// What a browser reports goes on to HMRC as it is; address, port and user are what
// the service determines, independent of the request.
func TestReadOrigin(t *testing.T) {
	h := reported()
	h.Set("Gov-Client-Public-IP", "8.8.8.8")
	h.Set("Gov-Client-User-IDs", "tidewaiter=another-user")
	h.Set("Gov-Vendor-Product-Name", "Other")
	h.Set("Gov-Client-Connection-Method", "BATCH_PROCESS_DIRECT")
	got, flaws := mtd.ReadOrigin(h, seen)
	if len(flaws) != 0 {
		t.Fatal(flaws)
	}
	if a, b := got.Header(vendor), origin.Header(vendor); !maps.EqualFunc(a, b, slices.Equal) {
		t.Errorf("%v\nis not\n%v", a, b)
	}
}

// What is not in HMRC's form is named and left out, and leaves the others be.
func TestFlaws(t *testing.T) {
	const screen = "width=1920&height=1080&scaling-factor=1&colour-depth=24"
	const factor = "type=TOTP&timestamp=2026-10-12T08%3A30Z&unique-reference=c672"
	for name, values := range map[string][]string{
		"Gov-Client-Browser-JS-User-Agent": {"", "   ", "Mozilla\r\nX: 1", "Mozilla\x00", "Mözilla", strings.Repeat("x", 2049)},
		"Gov-Client-Device-ID":             {"", "1", "beec798bb36647fab1f892cede14a1ce", "{beec798b-b366-47fa-b1f8-92cede14a1ce}", "beec798b-b366-47fa-b1f8-92cede14a1ce,"},
		"Gov-Client-Timezone":              {"", "Europe/London", "UTC", "UTC+1:00", "UTC+15:00", "UTC+00:60", "utc+00:00", "UTC+00:00 "},
		"Gov-Client-Screens": {"", "width=1920&height=1080", screen + ",", screen + "&width=1", "width=0&height=1080&scaling-factor=1&colour-depth=24", "width=x&height=1080&scaling-factor=1&colour-depth=24",
			"width=1920&height=1080&scaling-factor=one&colour-depth=24", "width=1920&height=1080&scaling-factor=1&colour-depth=0", "width=1920&height=1080&scaling-factor=1&color-depth=24",
			strings.Repeat(screen+",", 16) + screen, "width=%zz&height=1080&scaling-factor=1&colour-depth=24", "width=-1920&height=1080&scaling-factor=1&colour-depth=24"},
		"Gov-Client-Window-Size": {"", "1256x803", "width=1256", "width=1256&height=803&x=1", "width=1256&height=100001", "width=1256&width=803"},
		"Gov-Client-Multi-Factor": {"", "type=SMS&timestamp=2026-10-12T08%3A30Z&unique-reference=c", "type=TOTP&timestamp=today&unique-reference=c", "type=TOTP&timestamp=2026-10-12T08%3A30Z&unique-reference=",
			"type=TOTP&timestamp=2026-10-12T08%3A30Z", "type=TOTP&timestamp=2026-10-12T08%3A30Z&unique-reference=a%0D%0Ab", strings.Repeat(factor+",", 8) + factor},
	} {
		for _, value := range values {
			h := reported()
			h[http.CanonicalHeaderKey(name)] = []string{value}
			got, flaws := mtd.ReadOrigin(h, seen)
			if len(flaws) != 1 || flaws[0].Header != name || flaws[0].Why == "" {
				t.Errorf("%s %q: %v", name, value, flaws)
			}
			if missing := got.Missing(vendor); !slices.Equal(missing, []string{name}) {
				t.Errorf("%s %q: missing %v", name, value, missing)
			}
		}
		h := reported()
		h.Add(name, h.Get(name))
		if _, flaws := mtd.ReadOrigin(h, seen); len(flaws) != 1 {
			t.Errorf("%s twice: %v", name, flaws)
		}
	}
}

// Whatever a request says, the headers that follow from it are ones that can be sent.
func FuzzReadOrigin(f *testing.F) {
	for _, values := range reported() {
		f.Add(values[0])
	}
	f.Fuzz(func(t *testing.T, text string) {
		h := http.Header{}
		for name := range reported() {
			h[name] = []string{text}
		}
		o, _ := mtd.ReadOrigin(h, seen)
		for name, values := range o.Header(vendor) {
			for _, value := range values {
				if strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' }) {
					t.Errorf("%s: %q", name, value)
				}
			}
		}
	})
}
