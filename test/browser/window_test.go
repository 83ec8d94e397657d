package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// chromium is the browser of all tests, headless if possible, which needs half the processor time. It and its windows
// have no timeout: each step of a test has one. Scripts are not compiled by V8's optimizing compilers: pages do not live long enough, and
// tests took a fifth more processor time with them.
var chromium = sync.OnceValues(func() (context.Context, error) {
	path, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		path, err = exec.LookPath("chromium")
	}
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Env("TZ=Europe/London", "LANGUAGE=en_GB"), chromedp.Flag("lang", "en-GB"),
		chromedp.Flag("js-flags", "--no-opt --no-maglev"), chromedp.ModifyCmdFunc(withoutPriority))
	ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ = chromedp.NewContext(ctx)
	return ctx, chromedp.Do(ctx)
})

// withoutPriority keeps Chromium from taking a higher priority than others have, which it does where root runs it: with two processors,
// programs that were tested beside it had to wait for seconds. The browser ends with the tests, as without this function.
func withoutPriority(browser *exec.Cmd) {
	browser.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	drop, err := exec.LookPath("setpriv")
	if os.Geteuid() != 0 || err != nil {
		return
	}
	browser.Args = append([]string{drop, "--bounding-set=-sys_nice", "--inh-caps=-sys_nice", browser.Path}, browser.Args[1:]...)
	browser.Path = drop
}

// open opens a window with cookies of its own.
func open(t *testing.T) context.Context {
	t.Helper()
	ctx, err := chromium()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("Chromium is not installed; make deps installs it")
	} else if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	return ctx
}

// window is a browser window with the console of a running program.
type window struct {
	*testing.T
	ctx   context.Context
	base  string
	width int64

	pictures []string // pictures taken for the guide
}

func openWindow(t *testing.T, p *server, width, height int64) *window {
	t.Helper()
	w := &window{T: t, ctx: open(t), base: p.base, width: width}
	record(w.ctx, t)
	if err := chromedp.Do(w.ctx, chromedp.EmulateViewport(width, height)); err != nil {
		t.Fatal(err)
	}
	return w
}

// stepLimit ends a step that hangs. It is far more than a step needs on a busy machine.
const stepLimit = 3 * time.Minute

func (w *window) do(steps ...chromedp.Action[chromedp.Void]) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, stepLimit)
	defer cancel()
	err := chromedp.Do(ctx, steps...)
	for redrawn(err) && ctx.Err() == nil {
		err = chromedp.Do(ctx, steps...)
	}
	if err != nil {
		ctx, cancel := context.WithTimeout(w.ctx, time.Minute)
		defer cancel()
		here, _ := chromedp.Run(ctx, chromedp.Location())
		text, _ := chromedp.Run(ctx, chromedp.Text(chromedp.CSS("body")))
		w.shot("failed")
		w.Fatalf("%v at %s:\n%s", err, here, text)
	}
}

// redrawn reports whether a step failed because the page replaced the element between finding and using it, as
// self-updating pages do.
func redrawn(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "No node with given id") || strings.Contains(err.Error(), "Could not find node with given id"))
}

// visit opens a page by its path or URL.
func (w *window) visit(path string) {
	w.Helper()
	if strings.HasPrefix(path, "/") {
		path = w.base + path
	}
	w.do(chromedp.Navigate(path))
}

// fill types into fields: name, text, name, text.
func (w *window) fill(pairs ...string) {
	w.Helper()
	for i := 0; i < len(pairs); i += 2 {
		w.do(chromedp.SetValue(chromedp.ID(pairs[i]), pairs[i+1]))
	}
}

// press clicks the element with a text, and waits for the page that it leads to.
func (w *window) press(text string) {
	w.Helper()
	xpath := fmt.Sprintf(`//main//*[self::button or self::a][contains(normalize-space(.), %q)]`, text)
	w.follow(chromedp.Click(xpath))
}

// follow waits until a step has led to another page.
func (w *window) follow(step chromedp.Action[chromedp.Void]) {
	w.Helper()
	w.do(chromedp.Evaluate[chromedp.Void](`document.documentElement.dataset.left = "yes"`), step,
		chromedp.WaitReady(chromedp.CSS(`html:not([data-left]) footer`), chromedp.RetryInterval(20*time.Millisecond)))
}

// text is the page's text. A page that is replaced meanwhile is read again.
func (w *window) text() string {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, stepLimit)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Text(chromedp.CSS("body")))
	for redrawn(err) && ctx.Err() == nil {
		text, err = chromedp.Run(ctx, chromedp.Text(chromedp.CSS("body")))
	}
	if err != nil {
		w.Fatal(err)
	}
	return text
}

// sees fails unless the page contains all of these texts.
func (w *window) sees(wanted ...string) {
	w.Helper()
	text := w.text()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			w.Errorf("the page does not contain %q:\n%s", want, text)
		}
	}
}

// eval returns the result of a script.
func eval[T any](w *window, script string) T {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, stepLimit)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		w.Fatalf("%s: %v", script, err)
	}
	return value
}

// shot takes a picture of the whole page into the folder TIDEWAITER_SCREENSHOTS, if it is set.
func (w *window) shot(name string) {
	w.Helper()
	folder := os.Getenv("TIDEWAITER_SCREENSHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(w.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o600)
	}
	if err != nil {
		w.Error(err)
	}
}
