package clientaddr_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
)

var trusted = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8"),
}

func request(peer, header string, lines ...string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr = peer
	for _, line := range lines {
		r.Header.Add(header, line)
	}
	return r
}

const proxy = "10.0.0.1:4000"

// X-Forwarded-For counts from the right, and only behind a trusted peer.
func TestXForwardedFor(t *testing.T) {
	for name, c := range map[string]struct {
		peer  string
		lines []string
		want  string
	}{
		"no header":                   {proxy, nil, "10.0.0.1:4000"},
		"peer not trusted":            {"198.51.100.7:5000", []string{"203.0.113.9"}, "198.51.100.7:5000"},
		"one proxy":                   {proxy, []string{"203.0.113.9"}, "203.0.113.9:0"},
		"client's own entry":          {proxy, []string{"1.1.1.1, 203.0.113.9"}, "203.0.113.9:0"},
		"client names a trusted one":  {proxy, []string{"10.9.9.9, 203.0.113.9"}, "203.0.113.9:0"},
		"two proxies":                 {proxy, []string{"1.1.1.1, 203.0.113.9, 10.0.0.2"}, "203.0.113.9:0"},
		"two lines":                   {proxy, []string{"1.1.1.1", "203.0.113.9, 10.0.0.2"}, "203.0.113.9:0"},
		"all trusted":                 {proxy, []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3:0"},
		"empty entries":               {proxy, []string{" , 203.0.113.9 ,, ", ""}, "203.0.113.9:0"},
		"with port":                   {proxy, []string{"203.0.113.9:5123"}, "203.0.113.9:5123"},
		"IPv6":                        {proxy, []string{"2001:db8::1"}, "[2001:db8::1]:0"},
		"IPv6 in brackets":            {proxy, []string{"[2001:db8::1]"}, "[2001:db8::1]:0"},
		"IPv6 with port":              {proxy, []string{"[2001:db8::1]:77"}, "[2001:db8::1]:77"},
		"IPv4-mapped":                 {proxy, []string{"::ffff:203.0.113.9"}, "203.0.113.9:0"},
		"IPv4-mapped proxy":           {"[::ffff:10.0.0.1]:4000", []string{"203.0.113.9"}, "203.0.113.9:0"},
		"IPv6 proxy":                  {"[fd00::1]:4000", []string{"203.0.113.9"}, "203.0.113.9:0"},
		"unknown":                     {proxy, []string{"1.1.1.1, unknown"}, "10.0.0.1:4000"},
		"unknown behind two proxies":  {proxy, []string{"1.1.1.1, unknown, 10.0.0.2"}, "10.0.0.2:0"},
		"a name":                      {proxy, []string{"client.example"}, "10.0.0.1:4000"},
		"IPv4 in brackets":            {proxy, []string{"[203.0.113.9]"}, "10.0.0.1:4000"},
		"open bracket":                {proxy, []string{"[2001:db8::1"}, "10.0.0.1:4000"},
		"rest after bracket":          {proxy, []string{"[2001:db8::1]77"}, "10.0.0.1:4000"},
		"zone":                        {proxy, []string{"fe80::1%eth0"}, "10.0.0.1:4000"},
		"port too high":               {proxy, []string{"203.0.113.9:65536"}, "10.0.0.1:4000"},
		"port empty":                  {proxy, []string{"203.0.113.9:"}, "10.0.0.1:4000"},
		"port with sign":              {proxy, []string{"203.0.113.9:+80"}, "10.0.0.1:4000"},
		"leading zeros":               {proxy, []string{"203.000.113.009"}, "10.0.0.1:4000"},
		"quoted":                      {proxy, []string{`"203.0.113.9"`}, "10.0.0.1:4000"},
		"the other header is ignored": {proxy, []string{"for=203.0.113.9"}, "10.0.0.1:4000"},
		"peer with a zone":            {"[fe80::1%eth0]:9", nil, "[fe80::1]:9"},
		"peer without a port":         {"198.51.100.7", nil, "198.51.100.7:0"},
	} {
		v := &clientaddr.Resolver{Trusted: trusted}
		if got := v.Resolve(request(c.peer, "X-Forwarded-For", c.lines...)); got != netip.MustParseAddrPort(c.want) {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

// Forwarded is read as RFC 7239 says, from the right.
func TestForwarded(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"token":                         {[]string{"for=203.0.113.9"}, "203.0.113.9:0"},
		"names are case-insensitive":    {[]string{"By=10.0.0.1;FOR=203.0.113.9;Proto=https"}, "203.0.113.9:0"},
		"quoted with port":              {[]string{`for="203.0.113.9:47011"`}, "203.0.113.9:47011"},
		"quoted IPv6":                   {[]string{`for="[2001:db8:cafe::17]:4711"`}, "[2001:db8:cafe::17]:4711"},
		"IPv6 without quotes":           {[]string{`for=[2001:db8:cafe::17]:4711`}, "[2001:db8:cafe::17]:4711"},
		"IPv6 without brackets":         {[]string{`for="2001:db8:cafe::17"`}, "10.0.0.1:4000"},
		"obfuscated port":               {[]string{`for="203.0.113.9:_gazonk"`}, "203.0.113.9:0"},
		"empty obfuscated port":         {[]string{`for="203.0.113.9:_"`}, "10.0.0.1:4000"},
		"obfuscated node":               {[]string{"for=1.1.1.1, for=_hidden"}, "10.0.0.1:4000"},
		"unknown":                       {[]string{"for=1.1.1.1, for=unknown"}, "10.0.0.1:4000"},
		"unknown behind two":            {[]string{`for=1.1.1.1, for=_gazonk, for="10.0.0.2:99"`}, "10.0.0.2:99"},
		"several elements":              {[]string{"for=1.1.1.1, for=203.0.113.9;host=a, for=10.0.0.2"}, "203.0.113.9:0"},
		"several lines":                 {[]string{"for=1.1.1.1", "for=203.0.113.9", "for=10.0.0.2"}, "203.0.113.9:0"},
		"comma in quotes":               {[]string{`for=203.0.113.9;host="a,b;for=1.1.1.1"`}, "203.0.113.9:0"},
		"escaped quote":                 {[]string{`for=203.0.113.9;host="a\",for=1.1.1.1"`}, "203.0.113.9:0"},
		"escaped backslash":             {[]string{`host="a\\", for=203.0.113.9`}, "203.0.113.9:0"},
		"escapes inside the address":    {[]string{`for="203\.0.113.9"`}, "203.0.113.9:0"},
		"client leaves a quote open":    {[]string{`for="1.1.1.1, for=203.0.113.9`}, "203.0.113.9:0"},
		"client leaves an escape open":  {[]string{`for="1.1.1.1\, for=203.0.113.9;host="a"`}, "203.0.113.9:0"},
		"client's line stays its own":   {[]string{`for="1.1.1.1`, `for=203.0.113.9`}, "203.0.113.9:0"},
		"no for":                        {[]string{"for=1.1.1.1, proto=https"}, "10.0.0.1:4000"},
		"for twice":                     {[]string{"for=1.1.1.1;for=203.0.113.9"}, "10.0.0.1:4000"},
		"empty value":                   {[]string{"for="}, "10.0.0.1:4000"},
		"no equals sign":                {[]string{"for"}, "10.0.0.1:4000"},
		"space before the equals sign":  {[]string{"for =203.0.113.9"}, "10.0.0.1:4000"},
		"rest after a quoted string":    {[]string{`for="203.0.113.9"x`}, "10.0.0.1:4000"},
		"spaces around parameters":      {[]string{"proto=https ; for=203.0.113.9 "}, "203.0.113.9:0"},
		"empty parameters and elements": {[]string{", ;;for=203.0.113.9;, "}, "203.0.113.9:0"},
		"X-Forwarded-For form":          {[]string{"203.0.113.9"}, "10.0.0.1:4000"},
	} {
		v := &clientaddr.Resolver{Trusted: trusted, Header: clientaddr.Forwarded}
		r := request(proxy, "Forwarded", c.lines...)
		r.Header.Set("X-Forwarded-For", "9.9.9.9")
		if got := v.Resolve(r); got != netip.MustParseAddrPort(c.want) {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

// A header of endless trusted entries is read to a limit.
func TestHopsAreLimited(t *testing.T) {
	v := &clientaddr.Resolver{Trusted: trusted}
	r := request(proxy, "X-Forwarded-For", "203.0.113.9, "+strings.Repeat("10.0.0.7, ", 1000)+"10.0.0.8")
	if got := v.Resolve(r); got != netip.MustParseAddrPort("10.0.0.7:0") {
		t.Errorf("read on to %v", got)
	}
}

// The handler hands the address on, and it counts whatever the peer is.
func TestHandler(t *testing.T) {
	v := &clientaddr.Resolver{Trusted: trusted}
	v.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if got := clientaddr.Of(r); got != "2001:db8::1" {
			t.Errorf("address %s", got)
		}
		if got := clientaddr.Endpoint(r); got != netip.MustParseAddrPort("[2001:db8::1]:81") {
			t.Errorf("endpoint %s", got)
		}
	})).ServeHTTP(httptest.NewRecorder(), request(proxy, "X-Forwarded-For", "[2001:db8::1]:81"))
	if got := clientaddr.Of(request(proxy, "X-Forwarded-For", "203.0.113.9")); got != "10.0.0.1" {
		t.Errorf("without the handler %s", got)
	}
	if got := clientaddr.Of(request("@", "X-Forwarded-For")); got != "unknown" {
		t.Errorf("of no address %q", got)
	}
}

// Budgets count a subscriber's IPv6 network as one.
func TestGroup(t *testing.T) {
	for address, want := range map[string]string{
		"203.0.113.9":          "203.0.113.9",
		"::ffff:203.0.113.9":   "203.0.113.9",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"2001:db8:1:2::":       "2001:db8:1:2::/64",
		"fe80::1%eth0":         "fe80::/64",
		"unknown":              "unknown",
		"":                     "",
	} {
		if got := clientaddr.Group(address); got != want {
			t.Errorf("Group(%q) = %q, want %q", address, got, want)
		}
	}
}

// Whatever a client sends, what the trusted proxy appended decides.
func FuzzForwarded(f *testing.F) {
	f.Add(`for="1.1.1.1`)
	f.Add(`for="1.1.1.1\`)
	f.Add(`for=1.1.1.1;host="`)
	f.Add(`\"`)
	f.Fuzz(func(t *testing.T, sent string) {
		want := netip.MustParseAddrPort("203.0.113.9:7")
		for _, c := range []struct {
			header clientaddr.Header
			entry  string
		}{
			{clientaddr.Forwarded, `for="203.0.113.9:7";host="a,\"b";by=10.0.0.1`},
			{clientaddr.XForwardedFor, "203.0.113.9:7"},
		} {
			v := &clientaddr.Resolver{Trusted: trusted, Header: c.header}
			if got := v.Resolve(request(proxy, string(c.header), sent+", "+c.entry)); got != want {
				t.Errorf("%s %q in one line: %v", c.header, sent, got)
			}
			if got := v.Resolve(request(proxy, string(c.header), sent, c.entry)); got != want {
				t.Errorf("%s %q in a line of its own: %v", c.header, sent, got)
			}
			if got := v.Resolve(request(proxy, string(c.header), sent)); !got.IsValid() {
				t.Errorf("%s %q: no address", c.header, sent)
			}
		}
	})
}
