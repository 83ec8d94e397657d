package api

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// mergeType is the media type of a JSON merge patch (RFC 7396).
const mergeType = "application/merge-patch+json"

// patch is the body of a PATCH.
type patch struct {
	body  json.RawMessage
	merge bool // a JSON merge patch, which also merges the objects in it

	assigns  bool   // whether it gives the record to a member
	assignee string // the member; empty for none
}

// onlyAssigns reports whether a patch leaves the body as it is.
func (p patch) onlyAssigns() bool { return p.assigns && string(p.body) == "{}" }

// readPatch checks a PATCH and its body, whose media type says how it applies.
func (s *Server) readPatch(c *caller, raw []byte, t reflect.Type) (patch, error) {
	return s.readPatchOf(c, raw, t, s.schemaOf(t))
}

// readPatchOf checks a PATCH of a body that has the schema of a type, or one that extends it.
func (s *Server) readPatchOf(c *caller, raw []byte, t reflect.Type, whole *huma.Schema) (p patch, err error) {
	check := s.bodyReader.CheckPatch
	contentType := c.request.Header.Get("Content-Type")
	switch p.merge = isMedia(contentType, mergeType); {
	case p.merge:
		check = s.bodyReader.CheckMergePatch
	case !isJSON(contentType):
		return p, apierr.New(apierr.UnsupportedMediaType, "Send the body as application/json or "+mergeType+".")
	}
	p.body, err = s.checked(c, raw, t, func(_ *huma.Schema, raw []byte) []apierr.Detail { return check(whole, raw) })
	return p, err
}

// readRecordPatch checks a PATCH of a kind's record, which may also assign it.
func (s *Server) readRecordPatch(c *caller, raw []byte, k kind) (p patch, err error) {
	if k.patchable == nil {
		return s.readPatch(c, raw, k.Body)
	}
	if p, err = s.readPatchOf(c, raw, k.Body, k.patchable); err != nil {
		return p, err
	}
	p.body, p.assignee, p.assigns, err = filing.TakeAssignee(p.body)
	return p, err
}

// readMergePatch checks a body that is a JSON merge patch, whichever of the two media types it has.
func (s *Server) readMergePatch(c *caller, raw []byte, t reflect.Type) (json.RawMessage, error) {
	if contentType := c.request.Header.Get("Content-Type"); !isMedia(contentType, mergeType) && !isJSON(contentType) {
		return nil, apierr.New(apierr.UnsupportedMediaType, "Send the body as application/json or "+mergeType+".")
	}
	return s.checked(c, raw, t, s.bodyReader.CheckMergePatch)
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

// patchContent documents the body of a PATCH in both media types. Its schemas have names, and are one schema if no object
// is in the body, because the media types differ in those only.
func (s *Server) patchContent(whole *huma.Schema) map[string]*huma.MediaType {
	patch, merge := s.patchSchema(whole), s.mergeSchema(whole)
	name := strings.TrimSuffix(publishedName(strings.TrimPrefix(whole.Ref, schema.Prefix), request), requestSuffix)
	patch.Description, merge.Description = "", ""
	if !s.hasNamedObject(whole) && sameSchema(patch, merge) {
		patch.Description = "The fields to replace; null removes an optional field"
		one := s.named(name+"Patch", patch)
		return map[string]*huma.MediaType{jsonType: {Schema: one}, mergeType: {Schema: one}}
	}
	patch.Description = "The fields to replace; null removes an optional field"
	merge.Description = "A JSON merge patch (RFC 7396): objects merge, lists are replaced as a whole, and null removes an optional field"
	return map[string]*huma.MediaType{jsonType: {Schema: s.named(name+"Patch", patch)}, mergeType: {Schema: s.named(name+"MergePatch", merge)}}
}

// named registers a schema, and returns a reference to it.
func (s *Server) named(name string, named *huma.Schema) *huma.Schema {
	s.schemas.Registry.Map()[name] = named
	return &huma.Schema{Ref: schema.Prefix + name}
}

// hasNamedObject reports whether a field is an object whose schema has a name: the two patches then have different
// schemas, which would take long to compare.
func (s *Server) hasNamedObject(whole *huma.Schema) bool {
	for _, field := range s.resolveSchema(whole).Properties {
		if field.Ref != "" && s.resolveSchema(field).Properties != nil {
			return true
		}
	}
	return false
}

// sameSchema reports whether two schemas of objects are the same in the document. Fields that are equal, as most are, need
// not be encoded for that.
func sameSchema(a, b *huma.Schema) bool {
	if len(a.Properties) != len(b.Properties) {
		return false
	}
	for name, field := range a.Properties {
		other := b.Properties[name]
		if other == nil || !reflect.DeepEqual(field, other) && !sameJSON(field, other) {
			return false
		}
	}
	one, other := *a, *b
	one.Properties, other.Properties = nil, nil
	return sameJSON(&one, &other)
}

func sameJSON(a, b *huma.Schema) bool {
	one, err := json.Marshal(a)
	other, again := json.Marshal(b)
	return err == nil && again == nil && string(one) == string(other)
}

// patchSchema returns a body's schema for a patch of the top level: no field is required.
func (s *Server) patchSchema(whole *huma.Schema) *huma.Schema {
	whole = s.resolveSchema(whole)
	p := &huma.Schema{
		Type: huma.TypeObject, Properties: maps.Clone(whole.Properties), AdditionalProperties: false,
	}
	for name, field := range p.Properties {
		if !slices.Contains(whole.Required, name) {
			p.Properties[name] = s.orNull(field)
		}
	}
	return p
}

// orNull returns a field's schema that also accepts null. That of an object has a name, since many fields have the same.
func (s *Server) orNull(field *huma.Schema) *huma.Schema {
	whole := nullable(s.resolveSchema(field))
	if field.Ref == "" || whole.Properties == nil {
		return whole
	}
	return s.named(strings.TrimPrefix(field.Ref, schema.Prefix)+"OrNull", whole)
}

// mergeSchema returns a body's schema for a merge patch: no field is required, also in objects within it, but not in
// those of lists.
func (s *Server) mergeSchema(whole *huma.Schema) *huma.Schema {
	p := *s.resolveSchema(whole)
	p.Properties, p.Required = maps.Clone(p.Properties), nil
	for name, field := range p.Properties {
		object := s.resolveSchema(field)
		optional := !slices.Contains(s.resolveSchema(whole).Required, name)
		named := field.Ref != "" && optional
		if object.Type == huma.TypeObject && object.Properties != nil {
			object = s.mergeSchema(field)
		} else {
			named, object = false, field
		}
		if optional {
			object = nullable(object)
		}
		if named {
			object = s.named(strings.TrimPrefix(field.Ref, schema.Prefix)+"MergePatch", object)
		}
		p.Properties[name] = object
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
