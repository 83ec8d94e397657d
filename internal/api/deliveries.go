package api

import (
	"cmp"
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// deliveryBody is a webhook delivery in a response.
type deliveryBody struct {
	ID            string         `json:"id" format:"uuid" doc:"Id of the delivery"`
	EndpointID    string         `json:"endpointId" format:"uuid" doc:"Id of the endpoint"`
	EventID       string         `json:"eventId" doc:"Id of the event, the same on every attempt" example:"evt_0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	EventType     string         `json:"eventType" doc:"Type of the event" example:"declaration.cleared"`
	Status        webhook.Status `json:"status" enum:"PENDING,DELIVERED,FAILED" doc:"Status of the delivery"`
	HTTPStatus    *int           `json:"httpStatus" doc:"HTTP status of the last attempt; null without a response"`
	Attempts      int            `json:"attempts" doc:"Number of attempts so far"`
	NextAttemptAt *string        `json:"nextAttemptAt" format:"date-time" doc:"Time of the next attempt; null unless PENDING"`
	DurationMs    *int64         `json:"durationMs" doc:"Duration of the last attempt in milliseconds"`
	Error         *string        `json:"error" doc:"Why the last attempt failed"`
	ResponseBody  *string        `json:"responseBody" doc:"The first 2 kB of the last response"`
	CreatedAt     string         `json:"createdAt" format:"date-time" doc:"When it was created"`
	DeliveredAt   *string        `json:"deliveredAt" format:"date-time" doc:"When the receiver accepted it"`
	OriginalID    *string        `json:"originalId" format:"uuid" doc:"Id of the delivery that this one repeats"`
}

func deliveryOf(d webhook.Delivery) deliveryBody {
	b := deliveryBody{
		ID: d.ID, EndpointID: d.EndpointID, EventID: d.EventID, EventType: d.EventType, Status: d.Status, Attempts: d.Attempts,
		CreatedAt: audit.Instant(d.CreatedAt), DeliveredAt: instantOrNull(d.DeliveredAt), OriginalID: orNull(d.OriginalID),
	}
	if d.Status == webhook.Pending {
		b.NextAttemptAt = instantOrNull(d.DueAt)
	}
	if d.Attempts > 0 {
		ms := d.Duration.Milliseconds()
		b.DurationMs, b.Error, b.ResponseBody = &ms, orNull(d.Error), orNull(d.Response)
	}
	if d.HTTPStatus != 0 {
		b.HTTPStatus = &d.HTTPStatus
	}
	return b
}

type deliveriesInput struct {
	ByID
	Page
	DeliveryFilter
}

func (in *deliveriesInput) listID() listID {
	id, _ := canonicalUUID(in.ID)
	return listID{in.call.Org, "deliveries " + id}
}

// Resolve checks what the schemas of the parameters cannot.
func (in *deliveriesInput) Resolve(ctx huma.Context) []error {
	errs := append(in.caller.Resolve(ctx), in.listID().checkCursor(in.Cursor)...)
	if !in.CreatedAfter.IsZero() && !in.CreatedBefore.IsZero() && in.CreatedAfter.After(in.CreatedBefore) {
		errs = append(errs, paramError("createdAfter", "must not be after createdBefore"))
	}
	return append(errs, checkDateRange(in.StartDate, in.EndDate)...)
}

// DeliveryFilter selects deliveries. StartDate and EndDate are the older names of the period, and include both ends.
type DeliveryFilter struct {
	Status    string    `query:"status" enum:"PENDING,DELIVERED,FAILED" doc:"Only deliveries with this status"`
	EventType string    `query:"eventType" maxLength:"100" doc:"Only deliveries of this event type" example:"declaration.cleared"`
	StartDate time.Time `query:"startDate" doc:"Earliest time"`
	EndDate   time.Time `query:"endDate" doc:"Latest time"`

	ResourceID    string    `query:"resourceId" maxLength:"100" doc:"Only deliveries about this record" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	CreatedAfter  time.Time `query:"createdAfter" doc:"Only deliveries created at this instant or later"`
	CreatedBefore time.Time `query:"createdBefore" doc:"Only deliveries created before this instant"`
	Q             string    `query:"q" maxLength:"100" doc:"Only deliveries whose last answer or error contains this text, in capital or small letters" example:"timed out"`
}

// query returns the query of the filter without a page.
func (f *DeliveryFilter) query(endpointID string) webhook.LogQuery {
	q := webhook.LogQuery{
		EndpointID: endpointID, Status: webhook.Status(f.Status), EventType: f.EventType, ResourceID: f.ResourceID, Text: f.Q,
		From: f.StartDate, To: f.EndDate,
	}
	if id, ok := canonicalUUID(f.ResourceID); ok {
		q.ResourceID = id
	}
	if after := roundUp(f.CreatedAfter); after.After(q.From) {
		q.From = after
	}
	if f.CreatedBefore.IsZero() {
		return q
	}
	if until := roundUp(f.CreatedBefore).Add(-time.Millisecond); q.To.IsZero() || until.Before(q.To) {
		q.To = until
	}
	return q
}

type deliveryInput struct {
	ByID
	DeliveryID string `path:"deliveryId" maxLength:"64" doc:"Id of the delivery" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
}

// logDescription describes the list of deliveries.
const logDescription = "A page of the endpoint's delivery log, newest first. A filter other than status=FAILED and the period examines at most " +
	"10,000 deliveries for a page: such a page may have fewer than `limit`, or none, while `hasMore` is true"

func (s *Server) mountDeliveries(path string) {
	one := s.schemaOf(reflect.TypeFor[deliveryBody]())
	resent := objectSchema("delivery", one)
	resent.Properties["originalId"] = s.schemaOf(reflect.TypeFor[string]())
	resent.Required = append(resent.Required, "originalId")
	member := route{role: tenant.Member}
	handle(s, operation{
		id: "list-webhook-deliveries", summary: "List deliveries", tag: "Webhooks", scope: foundational, method: http.MethodGet, path: path + "/deliveries",
		status: http.StatusOK, description: logDescription, response: listSchema("deliveries", one), errors: []int{404},
	}, s.listDeliveries)
	handle(s, operation{
		id: "test-webhook-endpoint", summary: "Test a webhook endpoint", tag: "Webhooks", scope: foundational, method: http.MethodPost, path: path + "/test",
		status: http.StatusOK, description: "The result of one attempt to deliver an example of an event, webhook.ping without a body. A failed attempt is not repeated", response: objectSchema("delivery", one),
		body: reflect.TypeFor[testBody](), bodyOptional: true, errors: []int{404}, idempotent: true, route: member,
	}, s.testEndpoint)
	handle(s, operation{
		id: "resend-webhook-delivery", summary: "Resend a delivery", tag: "Webhooks", scope: foundational, method: http.MethodPost, path: path + "/deliveries/{deliveryId}/resend",
		status: http.StatusOK, description: "The result of one attempt with the same body. A failed attempt is not repeated", response: resent,
		errors: []int{404}, idempotent: true, route: member,
	}, s.resendDelivery)
	s.mountRecovery(path)
}

func (s *Server) listDeliveries(ctx context.Context, in *deliveriesInput) (response, error) {
	id, ok := canonicalUUID(in.ID)
	cursors := in.listID()
	before, err := cursors.decodePosition(in.Cursor)
	if err != nil {
		return response{}, err
	}
	if !ok {
		return response{}, apierr.Missing()
	}
	q := in.query(id)
	q.Before, q.Limit = webhook.Position{CreatedAt: before.CreatedAt, ID: before.ID}, in.size()
	var page webhook.LogPage
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) {
		if _, err = tx.Endpoint(id); err != nil {
			return err
		}
		page, err = webhook.ReadLog(tx, q)
		return err
	})
	if err != nil {
		return response{}, err
	}
	var next *string
	if page.Next.ID != "" {
		next = ptr(cursors.cursorAfter(filing.Position{CreatedAt: page.Next.CreatedAt, ID: page.Next.ID}))
	}
	out := struct {
		Deliveries []deliveryBody `json:"deliveries"`
		HasMore    bool           `json:"hasMore"`
		NextCursor *string        `json:"nextCursor"`
	}{[]deliveryBody{}, next != nil, next}
	for _, d := range page.Deliveries {
		out.Deliveries = append(out.Deliveries, deliveryOf(d))
	}
	return jsonResponse(http.StatusOK, out)
}

// testBody is the body of a test of an endpoint.
type testBody struct {
	EventType string `json:"eventType,omitempty" minLength:"1" maxLength:"200" doc:"Event of which an example is delivered; webhook.ping when left out" example:"declaration.cleared"`
}

type testInput struct {
	ByID
	RawBody []byte `contentType:"application/json"`
}

func (s *Server) testEndpoint(ctx context.Context, in *testInput) (response, error) {
	body, err := decode[testBody](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	example, known := s.eventExamples[cmp.Or(body.EventType, webhook.Ping)]
	if !known {
		return response{}, apierr.Invalid(apierr.Detail{Field: "eventType", Message: "is not an event type; GET /api/webhooks/event-types lists them"})
	}
	id, ok := canonicalUUID(in.ID)
	if !ok {
		return response{}, apierr.Missing()
	}
	start := func(tx Tx) (webhook.Started, error) { return s.Webhooks.Test(tx, in.call, id, example) }
	return s.deliverNow(ctx, &in.caller, in.RawBody, start, func(d deliveryBody) any {
		return map[string]any{"delivery": d}
	})
}

func (s *Server) resendDelivery(ctx context.Context, in *deliveryInput) (response, error) {
	id, ok := canonicalUUID(in.ID)
	original, deliveryOK := canonicalUUID(in.DeliveryID)
	if !ok || !deliveryOK {
		return response{}, apierr.Missing()
	}
	start := func(tx Tx) (webhook.Started, error) { return s.Webhooks.Resend(tx, in.call, id, original) }
	return s.deliverNow(ctx, &in.caller, nil, start, func(d deliveryBody) any {
		return map[string]any{"delivery": d, "originalId": original}
	})
}

// deliverNow stores a delivery, sends it outside of any transaction, and stores and returns the result.
func (s *Server) deliverNow(ctx context.Context, c *caller, body []byte, start func(Tx) (webhook.Started, error), shape func(deliveryBody) any) (out response, err error) {
	idem, err := idempotencyKeyOf(c, body)
	if err != nil {
		return response{}, err
	}
	end, err := s.beginCall(c, idem)
	if err != nil {
		return response{}, err
	}
	defer end()
	var started webhook.Started
	var replayed bool
	err = s.Store.Update(ctx, c.call.Org, func(tx Tx) (err error) {
		if out, replayed, err = storedResponse(tx, idem); err == nil && !replayed {
			started, err = start(tx)
		}
		return err
	})
	if err != nil || replayed {
		return out, err
	}
	d, err := s.Webhooks.Finish(context.WithoutCancel(ctx), s.Sender, c.call.Org, started)
	if err != nil {
		return response{}, err
	}
	if out, err = jsonResponse(http.StatusOK, shape(deliveryOf(d))); err != nil {
		return response{}, err
	}
	err = s.Store.Update(context.WithoutCancel(ctx), c.call.Org, func(tx Tx) error {
		if err := s.Webhooks.Complete(tx, d); err != nil || idem.key == "" {
			return err
		}
		return idem.save(tx, out, string(out.Body), idempotency.TTL)
	})
	return out, err
}
