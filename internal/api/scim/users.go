package scim

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	userSchema  = "urn:ietf:params:scim:schemas:core:2.0:User"
	groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group"
)

func (r *request) user(u scim.User, groups []scim.Group) map[string]any {
	resource := map[string]any{
		"schemas": []string{userSchema}, "id": u.ID, "userName": u.UserName, "displayName": u.Name, "active": u.Active,
		"name":   map[string]any{"formatted": u.Name},
		"emails": []map[string]any{{"value": u.Email, "type": "work", "primary": true}},
		"roles":  []map[string]any{{"value": string(u.Role), "primary": true}},
		"meta": map[string]any{
			"resourceType": "User", "created": audit.Instant(u.CreatedAt), "lastModified": audit.Instant(u.UpdatedAt), "location": r.base + "/Users/" + u.ID,
		},
	}
	if u.ExternalID != "" {
		resource["externalId"] = u.ExternalID
	}
	in := []map[string]any{}
	for _, g := range groups {
		if slices.Contains(g.Members, u.ID) {
			in = append(in, map[string]any{"value": g.ID, "display": g.Name, "$ref": r.base + "/Groups/" + g.ID})
		}
	}
	if len(in) > 0 {
		resource["groups"] = in
	}
	return resource
}

func (s *Server) userResponse(r *request, status int, u scim.User, err error) (response, error) {
	if err != nil {
		return response{}, err
	}
	groups, err := s.Service.Groups(r.Context(), r.call.Org)
	return response{status, r.user(u, groups)}, err
}

func (s *Server) listUsers(r *request) (response, error) {
	users, err := s.Service.Users(r.Context(), r.call.Org)
	if err != nil {
		return response{}, err
	}
	groups, err := s.Service.Groups(r.Context(), r.call.Org)
	if err != nil {
		return response{}, err
	}
	all := make([]map[string]any, 0, len(users))
	for _, u := range users {
		all = append(all, r.user(u, groups))
	}
	return r.listResponse(all)
}

func (s *Server) getUser(r *request) (response, error) {
	u, err := s.Service.User(r.Context(), r.call.Org, r.PathValue("id"))
	return s.userResponse(r, http.StatusOK, u, err)
}

func (s *Server) createUser(r *request) (response, error) {
	w, err := r.userChange()
	if err != nil {
		return response{}, err
	}
	u, err := s.Service.Create(r.Context(), r.call, w)
	return s.userResponse(r, http.StatusCreated, u, err)
}

func (s *Server) replaceUser(r *request) (response, error) {
	w, err := r.userChange()
	if err != nil {
		return response{}, err
	}
	return s.change(r, w)
}

func (s *Server) change(r *request, w scim.UserChange) (response, error) {
	u, err := s.Service.Change(r.Context(), r.call, r.PathValue("id"), w)
	return s.userResponse(r, http.StatusOK, u, err)
}

func (s *Server) deleteUser(r *request) (response, error) {
	return response{status: http.StatusNoContent}, s.Service.Remove(r.Context(), r.call, r.PathValue("id"))
}

// userChange reads a user resource. Unknown attributes are ignored.
func (r *request) userChange() (w scim.UserChange, err error) {
	body := map[string]any{}
	if err := r.read(&body); err != nil {
		return w, err
	}
	for name, value := range body {
		if err := setUser(&w, name, value); err != nil {
			return w, err
		}
	}
	return w, nil
}

func (s *Server) patchUser(r *request) (response, error) {
	operations, err := r.operations()
	if err != nil {
		return response{}, err
	}
	var w scim.UserChange
	for _, o := range operations {
		if o.Op == "remove" {
			if strings.EqualFold(o.Path, "externalId") {
				w.ExternalID = new(string)
			}
			continue
		}
		if err := each(o, func(path string, value any) error { return setUser(&w, path, value) }); err != nil {
			return response{}, err
		}
	}
	return s.change(r, w)
}

// setUser stores one attribute of a user, named as in a resource or in a path of PATCH.
func setUser(w *scim.UserChange, path string, value any) error {
	path = strings.ToLower(strings.TrimPrefix(path, userSchema+":"))
	switch {
	case path == "username":
		return textOf(value, path, &w.UserName)
	case path == "externalid":
		return textOf(value, path, &w.ExternalID)
	case path == "displayname", path == "name.formatted":
		return textOf(value, path, &w.Name)
	case path == "name":
		return setName(w, value)
	case path == "active":
		return parseBool(value, &w.Active)
	case path == "emails", strings.HasPrefix(path, "emails[") && strings.HasSuffix(path, "].value"):
		return setEmail(w, value)
	case path == "roles", strings.HasPrefix(path, "roles["):
		return setRole(w, value)
	}
	return nil
}

func setName(w *scim.UserChange, value any) error {
	parts, ok := value.(map[string]any)
	if !ok || w.Name != nil {
		return nil
	}
	if formatted, _ := parts["formatted"].(string); formatted != "" {
		w.Name = &formatted
		return nil
	}
	given, _ := parts["givenName"].(string)
	family, _ := parts["familyName"].(string)
	if name := strings.TrimSpace(given + " " + family); name != "" {
		w.Name = &name
	}
	return nil
}

// firstValue returns the text of a value, or of the first element that has one.
func firstValue(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case map[string]any:
		text, _ := v["value"].(string)
		return text
	case []any:
		for _, one := range v {
			if text := firstValue(one); text != "" {
				return text
			}
		}
	}
	return ""
}

func setEmail(w *scim.UserChange, value any) error {
	if text := firstValue(value); text != "" {
		w.Email = &text
	}
	return nil
}

func setRole(w *scim.UserChange, value any) error {
	role, err := tenant.ParseRole(strings.ToUpper(firstValue(value)))
	if err != nil {
		return nil // roles of other applications are ignored
	}
	w.Role = &role
	return nil
}

func textOf(value any, name string, into **string) error {
	text, ok := value.(string)
	if !ok {
		return scim.NewError(http.StatusBadRequest, "invalidValue", name+" must be a string.")
	}
	*into = &text
	return nil
}

// parseBool parses a boolean; Entra ID sends "True" and "False".
func parseBool(value any, into **bool) error {
	b, ok := value.(bool)
	if text, isText := value.(string); isText {
		b, ok = strings.EqualFold(text, "true"), strings.EqualFold(text, "true") || strings.EqualFold(text, "false")
	}
	if !ok {
		return scim.NewError(http.StatusBadRequest, "invalidValue", "active must be true or false.")
	}
	*into = &b
	return nil
}

// operation is one operation of a PATCH request (RFC 7644, section 3.5.2).
type operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
}

const maxOperations = 1000

// operations reads the body of a PATCH request. Op is converted to lower case.
func (r *request) operations() ([]operation, error) {
	var body struct{ Operations []operation }
	if err := r.read(&body); err != nil {
		return nil, err
	}
	if len(body.Operations) == 0 || len(body.Operations) > maxOperations {
		return nil, scim.NewError(http.StatusBadRequest, "invalidSyntax", "Operations must contain 1 to 1000 operations.")
	}
	for i := range body.Operations {
		o := &body.Operations[i]
		if o.Op = strings.ToLower(o.Op); o.Op != "add" && o.Op != "replace" && o.Op != "remove" {
			return nil, scim.NewError(http.StatusBadRequest, "invalidSyntax", "op must be add, replace or remove.")
		}
	}
	return body.Operations, nil
}

// each calls do with the path and value of an operation, or with those of each attribute if the
// operation has no path.
func each(o operation, do func(path string, value any) error) error {
	var value any
	if len(o.Value) > 0 && json.Unmarshal(o.Value, &value) != nil {
		return scim.NewError(http.StatusBadRequest, "invalidSyntax", "The value of an operation is not valid JSON.")
	}
	if o.Path != "" {
		return do(o.Path, value)
	}
	attributes, ok := value.(map[string]any)
	if !ok {
		return scim.NewError(http.StatusBadRequest, "noTarget", "The value of an operation without a path must be an object.")
	}
	for name, one := range attributes {
		if err := do(name, one); err != nil {
			return err
		}
	}
	return nil
}
