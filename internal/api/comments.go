package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/comment"
)

// CommentInput is a new comment.
type CommentInput struct {
	RecordType string   `json:"recordType" minLength:"1" maxLength:"64" doc:"Kind of the record" example:"declaration"`
	RecordID   string   `json:"recordId" format:"uuid" doc:"Id of the record"`
	Text       string   `json:"text" minLength:"1" maxLength:"4000" doc:"The comment. @ and the name, first name, email address or id of a member mentions that member" example:"Please ask the client for the invoice."`
	Mentions   []string `json:"mentions,omitempty" maxItems:"20" format:"uuid" doc:"Ids of members to mention besides those in the text"`
}

// commentBody is a comment in an answer.
type commentBody struct {
	ID         string   `json:"id" format:"uuid" doc:"Id of the comment"`
	RecordType string   `json:"recordType" doc:"Kind of the record" example:"declaration"`
	RecordID   string   `json:"recordId" format:"uuid" doc:"Id of the record"`
	AuthorID   string   `json:"authorId" format:"uuid" doc:"Id of the user who wrote it, or whose key did"`
	Text       string   `json:"text" doc:"The comment, with the present names of the mentioned members" example:"@A. Trader please ask the client for the invoice."`
	Mentions   []string `json:"mentions" doc:"Ids of the mentioned members"`
	Unknown    []string `json:"unknownMentions,omitempty" doc:"What follows an @ and names no member, or several, so that no member was told. Only the answer to the creation has them" example:"[\"Sam\"]"`
	CreatedAt  string   `json:"createdAt" format:"date-time" doc:"When it was written"`
}

func (s *Server) mountComments() {
	one := objectSchema("comment", s.schemaOf(reflect.TypeFor[commentBody]()))
	handle(s, operation{
		id: "list-comments", summary: "List comments", tag: "Team", scope: wholeOrganisation, method: http.MethodGet, path: "/api/comments",
		status: http.StatusOK, description: "A page of comments, newest first: of one record, or of all", response: listSchema("comments", s.schemaOf(reflect.TypeFor[commentBody]())), errors: []int{404},
	}, s.listComments)
	handle(s, operation{
		id: "create-comment", summary: "Comment on a record", tag: "Team", scope: wholeOrganisation, method: http.MethodPost, path: "/api/comments",
		status: http.StatusCreated, description: "The comment. Comments stay in the organisation: they are never sent to an authority or a webhook endpoint", response: one,
		body: reflect.TypeFor[CommentInput](), errors: []int{404}, idempotent: true, etag: true, rehearsed: true, withheld: []string{"comment.id"}, route: route{role: tenant.Member},
	}, s.createComment)
	handle(s, operation{
		id: "delete-comment", summary: "Delete a comment", tag: "Team", scope: wholeOrganisation, method: http.MethodDelete, path: "/api/comments/{id}",
		status: http.StatusOK, description: "The comment was deleted. Its author can do so, and an OWNER", response: s.schemaOf(reflect.TypeFor[successBody]()),
		errors: []int{404}, ifMatch: true, route: route{role: tenant.Member},
	}, s.deleteComment)
}

type commentsInput struct {
	caller
	Page
	RecordType string `query:"recordType" maxLength:"64" doc:"Only comments on records of this kind; needs recordId" example:"declaration"`
	RecordID   string `query:"recordId" format:"uuid" doc:"Only comments on this record; needs recordType"`
}

func (in *commentsInput) listID() listID {
	return listID{in.call.Org, "comments\n" + in.RecordType + "\n" + in.RecordID}
}

// Resolve checks what the schemas of the parameters cannot.
func (in *commentsInput) Resolve(ctx huma.Context) []error {
	errs := append(in.caller.Resolve(ctx), in.listID().checkCursor(in.Cursor)...)
	if (in.RecordType == "") != (in.RecordID == "") {
		errs = append(errs, paramError("recordType", "must be sent with recordId"))
	}
	return errs
}

func (s *Server) listComments(ctx context.Context, in *commentsInput) (response, error) {
	cursors := in.listID()
	after, err := cursors.decodePosition(in.Cursor)
	if err != nil {
		return response{}, err
	}
	record, _ := canonicalUUID(in.RecordID)
	names, err := s.memberNames(ctx, in.call.Org)
	if err != nil {
		return response{}, err
	}
	var page []comment.Comment
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		if record != "" {
			if found, err := tx.HasFiling(in.RecordType, record); err != nil || !found {
				return orMissing(err)
			}
		}
		page, err = tx.Comments(comment.Query{RecordID: record, After: after, Limit: in.size() + 1})
		return err
	})
	if err != nil {
		return response{}, err
	}
	page, next := splitPage(page, in.size(), func(last comment.Comment) string { return cursors.cursorAfter(last.Position()) })
	out := struct {
		Comments   []commentBody `json:"comments"`
		HasMore    bool          `json:"hasMore"`
		NextCursor *string       `json:"nextCursor"`
	}{[]commentBody{}, next != nil, next}
	for i := range page {
		out.Comments = append(out.Comments, commentOf(&page[i], names))
	}
	return jsonResponse(http.StatusOK, out)
}

// orMissing returns an error or, if there is none, not_found.
func orMissing(err error) error {
	if err == nil {
		return apierr.Missing()
	}
	return err
}

func commentOf(c *comment.Comment, names comment.Names) commentBody {
	mentions := c.Mentions
	if mentions == nil {
		mentions = []string{}
	}
	return commentBody{ID: c.ID, RecordType: c.Kind, RecordID: c.RecordID, AuthorID: c.AuthorID, Text: c.Show(names), Mentions: mentions, Unknown: c.Unknown, CreatedAt: audit.Instant(c.CreatedAt)}
}

func (s *Server) memberNames(ctx context.Context, org tenant.ID) (comment.Names, error) {
	members, err := s.Store.Members(ctx, org)
	return comment.NamesOf(members), err
}

func (s *Server) createComment(ctx context.Context, in *bodyInput) (response, error) {
	body, err := decode[CommentInput](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	record, _ := canonicalUUID(body.RecordID)
	input := comment.Input{Text: body.Text}
	for _, id := range body.Mentions {
		id, _ = canonicalUUID(id)
		input.Mentions = append(input.Mentions, id)
	}
	members, err := s.Store.Members(ctx, in.call.Org)
	if err != nil {
		return response{}, err
	}
	return s.updateOnce(ctx, &in.caller, in.RawBody, func(tx Tx) (response, error) {
		c, err := s.Comments.Create(tx, in.call, body.RecordType, record, input, members)
		if err != nil {
			return response{}, err
		}
		out, err := objectResponse("comment", commentOf(&c, comment.NamesOf(members)))
		out.Status = http.StatusCreated
		return recordResponse(out, commentVersion), err
	})
}

// commentVersion is the version of every comment: no operation changes one.
const commentVersion = 1

func (s *Server) deleteComment(ctx context.Context, in *ByID) (response, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	return s.updateOnce(ctx, &in.caller, nil, func(tx Tx) (response, error) {
		if err := s.Comments.Delete(tx, in.call, id); err != nil {
			return response{}, err
		}
		if in.ifMatch != nil {
			if err := in.ifMatch.Check(commentVersion); err != nil {
				return response{}, err // and the transaction is rolled back
			}
		}
		return jsonResponse(http.StatusOK, successBody{true})
	})
}
