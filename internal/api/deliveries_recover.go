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
	Number       int     `json:"number" doc:"Number of the attempt, from 1"`
	At           *string `json:"at" format:"date-time" doc:"When it started"`
	DurationMs   int64   `json:"durationMs" doc:"Duration in milliseconds"`
	HTTPStatus   *int    `json:"httpStatus" doc:"HTTP status of the response; null without one"`
	Error        *string `json:"error" doc:"Why it failed; null on success"`
	ResponseBody *string `json:"responseBody" doc:"The first 2 kB of the response"`
	Headers      *string `json:"headers" doc:"Headers of the response, one per line, without secrets"`
}

// requestBody is the HTTP request of a delivery.
type requestBody struct {
	Headers map[string]string `json:"headers" nullable:"true" doc:"Headers of the last attempt; null before it, after the signing secret was replaced, and for a VIEWER"`
	Body    string            `json:"body" doc:"Body, the same on every attempt"`
}

// wholeDelivery is a delivery with its request and every attempt.
type wholeDelivery struct {
	Delivery deliveryBody  `json:"delivery"`
	Request  requestBody   `json:"request"`
	Attempts []attemptBody `json:"attempts" nullable:"false" doc:"Every attempt, oldest first"`
}

// recovery selects the deliveries to send again.
type recovery struct {
	Since string `json:"since,omitempty" format:"date-time" doc:"Only deliveries of events since this time; all if absent" example:"2026-11-20T09:00:00Z"`
}

// recovered is the number of deliveries that are sent again.
type recovered struct {
	Recovered int `json:"recovered" doc:"Deliveries that are sent again, at most 100,000; call again for the rest"`
}

func (s *Server) mountRecovery(path string) {
	handle(s, operation{
		id: "get-webhook-delivery", summary: "Get a delivery", tag: "Webhooks", scope: foundational, method: http.MethodGet, path: path + "/deliveries/{deliveryId}",
		status: http.StatusOK, description: "The delivery with its request and every attempt", response: s.schemaOf(reflect.TypeFor[wholeDelivery]()), errors: []int{404},
	}, s.getDelivery)
	handle(s, operation{
		id: "recover-webhook-deliveries", summary: "Retry failed deliveries", tag: "Webhooks", scope: foundational, method: http.MethodPost, path: path + "/recover",
		status: http.StatusOK, description: "FAILED deliveries get one more attempt; PENDING ones are attempted at once",
		response: s.schemaOf(reflect.TypeFor[recovered]()), body: reflect.TypeFor[recovery](), errors: []int{404}, route: route{role: tenant.Member},
	}, s.recoverDeliveries)
}

func (s *Server) getDelivery(ctx context.Context, in *deliveryInput) (response, error) {
	id, ok := canonicalUUID(in.ID)
	deliveryID, deliveryOK := canonicalUUID(in.DeliveryID)
	if !ok || !deliveryOK {
		return response{}, apierr.Missing()
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
			out.Request.Headers = firstValues(header)
		}
		all, err := tx.DeliveryAttempts(id, deliveryID)
		for _, a := range all {
			out.Attempts = append(out.Attempts, attemptOf(a))
		}
		return err
	})
	if err != nil {
		return response{}, err
	}
	return jsonResponse(http.StatusOK, out)
}

// firstValues returns the first value of each header; nil for nil.
func firstValues(h http.Header) map[string]string {
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

func (s *Server) recoverDeliveries(ctx context.Context, in *patchInput) (response, error) {
	input, err := decode[recovery](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	id, ok := canonicalUUID(in.ID)
	if !ok {
		return response{}, apierr.Missing()
	}
	since := time.Unix(0, 0).UTC()
	if input.Since != "" {
		if since, err = time.Parse(time.RFC3339, input.Since); err != nil {
			return response{}, apierr.Invalid(apierr.Detail{Field: "since", Message: "must be a time such as " + audit.Instant(s.Now())})
		}
	}
	update := func(fn func(webhook.Tx) error) error {
		return s.Store.Update(ctx, in.call.Org, func(tx Tx) error { return fn(tx) })
	}
	n, err := s.Webhooks.Recover(update, in.call, id, since)
	if err != nil {
		return response{}, err
	}
	return jsonResponse(http.StatusOK, recovered{n})
}
