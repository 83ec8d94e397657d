package browser

import (
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Widths of the windows.
const (
	desktop = 1280
	half    = 960
	phone   = 360
)

// long reports whether the long run was requested, or pictures of all pages.
func long() bool {
	return os.Getenv("TIDEWAITER_LONG") != "" || os.Getenv("TIDEWAITER_SCREENSHOTS") != ""
}

// size is the size of a window, with the colour scheme of its pages.
type size struct {
	name          string
	width, height int64
	theme         string
}

// sizes are those of a journey: the first, and in the long run all.
func sizes(all ...size) []size {
	if long() {
		return all
	}
	return all[:1]
}

// looked are the kinds of elements that were examined by a set of rules at a path, by any test.
var looked = struct {
	sync.Mutex
	at map[string]map[string]bool
}{at: map[string]map[string]bool{}}

// alike reports whether pages with the same path, except for IDs, and all kinds of elements of this one were examined before.
// The long run examines every page.
func (w *window) alike(rules string) bool {
	w.Helper()
	if long() {
		return false
	}
	page := eval[struct {
		Path  string
		Kinds []string
	}](w, `({Path: location.pathname, Kinds: [...new Set([...document.querySelectorAll("*")].map(e =>
		e.tagName + [...e.attributes].map(a => ["class", "role", "type", "lang"].includes(a.name) ? a.name + a.value : a.name).join(" ")))]})`)
	looked.Lock()
	defer looked.Unlock()
	at := rules + pattern(page.Path)
	if looked.at[at] == nil {
		looked.at[at] = map[string]bool{}
	}
	alike := true
	for _, kind := range page.Kinds {
		alike = alike && looked.at[at][kind]
		looked.at[at][kind] = true
	}
	return alike
}

// everyLook checks the open page by all rules in light, and its width on a phone; in the long run also in dark. It
// leaves the page in light in a desktop window.
func (w *window) everyLook(name string) {
	w.Helper()
	w.accessible(name)
	w.shot("light-" + fileName(name))
	if long() {
		w.prefers("dark")
		w.readable("dark " + name)
		w.shot("dark-" + fileName(name))
		w.prefers("light")
	}
	w.resize(phone)
	w.narrow(name + " on a phone")
	w.shot("phone-" + fileName(name))
	w.resize(half)
	w.wellSet(name)
	w.shotsOfWidths(name, half, 1366, 1920)
	w.resize(desktop)
}

// wellSet fails if a time in a table of the open page has more than one line, a table is wider than its place, or a step of a
// record is in front of the one to take next.
func (w *window) wellSet(name string) {
	w.Helper()
	for what, script := range map[string]string{
		"a time with several lines": `[...document.querySelectorAll("table.list :is(td, th) time")].filter(e => e.getClientRects().length > 1)`,
		"a table that is wider than its place": `[...document.querySelectorAll("main table.list")].filter(e => e.getBoundingClientRect().right >
			e.parentElement.getBoundingClientRect().right - parseFloat(getComputedStyle(e.parentElement).paddingRight) + 1)`,
		"a step in front of the one to take next": `[...document.querySelectorAll(".steps-bar, .heading .buttons")].flatMap(bar => {
			const [next, ...others] = [...bar.querySelectorAll(".button")].sort((a, b) => a.classList.contains("plain") - b.classList.contains("plain"));
			if (!next || next.classList.contains("plain")) return [];
			const at = next.getBoundingClientRect();
			return others.filter(b => { const r = b.getBoundingClientRect(); return r.width > 0 && (r.bottom <= at.top || r.top < at.bottom && r.left < at.left); });
		})`,
	} {
		if found := eval[string](w, script+`.slice(0, 3).map(e => e.outerHTML.slice(0, 200)).join("\n")`); found != "" {
			w.Errorf("%s at %d: %s: %s", name, eval[int](w, `innerWidth`), what, found)
		}
	}
}

// shotsOfWidths takes pictures of the open page in windows of these widths, if pictures are requested.
func (w *window) shotsOfWidths(name string, widths ...int64) {
	w.Helper()
	if os.Getenv("TIDEWAITER_SCREENSHOTS") == "" {
		return
	}
	for _, width := range widths {
		w.resize(width)
		w.shot(fmt.Sprintf("%d-%s", width, fileName(name)))
	}
}

// step checks the page of a journey that is tested on desktop and phone: on desktop with every rule, on the phone
// with those that depend on the look.
func (w *window) step(name string) {
	w.Helper()
	if w.width < desktop {
		w.readable(name)
	} else {
		w.accessible(name)
	}
	w.narrow(name)
	w.shot(name)
}

func (w *window) resize(width int64) {
	w.Helper()
	w.do(chromedp.EmulateViewport(width, 900))
}

// prefers sets the colour scheme of the user's system: light or dark.
func (w *window) prefers(scheme string) {
	w.Helper()
	w.do(func(ctx context.Context, t *chromedp.Target) (none chromedp.Void, err error) {
		_, err = cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return none, err
	})
}

// narrow fails if the page is wider than the window, and names the elements.
func (w *window) narrow(name string) {
	w.Helper()
	if over := eval[int](w, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		w.Errorf("%s: %d pixels too wide: %s", name, over, eval[string](w, `[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).slice(0, 3).map(e => e.outerHTML.slice(0, 200)).join("\n")`))
	}
}
