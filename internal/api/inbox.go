package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/inbox"
)

// inboxItem is an item of an inbox in an answer.
type inboxItem struct {
	ID         string  `json:"id" format:"uuid" doc:"Id of the item"`
	Type       string  `json:"type" enum:"ASSIGNED,MENTIONED,REJECTED,QUERY,DOCUMENTS,CLEARED,DUE,OVERDUE,APPROVAL,APPROVED,DRAFTED,NO_DRAFT,DO_NOT_LOAD" doc:"What happened"`
	RecordType string  `json:"recordType" doc:"Kind of the record" example:"declaration"`
	RecordID   string  `json:"recordId" format:"uuid" doc:"Id of the record"`
	ActorID    *string `json:"actorId" doc:"Id of the user who caused it; null for an authority or the service"`
	CommentID  *string `json:"commentId" format:"uuid" doc:"Id of the comment of MENTIONED; null otherwise"`
	Title      *string `json:"title" doc:"What is due, for DUE and OVERDUE, and why there is no draft, for NO_DRAFT; null otherwise" example:"Submit the supplementary declaration"`
	CreatedAt  string  `json:"createdAt" format:"date-time" doc:"When it happened"`
	Unread     bool    `json:"unread" doc:"Whether it was not read"`
}

// inboxRead says which items are read.
type inboxRead struct {
	ItemID *string `json:"itemId,omitempty" format:"uuid" doc:"Id of the item; all items if absent"`
}

func (s *Server) mountInbox() {
	page := listSchema("items", s.schemaOf(reflect.TypeFor[inboxItem]()))
	page.Properties["unread"] = &huma.Schema{Type: huma.TypeInteger, Description: "Number of unread items, at most 100"}
	page.Required = append(page.Required, "unread")
	handle(s, operation{
		id: "list-inbox-items", summary: "List the inbox", tag: "Team", scope: wholeOrganisation, method: http.MethodGet, path: "/api/inbox",
		status: http.StatusOK, response: page,
		description: "A page of the inbox of the key's user, newest first: records assigned to the user or to no one, and mentions, of the last 60 days",
	}, s.listInbox)
	handle(s, operation{
		id: "read-inbox-items", summary: "Mark the inbox as read", tag: "Team", scope: wholeOrganisation, method: http.MethodPost, path: "/api/inbox/read",
		status: http.StatusOK, description: "The item, or all items, are read", response: s.schemaOf(reflect.TypeFor[successBody]()),
		body: reflect.TypeFor[inboxRead](), bodyOptional: true, errors: []int{404}, idempotent: true, route: route{role: tenant.Viewer},
	}, s.readInbox)
}

type inboxInput struct {
	caller
	Page
	Unread bool `query:"unread" doc:"true: only unread items" example:"true"`
}

func (in *inboxInput) listID() listID {
	name := "inbox\n" + in.call.UserID
	if in.Unread {
		name += "\nunread"
	}
	return listID{in.call.Org, name}
}

// Resolve checks what the schemas of the parameters cannot.
func (in *inboxInput) Resolve(ctx huma.Context) []error {
	return append(in.caller.Resolve(ctx), in.listID().checkCursor(in.Cursor)...)
}

func (s *Server) listInbox(ctx context.Context, in *inboxInput) (response, error) {
	cursors := in.listID()
	after, err := cursors.decodePosition(in.Cursor)
	if err != nil {
		return response{}, err
	}
	out := struct {
		Items      []inboxItem `json:"items"`
		Unread     int         `json:"unread"`
		HasMore    bool        `json:"hasMore"`
		NextCursor *string     `json:"nextCursor"`
	}{Items: []inboxItem{}}
	var page []inbox.Item
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) {
		if page, err = inbox.List(tx, in.call.UserID, in.Unread, after, in.size()+1); err == nil {
			out.Unread, err = inbox.Unread(tx, in.call.UserID)
		}
		return err
	})
	if err != nil {
		return response{}, err
	}
	page, out.NextCursor = splitPage(page, in.size(), func(last inbox.Item) string { return cursors.cursorAfter(last.Position()) })
	out.HasMore = out.NextCursor != nil
	for i := range page {
		out.Items = append(out.Items, itemOf(&page[i]))
	}
	return jsonResponse(http.StatusOK, out)
}

func itemOf(i *inbox.Item) inboxItem {
	return inboxItem{
		ID: i.ID, Type: string(i.Type), RecordType: i.Kind, RecordID: i.RecordID, ActorID: orNull(i.ActorID), CommentID: orNull(i.CommentID()), Title: orNull(i.Title()),
		CreatedAt: audit.Instant(i.At), Unread: i.Unread,
	}
}

func (s *Server) readInbox(ctx context.Context, in *optionalBody) (response, error) {
	body, err := decode[inboxRead](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	return s.updateOnce(ctx, &in.caller, in.RawBody, func(tx Tx) (response, error) {
		if body.ItemID == nil {
			if err := inbox.ReadAll(tx, in.call.UserID); err != nil {
				return response{}, err
			}
			return jsonResponse(http.StatusOK, successBody{true})
		}
		id, _ := canonicalUUID(*body.ItemID)
		found, err := tx.ReadItem(in.call.UserID, id)
		if err == nil && !found {
			err = apierr.Missing()
		}
		if err != nil {
			return response{}, err
		}
		return jsonResponse(http.StatusOK, successBody{true})
	})
}
