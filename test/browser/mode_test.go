package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// switchMode presses the button of the header that opens test mode or returns to live.
func (w *window) switchMode(to string) {
	w.Helper()
	w.follow(chromedp.Click(`header button[name="mode"][value="` + to + `"]`))
}

// A member opens test mode by a click. Every page says there that it is test mode, in light, in dark and on a phone, and a click
// returns to the live organisation and its records.
func TestTestMode(t *testing.T) {
	t.Parallel()
	p := startDemo(t)
	w := openWindow(t, p, 1366, 900)
	w.signIn(p.email, p.password)
	w.visit("/declarations")
	w.switchMode("test")
	w.sees("Nothing reaches an authority.", "Return to live")
	w.visit("/clients/new")
	w.fill("name", "Harbour Textiles Ltd", "eori", "GB123456789000")
	w.press("Save")
	w.sees("Harbour Textiles Ltd")
	record := eval[string](w, `location.pathname`)
	for _, path := range []string{"/", "/declarations", "/clients", record, "/declarations/new?form=page", "/settings"} {
		w.visit(path)
		if text := eval[string](w, `document.querySelector("header .mode").textContent.trim()`); !strings.HasPrefix(text, "Mode: Test") || !strings.Contains(text, "Nothing reaches an authority") {
			t.Errorf("the header of %s has %q", path, text)
		}
		w.everyLook("test mode " + path)
	}
	w.switchMode("live")
	w.sees("Open test mode")
	w.visit("/clients")
	if strings.Contains(w.text(), "Nothing reaches") {
		t.Error("the live organisation is shown as test mode")
	}
}
