// Package strict reads a JSON body against its schema and names every fault at
// once: unknown and duplicate members, wrong types, missing and empty values,
// numbers out of range or too fine. Numbers are judged as they are written, never
// as binary floating point.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/fault"
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
func (r Reader) Check(schema *huma.Schema, body []byte) []fault.Detail {
	return r.check(schema, body, false)
}

// CheckPatch judges a merge patch: no member is required and null removes one.
func (r Reader) CheckPatch(schema *huma.Schema, body []byte) []fault.Detail {
	return r.check(schema, body, true)
}

func (r Reader) check(schema *huma.Schema, body []byte, patch bool) []fault.Detail {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	w := &walk{Reader: r, tokens: d, patch: patch}
	err := w.value(schema, "", 0)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			w.fault("body", "must be one JSON value with nothing behind it")
		}
	} else if !errors.Is(err, errEnough) {
		w.fault("body", "%s", notJSON(err))
	}
	return w.faults
}

func notJSON(err error) string {
	var at *json.SyntaxError
	switch {
	case errors.Is(err, errTooDeep):
		return err.Error()
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return "is not valid JSON: it ends too early"
	case errors.As(err, &at):
		return fmt.Sprintf("is not valid JSON at byte %d", at.Offset)
	}
	return "is not valid JSON"
}

var (
	errEnough  = errors.New("enough faults")
	errTooDeep = fmt.Errorf("must not nest deeper than %d levels", maxDepth)
)

// walk goes through a body token by token.
type walk struct {
	Reader
	tokens *json.Decoder
	patch  bool
	faults []fault.Detail
}

func (w *walk) fault(path, format string, args ...any) {
	if path == "" {
		path = "body"
	}
	w.faults = append(w.faults, fault.Detail{Field: path, Message: fmt.Sprintf(format, args...)})
}

// value reads one value. A nil schema takes anything that is sound JSON.
func (w *walk) value(s *huma.Schema, path string, depth int) error {
	if depth > maxDepth {
		return errTooDeep
	}
	if len(w.faults) >= maxFaults {
		return errEnough
	}
	s = w.resolve(s)
	token, err := w.tokens.Token()
	if err != nil {
		return err
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			return w.object(s, path, depth)
		}
		return w.array(s, path, depth)
	case nil:
		w.null(s, path, depth)
	case string:
		w.text(s, path, v)
	case json.Number:
		w.number(s, path, v.String())
	case bool:
		if s != nil && s.Type != huma.TypeBoolean {
			w.fault(path, "must be %s, not %t", kind(s), v)
		}
	}
	return nil
}

func (w *walk) resolve(s *huma.Schema) *huma.Schema {
	for s != nil && s.Ref != "" {
		s = w.Schemas.SchemaFromRef(s.Ref)
	}
	return s
}

func (w *walk) null(s *huma.Schema, path string, depth int) {
	if s == nil || s.Nullable || w.patch && depth == 1 {
		return
	}
	w.fault(path, "must not be null; leave it out instead")
}

func (w *walk) object(s *huma.Schema, path string, depth int) error {
	var known map[string]*huma.Schema
	open := s == nil
	if s != nil {
		if s.Type != huma.TypeObject {
			w.fault(path, "must be %s, not an object", kind(s))
			open = true
		} else {
			known = s.Properties
			open = isOpen(s)
		}
	}
	seen := make([]string, 0, len(known))
	for w.tokens.More() {
		token, err := w.tokens.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		at := join(path, name)
		member, ok := known[name]
		if !ok && !open {
			w.fault(at, "is not a known field")
		}
		if slices.Contains(seen, name) {
			w.fault(at, "appears more than once")
		}
		seen = append(seen, name)
		if err := w.value(member, at, depth+1); err != nil {
			return err
		}
	}
	if s != nil && s.Type == huma.TypeObject && !(w.patch && depth == 0) {
		w.required(s, path, seen)
	}
	return w.end()
}

func isOpen(s *huma.Schema) bool {
	switch more := s.AdditionalProperties.(type) {
	case bool:
		return more
	case nil:
		return true
	}
	return true
}

func (w *walk) required(s *huma.Schema, path string, seen []string) {
	for _, name := range s.Required {
		if !slices.Contains(seen, name) {
			w.fault(join(path, name), "is required")
		}
	}
}

func (w *walk) array(s *huma.Schema, path string, depth int) error {
	var items *huma.Schema
	if s != nil {
		if s.Type != huma.TypeArray {
			w.fault(path, "must be %s, not a list", kind(s))
			s = nil
		} else {
			items = s.Items
		}
	}
	n := 0
	for ; w.tokens.More(); n++ {
		if err := w.value(items, path+"["+strconv.Itoa(n)+"]", depth+1); err != nil {
			return err
		}
	}
	if s != nil && s.MinItems != nil && n < *s.MinItems {
		w.fault(path, "must have at least %d", *s.MinItems)
	}
	if s != nil && s.MaxItems != nil && n > *s.MaxItems {
		w.fault(path, "must have at most %d, not %d", *s.MaxItems, n)
	}
	return w.end()
}

func (w *walk) end() error {
	_, err := w.tokens.Token()
	return err
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
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
