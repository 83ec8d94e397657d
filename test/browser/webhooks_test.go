package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// waitsFor waits until the page contains a text, by itself or after a reload.
func (w *window) waitsFor(path, wanted string) {
	w.Helper()
	for deadline := time.Now().Add(stepLimit); time.Now().Before(deadline); time.Sleep(time.Second) {
		w.visit(path)
		if strings.Contains(w.text(), wanted) {
			return
		}
	}
	w.shot("failed")
	w.Fatalf("%s does not contain %q:\n%s", path, wanted, w.text())
}

// receiver is a system of the user that answers as the test wants.
type receiver struct {
	*httptest.Server
	sick atomic.Bool
	got  atomic.Int64
}

func receive(t *testing.T) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_, _ = io.Copy(io.Discard, q.Body)
		r.got.Add(1)
		w.Header().Set("Set-Cookie", "session=hush")
		if r.sick.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, "the warehouse is closed")
			return
		}
		_, _ = io.WriteString(w, "thank you")
	}))
	t.Cleanup(r.Close)
	return r
}

// A receiver is registered and tested. It fails, its answers are shown, and once it works again everything is
// sent.
func TestWebhookRecovers(t *testing.T) {
	t.Parallel()
	for _, size := range sizes(size{"wide", 1280, 900, "light"}, size{"phone", 390, 844, "dark"}) {
		t.Run(size.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS=true")
			r := receive(t)
			w := openWindow(t, p, size.width, size.height)
			w.found(p)
			w.follow(chromedp.Click(fmt.Sprintf(`footer button[value=%q]`, size.theme)))
			check := func(name string) { w.step("webhooks-" + size.name + "-" + name) }
			warehouse := w.caller("Warehouse system")
			w.visit("/webhooks")
			w.sees("No endpoints yet")
			check("empty")
			w.press("New endpoint")
			w.fill("kind", "kafka")
			w.sees("Topic (Kafka)")
			if strings.Contains(w.text(), "Exchange (AMQP)") {
				t.Error("the form shows the settings of another kind")
			}
			check("form-kafka")
			w.fill("kind", "webhook", "url", "not an address")
			w.do(chromedp.Click("#which-some"))
			w.press("Create endpoint")
			w.sees("There is a problem", "The URL", "Select events")
			check("form-errors")
			w.fill("url", r.URL, "description", "Warehouse system")
			w.do(chromedp.SetValue("#search", "client"), chromedp.Evaluate[chromedp.Void](`document.getElementById("search").dispatchEvent(new Event("input"))`))
			check("form-search")
			w.do(chromedp.Click(`input[value="client.created"]`))
			w.press("Create endpoint")
			w.sees("Signing secret")
			check("secret")
			w.press("Send test event")
			w.sees("The test event was sent", "200", "thank you", "webhook.ping", "(not kept)")
			check("delivered")
			w.press("Warehouse system")
			w.sees("Active", "client.created")
			r.sick.Store(true)
			warehouse.send("POST", "/clients", `{"name":"Harbour Textiles Ltd"}`)
			path := strings.TrimPrefix(eval[string](w, `location.pathname`), w.base)
			w.waitsFor(path, "waiting for a retry")
			check("failing")
			w.press("client.created")
			w.sees("Attempt 1", "503", "the warehouse is closed", "Harbour Textiles Ltd")
			w.waitsFor(strings.TrimPrefix(eval[string](w, `location.pathname`), w.base), "Attempt 2") // the third is minutes away
			check("failed-delivery")
			r.sick.Store(false)
			w.visit("/webhooks")
			w.sees("Failing", "Retrying")
			check("list")
			w.visit(path)
			w.press("Resend failed deliveries")
			check("recover")
			w.press("Resend")
			w.sees("are being sent again")
			w.waitsFor(path+"?outcome=DELIVERED&type=client.created", "200")
			w.visit(path)
			w.sees("Active")
			check("recovered")
			w.visit(path + "?q=thank")
			w.sees("Answer", "thank", "client.created")
			check("searched")
			w.visit(path)
			w.press("Statistics of this endpoint")
			w.sees("Webhook statistics", "Attempts by answer", "503")
			check("numbers")
			w.press("client.created") // the bar leads to the deliveries behind it
			w.sees("Deliveries", "Since", "client.created")
			w.visit("/webhooks/metrics?bucket=minute")
			w.sees("Attempts by endpoint", "Waiting now")
			check("numbers-of-all")
			w.visit(path)
			w.press("Pause")
			w.sees("Paused")
			check("paused")
			w.press("Rotate secret")
			check("rotate")
			w.press("Create new secret")
			w.sees("The new secret", "also signs until")
			w.press("Go to the endpoint")
			w.press("Delete")
			w.press("Delete endpoint")
			w.sees("No endpoints yet")
		})
	}
}
