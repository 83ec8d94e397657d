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

// deadlineBody is a deadline as it is shown.
type deadlineBody struct {
	ID            string          `json:"id" doc:"The same as long as it is due" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a:dispatch"`
	Hub           string          `json:"hub" doc:"Hub that it belongs to" example:"tss"`
	Kind          string          `json:"kind" doc:"What is due" example:"dispatch"`
	Title         string          `json:"title" doc:"What to do" example:"Submit the declaration before the goods set out"`
	DueAt         string          `json:"dueAt" format:"date-time" doc:"The last instant that is in time"`
	DaysRemaining int             `json:"daysRemaining" doc:"Days left by the calendar of London: 0 today, negative when the day is over" example:"5"`
	Status        deadline.Status `json:"status" enum:"overdue,due_soon,upcoming" doc:"overdue, due_soon within 7 days, or upcoming"`
	ResourceType  *string         `json:"resourceType" doc:"Kind of the record; null where there is none" example:"tss.declaration"`
	ResourceID    *string         `json:"resourceId" doc:"Id of the record; null where there is none"`
	Source        string          `json:"source" doc:"The law or guidance behind it"`
}

type deadlinesInput struct {
	caller
	WindowDays int    `query:"windowDays" minimum:"1" maximum:"365" default:"30" doc:"How many days ahead" example:"30"`
	Limit      int    `query:"limit" minimum:"1" maximum:"1000" default:"1000" doc:"How many, at most" example:"1000"`
	Cursor     string `query:"cursor" maxLength:"200" doc:"nextCursor of the page before"`
}

func (in *deadlinesInput) list() list { return list{in.call.Org, "deadlines"} }

// Resolve judges what the schemas of the parameters cannot.
func (in *deadlinesInput) Resolve(ctx huma.Context) []error {
	return append(in.caller.Resolve(ctx), in.list().judge(in.Cursor)...)
}

type deadlinesBody struct {
	Deadlines  []deadlineBody `json:"deadlines" doc:"Soonest first, with what became overdue in the last 30 days"`
	WindowDays int            `json:"windowDays" doc:"How many days ahead"`
	HasMore    bool           `json:"hasMore" doc:"Whether there is another page"`
	NextCursor *string        `json:"nextCursor" doc:"Send it as cursor to get the next page"`
}

func (s *Server) mountDeadlines() {
	handle(s, operation{
		id: "list-deadlines", summary: "List what is due", tag: "Deadlines", scope: foundational, method: http.MethodGet, path: "/api/deadlines",
		status: http.StatusOK, about: "What is due in every enabled Hub, soonest first", answer: s.schemaOf(reflect.TypeFor[deadlinesBody]()),
	}, s.listDeadlines)
}

func (s *Server) listDeadlines(ctx context.Context, in *deadlinesInput) (reply, error) {
	here := in.list()
	after, err := here.deadline(in.Cursor)
	if err != nil {
		return reply{}, err
	}
	out := deadlinesBody{Deadlines: []deadlineBody{}, WindowDays: in.WindowDays}
	hubs, read := access.ParseHubs(string(in.hubs)), s.Store.View
	if s.Deadlines.ReadsOnce(hubs) {
		read = s.Store.Glance
	}
	var page []deadline.Deadline
	if err := read(ctx, in.call.Org, func(tx Tx) (err error) {
		page, out.HasMore, err = s.Deadlines.List(tx, hubs, deadline.Ask{Window: in.WindowDays, After: after, Limit: in.Limit})
		return err
	}); err != nil {
		return reply{}, err
	}
	for _, d := range page {
		out.Deadlines = append(out.Deadlines, deadlineBody{
			ID: d.ID, Hub: d.Hub, Kind: d.Kind, Title: d.Title, DueAt: audit.Instant(d.DueAt), DaysRemaining: d.DaysRemaining, Status: d.Status,
			ResourceType: orNull(d.ResourceType), ResourceID: orNull(d.ResourceID), Source: d.Source,
		})
	}
	if out.HasMore {
		last := page[len(page)-1]
		next := here.cursor(strconv.FormatInt(last.DueAt.UnixMilli(), 36) + " " + last.ID)
		out.NextCursor = &next
	}
	return answer(http.StatusOK, out)
}

// deadline reads a cursor of what is due; the empty one is the beginning.
func (l list) deadline(cursor string) (deadline.Position, error) {
	place, err := l.place(cursor)
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
