package browser

import (
	"cmp"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
)

// Every page of the demo that links reach passes axe-core in light, in the long run also in dark, and on a phone
// nothing is wider than the window. With TIDEWAITER_SCREENSHOTS more of similar pages are visited, and pictures
// taken of all.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	p := startDemo(t)
	w := openWindow(t, p, desktop, 900)
	w.signIn(p.email, p.password)
	seen := w.everyPage(w.everyLook)
	t.Logf("%d pages: %s", len(seen), strings.Join(seen, " "))
	if len(seen) < 60 {
		t.Errorf("only %d pages are linked", len(seen))
	}
	wanted := []string{"/inbox", "/deadlines", "/deadlines/calendar", "/deadlines/feed", "/authorities", "/authorities/records/0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a", "/audit", "/audit/12", "/audit/verification"}
	for i, list := range kindPages() {
		wanted = append(wanted, list, list+"/new")
		if hub := app.Kinds()[i].Hub; hub != "customs" {
			wanted = append(wanted, "/hubs/"+hub)
		}
	}
	for _, path := range wanted {
		if !slices.ContainsFunc(seen, func(s string) bool { return pattern(s) == pattern(path) }) {
			t.Errorf("no page links to %s", path)
		}
	}
}

// everyPage visits the pages that are reached by links from the home page, and only a few of similar ones.
func (w *window) everyPage(look func(path string)) (seen []string) {
	w.Helper()
	samples := 1
	if os.Getenv("TIDEWAITER_SCREENSHOTS") != "" {
		samples = 3
	}
	known, count := map[string]bool{"/": true}, map[string]int{}
	for queue := []string{"/", "/design"}; len(queue) > 0; queue = queue[1:] {
		path := queue[0]
		w.visit(path)
		if title := eval[string](w, `document.title`); strings.HasPrefix(title, "Page not found") {
			w.Errorf("a link leads to %s, which does not exist", path)
		}
		seen = append(seen, path)
		look(path)
		for _, next := range w.links() {
			if known[next] || count[pattern(next)] >= samples {
				continue
			}
			known[next] = true
			count[pattern(next)]++
			queue = append(queue, next)
		}
	}
	return seen
}

// links are the console pages that the page links to, without downloads.
func (w *window) links() []string {
	w.Helper()
	all := eval[[]string](w, `[...document.querySelectorAll("a[href]")].filter(a => a.origin === location.origin && !a.hasAttribute("download"))
		.map(a => a.pathname + a.search)`)
	return slices.DeleteFunc(all, func(path string) bool {
		return strings.HasPrefix(path, "/api/") || aFile.MatchString(path)
	})
}

var (
	aFile   = regexp.MustCompile(`\.[a-z]+(\?|$)`)
	anID    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)
	aNumber = regexp.MustCompile(`\d+`)
	aSign   = regexp.MustCompile(`[^a-z0-9]+`)
)

// pattern is what the paths of similar pages have in common.
func pattern(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return aNumber.ReplaceAllString(anID.ReplaceAllString(path, "{id}"), "{n}")
}

// fileName is an address as the name of a file, with the ends of its ids.
func fileName(path string) string {
	path = anID.ReplaceAllStringFunc(strings.ToLower(path), func(id string) string { return id[len(id)-4:] })
	name := strings.Trim(aSign.ReplaceAllString(path, "-"), "-")
	return cmp.Or(name[:min(len(name), 100)], "home")
}
