package browser

import (
	"context"
	"os"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Widths of the windows.
const (
	desk  = 1280
	phone = 360
)

// long reports whether the tests may take their time, or are to take pictures of all pages.
func long() bool {
	return os.Getenv("TIDEWAITER_LONG") != "" || os.Getenv("TIDEWAITER_SCREENSHOTS") != ""
}

// size is that of a window, with the colours of its pages.
type size struct {
	name          string
	width, height int64
	theme         string
}

// sizes are those that a journey is gone in: the first, and in the long run all.
func sizes(all ...size) []size {
	if long() {
		return all
	}
	return all[:1]
}

// everyLook checks the open page by all rules in light, and its width on a phone; in the long run
// also its look in dark. It leaves the page in light on a desk.
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
	w.resize(desk)
}

// step holds the page of a journey that is gone on a desk and on a phone: on the desk
// to every rule, on the phone to those that depend on the look.
func (w *window) step(name string) {
	w.Helper()
	if w.width < desk {
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

// prefers sets what the system of the user is set to: light or dark.
func (w *window) prefers(scheme string) {
	w.Helper()
	w.do(func(ctx context.Context, t *chromedp.Target) (none chromedp.Void, err error) {
		_, err = cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return none, err
	})
}

// narrow fails when the page is wider than the window, and says what of it.
func (w *window) narrow(name string) {
	w.Helper()
	if over := eval[int](w, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		w.Errorf("%s: %d pixels too wide: %s", name, over, eval[string](w, `[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).slice(0, 3).map(e => e.outerHTML.slice(0, 200)).join("\n")`))
	}
}
