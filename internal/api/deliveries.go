package api

import (
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

// deliveryBody is a delivery as it is shown.
type deliveryBody struct {
	ID            string         `json:"id" format:"uuid" doc:"Id of the delivery"`
	EndpointID    string         `json:"endpointId" format:"uuid" doc:"Endpoint that it goes to"`
	EventID       string         `json:"eventId" doc:"Id of the event, the same on every attempt" example:"evt_0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	EventType     string         `json:"eventType" doc:"Type of the event" example:"declaration.cleared"`
	Status        webhook.Status `json:"status" enum:"PENDING,DELIVERED,FAILED" doc:"Where it stands"`
	HTTPStatus    *int           `json:"httpStatus" doc:"HTTP code of the last attempt; null when there was no answer"`
	Attempts      int            `json:"attempts" doc:"How often it has been tried"`
	NextAttemptAt *string        `json:"nextAttemptAt" format:"date-time" doc:"When it is tried next, while it is pending"`
	DurationMs    *int64         `json:"durationMs" doc:"How long the last attempt took, in milliseconds"`
	Error         *string        `json:"error" doc:"Why the last attempt failed"`
	ResponseBody  *string        `json:"responseBody" doc:"The first 2 kB of the last answer"`
	CreatedAt     string         `json:"createdAt" format:"date-time" doc:"When it was created"`
	DeliveredAt   *string        `json:"deliveredAt" format:"date-time" doc:"When its receiver had it"`
	OriginalID    *string        `json:"originalId" format:"uuid" doc:"Delivery that this one repeats"`
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

func (in *deliveriesInput) list() list {
	id, _ := canonical(in.ID)
	return list{in.call.Org, "deliveries " + id}
}

// Resolve judges what the schemas of the parameters cannot.
func (in *deliveriesInput) Resolve(ctx huma.Context) []error {
	faults := append(in.caller.Resolve(ctx), in.list().judge(in.Cursor)...)
	return append(faults, within(in.StartDate, in.EndDate)...)
}

// DeliveryFilter says which deliveries are wanted.
type DeliveryFilter struct {
	Status    string    `query:"status" enum:"PENDING,DELIVERED,FAILED" doc:"Only deliveries that are so"`
	EventType string    `query:"eventType" maxLength:"100" doc:"Only deliveries of a type of event" example:"declaration.cleared"`
	StartDate time.Time `query:"startDate" doc:"Not before"`
	EndDate   time.Time `query:"endDate" doc:"Not after"`
}

type deliveryInput struct {
	ByID
	DeliveryID string `path:"deliveryId" maxLength:"64" doc:"Id of the delivery" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
}

func (s *Server) mountDeliveries(path string) {
	one := s.schemaOf(reflect.TypeFor[deliveryBody]())
	resent := under("delivery", one)
	resent.Properties["originalId"] = s.schemaOf(reflect.TypeFor[string]())
	resent.Required = append(resent.Required, "originalId")
	member := route{role: tenant.Member}
	handle(s, operation{
		id: "list-webhook-deliveries", summary: "List deliveries", tag: "Webhooks", scope: foundational, method: http.MethodGet, path: path + "/deliveries",
		status: http.StatusOK, about: "A page of the endpoint's delivery log, newest first", answer: listSchema("deliveries", one), errors: []int{404},
	}, s.listDeliveries)
	handle(s, operation{
		id: "test-webhook-endpoint", summary: "Test a webhook endpoint", tag: "Webhooks", scope: foundational, method: http.MethodPost, path: path + "/test",
		status: http.StatusOK, about: "The finished attempt to deliver webhook.ping; a failed one is not tried again", answer: under("delivery", one),
		errors: []int{404}, once: true, gate: member,
	}, s.testEndpoint)
	handle(s, operation{
		id: "resend-webhook-delivery", summary: "Resend a delivery", tag: "Webhooks", scope: foundational, method: http.MethodPost, path: path + "/deliveries/{deliveryId}/resend",
		status: http.StatusOK, about: "The finished attempt with the same payload; a failed one is not tried again", answer: resent,
		errors: []int{404}, once: true, gate: member,
	}, s.resendDelivery)
	s.mountRecovery(path)
}

func (s *Server) listDeliveries(ctx context.Context, in *deliveriesInput) (reply, error) {
	id, ok := canonical(in.ID)
	here := in.list()
	before, err := here.position(in.Cursor)
	if err != nil {
		return reply{}, err
	}
	if !ok {
		return reply{}, apierr.Missing()
	}
	var page []webhook.Delivery
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) {
		if _, err = tx.Endpoint(id); err != nil {
			return err
		}
		page, err = tx.Deliveries(webhook.Log{
			EndpointID: id, Status: webhook.Status(in.Status), EventType: in.EventType, From: in.StartDate, To: in.EndDate,
			Before: webhook.Position(before), Limit: in.size() + 1,
		})
		return err
	})
	if err != nil {
		return reply{}, err
	}
	page, next := turn(page, in.size(), func(last webhook.Delivery) string {
		return here.behind(filing.Position{CreatedAt: last.CreatedAt, ID: last.ID})
	})
	out := struct {
		Deliveries []deliveryBody `json:"deliveries"`
		HasMore    bool           `json:"hasMore"`
		NextCursor *string        `json:"nextCursor"`
	}{[]deliveryBody{}, next != nil, next}
	for _, d := range page {
		out.Deliveries = append(out.Deliveries, deliveryOf(d))
	}
	return answer(http.StatusOK, out)
}

func (s *Server) testEndpoint(ctx context.Context, in *ByID) (reply, error) {
	id, ok := canonical(in.ID)
	if !ok {
		return reply{}, apierr.Missing()
	}
	start := func(tx Tx) (webhook.Started, error) { return s.Webhooks.Test(tx, in.call, id) }
	return s.inline(ctx, &in.caller, start, func(d deliveryBody) any {
		return map[string]any{"delivery": d}
	})
}

func (s *Server) resendDelivery(ctx context.Context, in *deliveryInput) (reply, error) {
	id, ok := canonical(in.ID)
	original, also := canonical(in.DeliveryID)
	if !ok || !also {
		return reply{}, apierr.Missing()
	}
	start := func(tx Tx) (webhook.Started, error) { return s.Webhooks.Resend(tx, in.call, id, original) }
	return s.inline(ctx, &in.caller, start, func(d deliveryBody) any {
		return map[string]any{"delivery": d, "originalId": original}
	})
}

// inline stores a delivery, makes its attempt outside of any transaction, and
// stores and answers what became of it.
func (s *Server) inline(ctx context.Context, c *caller, start func(Tx) (webhook.Started, error), shape func(deliveryBody) any) (out reply, err error) {
	mine, err := claimOf(c, nil)
	if err != nil {
		return reply{}, err
	}
	end, err := s.begin(c, mine)
	if err != nil {
		return reply{}, err
	}
	defer end()
	var started webhook.Started
	var replayed bool
	err = s.Store.Update(ctx, c.call.Org, func(tx Tx) (err error) {
		if out, replayed, err = recall(tx, mine); err == nil && !replayed {
			started, err = start(tx)
		}
		return err
	})
	if err != nil || replayed {
		return out, err
	}
	d, err := s.Webhooks.Finish(context.WithoutCancel(ctx), s.Sender, c.call.Org, started)
	if err != nil {
		return reply{}, err
	}
	if out, err = answer(http.StatusOK, shape(deliveryOf(d))); err != nil {
		return reply{}, err
	}
	err = s.Store.Update(context.WithoutCancel(ctx), c.call.Org, func(tx Tx) error {
		if err := s.Webhooks.Settle(tx, d); err != nil || mine.key == "" {
			return err
		}
		return mine.keep(tx, out.Status, string(out.Body), idempotency.Kept)
	})
	return out, err
}
