package schema

import (
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// requiredExtension holds the members that an object needs unless it has another one, as a [Without].
const requiredExtension = "x-required-without"

// Without are the members that an object needs unless it has one member.
type Without struct {
	Member string
	Needed []string // in the order of the object
}

// RequiredWithout returns the members that an object needs unless it has another one. The object is in the form that every
// schema accepts: with all of them or none.
func RequiredWithout(s *huma.Schema) Without {
	w, _ := s.Extensions[requiredExtension].(Without)
	return w
}

// markRequired notes in the schema of a body which fields have the tag filing.RequiredWithout. A body has one such member.
func markRequired(s *huma.Schema, body reflect.Type) {
	for body.Kind() == reflect.Pointer {
		body = body.Elem()
	}
	if s == nil || body.Kind() != reflect.Struct {
		return
	}
	var w Without
	for _, field := range reflect.VisibleFields(body) {
		if member := field.Tag.Get(filing.RequiredWithout); member != "" {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			w.Member, w.Needed = member, append(w.Needed, name)
		}
	}
	if w.Member == "" {
		return
	}
	if s.Extensions == nil {
		s.Extensions = map[string]any{}
	}
	s.Extensions[requiredExtension] = w
}

// requiredWithout reports the members that are missing because another one is not there.
func (w *checker) requiredWithout(s *huma.Schema, seen map[string]bool) {
	without := RequiredWithout(s)
	if seen[without.Member] {
		return
	}
	for _, name := range without.Needed {
		if !seen[name] && !slices.Contains(s.Required, name) {
			w.reportAt(step{member: true, name: name}, "is required")
		}
	}
}
