package browser

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// samples is how many pages of one pattern are looked at: records are shown
// differently by their states.
const samples = 2

// Every page that can be reached in the demo by links is read by axe-core without a
// word, in light and in dark, and on a phone nothing of it is wider than the window.
// With TIDEWAITER_SCREENSHOTS each is also to be looked at.
func TestEveryPage(t *testing.T) {
	p := startDemo(t)
	for _, mode := range []struct {
		name, theme   string
		width, height int64
	}{{"light", "light", 1280, 900}, {"dark", "dark", 1280, 900}, {"phone", "light", 360, 740}} {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			w := look(t, p, mode.width, mode.height)
			w.signIn(p.email, p.password)
			w.theme(mode.theme)
			seen := w.everyPage(func(path string) {
				w.accessible(mode.name + " " + path)
				w.shot(mode.name + "-" + fileName(path))
				if wide := eval[int](w, `document.documentElement.scrollWidth`); mode.width < 500 && wide > int(mode.width) {
					t.Errorf("%s is %d pixels wide", path, wide)
				}
			})
			t.Logf("%d pages: %s", len(seen), strings.Join(seen, " "))
			if len(seen) < 12 {
				t.Errorf("only %d pages are linked", len(seen))
			}
		})
	}
}

// theme chooses light or dark by the button that everybody has.
func (w *window) theme(name string) {
	w.Helper()
	w.follow(chromedp.Click(fmt.Sprintf(`footer button[value=%q]`, name)))
}

// everyPage visits the pages that are linked from the home page and from there on.
func (w *window) everyPage(look func(path string)) (seen []string) {
	w.Helper()
	known, count := map[string]bool{"/": true}, map[string]int{}
	for queue := []string{"/"}; len(queue) > 0; queue = queue[1:] {
		path := queue[0]
		w.visit(path)
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

// links are the pages of the console that the page links to: no downloads.
func (w *window) links() []string {
	w.Helper()
	all := eval[[]string](w, `[...document.querySelectorAll("a[href]")].filter(a => a.origin === location.origin && !a.hasAttribute("download"))
		.map(a => a.pathname + a.search)`)
	return slices.DeleteFunc(all, func(path string) bool {
		return strings.HasPrefix(path, "/api/") || regexp.MustCompile(`\.[a-z]+(\?|$)`).MatchString(path)
	})
}

var (
	anID    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)
	aNumber = regexp.MustCompile(`/\d+(/|\?|$)`)
	values  = regexp.MustCompile(`=[^&]*`)
)

// pattern is what the addresses of alike pages have in common.
func pattern(path string) string {
	return aNumber.ReplaceAllString(values.ReplaceAllString(anID.ReplaceAllString(path, "{id}"), "="), "/{n}$1")
}

func fileName(path string) string {
	name := strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(anID.ReplaceAllStringFunc(path, func(id string) string { return id[len(id)-4:] })), "-"), "-")
	if name == "" {
		return "home"
	}
	return name
}
