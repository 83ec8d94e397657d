package api

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// latest is the cursor of the events that are still to come.
const latest = "latest"

type historyInput struct {
	caller
	WholePage
}

// historyOf identifies the list of events. The stream has the same cursors.
func historyOf(c *caller) listID { return listID{c.call.Org, "events"} }

// Resolve checks what the schemas of the parameters cannot.
func (in *historyInput) Resolve(ctx huma.Context) []error {
	return append(in.caller.Resolve(ctx), checkHistoryCursor(&in.caller, "cursor", in.Cursor)...)
}

func checkHistoryCursor(c *caller, field, cursor string) []error {
	if cursor == latest {
		return nil
	}
	if _, err := historyOf(c).decodeSequence(cursor); err != nil {
		return []error{paramError(field, "must be a cursor of the events of this organisation, or latest")}
	}
	return nil
}

func (s *Server) mountHistory() {
	handle(s, operation{
		id: "list-events", summary: "List events", tag: "Webhooks", scope: foundational, method: http.MethodGet, path: "/api/events",
		status: http.StatusOK, description: "A page of events, oldest first: the bodies that webhook endpoints get, even without one. It begins with the oldest event that is kept, or with the next one for the cursor latest. nextCursor is never null. A page can have fewer events than limit while hasMore is true. An event is left out if that version of the record is no longer kept",
		response: historySchema(),
	}, s.listHistory)
	s.mountEventStream()
}

// historySchema is the schema of a page of events.
func historySchema() *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject, Required: []string{"events", "hasMore", "nextCursor"},
		Properties: map[string]*huma.Schema{
			"events":     {Type: huma.TypeArray, Items: anyEventSchema()},
			"hasMore":    {Type: huma.TypeBoolean, Description: "Whether there may be another page already"},
			"nextCursor": {Type: huma.TypeString, Description: "Cursor of the next page, which has only new events if hasMore is false"},
		},
	}
}

// anyEventSchema is the schema of an event of any type; the webhooks of the document have those of each.
func anyEventSchema() *huma.Schema {
	previous := &huma.Schema{Type: huma.TypeString, Nullable: true, Description: "Status before; null for a new record", Examples: []any{"SUBMITTED"}}
	object := &huma.Schema{Type: huma.TypeObject, Description: "The record as it was directly after the event", AdditionalProperties: true}
	return eventBodySchema(
		&huma.Schema{Type: huma.TypeString, Description: "What happened; GET /api/webhooks/event-types lists the types", Examples: []any{"declaration.cleared"}}, object, previous)
}

func (s *Server) listHistory(ctx context.Context, in *historyInput) (response, error) {
	var h webhook.History
	err := s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		after, err := historyStart(tx, &in.caller, in.Cursor)
		if err == nil {
			h, err = webhook.ReadHistory(tx, webhook.Place{Sequence: after}, in.size(), false)
		}
		return err
	})
	if err != nil {
		return response{}, err
	}
	return response{Status: http.StatusOK, Body: historyPage(&h, historyOf(&in.caller))}, nil
}

// historyStart returns the sequence of the audit event after which a cursor begins.
func historyStart(tx Tx, c *caller, cursor string) (int64, error) {
	if cursor != latest {
		return historyOf(c).decodeSequence(cursor)
	}
	newest, err := tx.Events(audit.Query{Limit: 1})
	if err != nil || len(newest) == 0 {
		return 0, err
	}
	return newest[0].Sequence, nil
}

// historyPage encodes a page of events with the bytes that endpoints get.
func historyPage(h *webhook.History, list listID) []byte {
	const frame = 100
	size := frame
	for _, n := range h.Notices {
		size += len(n.Body) + 1
	}
	out := append(make([]byte, 0, size), `{"events":[`...)
	for i, n := range h.Notices {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, n.Body...)
	}
	out = strconv.AppendBool(append(out, `],"hasMore":`...), h.More)
	return append(append(append(out, `,"nextCursor":"`...), list.encode(strconv.FormatInt(h.Through.Sequence, 10))...), `"}`...)
}
