package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A fault is found where a page differs from those that were examined before: in its frame, in an item and in its headings.
func TestFaultsInNewPartsAreFound(t *testing.T) {
	var page string
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, page)
	}))
	t.Cleanup(site.Close)
	w := openWindow(t, &server{base: site.URL}, desktop, 900)
	rules := `runOnly: ["wcag2a", "wcag2aa", "best-practice"]`
	found := func(header, heading string, items ...string) string {
		t.Helper()
		page = fmt.Sprintf(`<!doctype html><html lang="en"><title>Quay</title><body><header>%s</header><main>%s<ul>%s</ul></main></body></html>`,
			header, heading, strings.Join(items, ""))
		w.visit("/")
		var ids []string
		for _, v := range w.violations(rules) {
			ids = append(ids, v.ID)
		}
		return strings.Join(ids, " ")
	}
	const home, title, item = `<a href="/">Home</a>`, `<h1>Goods</h1>`, `<li>Tea <button>Remove</button></li>`
	for _, c := range []struct {
		header, heading string
		items           []string
		want            string
	}{
		{home, title, []string{item, item}, ""},
		{home, title, []string{item, `<li>Tea <button></button></li>`}, "button-name"},
		{home, title, []string{item, `<li>Tea <button style="color: #ccc; background: #fff">Remove</button></li>`}, "color-contrast"},
		{`<a href="/"></a>`, title, []string{item}, "link-name"},
		{home, `<p>Goods</p>`, []string{item}, "page-has-heading-one"},
		{home, title, []string{item, item, item}, ""},
	} {
		if ids := found(c.header, c.heading, c.items...); ids != c.want {
			t.Errorf("%s %s %s: found %q, want %q", c.header, c.heading, c.items, ids, c.want)
		}
	}
	if !long() && len(examined.known[rules]) != 5 {
		t.Errorf("%d parts were examined: %s", len(examined.known[rules]), examined.known[rules])
	}
}
