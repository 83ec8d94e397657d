package api

import (
	"context"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
)

// deadlineBody is a deadline in a response.
type deadlineBody struct {
	ID            string          `json:"id" doc:"Id of the deadline, which does not change" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a:dispatch"`
	Hub           string          `json:"hub" format:"hub" doc:"Hub that it belongs to" example:"tss"`
	Kind          string          `json:"kind" doc:"Kind of deadline" example:"dispatch"`
	Title         string          `json:"title" doc:"What to do" example:"Submit the declaration before the goods leave"`
	DueAt         string          `json:"dueAt" format:"date-time" doc:"Last moment at which it is met"`
	DaysRemaining int             `json:"daysRemaining" doc:"Days left in London: 0 today, negative after the due day" example:"5"`
	Status        deadline.Status `json:"status" enum:"overdue,due_soon,upcoming" doc:"overdue, due_soon within 7 days, or upcoming"`
	ResourceType  *string         `json:"resourceType" doc:"Kind of record; null without a record" example:"tss.declaration"`
	ResourceID    *string         `json:"resourceId" doc:"Id of the record; null without a record"`
	Source        string          `json:"source" doc:"Law or guidance that sets it"`
}

type deadlinesInput struct {
	caller
	WindowDays int    `query:"windowDays" minimum:"1" maximum:"365" default:"30" doc:"Number of days ahead" example:"30"`
	Limit      int    `query:"limit" minimum:"1" maximum:"1000" default:"1000" doc:"Maximum number of deadlines on a page" example:"1000"`
	Cursor     string `query:"cursor" maxLength:"200" doc:"nextCursor of the previous page"`
}

func (in *deadlinesInput) listID() listID { return listID{in.call.Org, "deadlines"} }

// Resolve checks what the schemas of the parameters cannot.
func (in *deadlinesInput) Resolve(ctx huma.Context) []error {
	return append(in.caller.Resolve(ctx), in.listID().checkCursor(in.Cursor)...)
}

type deadlinesBody struct {
	Deadlines  []deadlineBody `json:"deadlines" doc:"Deadlines, soonest first, with those overdue in the last 30 days"`
	WindowDays int            `json:"windowDays" doc:"Number of days ahead"`
	HasMore    bool           `json:"hasMore" doc:"Whether there is another page"`
	NextCursor *string        `json:"nextCursor" doc:"Cursor of the next page; null on the last page"`
}

func (s *Server) mountDeadlines() {
	handle(s, operation{
		id: "list-deadlines", summary: "List deadlines", tag: "Deadlines", scope: foundational, method: http.MethodGet, path: "/api/deadlines",
		status: http.StatusOK, description: "A page of the deadlines of every enabled Hub, soonest first", response: s.schemaOf(reflect.TypeFor[deadlinesBody]()),
	}, s.listDeadlines)
}

func (s *Server) listDeadlines(ctx context.Context, in *deadlinesInput) (response, error) {
	cursors := in.listID()
	after, err := cursors.decodeDeadline(in.Cursor)
	if err != nil {
		return response{}, err
	}
	out := deadlinesBody{Deadlines: []deadlineBody{}, WindowDays: in.WindowDays}
	hubs := access.ParseHubs(string(in.hubs))
	var page []deadline.Deadline
	q, complete := deadline.ListQuery{Window: in.WindowDays, After: after, Limit: in.Limit}, false
	err = s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) (err error) {
		page, out.HasMore, complete, err = s.Deadlines.ListSingle(tx, hubs, q)
		return err
	})
	if err == nil && !complete {
		err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) { page, out.HasMore, err = s.Deadlines.List(tx, hubs, q); return err })
	}
	if err != nil {
		return response{}, err
	}
	for _, d := range page {
		out.Deadlines = append(out.Deadlines, deadlineBody{
			ID: d.ID, Hub: d.Hub, Kind: d.Kind, Title: d.Title, DueAt: audit.Instant(d.DueAt), DaysRemaining: d.DaysRemaining, Status: d.Status,
			ResourceType: orNull(d.ResourceType), ResourceID: orNull(d.ResourceID), Source: d.Source,
		})
	}
	if out.HasMore {
		last := page[len(page)-1]
		next := cursors.encode(strconv.FormatInt(last.DueAt.UnixMilli(), 36) + " " + last.ID)
		out.NextCursor = &next
	}
	return jsonResponse(http.StatusOK, out)
}

// decodeDeadline decodes a cursor of the deadlines; "" stands for the beginning.
func (l listID) decodeDeadline(cursor string) (deadline.Position, error) {
	place, err := l.decode(cursor)
	if err != nil || place == "" {
		return deadline.Position{}, err
	}
	at, id, _ := strings.Cut(place, " ")
	position, ok := deadline.ReadPosition(at, id)
	if !ok {
		return deadline.Position{}, errCursor
	}
	return position, nil
}
