// Package form makes HTML forms of JSON bodies. The schema of a body determines the
// fields, how submitted values are read, and to which field an error or a finding
// belongs, so that a new kind of body needs no page of its own.
//
// The name and the id of a control are the path of its field as in errors, such as
// items[0].netMassKg. Numbers stay text from the browser to the body, and an unchanged
// instant keeps the text that was stored. Empty fields are left out of the body.
//
// Parts has the templates: {{template "form-fields" .}} renders a list of fields.
package form

import (
	"embed"
	"encoding/json"
	"io/fs"
	"net/url"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

//go:embed parts
var parts embed.FS

// Parts returns the templates of fields; they use the console's page templates.
func Parts() fs.FS {
	below, _ := fs.Sub(parts, "parts")
	return below
}

// Form is the form of a body, or of some of its members.
type Form struct {
	schemas *schema.Schemas
	schema  *huma.Schema // schema of an object
	members []string     // in the order of the form
	answers map[string]string
	words   dictionary

	describe func(path string) (Description, bool) // nil for none
	layout   *layout.Form                          // nil for none
	state    *state                                // of the layout; nil for none
}

// New returns the form of a body. The map answers has the texts of answers that have one of their own.
func New(schemas *schema.Schemas, body reflect.Type, answers map[string]string) *Form {
	whole := schemas.Of(body)
	f := &Form{schemas: schemas, schema: schemas.Resolve(whole), members: schemas.Members(whole), answers: answers, words: dictionary{}}
	f.collectWords(f.schema, 0)
	return f
}

// SetText sets the text for a name, such as a status, in texts that are shown with the form.
func (f *Form) SetText(name, text string) { f.words[name] = text }

// Has reports whether the form has a field for a member.
func (f *Form) Has(member string) bool { return slices.Contains(f.members, member) }

// Select returns the form of some members, in the given order. Reading it returns and validates only
// these.
func (f *Form) Select(members ...string) *Form {
	part := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Properties: map[string]*huma.Schema{}}
	for _, name := range members {
		part.Properties[name] = f.schema.Properties[name]
		if slices.Contains(f.schema.Required, name) {
			part.Required = append(part.Required, name)
		}
	}
	return &Form{schemas: f.schemas, schema: part, members: members, answers: f.answers, words: f.words, describe: f.describe, layout: f.layout}
}

// Without returns the form without some members.
func (f *Form) Without(members ...string) *Form {
	return f.Select(slices.DeleteFunc(slices.Clone(f.members), func(name string) bool { return slices.Contains(members, name) })...)
}

// FilledForm is a form with values.
type FilledForm struct {
	Fields      []*Field
	Body        json.RawMessage // compact, with invalid values as submitted; nil if no form was read
	Errors      []apierr.Detail // each a whole sentence, with the name of its control
	RowsChanged bool            // the user added or removed a row: show the form again without errors

	words dictionary
	state *state // of the layout; nil for none
}

// Blank returns the form without values.
func (f *Form) Blank() *FilledForm { return f.Fill(nil) }

// Fill returns the form with the values of a body, which may be incomplete.
func (f *Form) Fill(body json.RawMessage) *FilledForm {
	of := map[string]json.RawMessage{}
	if json.Unmarshal(body, &of) != nil {
		of = nil
	}
	f = f.inState(func(path string) string { text, _ := parseText(of[path]); return text }, func(string) bool { return false })
	s := &FilledForm{Fields: f.fields(), words: f.words, state: f.state}
	for _, field := range s.Fields {
		f.fill(field, of[field.member])
	}
	s.Fields = visible(s.Fields)
	return s
}

// Read returns the submitted form with its body and its errors.
func (f *Form) Read(values url.Values) *FilledForm {
	t := newSubmittedForm(values)
	f = f.inState(values.Get, t.has)
	s := &FilledForm{Fields: f.fields(), words: f.words, state: f.state}
	for _, field := range s.Fields {
		f.read(field, t, field.Name)
	}
	var w writer
	s.Body, s.RowsChanged = w.object(s.Fields), t.rowsChanged
	if !s.RowsChanged {
		s.AddErrors(w.errors...)
		s.AddErrors(schema.Validator{Schemas: f.schemas}.Check(f.schema, s.Body)...)
	}
	s.Fields = visible(s.Fields)
	return s
}

// ApplyTo merges the submitted members into a body and removes members that were cleared.
func (s *FilledForm) ApplyTo(body json.RawMessage) (json.RawMessage, error) {
	var w writer
	return filing.Patch(body, w.patch(s.Fields))
}

// fields returns all fields of the form.
func (f *Form) fields() []*Field { return f.newFields("", f.schema, f.members, 0) }

// newFields returns the fields of an object's members.
func (f *Form) newFields(prefix string, object *huma.Schema, members []string, depth int) []*Field {
	fields := make([]*Field, len(members))
	for i, member := range members {
		name := member
		if prefix != "" {
			name = prefix + "." + member
		}
		fields[i] = f.newField(name, member, object.Properties[member], !slices.Contains(object.Required, member), depth)
	}
	return fields
}
