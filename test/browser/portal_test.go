package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The customer of a broker opens a link, sees the answers of the receiver, sends again and rotates the secret, without an account.
// Sites of the organisation's list show the pages in a frame, others do not.
func TestPortal(t *testing.T) {
	t.Parallel()
	p := start(t, "TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS=true")
	r := receive(t)
	r.sick.Store(true)
	owner := openWindow(t, p, desktop, 900)
	owner.found(p)
	caller := owner.caller("Portal")
	caller.send("POST", "/webhooks/endpoints", fmt.Sprintf(`{"url":%q,"description":"Warehouse system","events":["client.*"],"filter":{"hub":["customs"]}}`, r.URL))
	var address string
	sites := [2]string{} // of the broker, and of another company
	for i := range sites {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprintf(w, `<!doctype html><title>Site</title><iframe title="Webhooks" src=%q width="1100" height="700"></iframe>`, address)
		}))
		t.Cleanup(site.Close)
		sites[i] = strings.Replace(site.URL, "127.0.0.1", "localhost", 1)
	}

	owner.visit("/settings")
	owner.savePortal("#ffd500", "https://app.example.com/page")
	owner.sees("There is a problem", "The colour has a contrast of 1.4", "The list of sites must be an origin")
	owner.everyLook("settings with errors of the portal")
	owner.savePortal("#7a1f5c", sites[0])
	owner.visit("/webhooks")
	owner.press("Portal")
	owner.sees("No links in force")
	owner.everyLook("links to the portal, none")
	owner.do(chromedp.Click("#endpoint-0"))
	owner.press("Make a link")
	owner.sees("The link was made", "Warehouse system", "Look and change")
	owner.everyLook("links to the portal")
	address = eval[string](owner, `document.getElementById("shown-once").textContent`)

	guest := openWindow(t, p, desktop, 900)
	root := strings.TrimPrefix(address, p.base)
	guest.visit(root)
	guest.sees("Quay Customs Ltd sends events to the endpoints below", "Warehouse system", r.URL)
	guest.everyLook("portal")
	guest.press("Warehouse system")
	guest.sees("client.*", "hub: customs", "No deliveries yet")
	guest.press("Send test event")
	guest.sees("The test event was sent", "503", "the warehouse is closed")
	guest.everyLook("portal, delivery")
	r.sick.Store(false)
	guest.press("Resend")
	guest.sees("The event was sent again", "thank you")
	guest.press("Warehouse system")
	guest.everyLook("portal, endpoint")
	guest.press("Rotate secret")
	guest.everyLook("portal, rotate")
	guest.press("Create new secret")
	guest.sees("The new secret", "also signs until")
	guest.everyLook("portal, secret")
	guest.press("Go to the endpoint")
	guest.press("Pause")
	guest.sees("Paused")
	guest.press("Resume")
	guest.visit(strings.TrimPrefix(eval[string](guest, `location.pathname`), p.base) + "/recover")
	guest.everyLook("portal, recover")
	guest.visit("/portal/none")
	guest.sees("This link is not valid")
	guest.everyLook("portal, no link")

	if url, blocked := guest.framed(sites[0]); blocked || url != address {
		t.Errorf("a site of the list shows %q instead of the portal: blocked=%t", url, blocked)
	}
	guest.shot("portal-embedded")
	if url, blocked := guest.framed(sites[1]); !blocked {
		t.Errorf("another site shows %q in a frame", url)
	}
}

// savePortal saves the colour of the portal and the site that may show it.
func (w *window) savePortal(colour, origin string) {
	w.Helper()
	w.do(chromedp.SetValue(`[id="portal.accentColour"]`, colour), chromedp.SetValue(`[id="portal.embedOrigins"]`, origin))
	w.follow(chromedp.Click(`#portal button`))
}

// framed opens a site, and returns what its frame shows and whether the browser refused to show it.
func (w *window) framed(site string) (url string, blocked bool) {
	w.Helper()
	w.do(chromedp.Navigate(site))
	for deadline := time.Now().Add(stepLimit); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		w.do(func(ctx context.Context, t *chromedp.Target) (none chromedp.Void, err error) {
			tree, err := cdp.Call(ctx, t, page.GetFrameTree, cdp.Empty{})
			if err == nil && len(tree.FrameTree.ChildFrames) == 1 {
				frame := tree.FrameTree.ChildFrames[0].Frame
				url, blocked = frame.URL, frame.UnreachableURL != ""
			}
			return none, err
		})
		if url != "" && url != "about:blank" {
			break
		}
	}
	return url, blocked
}
