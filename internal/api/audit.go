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

// EventBody is an audit event in a response.
type EventBody struct {
	ID           string           `json:"id" format:"uuid" doc:"Id of the event"`
	Sequence     int64            `json:"sequence" doc:"Position in the organisation's chain, from 1"`
	OccurredAt   string           `json:"occurredAt" format:"date-time" doc:"When it happened"`
	Hub          string           `json:"hub" format:"eventHub" doc:"Hub of the record" example:"customs"`
	EventType    string           `json:"eventType" doc:"What happened" example:"declaration.submitted"`
	ResourceType string           `json:"resourceType" doc:"Kind of record" example:"declaration"`
	ResourceID   string           `json:"resourceId" doc:"Id of the record"`
	FromStatus   *string          `json:"fromStatus" doc:"Status before"`
	ToStatus     *string          `json:"toStatus" doc:"Status after"`
	ActorUserID  string           `json:"actorUserId" doc:"Id of the user; system for CDS and timers"`
	ActorType    tenant.ActorType `json:"actorType" enum:"user,system" doc:"Kind of actor"`
	KeyID        *string          `json:"keyId" doc:"Id of the API key that was used; null without one"`
	RequestID    *string          `json:"requestId" doc:"Id of the request that caused the event"`
	IPAddress    *string          `json:"ipAddress" doc:"IP address of the request"`
	Data         map[string]any   `json:"data" doc:"Further details, by event type"`
	Hash         string           `json:"hash" doc:"SHA-256 of the event's canonical form, hex"`
	PreviousHash *string          `json:"previousHash" doc:"Hash of the previous event; null for the first"`

	Personal []audit.ShownPersonal `json:"personal,omitempty" doc:"Personal values of the event, if any, which was hashed with a hash in place of each (docs/evidence.md)"`
}

// shownEvent is EventBody with the data as the bytes that were hashed, except for personal values.
type shownEvent struct {
	EventBody
	Data json.RawMessage `json:"data"`
}

func shownEventOf(recorded audit.Event) shownEvent {
	e := recorded.Shown()
	out := shownEvent{EventBody: EventBody{
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

// AuditFilter selects audit events.
type AuditFilter struct {
	Hub         string    `query:"hub" doc:"Only events of a Hub" example:"customs"`
	EventType   string    `query:"eventType" maxLength:"100" doc:"Only events of a type" example:"declaration.submitted"`
	ActorUserID string    `query:"actorUserId" maxLength:"64" doc:"Only events of a user, or of system"`
	StartDate   time.Time `query:"startDate" doc:"Earliest time"`
	EndDate     time.Time `query:"endDate" doc:"Latest time"`
}

// query converts the filter for the store.
func (f AuditFilter) query() audit.Query {
	return audit.Query{Hub: f.Hub, Type: f.EventType, ActorUserID: f.ActorUserID, From: f.StartDate, To: f.EndDate}
}

type auditInput struct {
	caller
	Page
	AuditFilter
}

func (in *auditInput) listID() listID {
	if in.AuditFilter == (AuditFilter{}) {
		return listID{in.call.Org, "audit"}
	}
	filter, _ := json.Marshal(in.AuditFilter)
	return listID{in.call.Org, "audit\n" + string(filter)}
}

// Resolve checks what the schemas of the parameters cannot.
func (in *auditInput) Resolve(ctx huma.Context) []error {
	errs := append(in.caller.Resolve(ctx), in.listID().checkCursor(in.Cursor)...)
	return append(errs, checkDateRange(in.StartDate, in.EndDate)...)
}

type consistencyInput struct {
	caller
	Sequence int64 `query:"sequence" required:"true" minimum:"1" doc:"sequence of the stored checkpoint: its number of events" example:"1042"`
}

func (s *Server) mountAudit() {
	item := s.schemaOf(reflect.TypeFor[EventBody]())
	handle(s, operation{
		id: "list-audit-events", summary: "List audit events", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/audit",
		status: http.StatusOK, description: "A page of audit events, newest first", response: listSchema("events", item),
		values: map[string][]any{"hub": eventHubs(hubIDs(s.Hubs))},
	}, s.listEvents)
	handle(s, operation{
		id: "get-audit-checkpoint", summary: "Get the audit checkpoint", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/audit/checkpoint",
		status: http.StatusOK, description: "The signed checkpoint: the newest event, its hash, and the root of the Merkle tree over all events. A copy kept elsewhere proves later that no event was removed",
		response: s.schemaOf(reflect.TypeFor[audit.Checkpoint]()),
	}, s.checkpoint)
	handle(s, operation{
		id: "get-audit-consistency", summary: "Prove that the audit trail extends a checkpoint", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/audit/consistency",
		status: http.StatusOK, description: "A Merkle consistency proof: the events of an earlier checkpoint are the beginning of the trail. It is verified without the events",
		response: s.schemaOf(reflect.TypeFor[audit.Consistency]()),
	}, func(ctx context.Context, in *consistencyInput) (response, error) {
		proof, err := s.Notary.Consistency(ctx, in.call.Org, in.Sequence)
		if err != nil {
			return response{}, err
		}
		return jsonResponse(http.StatusOK, proof)
	})
	handle(s, operation{
		id: "get-audit-key", summary: "Get the signing key", tag: "Audit", scope: wholeOrganisation, method: http.MethodGet, path: "/api/audit/key",
		status: http.StatusOK, description: "The public key that verifies checkpoints and evidence packs. No API key is needed",
		response: s.schemaOf(reflect.TypeFor[audit.Key]()), route: route{public: true},
	}, func(context.Context, *struct{ caller }) (response, error) {
		return jsonResponse(http.StatusOK, s.Notary.Key())
	})
	s.mountAuditExport()
	s.mountAuditFeed()
}

func (s *Server) listEvents(ctx context.Context, in *auditInput) (response, error) {
	q, cursors := in.query(), in.listID()
	var err error
	if q.Before, err = cursors.decodeSequence(in.Cursor); err != nil {
		return response{}, err
	}
	q.Limit = in.size() + 1
	var page []audit.Event
	if err := s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { page, err = tx.Events(q); return err }); err != nil {
		return response{}, err
	}
	page, next := splitPage(page, in.size(), func(last audit.Event) string { return cursors.encode(strconv.FormatInt(last.Sequence, 10)) })
	out := struct {
		Events     []shownEvent `json:"events"`
		HasMore    bool         `json:"hasMore"`
		NextCursor *string      `json:"nextCursor"`
	}{[]shownEvent{}, next != nil, next}
	for _, e := range page {
		out.Events = append(out.Events, shownEventOf(e))
	}
	return jsonResponse(http.StatusOK, out)
}

// decodeSequence decodes a cursor of the audit trail; 0 for an empty cursor.
func (l listID) decodeSequence(cursor string) (int64, error) {
	place, err := l.decode(cursor)
	if err != nil || place == "" {
		return 0, err
	}
	n, err := strconv.ParseInt(place, 10, 64)
	if err != nil || n < 0 {
		return 0, errCursor
	}
	return n, nil
}

func (s *Server) checkpoint(ctx context.Context, in *struct{ caller }) (response, error) {
	head, err := s.Notary.Checkpoint(ctx, in.call.Org)
	if err != nil {
		return response{}, err
	}
	return jsonResponse(http.StatusOK, head)
}
