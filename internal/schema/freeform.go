package schema

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Extensions of the schema of a free-form object, whose members can have any name and type.
const (
	MaxBytes = "x-max-bytes" // as it is written, with white space
	MaxDepth = "x-max-depth" // levels of nesting, including the object itself

	IsContent = "x-content" // it is the content of an authority's message
)

// nestingLimit limits the nesting of the members of a free-form object.
type nestingLimit struct {
	field    string // path of the object
	levels   int
	deepest  int // path length at which no object or list may start
	reported bool
}

// limitedObject checks an object against its schema and the schema's limits.
func (w *checker) limitedObject(s *huma.Schema) error {
	if s == nil || s.Extensions == nil || s.Type != huma.TypeObject {
		return w.object(s)
	}
	outer, begins := w.limit, w.tokens.InputOffset()-1
	if levels, ok := s.Extensions[MaxDepth].(int); ok {
		w.limit = &nestingLimit{field: w.fieldPath(), levels: levels, deepest: len(w.path) + levels}
	}
	err := w.object(s)
	w.limit = outer
	if most, ok := s.Extensions[MaxBytes].(int); ok && err == nil {
		if size := int(w.tokens.InputOffset() - begins); size > most {
			w.report("must take at most %d bytes, not %d", most, size)
		}
	}
	return err
}

// tooNested reports whether the next value is an object or list deeper than its free-form object allows.
func (w *checker) tooNested() bool {
	if w.limit == nil || len(w.path) < w.limit.deepest {
		return false
	}
	next := w.tokens.PeekKind()
	return next == '{' || next == '['
}

// skipNested skips a value that is too deep. Only the first one is reported.
func (w *checker) skipNested() error {
	if !w.limit.reported && len(w.details) < maxDetails {
		w.limit.reported = true
		w.details = append(w.details, apierr.Detail{Field: w.limit.field, Message: tooDeep(w.limit.levels)})
	}
	if w.tokens.SkipValue() != nil {
		return errTooManyErrors // deeper than the decoder supports; the error is already reported
	}
	return nil
}
