package api

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// attemptBody is one attempt to deliver.
type attemptBody struct {
	Number       int     `json:"number" doc:"Which attempt it was, from 1"`
	At           *string `json:"at" format:"date-time" doc:"When it began"`
	DurationMs   int64   `json:"durationMs" doc:"How long it took, in milliseconds"`
	HTTPStatus   *int    `json:"httpStatus" doc:"HTTP code of the answer; null when there was none"`
	Error        *string `json:"error" doc:"Why it failed; null when it delivered"`
	ResponseBody *string `json:"responseBody" doc:"The first 2 kB of the answer"`
	Headers      *string `json:"headers" doc:"Headers of the answer, a line each, those that carry secrets without their values"`
}

// requestBody is what a delivery sends.
type requestBody struct {
	Headers map[string]string `json:"headers" nullable:"true" doc:"Headers of the last attempt; null before the first, once the secret that signed it has been replaced, and for a VIEWER"`
	Body    string            `json:"body" doc:"The body, the same on every attempt"`
}

// wholeDelivery is a delivery with its request and every attempt.
type wholeDelivery struct {
	Delivery deliveryBody  `json:"delivery"`
	Request  requestBody   `json:"request"`
	Attempts []attemptBody `json:"attempts" nullable:"false" doc:"Every attempt, oldest first"`
}

// recovery says what is to be sent again.
type recovery struct {
	Since string `json:"since,omitempty" format:"date-time" doc:"Only deliveries of events that happened since; all, without it" example:"2026-11-20T09:00:00Z"`
}

// recovered says how much is.
type recovered struct {
	Recovered int `json:"recovered" doc:"Deliveries that are sent again; 100,000 at most, call again for more"`
}

func (s *Server) mountRecovery(path string) {
	handle(s, operation{
		id: "get-webhook-delivery", summary: "Get a delivery", tag: "Webhooks", scope: foundational, method: http.MethodGet, path: path + "/deliveries/{deliveryId}",
		status: http.StatusOK, about: "The delivery with what was sent and every answer", answer: s.schemaOf(reflect.TypeFor[wholeDelivery]()), errors: []int{404},
	}, s.getDelivery)
	handle(s, operation{
		id: "recover-webhook-deliveries", summary: "Send again what failed", tag: "Webhooks", scope: foundational, method: http.MethodPost, path: path + "/recover",
		status: http.StatusOK, about: "How many deliveries are sent again: those that were given up get one more attempt, those that wait for their next get it at once",
		answer: s.schemaOf(reflect.TypeFor[recovered]()), body: reflect.TypeFor[recovery](), errors: []int{404}, gate: route{role: tenant.Member},
	}, s.recoverDeliveries)
}

func (s *Server) getDelivery(ctx context.Context, in *deliveryInput) (reply, error) {
	id, ok := canonical(in.ID)
	deliveryID, also := canonical(in.DeliveryID)
	if !ok || !also {
		return reply{}, apierr.Missing()
	}
	out := wholeDelivery{Attempts: []attemptBody{}}
	err := s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		e, err := tx.Endpoint(id)
		if err != nil {
			return err
		}
		d, err := tx.Delivery(id, deliveryID)
		if err != nil {
			return err
		}
		n, err := tx.Notice(d.EventID)
		if err != nil {
			return err
		}
		out.Delivery, out.Request.Body = deliveryOf(d), n.Body
		if in.call.Role.Covers(tenant.Member) {
			header, _, err := s.Webhooks.Sent(in.call.Org, e, d, n)
			if err != nil {
				return err
			}
			out.Request.Headers = flat(header)
		}
		all, err := tx.DeliveryAttempts(id, deliveryID)
		for _, a := range all {
			out.Attempts = append(out.Attempts, attemptOf(a))
		}
		return err
	})
	if err != nil {
		return reply{}, err
	}
	return answer(http.StatusOK, out)
}

// flat are headers that have one value each; nil for none.
func flat(h http.Header) map[string]string {
	if h == nil {
		return nil
	}
	one := map[string]string{}
	for name := range h {
		one[name] = h.Get(name)
	}
	return one
}

func attemptOf(a webhook.Attempt) attemptBody {
	b := attemptBody{
		Number: a.Number, At: instantOrNull(a.At), DurationMs: a.Duration.Milliseconds(), Error: orNull(a.Error), ResponseBody: orNull(a.Response), Headers: orNull(a.Headers),
	}
	if a.HTTPStatus != 0 {
		b.HTTPStatus = &a.HTTPStatus
	}
	return b
}

func (s *Server) recoverDeliveries(ctx context.Context, in *patchInput) (reply, error) {
	wanted, err := decode[recovery](s, &in.caller, in.RawBody)
	if err != nil {
		return reply{}, err
	}
	id, ok := canonical(in.ID)
	if !ok {
		return reply{}, apierr.Missing()
	}
	since := time.Unix(0, 0).UTC()
	if wanted.Since != "" {
		if since, err = time.Parse(time.RFC3339, wanted.Since); err != nil {
			return reply{}, apierr.Invalid(apierr.Detail{Field: "since", Message: "must be an instant such as " + audit.Instant(s.Now())})
		}
	}
	update := func(fn func(webhook.Tx) error) error {
		return s.Store.Update(ctx, in.call.Org, func(tx Tx) error { return fn(tx) })
	}
	n, err := s.Webhooks.Recover(update, in.call, id, since)
	if err != nil {
		return reply{}, err
	}
	return answer(http.StatusOK, recovered{n})
}
