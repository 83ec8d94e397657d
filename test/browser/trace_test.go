package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// traces is the folder of what is kept of failed tests. It is no part of the project.
const traces = "../../tmp/traces"

// trace is what happened in a window: pages, answers that are errors, and what scripts and the browser reported.
type trace struct {
	mu    sync.Mutex
	began time.Time
	lines []string
}

// record begins a trace. If the test fails, the trace is kept with the page as it then is, and a picture of it.
func record(ctx context.Context, t *testing.T) {
	t.Helper()
	r := &trace{began: time.Now()}
	if err := chromedp.Listen(ctx, r.note); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("what happened in the window is in %s", r.keep(ctx, strings.ReplaceAll(t.Name(), "/", "-")))
		}
	})
}

// note adds an event.
func (r *trace) note(event any) {
	text := ""
	switch e := event.(type) {
	case *page.EventFrameNavigated:
		text = "page " + e.Frame.URL
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			text = fmt.Sprintf("answer %d %s", e.Response.Status, e.Response.URL)
		}
	case *runtime.EventExceptionThrown:
		raw, _ := json.Marshal(e.ExceptionDetails)
		text = "exception " + string(raw)
	case *runtime.EventConsoleAPICalled:
		raw, _ := json.Marshal(e.Args)
		text = "console " + string(raw)
	case *cdplog.EventEntryAdded:
		text = "browser " + e.Entry.Text
	}
	if text == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, fmt.Sprintf("%8.3f s  %s", time.Since(r.began).Seconds(), text))
}

// keep writes the trace to a new folder, and returns it.
func (r *trace) keep(ctx context.Context, name string) string {
	if err := os.MkdirAll(traces, 0o700); err != nil {
		return err.Error()
	}
	folder, err := os.MkdirTemp(traces, name+"-")
	if err != nil {
		return err.Error()
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	html, _ := chromedp.Run(ctx, chromedp.OuterHTML("html"))
	picture, _ := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	r.mu.Lock()
	defer r.mu.Unlock()
	for file, content := range map[string][]byte{"trace.txt": []byte(strings.Join(r.lines, "\n") + "\n"), "page.html": []byte(html), "page.png": picture} {
		if err := os.WriteFile(filepath.Join(folder, file), content, 0o600); err != nil {
			return err.Error()
		}
	}
	return folder
}

// The trace of a failed test has the pages, the errors of scripts and the page at the end.
func TestTrace(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1280, 900)
	r := &trace{began: time.Now()}
	if err := chromedp.Listen(w.ctx, r.note); err != nil {
		t.Fatal(err)
	}
	w.visit("/sign-in")
	eval[bool](w, `(console.log("from a script"), new Promise((done) => setTimeout(() => { done(true); throw new Error("a broken script"); })))`)
	w.visit("/no-such-page")
	folder := r.keep(w.ctx, "TestTrace")
	defer os.RemoveAll(folder)
	for file, wants := range map[string][]string{
		"trace.txt": {"page " + p.base + "/sign-in", "from a script", "a broken script", "answer 404 " + p.base + "/no-such-page"}, "page.html": {"<html"}, "page.png": {"PNG"},
	} {
		content, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(content), want) {
				t.Errorf("%s does not contain %q:\n%.2000s", file, want, content)
			}
		}
	}
}
