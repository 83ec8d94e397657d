package scim

import (
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/access/scim"
)

// config returns the supported features (RFC 7643, section 5).
func (s *Server) config(r *request) (response, error) {
	no := map[string]any{"supported": false}
	return response{http.StatusOK, map[string]any{
		"schemas": []string{"urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"},
		"patch":   map[string]any{"supported": true},
		"bulk":    map[string]any{"supported": false, "maxOperations": 0, "maxPayloadSize": 0},
		"filter":  map[string]any{"supported": true, "maxResults": maxCount}, "changePassword": no, "sort": no, "etag": no,
		"authenticationSchemes": []map[string]any{{
			"type": "oauthbearertoken", "name": "SCIM token", "description": "The token that an OWNER creates in the settings.", "primary": true,
		}},
		"meta": map[string]any{"resourceType": "ServiceProviderConfig", "location": r.base + "/ServiceProviderConfig"},
	}}, nil
}

// attribute describes one attribute of a schema (RFC 7643, section 7).
func attribute(name, kind string, required bool, mutability string, parts ...map[string]any) map[string]any {
	a := map[string]any{
		"name": name, "type": kind, "multiValued": kind == "complex" && name != "name", "required": required, "caseExact": false,
		"mutability": mutability, "returned": "default", "uniqueness": "none",
	}
	if name == "userName" {
		a["uniqueness"] = "server"
	}
	if parts != nil {
		a["subAttributes"] = parts
	}
	return a
}

func schemaResources(r *request) []map[string]any {
	value := attribute("value", "string", false, "readWrite")
	schema := func(id, name, about string, attributes ...map[string]any) map[string]any {
		return map[string]any{
			"schemas": []string{"urn:ietf:params:scim:schemas:core:2.0:Schema"}, "id": id, "name": name, "description": about, "attributes": attributes,
			"meta": map[string]any{"resourceType": "Schema", "location": r.base + "/Schemas/" + id},
		}
	}
	return []map[string]any{
		schema(userSchema, "User", "Member of the organisation",
			attribute("userName", "string", true, "readWrite"), attribute("displayName", "string", false, "readWrite"),
			attribute("name", "complex", false, "readWrite", attribute("formatted", "string", false, "readWrite"),
				attribute("givenName", "string", false, "writeOnly"), attribute("familyName", "string", false, "writeOnly")),
			attribute("emails", "complex", false, "readWrite", value), attribute("active", "boolean", false, "readWrite"),
			attribute("roles", "complex", false, "readWrite", value), attribute("groups", "complex", false, "readOnly", value)),
		schema(groupSchema, "Group", "Group of members, which can give a role",
			attribute("displayName", "string", true, "readWrite"), attribute("members", "complex", false, "readWrite", value)),
	}
}

func resourceTypes(r *request) []map[string]any {
	kind := func(name, path, schema string) map[string]any {
		return map[string]any{
			"schemas": []string{"urn:ietf:params:scim:schemas:core:2.0:ResourceType"}, "id": name, "name": name, "endpoint": path, "schema": schema,
			"meta": map[string]any{"resourceType": "ResourceType", "location": r.base + "/ResourceTypes/" + name},
		}
	}
	return []map[string]any{kind("User", "/Users", userSchema), kind("Group", "/Groups", groupSchema)}
}

func (s *Server) schemas(r *request) (response, error)       { return r.listResponse(schemaResources(r)) }
func (s *Server) resourceTypes(r *request) (response, error) { return r.listResponse(resourceTypes(r)) }
func (s *Server) schema(r *request) (response, error)        { return r.find(schemaResources(r)) }
func (s *Server) resourceType(r *request) (response, error)  { return r.find(resourceTypes(r)) }

// find returns the resource whose ID is in the path.
func (r *request) find(all []map[string]any) (response, error) {
	for _, resource := range all {
		if resource["id"] == r.PathValue("id") {
			return response{http.StatusOK, resource}, nil
		}
	}
	return response{}, scim.NewError(http.StatusNotFound, "", "The resource does not exist.")
}
