package browser

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// puppeteerVersion is the version of puppeteer-core, which drives Firefox; chromedp cannot.
const puppeteerVersion = "24.43.1"

// puppeteer returns the folder of puppeteer-core, which npm installs outside of the project.
func puppeteer(ctx context.Context) (folder string, err error) {
	if folder, err = filepath.Abs("../../tmp/puppeteer-" + puppeteerVersion); err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules/puppeteer-core/package.json")); err == nil {
		return folder, nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	install := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--prefix", folder, "puppeteer-core@"+puppeteerVersion)
	return folder, install.Run()
}

// A plain import is typed, submitted and cleared in Firefox too.
func TestFirefox(t *testing.T) {
	if os.Getenv("TIDEWAITER_LONG") == "" {
		t.Skip("only in the long run (make test-long)")
	}
	firefox, err := exec.LookPath("firefox-esr")
	if err != nil {
		firefox, err = exec.LookPath("firefox")
	}
	if err != nil {
		t.Skip("Firefox is not installed; apt-get install firefox-esr installs it")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	folder, err := puppeteer(ctx)
	if err != nil {
		t.Skipf("puppeteer-core cannot be installed: %v", err)
	}
	p := startDemo(t, "TIDEWAITER_SIMULATOR_DELAY=100ms")
	picture := filepath.Join(t.TempDir(), "firefox.png")
	if kept := os.Getenv("TIDEWAITER_SCREENSHOTS"); kept != "" {
		picture = filepath.Join(kept, "firefox.png")
	}
	out, err := exec.CommandContext(ctx, "node", "firefox/journey.mjs", folder, firefox, p.base, p.email, p.password, picture).CombinedOutput()
	if t.Logf("%s", out); err != nil {
		t.Fatal(err)
	}
}
