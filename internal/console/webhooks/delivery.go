package webhooks

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// deliveryRoutes show and resend deliveries, and send test events.
func (h *Webhooks) deliveryRoutes() []page.Route {
	return []page.Route{
		page.Post("/webhooks/endpoints/{id}/test", page.ForMember, h.test),
		page.Get("/webhooks/deliveries/{id}", page.ForViewer, h.delivery),
		page.Post("/webhooks/deliveries/{id}/resend", page.ForMember, h.resend),
		page.Post("/webhooks/endpoints/{id}/resend", page.ForMember, h.resendMarked),
	}
}

// maxBody is how many bytes of a body a page shows.
const maxBody = 48 << 10

// deliveryPage is the data of the page of a delivery.
type deliveryPage struct {
	webhook.Delivery
	Endpoint   endpointView
	Headers    []string // of the request; nil before the first attempt
	SecretGone bool     // the headers cannot be shown because the secret that signed them was replaced
	Body       string   // indented
	Truncated  int      // bytes of the body that are not shown
	Attempts   []webhook.Attempt
	RecordKind string // kind of the event's record; empty for a test
}

func (h *Webhooks) delivery(c *page.Context) error {
	var shown deliveryPage
	err := c.View(func(tx page.Tx) (err error) {
		if shown.Delivery, err = tx.DeliveryByID(c.ID()); err != nil {
			return err
		}
		e, err := tx.Endpoint(shown.EndpointID)
		if err != nil {
			return err
		}
		n, err := tx.Notice(shown.EventID)
		if err != nil {
			return err
		}
		shown.Endpoint = viewOf(e)
		shown.Body, shown.Truncated = formatBody(n.Body)
		if shown.Attempts, err = tx.DeliveryAttempts(e.ID, shown.ID); err != nil {
			return err
		}
		header, known, err := h.Service.Sent(c.Session.Org, e, shown.Delivery, n)
		shown.Headers, shown.SecretGone = headerLines(header, c.Session.Role.Covers(tenant.Member)), !known && len(shown.Attempts) > 0
		return err
	})
	if err != nil {
		return err
	}
	slices.Reverse(shown.Attempts)
	if t, known := h.Service.Catalogue.Find(shown.EventType); known && t.Of != nil {
		shown.RecordKind = t.Of.Kind
	}
	return c.Show("webhooks-delivery", "Delivery of "+shown.EventType, shown)
}

// headerLines returns the headers of a request. Without signed, signatures are hidden,
// because with one a viewer could send the request again.
func headerLines(h http.Header, signed bool) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		value := h.Get(name)
		if !signed && strings.Contains(name, "Signature") {
			value = "(shown to members)"
		}
		lines = append(lines, name+": "+value)
	}
	return lines
}

// formatBody returns the indented body, and how many bytes of it were cut off.
func formatBody(body string) (text string, cut int) {
	var out bytes.Buffer
	if json.Indent(&out, []byte(body), "", "  ") != nil {
		out.Reset()
		out.WriteString(body)
	}
	if out.Len() <= maxBody {
		return out.String(), 0
	}
	return strings.ToValidUTF8(out.String()[:maxBody], ""), out.Len() - maxBody
}

func (h *Webhooks) test(c *page.Context) error {
	return h.sendNow(c, "webhook-tested", func(tx page.Tx) (webhook.Started, error) {
		return h.Service.Test(tx, c.Call(), c.ID(), webhook.PingExample())
	})
}

func (h *Webhooks) resend(c *page.Context) error {
	return h.sendNow(c, "webhook-resent", func(tx page.Tx) (webhook.Started, error) {
		d, err := tx.DeliveryByID(c.ID())
		if err != nil {
			return webhook.Started{}, err
		}
		return h.Service.Resend(tx, c.Call(), d.EndpointID, d.ID)
	})
}

// resendMarked sends the marked deliveries of an endpoint again, as a batch of calls of the API. The list's form has the ID of the
// batch, so that a form that is sent twice sends once.
func (h *Webhooks) resendMarked(c *page.Context) error {
	path, form := "/webhooks/endpoints/"+c.ID(), strings.ToLower(c.Value("form"))
	ids := slices.DeleteFunc(slices.Clone(c.R.PostForm["id"]), func(id string) bool { return !ident.IsUUID(id) })
	if !ident.IsUUID(form) || len(ids) == 0 || len(ids) > logSize {
		return c.Redirect(path)
	}
	err := c.Update(func(tx page.Tx) error {
		if _, err := tx.Endpoint(c.ID()); err != nil {
			return err
		}
		rows := make([]batch.Row, len(ids))
		for i, id := range ids {
			rows[i] = batch.Row{Index: i, Operation: batch.Operation{Method: http.MethodPost, Path: "/api/webhooks/endpoints/" + c.ID() + "/deliveries/" + id + "/resend"}}
		}
		_, err := h.Batches.CreateOnce(tx, form, batch.Sender{Call: c.Call()}, batch.Marked+"resend", rows)
		return err
	})
	if err != nil {
		return err
	}
	return c.RedirectWithNotice(path, "webhook-marked")
}

// sendNow makes one attempt while the user waits, and shows the result. The attempt is
// finished and stored even if the client disconnects.
func (h *Webhooks) sendNow(c *page.Context, notice string, start func(page.Tx) (webhook.Started, error)) error {
	var started webhook.Started
	if err := c.Update(func(tx page.Tx) (err error) { started, err = start(tx); return err }); err != nil {
		return err
	}
	ctx := context.WithoutCancel(c.R.Context())
	d, err := h.Service.Finish(ctx, h.Sender, c.Session.Org, started)
	if err != nil {
		return err
	}
	if err := c.Store.Update(ctx, c.Session.Org, func(tx page.Tx) error { return h.Service.Complete(tx, d) }); err != nil {
		return err
	}
	return c.RedirectWithNotice(root(c)+"/deliveries/"+d.ID, notice)
}
