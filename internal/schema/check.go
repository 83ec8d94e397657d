// Package schema checks a JSON body against its schema and reports all errors at
// once: unknown and duplicate members, wrong types, missing and empty values,
// numbers out of range or with too many decimal places. Numbers are checked as
// decimals, not as binary floating point.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Limits of the number of reported errors and of the nesting of a body.
const (
	maxDetails = 100
	maxDepth   = 32
)

// Validator checks bodies against the schemas of a registry.
type Validator struct {
	Schemas huma.Registry
}

// Check checks a whole body.
func (r Validator) Check(schema *huma.Schema, body []byte) []apierr.Detail {
	return r.check(schema, body, wholeBody)
}

// CheckPatch checks a patch of the top level: no member need be sent there, and null removes one that is not required.
func (r Validator) CheckPatch(schema *huma.Schema, body []byte) []apierr.Detail {
	return r.check(schema, body, topLevelPatch)
}

// CheckMergePatch checks a JSON merge patch (RFC 7396): in objects, but not in those of lists, no member need be sent,
// and null removes one that is not required.
func (r Validator) CheckMergePatch(schema *huma.Schema, body []byte) []apierr.Detail {
	return r.check(schema, body, mergePatch)
}

// patchMode says which objects of a body are patches, so that their members are optional.
type patchMode int

const (
	wholeBody     patchMode = iota // none
	topLevelPatch                  // the body itself
	mergePatch                     // the body and the objects in it
)

// isPatch reports whether an object at a path is a patch.
func (m patchMode) isPatch(path []step) bool {
	switch m {
	case topLevelPatch:
		return len(path) == 0
	case mergePatch:
		return !slices.ContainsFunc(path, func(s step) bool { return !s.member })
	}
	return false
}

func (r Validator) check(schema *huma.Schema, body []byte, patch patchMode) []apierr.Detail {
	w := &checker{Validator: r, patch: patch}
	if !utf8.Valid(body) {
		w.report("is not valid UTF-8")
		return w.details
	}
	w.tokens = jsontext.NewDecoder(bytes.NewBuffer(body), decoderOptions...)
	err := w.value(schema)
	if err == nil {
		if _, more := w.tokens.ReadToken(); !errors.Is(more, io.EOF) {
			w.report("must be one JSON value without anything after it")
		}
	} else if !errors.Is(err, errTooManyErrors) {
		w.report("%s", notJSON(body, err))
	}
	return w.details
}

// decoderOptions disables checks of the decoder that walk does itself, with the field in the error.
var decoderOptions = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// notJSON returns why a body cannot be read. The position comes from parsing the whole body again,
// since the token decoder does not report it reliably.
func notJSON(body []byte, err error) string {
	var at *json.SyntaxError
	switch {
	case errors.Is(err, errTooDeep):
		return err.Error()
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return "is not valid JSON: it ends unexpectedly"
	case errors.As(json.Unmarshal(body, new(json.RawMessage)), &at):
		return fmt.Sprintf("is not valid JSON at byte %d", at.Offset)
	}
	return "is not valid JSON"
}

var (
	errTooManyErrors = errors.New("too many errors")
	errTooDeep       = errors.New(tooDeep(maxDepth))
)

func tooDeep(levels int) string { return fmt.Sprintf("must not nest deeper than %d levels", levels) }

// checker checks a body token by token.
type checker struct {
	Validator
	tokens  *jsontext.Decoder
	patch   patchMode
	path    []step        // to the current value
	limit   *nestingLimit // of the current free-form object; nil outside of one
	details []apierr.Detail
}

// value checks one value. A nil schema accepts any valid JSON.
func (w *checker) value(s *huma.Schema) error {
	if w.tooNested() {
		return w.skipNested()
	}
	if len(w.path) > maxDepth {
		return errTooDeep
	}
	if len(w.details) >= maxDetails {
		return errTooManyErrors
	}
	s = w.resolve(w.alternative(s))
	token, err := w.tokens.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case '{':
		return w.limitedObject(s)
	case '[':
		return w.array(s)
	case 'n':
		w.null(s)
	case '"':
		w.text(s, token.String())
	case '0':
		w.number(s, token.String())
	default:
		switch {
		case s == nil:
		case s.Type != huma.TypeBoolean:
			w.report("must be %s, not %s", typeName(s), token)
		case len(s.Enum) > 0 && !slices.Contains(s.Enum, any(token.Kind() == 't')):
			w.report("must be %s", joinValues(s.Enum))
		}
	}
	return nil
}

// alternative returns the schema of a value that can be a text or an object: the one of its form.
func (w *checker) alternative(s *huma.Schema) *huma.Schema {
	const text, object = 0, 1
	switch {
	case s == nil || len(s.OneOf) != object+1:
		return s
	case w.tokens.PeekKind() == '{':
		return s.OneOf[object]
	}
	return s.OneOf[text]
}

// resolve follows references; it returns nil for a schema without a type, which accepts anything.
func (w *checker) resolve(s *huma.Schema) *huma.Schema {
	for s != nil && s.Ref != "" {
		s = w.Schemas.SchemaFromRef(s.Ref)
	}
	if s == nil || s.Type == "" {
		return nil
	}
	return s
}

func (w *checker) null(s *huma.Schema) {
	switch {
	case len(w.path) > 0 && w.path[len(w.path)-1].member && w.patch.isPatch(w.path[:len(w.path)-1]):
		return
	case s != nil && s.Type == huma.TypeArray && s.MinItems != nil && *s.MinItems > 0:
		w.report("must have at least %d", *s.MinItems)
		return
	case s == nil || s.Nullable:
		return
	}
	w.report("must not be null; leave it out instead")
}

func (w *checker) object(s *huma.Schema) error {
	if s != nil && s.Type != huma.TypeObject {
		w.report("must be %s, not an object", typeName(s))
		s = nil
	}
	seen := map[string]bool{}
	for w.more() {
		token, err := w.tokens.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		if err := w.member(s, name, seen[name]); err != nil {
			return err
		}
		seen[name] = true
	}
	if err := w.end(); err != nil {
		return err
	}
	if s == nil {
		return nil
	}
	w.names(s, seen)
	if !w.patch.isPatch(w.path) {
		w.required(s, seen)
	}
	return nil
}

// PropertyNames is the keyword of a schema that limits the names of members.
const PropertyNames = "propertyNames"

// names checks the number of members and the length of their names.
func (w *checker) names(s *huma.Schema, seen map[string]bool) {
	if s.MinProperties != nil && len(seen) < *s.MinProperties && !w.patch.isPatch(w.path) {
		w.report("must not be empty; leave it out instead")
	}
	if s.MaxProperties != nil && len(seen) > *s.MaxProperties {
		w.report("must have at most %d entries, not %d", *s.MaxProperties, len(seen))
	}
	limits, ok := s.Extensions[PropertyNames].(map[string]any)
	if !ok {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		least, most := limits["minLength"].(int), limits["maxLength"].(int)
		if n := utf8.RuneCountInString(name); n < least || n > most || strings.ContainsRune(name, 0) {
			w.report("must have keys of %d to %d characters, not %q", least, most, name)
		}
	}
}

func (w *checker) member(s *huma.Schema, name string, again bool) error {
	at := step{member: true, name: name}
	schema, known := schemaOf(s, name)
	if !known {
		w.reportAt(at, "is not a known field")
	}
	if again {
		w.reportAt(at, "appears more than once")
	}
	if w.patch.isPatch(w.path) && s != nil && slices.Contains(s.Required, name) && w.tokens.PeekKind() == 'n' {
		w.reportAt(at, "is required")
	}
	return w.element(at, schema)
}

// schemaOf returns the schema of a member and reports whether the member is allowed.
func schemaOf(s *huma.Schema, name string) (*huma.Schema, bool) {
	if s == nil {
		return nil, true
	}
	if member, ok := s.Properties[name]; ok {
		return member, true
	}
	switch others := s.AdditionalProperties.(type) {
	case bool:
		return nil, others
	case *huma.Schema:
		return others, true
	}
	return nil, true
}

func (w *checker) required(s *huma.Schema, seen map[string]bool) {
	for _, name := range s.Required {
		if !seen[name] {
			w.reportAt(step{member: true, name: name}, "is required")
		}
	}
	w.requiredWithout(s, seen)
}

func (w *checker) array(s *huma.Schema) error {
	var items *huma.Schema
	if s != nil && s.Type != huma.TypeArray {
		w.report("must be %s, not a list", typeName(s))
		s = nil
	}
	if s != nil {
		items = s.Items
	}
	n := 0
	for ; w.more(); n++ {
		if err := w.element(step{item: n}, items); err != nil {
			return err
		}
	}
	if err := w.end(); err != nil {
		return err
	}
	if s != nil && s.MinItems != nil && n < *s.MinItems {
		w.report("must have at least %d", *s.MinItems)
	}
	if s != nil && s.MaxItems != nil && n > *s.MaxItems {
		w.report("must have at most %d, not %d", *s.MaxItems, n)
	}
	return nil
}

// more reports whether the current object or list has another member.
func (w *checker) more() bool {
	next := w.tokens.PeekKind()
	return next != '}' && next != ']'
}

func (w *checker) end() error {
	_, err := w.tokens.ReadToken()
	return err
}

// typeName returns the name of the type that a schema requires.
func typeName(s *huma.Schema) string {
	switch s.Type {
	case huma.TypeObject:
		return "an object"
	case huma.TypeArray:
		return "a list"
	case huma.TypeInteger:
		return "a whole number"
	case huma.TypeNumber:
		return "a number"
	case huma.TypeBoolean:
		return "true or false"
	}
	if s.Format == "date-time" {
		return "a date and time such as 2026-11-21T09:00:00Z"
	}
	return "text"
}

func joinValues(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
	}
	return strings.Join(words, ", ")
}
