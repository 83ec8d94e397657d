// Package schema reads a JSON body against its schema and names every fault at
// once: unknown and duplicate members, wrong types, missing and empty values,
// numbers out of range or too fine. Numbers are judged as they are written, never
// as binary floating point.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Limits of what is reported and how deep a body may nest.
const (
	maxFaults = 100
	maxDepth  = 32
)

// Reader judges bodies against the schemas of a registry.
type Reader struct {
	Schemas huma.Registry
}

// Check judges a whole body.
func (r Reader) Check(schema *huma.Schema, body []byte) []apierr.Detail {
	return r.check(schema, body, false)
}

// CheckPatch judges a merge patch: no member is required and null removes one.
func (r Reader) CheckPatch(schema *huma.Schema, body []byte) []apierr.Detail {
	return r.check(schema, body, true)
}

func (r Reader) check(schema *huma.Schema, body []byte, patch bool) []apierr.Detail {
	w := &walk{Reader: r, patch: patch}
	if !utf8.Valid(body) {
		w.fault("is not valid UTF-8")
		return w.faults
	}
	w.tokens = jsontext.NewDecoder(bytes.NewBuffer(body), judgedHere...)
	err := w.value(schema)
	if err == nil {
		if _, more := w.tokens.ReadToken(); !errors.Is(more, io.EOF) {
			w.fault("must be one JSON value with nothing behind it")
		}
	} else if !errors.Is(err, errEnough) {
		w.fault("%s", notJSON(body, err))
	}
	return w.faults
}

// judgedHere leaves to the walk what it names itself, with the field.
var judgedHere = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// notJSON says why a body cannot be read. The place comes from reading the body
// once more as a whole: token by token it is not told reliably.
func notJSON(body []byte, err error) string {
	var at *json.SyntaxError
	switch {
	case errors.Is(err, errTooDeep):
		return err.Error()
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return "is not valid JSON: it ends too early"
	case errors.As(json.Unmarshal(body, new(json.RawMessage)), &at):
		return fmt.Sprintf("is not valid JSON at byte %d", at.Offset)
	}
	return "is not valid JSON"
}

var (
	errEnough  = errors.New("enough faults")
	errTooDeep = errors.New(tooDeep(maxDepth))
)

func tooDeep(levels int) string { return fmt.Sprintf("must not nest deeper than %d levels", levels) }

// walk goes through a body token by token.
type walk struct {
	Reader
	tokens *jsontext.Decoder
	patch  bool
	path   []step // from the body to the value that is being read
	within *bound // of the free-form object that is being read, if any
	faults []apierr.Detail
}

// value reads one value. A nil schema takes anything that is sound JSON.
func (w *walk) value(s *huma.Schema) error {
	if w.beyond() {
		return w.skip()
	}
	if len(w.path) > maxDepth {
		return errTooDeep
	}
	if len(w.faults) >= maxFaults {
		return errEnough
	}
	s = w.resolve(s)
	token, err := w.tokens.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case '{':
		return w.bounded(s)
	case '[':
		return w.array(s)
	case 'n':
		w.null(s)
	case '"':
		w.text(s, token.String())
	case '0':
		w.number(s, token.String())
	default:
		if s != nil && s.Type != huma.TypeBoolean {
			w.fault("must be %s, not %s", kind(s), token)
		}
	}
	return nil
}

// resolve follows references; a schema without a type takes anything.
func (w *walk) resolve(s *huma.Schema) *huma.Schema {
	for s != nil && s.Ref != "" {
		s = w.Schemas.SchemaFromRef(s.Ref)
	}
	if s == nil || s.Type == "" {
		return nil
	}
	return s
}

func (w *walk) null(s *huma.Schema) {
	switch {
	case w.patch && len(w.path) == 1:
		return
	case s != nil && s.Type == huma.TypeArray && s.MinItems != nil && *s.MinItems > 0:
		w.fault("must have at least %d", *s.MinItems)
		return
	case s == nil || s.Nullable:
		return
	}
	w.fault("must not be null; leave it out instead")
}

func (w *walk) object(s *huma.Schema) error {
	if s != nil && s.Type != huma.TypeObject {
		w.fault("must be %s, not an object", kind(s))
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
	if s != nil && !(w.patch && len(w.path) == 0) {
		w.required(s, seen)
	}
	return nil
}

func (w *walk) member(s *huma.Schema, name string, again bool) error {
	at := step{member: true, name: name}
	schema, known := schemaOf(s, name)
	if !known {
		w.faultAt(at, "is not a known field")
	}
	if again {
		w.faultAt(at, "appears more than once")
	}
	return w.below(at, schema)
}

// schemaOf is the schema of a member, and whether there may be such a member.
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

func (w *walk) required(s *huma.Schema, seen map[string]bool) {
	for _, name := range s.Required {
		if !seen[name] {
			w.faultAt(step{member: true, name: name}, "is required")
		}
	}
}

func (w *walk) array(s *huma.Schema) error {
	var items *huma.Schema
	if s != nil && s.Type != huma.TypeArray {
		w.fault("must be %s, not a list", kind(s))
		s = nil
	}
	if s != nil {
		items = s.Items
	}
	n := 0
	for ; w.more(); n++ {
		if err := w.below(step{item: n}, items); err != nil {
			return err
		}
	}
	if err := w.end(); err != nil {
		return err
	}
	if s != nil && s.MinItems != nil && n < *s.MinItems {
		w.fault("must have at least %d", *s.MinItems)
	}
	if s != nil && s.MaxItems != nil && n > *s.MaxItems {
		w.fault("must have at most %d, not %d", *s.MaxItems, n)
	}
	return nil
}

// more tells whether the object or list that is being read has another member.
func (w *walk) more() bool {
	next := w.tokens.PeekKind()
	return next != '}' && next != ']'
}

func (w *walk) end() error {
	_, err := w.tokens.ReadToken()
	return err
}

// kind says in words what a schema wants.
func kind(s *huma.Schema) string {
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
		return "an instant such as 2026-11-21T09:00:00Z"
	}
	return "text"
}

func list(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
	}
	return strings.Join(words, ", ")
}
