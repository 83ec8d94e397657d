package scim

import (
	"net/http"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

func (r *request) group(g scim.Group) map[string]any {
	members := []map[string]any{}
	for _, id := range g.Members {
		members = append(members, map[string]any{"value": id, "type": "User", "$ref": r.base + "/Users/" + id})
	}
	resource := map[string]any{
		"schemas": []string{groupSchema}, "id": g.ID, "displayName": g.Name, "members": members,
		"meta": map[string]any{
			"resourceType": "Group", "created": audit.Instant(g.CreatedAt), "lastModified": audit.Instant(g.UpdatedAt), "location": r.base + "/Groups/" + g.ID,
		},
	}
	if g.ExternalID != "" {
		resource["externalId"] = g.ExternalID
	}
	return resource
}

func (s *Server) listGroups(r *request) (response, error) {
	groups, err := s.Service.Groups(r.Context(), r.call.Org)
	if err != nil {
		return response{}, err
	}
	all := make([]map[string]any, 0, len(groups))
	for _, g := range groups {
		all = append(all, r.group(g))
	}
	return r.listResponse(all)
}

func (s *Server) getGroup(r *request) (response, error) {
	g, err := s.Service.Group(r.Context(), r.call.Org, r.PathValue("id"))
	if err != nil {
		return response{}, err
	}
	resource := r.group(g)
	if strings.Contains(strings.ToLower(r.URL.Query().Get("excludedAttributes")), "members") {
		delete(resource, "members")
	}
	return response{http.StatusOK, resource}, nil
}

// replacement reads a group resource. The group then has exactly the given members.
func (r *request) replacement() (func(*scim.Group) error, error) {
	body := map[string]any{}
	if err := r.read(&body); err != nil {
		return nil, err
	}
	return func(g *scim.Group) error {
		g.Members = nil
		for name, value := range body {
			if err := setGroup(g, "replace", name, value); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func (s *Server) saveGroup(r *request, status int, id string, change func(*scim.Group) error) (response, error) {
	g, err := s.Service.SaveGroup(r.Context(), r.call, id, change)
	return response{status, r.group(g)}, err
}

func (s *Server) createGroup(r *request) (response, error) {
	change, err := r.replacement()
	if err != nil {
		return response{}, err
	}
	return s.saveGroup(r, http.StatusCreated, "", change)
}

func (s *Server) replaceGroup(r *request) (response, error) {
	change, err := r.replacement()
	if err != nil {
		return response{}, err
	}
	return s.saveGroup(r, http.StatusOK, r.PathValue("id"), change)
}

func (s *Server) patchGroup(r *request) (response, error) {
	operations, err := r.operations()
	if err != nil {
		return response{}, err
	}
	return s.saveGroup(r, http.StatusOK, r.PathValue("id"), func(g *scim.Group) error {
		for _, o := range operations {
			if o.Op == "remove" && o.Path == "" {
				return scim.NewError(http.StatusBadRequest, "noTarget", "A remove operation must have a path.")
			}
			if err := each(o, func(path string, value any) error { return setGroup(g, o.Op, path, value) }); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Server) deleteGroup(r *request) (response, error) {
	return response{status: http.StatusNoContent}, s.Service.RemoveGroup(r.Context(), r.call, r.PathValue("id"))
}

// oneMember matches the path of one member, such as members[value eq "…"].
var oneMember = lazyregexp.New(`(?i)^members\[\s*value\s+eq\s+"([^"]*)"\s*\]`)

// setGroup changes one attribute of a group.
func setGroup(g *scim.Group, op, path string, value any) error {
	path = strings.TrimPrefix(path, groupSchema+":")
	if m := oneMember.FindStringSubmatch(path); m != nil {
		return setMembers(g, op, []string{m[1]})
	}
	var text *string
	switch strings.ToLower(path) {
	case "displayname":
		if err := textOf(value, path, &text); err != nil {
			return err
		}
		g.Name = *text
	case "externalid":
		if op == "remove" {
			g.ExternalID = ""
			return nil
		}
		if err := textOf(value, path, &text); err != nil {
			return err
		}
		g.ExternalID = *text
	case "members":
		if op == "remove" && value == nil {
			g.Members = nil
			return nil
		}
		return setMembers(g, op, memberIDs(value))
	}
	return nil
}

func memberIDs(value any) (ids []string) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			ids = append(ids, memberIDs(one)...)
		}
	case map[string]any:
		if id, ok := v["value"].(string); ok {
			ids = append(ids, id)
		}
	case string:
		ids = append(ids, v)
	}
	return ids
}

func setMembers(g *scim.Group, op string, ids []string) error {
	switch op {
	case "remove":
		g.Members = slices.DeleteFunc(g.Members, func(id string) bool { return slices.Contains(ids, id) })
	case "replace":
		g.Members = ids
	default:
		g.Members = append(g.Members, ids...)
	}
	return nil
}
