package page_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
)

// After signing in, users are only redirected to pages of this console: a browser that
// resolves the address stays on the same host.
func FuzzLocal(f *testing.F) {
	for _, next := range []string{"/", "/declarations?after=1", "//evil.example", "/\\evil.example", "https://evil.example", "/%2fevil.example", "/\t/evil.example", "javascript:alert(1)", "/.//evil.example", "/..//evil.example", ""} {
		f.Add(next)
	}
	home, _ := url.Parse("https://console.example/sign-in")
	f.Fuzz(func(t *testing.T, next string) {
		local := page.Local(next)
		if !strings.HasPrefix(local, "/") || strings.ContainsAny(local, "\\\r\n\t") {
			t.Errorf("%q leads to %q", next, local)
		}
		to, err := home.Parse(local)
		if err != nil || to.Host != home.Host || to.Scheme != home.Scheme || to.User != nil {
			t.Errorf("%q leads to %v: %v", next, to, err)
		}
	})
}
