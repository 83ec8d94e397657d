package api

import (
	"context"
	"maps"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// assigneeSchema is the schema of the assignee in a PATCH.
func assigneeSchema() *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "uuid", Nullable: true, Description: "Member who works on the record, in any state; null for none"}
}

// withAssignee returns the schema of a body that can also have the assignee.
func withAssignee(body *huma.Schema) *huma.Schema {
	whole := *body
	whole.Properties = maps.Clone(body.Properties)
	whole.Properties[filing.AssigneeMember] = assigneeSchema()
	return &whole
}

// addAssignee adds the assignee to the schemas of a PATCH.
func (s *Server) addAssignee(content map[string]*huma.MediaType) {
	for _, media := range content {
		s.schemas.Registry.Map()[strings.TrimPrefix(media.Schema.Ref, schema.Prefix)].Properties[filing.AssigneeMember] = assigneeSchema()
	}
}

// assignmentBody is the PATCH of a record that cannot be corrected.
type assignmentBody struct {
	AssigneeID *string `json:"assigneeId,omitempty" format:"uuid" doc:"Member who works on the record; null for none" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
}

// mountAssign adds the operation that assigns records of a kind that cannot be corrected.
func (s *Server) mountAssign(k kind) {
	handle(s, operation{
		id: k.id("assign", false), summary: "Assign a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodPatch, path: k.Path + "/{id}",
		status: http.StatusOK, description: "The " + k.Singular, response: objectSchema(k.Singular, k.record), body: reflect.TypeFor[assignmentBody](), merges: true,
		errors: []int{404}, ifMatch: true, etag: true, route: route{role: tenant.Member},
	}, func(ctx context.Context, in *patchInput) (out response, err error) {
		raw, err := s.readMergePatch(&in.caller, in.RawBody, reflect.TypeFor[assignmentBody]())
		if err != nil {
			return response{}, err
		}
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		_, assignee, assigns, err := filing.TakeAssignee(raw)
		if err != nil {
			return response{}, err
		}
		return out, s.Store.Update(ctx, in.call.Org, func(tx Tx) error {
			f, err := tx.Filing(k.Kind, id)
			if err == nil && assigns {
				f, err = s.Filings.Assign(tx, in.call, k.Type, id, in.ifMatch, assignee)
			} else if err == nil {
				err = in.ifMatch.Check(f.Version)
			}
			out = filingResponse(k.Singular, &f)
			return err
		})
	})
}

// me stands for the caller in a filter by assignee.
const me = "me"

func assigneeFilter() filter {
	p := &huma.Param{
		Name: filing.AssigneeMember, In: "query", Description: "Only records of this assignee: the id of a member, or me for the caller (of an API key, its user)",
		Schema: &huma.Schema{Type: huma.TypeString, MaxLength: ptr(36)},
	}
	return filter{p, func(value string, s *filing.Selection) string {
		if value != me {
			id, ok := canonicalUUID(value)
			if !ok {
				return "must be a UUID or me"
			}
			value = id
		}
		s.Metadata = append(s.Metadata, filing.AssigneeFilter(value))
		return ""
	}}
}

// resolveMe puts the caller into a filter by assignee.
func resolveMe(s *filing.Selection, userID string) {
	for i := range s.Metadata {
		if s.Metadata[i] == filing.AssigneeFilter(me) {
			s.Metadata[i] = filing.AssigneeFilter(userID)
		}
	}
}
