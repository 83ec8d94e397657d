package api

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// endpointAnswer is the answer to the creation and the change of an endpoint.
type endpointAnswer struct {
	Endpoint endpointBody    `json:"endpoint" doc:"The endpoint"`
	Warnings []apierr.Detail `json:"warnings,omitempty" doc:"What is stored and probably wrong: paths of the filter that no subscribed event has, and a certificate in mtls that has ended or ends within 30 days"`
}

func (s *Server) endpointResponse(org tenant.ID, e webhook.Endpoint, secret string) (response, error) {
	warnings := s.filterWarnings(&e)
	if e.MTLS != "" {
		why, err := s.Webhooks.CertificateWarning(org, &e, s.Now())
		if err != nil {
			return response{}, err
		}
		if why != "" {
			warnings = append(warnings, apierr.Detail{Field: "mtls", Message: why})
		}
	}
	out, err := jsonResponse(http.StatusOK, endpointAnswer{endpointOf(e, secret), warnings})
	return recordResponse(out, e.Version), err
}

// filterWarnings names the paths of a filter that no event of the endpoint has.
func (s *Server) filterWarnings(e *webhook.Endpoint) (warnings []apierr.Detail) {
	if e.Filter == nil {
		return nil
	}
	for i, where := range e.Filter.Where {
		names := strings.Split(where.Path, ".")
		has := func(t webhook.EventType) bool {
			return webhook.Subscribes(e.Events, t.Type) && s.hasMember(s.eventSchema(t), names)
		}
		if !slices.ContainsFunc(s.Webhooks.Catalogue, has) {
			warnings = append(warnings, apierr.Detail{
				Field: fmt.Sprintf("filter.where[%d].path", i), Message: "No event of this endpoint has the member " + where.Path + ".",
			})
		}
	}
	return warnings
}

// hasMember reports whether a schema describes a member. An object without described members may have any.
func (s *Server) hasMember(schema *huma.Schema, names []string) bool {
	for schema.Ref != "" {
		schema = s.api.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref)
	}
	if len(names) == 0 {
		return true
	}
	for _, part := range slices.Concat(schema.AllOf, schema.AnyOf, schema.OneOf) {
		if s.hasMember(part, names) {
			return true
		}
	}
	if _, err := strconv.Atoi(names[0]); err == nil && schema.Items != nil {
		return s.hasMember(schema.Items, names[1:])
	}
	if member, found := schema.Properties[names[0]]; found {
		return s.hasMember(member, names[1:])
	}
	return schema.Type == huma.TypeObject && len(schema.Properties) == 0
}
