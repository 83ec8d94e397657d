package schema

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Extensions of an object's schema that bound what is in it, where its members may
// have any name and type.
const (
	MaxBytes = "x-max-bytes" // as it is written
	MaxDepth = "x-max-depth" // levels of nesting, itself the first
)

// bound is how deep the members of a free-form object may nest.
type bound struct {
	field   string // the object
	levels  int
	deepest int // length of the path at which nothing may begin
	told    bool
}

// bounded reads an object, and holds it to the limits that its schema has.
func (w *walk) bounded(s *huma.Schema) error {
	if s == nil || s.Extensions == nil || s.Type != huma.TypeObject {
		return w.object(s)
	}
	outer, begins := w.within, w.tokens.InputOffset()-1
	if levels, ok := s.Extensions[MaxDepth].(int); ok {
		w.within = &bound{field: w.field(), levels: levels, deepest: len(w.path) + levels}
	}
	err := w.object(s)
	w.within = outer
	if most, ok := s.Extensions[MaxBytes].(int); ok && err == nil {
		if size := int(w.tokens.InputOffset() - begins); size > most {
			w.fault("must take at most %d bytes, not %d", most, size)
		}
	}
	return err
}

// beyond tells whether an object or list begins deeper than its free-form object may go.
func (w *walk) beyond() bool {
	if w.within == nil || len(w.path) < w.within.deepest {
		return false
	}
	next := w.tokens.PeekKind()
	return next == '{' || next == '['
}

// skip passes over a value that is too deep, and tells of the first of them.
func (w *walk) skip() error {
	if !w.within.told && len(w.faults) < maxFaults {
		w.within.told = true
		w.faults = append(w.faults, apierr.Detail{Field: w.within.field, Message: tooDeep(w.within.levels)})
	}
	if w.tokens.SkipValue() != nil {
		return errEnough // deeper than the decoder goes: what is told suffices
	}
	return nil
}
