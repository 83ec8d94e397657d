package api

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// readOnlyMembers returns the members that the records of a kind have in answers and not in requests.
func (s *Server) readOnlyMembers(k kind) (names []string) {
	sent := s.resolveSchema(s.schemaOf(k.Body)).Properties
	for _, name := range slices.Sorted(maps.Keys(s.resolveSchema(k.record).Properties)) {
		if sent[name] == nil {
			names = append(names, name)
		}
	}
	return names
}

// readCreation checks the body of a creation, and removes the members that only answers have.
func (s *Server) readCreation(c *caller, raw []byte, k kind) (json.RawMessage, error) {
	if !isJSON(c.request.Header.Get("Content-Type")) {
		return nil, apierr.New(apierr.UnsupportedMediaType, "Send the body as application/json.")
	}
	removed := map[string]any{}
	body, err := s.checked(c, raw, k.Body, func(schema *huma.Schema, raw []byte) []apierr.Detail {
		var details []apierr.Detail
		for _, d := range s.bodyReader.Check(schema, raw) {
			if slices.Contains(k.readOnly, d.Field) {
				removed[d.Field] = nil
				continue
			}
			details = append(details, d)
		}
		return details
	})
	if err != nil || len(removed) == 0 {
		return body, err
	}
	patch, err := json.Marshal(removed)
	if err != nil {
		return nil, err
	}
	return filing.Patch(body, patch)
}
