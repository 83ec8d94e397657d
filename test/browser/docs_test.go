// Package browser runs the real program in a real Chromium.
package browser

import (
	"strings"
	"sync"
	"testing"

	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// The page at /api/docs shows the operations, and loads nothing from other hosts.
func TestDocsPageIsServedFromTheBinary(t *testing.T) {
	base := start(t).base
	ctx := open(t)
	var mu sync.Mutex
	var foreign, refused []string
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
	err = chromedp.Listen(ctx, func(event any) { // the browser's log contains violations of the policy
		if e, ok := event.(*cdplog.EventEntryAdded); ok && strings.Contains(e.Entry.Text, "Content Security Policy") {
			mu.Lock()
			refused = append(refused, e.Entry.Text)
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
	for _, want := range []string{"Tidewaiter", "Submit a declaration to CDS", "/api/tss/declarations", "/api/hubs"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if refused != nil {
		t.Errorf("the page violates its content security policy: %q", refused)
	}
	if foreign != nil {
		t.Errorf("loaded from other hosts: %v", foreign)
	}
}
