package api

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// mergeType is the media type of a JSON merge patch (RFC 7396).
const mergeType = "application/merge-patch+json"

// patch is the body of a PATCH.
type patch struct {
	body  json.RawMessage
	merge bool // a JSON merge patch, which also merges the objects in it
}

// readPatch checks a PATCH and its body, whose media type says how it applies.
func (s *Server) readPatch(c *caller, raw []byte, t reflect.Type) (p patch, err error) {
	check := s.bodyReader.CheckPatch
	contentType := c.request.Header.Get("Content-Type")
	switch p.merge = isMedia(contentType, mergeType); {
	case p.merge:
		check = s.bodyReader.CheckMergePatch
	case !isJSON(contentType):
		return p, apierr.New(apierr.UnsupportedMediaType, "Send the body as application/json or "+mergeType+".")
	}
	p.body, err = s.checked(c, raw, t, check)
	return p, err
}

// apply returns the stored body with the patch.
func (p patch) apply(stored json.RawMessage) (json.RawMessage, error) {
	if p.merge {
		return filing.MergePatch(stored, p.body)
	}
	return filing.Patch(stored, p.body)
}

// patched applies a patch to a stored body and checks the result.
func patched[B any](s *Server, stored json.RawMessage, p patch) (b B, err error) {
	whole, err := p.apply(stored)
	if err != nil {
		return b, err
	}
	if details := s.bodyReader.Check(s.schemaOf(reflect.TypeFor[B]()), whole); details != nil {
		return b, apierr.Invalid(details...)
	}
	return b, json.Unmarshal(whole, &b)
}

// patchSchema returns a body's schema for a patch of the top level: no field is required.
func (s *Server) patchSchema(whole *huma.Schema) *huma.Schema {
	whole = s.resolveSchema(whole)
	p := &huma.Schema{
		Type: huma.TypeObject, Properties: maps.Clone(whole.Properties), AdditionalProperties: false,
		Description: "The fields to replace; null removes an optional field",
	}
	for name, field := range p.Properties {
		if !slices.Contains(whole.Required, name) {
			p.Properties[name] = nullable(s.resolveSchema(field))
		}
	}
	return p
}

// mergeSchema returns a body's schema for a merge patch: no field is required, also in objects within it, but not in
// those of lists.
func (s *Server) mergeSchema(whole *huma.Schema) *huma.Schema {
	p := *s.resolveSchema(whole)
	p.Properties, p.Required = maps.Clone(p.Properties), nil
	for name, field := range p.Properties {
		if object := s.resolveSchema(field); object.Type == huma.TypeObject && object.Properties != nil {
			field = s.mergeSchema(object)
		}
		if !slices.Contains(s.resolveSchema(whole).Required, name) {
			field = nullable(field)
		}
		p.Properties[name] = field
	}
	return &p
}

// nullable returns a field's schema that also accepts null.
func nullable(field *huma.Schema) *huma.Schema {
	free := *field
	free.Nullable = true
	if field.Enum != nil {
		free.Enum = append(slices.Clone(field.Enum), nil)
	}
	return &free
}
