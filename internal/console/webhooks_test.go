package console_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

func private(c *config.Config) { c.AllowPrivateWebhooks = true }

// listener starts a receiver that answers every delivery with the given status and text.
func (h *harness) listener(status int, text string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Set-Cookie", "session=hush")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	h.Cleanup(s.Close)
	return s.URL
}

// The form keeps its input and shows the same errors as the API. The secret is shown once, and again
// only when it is rotated.
func TestEndpointIsMade(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		o := h.owner("Quay Ltd", "olive@example.com")
		long := strings.Repeat("x", 501)
		o.post("/webhooks/new", "url", "not an address", "description", long, "which", "some").
			expect(h, 400, `value="not an address"`, long, "The URL", "The description must have at most 500 characters", "The list of events is empty")
		o.post("/webhooks/new", "url", "ftp://x/", "which", "some", "events", "no.such").
			expect(h, 400, "The URL must", "The list of events is not an event type")
		made := o.post("/webhooks/new", "url", "https://receiver.invalid/a", "description", "Warehouse", "which", "some", "events", "client.created")
		secret := shownOnce(h, made)
		list := o.get("/webhooks")
		list.expect(h, 200, "Warehouse", "client.created", "Active")
		path := regexp.MustCompile(`/webhooks/endpoints/[0-9a-f-]{36}`).FindString(list.body)
		for _, page := range []string{path, path + "/edit", "/webhooks"} {
			if strings.Contains(o.get(page).body, secret) {
				h.Errorf("%s shows the secret", page)
			}
		}
		o.get(path+"/edit").expect(h, 200, `value="client.created" checked`, `value="some" checked`)
		o.post(path+"/edit", "url", "https://receiver.invalid/b", "which", "all").expect(h, 303)
		o.get(path).expect(h, 200, "https://receiver.invalid/b", "All, including those of later versions")
		if again := shownOnce(h, o.post(path+"/rotate")); again == secret {
			h.Error("the new secret is the same as the old one")
		}
		o.get(path).expect(h, 200, "also signs until")
		o.post(path + "/pause")
		o.get(path).expect(h, 200, "Paused", "Resume")
		o.post(path+"/test").expect(h, 400, "paused")
		o.get(path+"/recover").expect(h, 200, "Resume it first")
		o.post(path + "/resume")
		o.post(path+"/delete").expect(h, 303)
		o.get(path).expect(h, 404)
	})
}

// A delivery is shown with its request and every response. Read-only users see no signature, and
// secrets in responses are hidden from all users.
func TestDeliveryIsShown(t *testing.T) {
	h := open(t, storetest.SQLite(t), private)
	o := h.owner("Quay Ltd", "olive@example.com")
	id := o.makeEndpoint(h.listener(503, "<b>closed</b>"))
	tested := o.post("/webhooks/endpoints/" + id + "/test")
	tested.expect(h, 303)
	where := tested.header.Get("Location")
	shown := o.get(where)
	shown.expect(h, 200, "The test event was sent", "503", "&lt;b&gt;closed&lt;/b&gt;", "The receiver answered 503", "X-Service-Signature: t=", "webhook.ping", "Set-Cookie: (not kept)", "Resend")
	if strings.Contains(shown.body, "hush") {
		h.Error("a secret in the response is shown")
	}
	vera := h.member(o.org, tenant.Viewer, "vera@example.com").get(where)
	vera.expect(h, 200, "X-Service-Signature: (shown to members)", "Webhook-Signature: (shown to members)")
	if strings.Contains(vera.body, "v1=") || strings.Contains(main(vera.body), "<form") {
		h.Error("a viewer sees a signature, or a button")
	}
	resent := o.post(strings.Split(where, "?")[0] + "/resend")
	o.get(resent.header.Get("Location")).expect(h, 200, "The event was sent again", "The original delivery")
	o.get("/webhooks/endpoints/"+id+"?outcome=FAILED").expect(h, 200, "resent", "2 deliveries failed", `<span class="count">2</span>`, `Remove </span>Outcome: Failed`)
	o.get("/webhooks/endpoints/"+id+"?outcome=DELIVERED&from=2026-01-01").expect(h, 200, "No results", `Remove </span>From: 2026-01-01`)
	o.post("/webhooks/endpoints/" + id + "/rotate")
	o.get(where).expect(h, 200, "The headers cannot be shown")
}

// A long log is paged without duplicates, and a recovery reports if there was nothing to recover.
func TestLogIsPaged(t *testing.T) {
	each(t, func(h *harness) {
		o := h.owner("Quay Ltd", "olive@example.com")
		id := o.makeEndpoint("https://receiver.invalid/")
		h.must(h.app.Store.Update(h.Context(), o.org, func(tx *store.Tx) error {
			for range 60 {
				if err := tx.AddDelivery(webhook.Delivery{
					ID: h.app.IDs.UUID(), EndpointID: id, EventID: "evt_x", EventType: "client.created", ResourceID: h.app.IDs.UUID(), Cause: webhook.ByTest,
					Status: webhook.Failed, DueAt: tx.Now(), CreatedAt: tx.Now(),
				}); err != nil {
					return err
				}
			}
			return nil
		}))
		seen := map[string]bool{}
		next := "/webhooks/endpoints/" + id + "?outcome=FAILED"
		pages := 0
		for ; next != ""; pages++ {
			a := o.get(next)
			for _, link := range regexp.MustCompile(`/webhooks/deliveries/[0-9a-f-]{36}`).FindAllString(a.body, -1) {
				if seen[link] {
					h.Errorf("%s is shown twice", link)
				}
				seen[link] = true
			}
			next = ""
			if found := regexp.MustCompile(`href="([^"]+)" rel="next"`).FindStringSubmatch(a.body); found != nil {
				next = strings.ReplaceAll(found[1], "&amp;", "&")
			}
		}
		if len(seen) != 60 || pages != 3 {
			h.Errorf("%d deliveries on %d pages", len(seen), pages)
		}
		nothing := o.post("/webhooks/endpoints/"+id+"/recover", "since", "ever")
		if nothing.expect(h, 303); !strings.HasSuffix(nothing.header.Get("Location"), "webhook-nothing") {
			h.Errorf("test deliveries are recovered: %s", nothing.header.Get("Location"))
		}
		o.post("/webhooks/endpoints/"+id+"/recover", "since", "tomorrow").expect(h, 400, "must be one of the choices")
	})
}

// Marked deliveries are sent again, once for each form.
func TestResendTheMarked(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		delivery := aDelivery(owner)
		var endpoint string
		h.must(h.app.Store.View(h.Context(), owner.org, func(tx *store.Tx) error {
			d, err := tx.DeliveryByID(delivery)
			endpoint = "/webhooks/endpoints/" + d.EndpointID
			return err
		}))
		form := formID.FindStringSubmatch(owner.get(endpoint).body)
		for range 2 {
			owner.post(endpoint+"/resend", "form", form[1], "id", delivery).expect(h, 303)
		}
		owner.until(endpoint, "resent</span>")
		if n := strings.Count(owner.get(endpoint).body, "resent</span>"); n != 1 {
			h.Errorf("%d deliveries were made", n)
		}
		owner.get(endpoint+"?done=webhook-marked").expect(h, 200, "are being sent again")
	})
}
