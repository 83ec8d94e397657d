package api

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
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

// readCreation checks the body of a creation, and removes the members that only answers have. If it is an answer that is sent
// again, the result has the ID of the record, whose secrets the new one keeps.
func (s *Server) readCreation(c *caller, raw []byte, k kind) (body json.RawMessage, answered string, err error) {
	if !isJSON(c.request.Header.Get("Content-Type")) {
		return nil, "", apierr.New(apierr.UnsupportedMediaType, "Send the body as application/json.")
	}
	removed := map[string]any{}
	body, err = s.checked(c, raw, k.Body, func(schema *huma.Schema, raw []byte) []apierr.Detail {
		var details []apierr.Detail
		for _, d := range s.bodyReader.Check(schema, raw) {
			if slices.Contains(k.readOnly, d.Field) {
				removed[d.Field] = nil
				continue
			}
			details = append(details, d)
		}
		return append(details, k.FurtherFaults(raw, details)...)
	})
	if err != nil || len(removed) == 0 {
		return body, "", err
	}
	var record struct{ ID json.RawMessage }
	if err := json.Unmarshal(body, &record); err == nil {
		answered = idIn(record.ID)
	}
	patch, err := json.Marshal(removed)
	if err != nil {
		return nil, "", err
	}
	body, err = filing.Patch(body, patch)
	return body, answered, err
}

// idIn returns the ID in a JSON value; empty if it is none.
func idIn(raw json.RawMessage) string {
	var id string
	if json.Unmarshal(raw, &id) != nil || !ident.IsUUID(strings.ToLower(id)) {
		return ""
	}
	return strings.ToLower(id)
}
