package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// eventBody is an audit event as it is shown.
type eventBody struct {
	ID           string           `json:"id" format:"uuid" doc:"Id of the event"`
	Sequence     int64            `json:"sequence" doc:"Position in the organisation's chain, from 1"`
	OccurredAt   string           `json:"occurredAt" format:"date-time" doc:"When it happened"`
	Hub          string           `json:"hub" doc:"Hub that it concerns" example:"customs"`
	EventType    string           `json:"eventType" doc:"What happened" example:"declaration.submitted"`
	ResourceType string           `json:"resourceType" doc:"Kind of record" example:"declaration"`
	ResourceID   string           `json:"resourceId" doc:"Id of the record"`
	FromStatus   *string          `json:"fromStatus" doc:"Status before"`
	ToStatus     *string          `json:"toStatus" doc:"Status after"`
	ActorUserID  string           `json:"actorUserId" doc:"User, or system for customs and timers"`
	ActorType    tenant.ActorType `json:"actorType" enum:"user,system" doc:"Kind of actor"`
	KeyID        *string          `json:"keyId" doc:"API key that was used"`
	RequestID    *string          `json:"requestId" doc:"Request that caused it"`
	IPAddress    *string          `json:"ipAddress" doc:"Address that it came from"`
	Data         map[string]any   `json:"data" doc:"What else is to be known"`
	Hash         string           `json:"hash" doc:"SHA-256 of the event's canonical form, hex"`
	PreviousHash *string          `json:"previousHash" doc:"Hash of the event before; null for the first"`

	Personal []audit.ShownPersonal `json:"personal,omitempty" doc:"The personal values of the event, which was hashed with a hash in place of each; absent if there are none. docs/evidence.md says how to verify such an event"`
}

// shownEvent is eventBody with the data as the very bytes that were hashed but for personal values, which are shown.
type shownEvent struct {
	eventBody
	Data json.RawMessage `json:"data"`
}

func show(recorded audit.Event) shownEvent {
	e := recorded.Shown()
	out := shownEvent{eventBody: eventBody{
		ID: e.ID, Sequence: e.Sequence, OccurredAt: audit.Instant(e.OccurredAt), Hub: e.Hub, EventType: e.Type,
		ResourceType: e.ResourceType, ResourceID: e.ResourceID, FromStatus: orNull(e.FromStatus), ToStatus: orNull(e.ToStatus),
		ActorUserID: e.ActorUserID, ActorType: e.ActorType, KeyID: orNull(e.KeyID), RequestID: orNull(e.RequestID), IPAddress: orNull(e.IPAddress),
		Hash: e.Hash, PreviousHash: orNull(e.PreviousHash),
		Personal: recorded.ShowPersonal(),
	}, Data: e.Data}
	if out.Data == nil {
		out.Data = json.RawMessage("{}")
	}
	return out
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// AuditFilter says which events are wanted.
type AuditFilter struct {
	Hub         string    `query:"hub" maxLength:"64" doc:"Only events of a Hub" example:"customs"`
	EventType   string    `query:"eventType" maxLength:"100" doc:"Only events of a type" example:"declaration.submitted"`
	ActorUserID string    `query:"actorUserId" maxLength:"64" doc:"Only events of a user, or of system"`
	StartDate   time.Time `query:"startDate" doc:"Not before"`
	EndDate     time.Time `query:"endDate" doc:"Not after"`
}

// query is the filter as the trail takes it.
func (f AuditFilter) query() audit.Query {
	return audit.Query{Hub: f.Hub, Type: f.EventType, ActorUserID: f.ActorUserID, From: f.StartDate, To: f.EndDate}
}

type auditInput struct {
	caller
	Page
	AuditFilter
}

func (in *auditInput) list() list { return list{in.call.Org, "audit"} }

// Resolve judges what the schemas of the parameters cannot.
func (in *auditInput) Resolve(ctx huma.Context) []error {
	faults := append(in.caller.Resolve(ctx), in.list().judge(in.Cursor)...)
	return append(faults, within(in.StartDate, in.EndDate)...)
}

type consistencyInput struct {
	caller
	Sequence int64 `query:"sequence" required:"true" minimum:"1" doc:"Number of events, as the kept checkpoint has it" example:"1042"`
}

func (s *Server) mountAudit() {
	item := s.schemaOf(reflect.TypeFor[eventBody]())
	handle(s, operation{
		id: "list-audit-events", summary: "List audit events", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/audit",
		status: http.StatusOK, about: "A page of the trail, newest first", answer: listSchema("events", item),
	}, s.listEvents)
	handle(s, operation{
		id: "get-audit-checkpoint", summary: "Get the head of the trail", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/audit/checkpoint",
		status: http.StatusOK, about: "The newest event and its hash, and the root of the tree over all events, signed: kept elsewhere, it shows whoever verifies the trail that none was cut off",
		answer: s.schemaOf(reflect.TypeFor[audit.Checkpoint]()),
	}, s.checkpoint)
	handle(s, operation{
		id: "get-audit-consistency", summary: "Prove that the trail goes on from a checkpoint", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/audit/consistency",
		status: http.StatusOK, about: "The proof that the first events, so many, are the beginning of the trail as it is now: for whoever kept a checkpoint and may not see the events",
		answer: s.schemaOf(reflect.TypeFor[audit.Consistency]()),
	}, func(ctx context.Context, in *consistencyInput) (reply, error) {
		proof, err := s.Notary.Consistency(ctx, in.call.Org, in.Sequence)
		if err != nil {
			return reply{}, err
		}
		return answer(http.StatusOK, proof)
	})
	handle(s, operation{
		id: "get-audit-key", summary: "Get the key that signs", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/audit/key",
		status: http.StatusOK, about: "The public key of this installation, by which checkpoints and evidence packs are checked; anybody may ask",
		answer: s.schemaOf(reflect.TypeFor[audit.Key]()), gate: route{public: true},
	}, func(context.Context, *struct{ caller }) (reply, error) { return answer(http.StatusOK, s.Notary.Key()) })
	s.mountAuditExport()
	s.mountAuditFeed()
}

func (s *Server) listEvents(ctx context.Context, in *auditInput) (reply, error) {
	q, here := in.query(), in.list()
	var err error
	if q.Before, err = here.sequence(in.Cursor); err != nil {
		return reply{}, err
	}
	q.Limit = in.size() + 1
	var page []audit.Event
	if err := s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { page, err = tx.Events(q); return err }); err != nil {
		return reply{}, err
	}
	page, next := turn(page, in.size(), func(last audit.Event) string { return here.cursor(strconv.FormatInt(last.Sequence, 10)) })
	out := struct {
		Events     []shownEvent `json:"events"`
		HasMore    bool         `json:"hasMore"`
		NextCursor *string      `json:"nextCursor"`
	}{[]shownEvent{}, next != nil, next}
	for _, e := range page {
		out.Events = append(out.Events, show(e))
	}
	return answer(http.StatusOK, out)
}

// sequence reads a cursor of the trail; the empty one is its end.
func (l list) sequence(cursor string) (int64, error) {
	place, err := l.place(cursor)
	if err != nil || place == "" {
		return 0, err
	}
	n, err := strconv.ParseInt(place, 10, 64)
	if err != nil || n < 1 {
		return 0, errCursor
	}
	return n, nil
}

func (s *Server) checkpoint(ctx context.Context, in *struct{ caller }) (reply, error) {
	head, err := s.Notary.Checkpoint(ctx, in.call.Org)
	if err != nil {
		return reply{}, err
	}
	return answer(http.StatusOK, head)
}
