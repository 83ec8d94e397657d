// Package browser runs the real program in a real Chromium.
package browser

import (
	"bufio"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// patience is how long a page may take.
const patience = 60 * time.Second

// The page at /api/docs shows the operations, and loads nothing from elsewhere.
func TestDocsPageIsServedFromTheBinary(t *testing.T) {
	base := start(t)
	ctx := open(t)
	var mu sync.Mutex
	var foreign []string
	err := chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*network.EventRequestWillBeSent); ok && !strings.HasPrefix(e.Request.URL, base) && !strings.HasPrefix(e.Request.URL, "data:") {
			mu.Lock()
			foreign = append(foreign, e.Request.URL)
			mu.Unlock()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	err = chromedp.Do(ctx, chromedp.Navigate(base+"/api/docs"), chromedp.WaitVisible(`.opblock-summary-path[data-path="/api/declarations"]`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := chromedp.Run(ctx, chromedp.Text("body"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Tidewaiter", "Submit a declaration to customs", "/api/tss/declarations", "/api/hubs"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if foreign != nil {
		t.Errorf("loaded from elsewhere: %v", foreign)
	}
}

// open starts a browser of the test's own.
func open(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium here; make deps installs it")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.UserDataDir(t.TempDir()))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// start builds and starts the program, and gives its address.
func start(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "tidewaiter")
	build := exec.Command("go", "build", "-o", binary, "../../cmd/tidewaiter")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v: %s", err, out)
	}
	server := exec.Command(binary, "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir())
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		if err := server.Wait(); err != nil {
			t.Errorf("the program ended with %v", err)
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if at := strings.Index(lines.Text(), "http://"); at >= 0 {
			return strings.TrimSuffix(lines.Text()[at:], "/api")
		}
	}
	t.Fatal("the program did not say where it listens")
	return ""
}
