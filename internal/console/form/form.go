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
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

//go:embed parts
var parts embed.FS

// Parts are the templates that draw fields, on top of the parts of every page.
func Parts() fs.FS {
	below, _ := fs.Sub(parts, "parts")
	return below
}

// Form asks for a body, or for some members of it.
type Form struct {
	schemas *schema.Schemas
	schema  *huma.Schema // of an object
	members []string     // in the order of the form
	answers map[string]string
	words   dictionary
}

// New is the form of a body, with the answers of its choices that are called something
// else than their own words.
func New(schemas *schema.Schemas, body reflect.Type, answers map[string]string) *Form {
	whole := schemas.Of(body)
	f := &Form{schemas: schemas, schema: schemas.Resolve(whole), members: schemas.Members(whole), answers: answers, words: dictionary{}}
	f.learn(f.schema, 0)
	return f
}

// Say gives a word of texts that are shown with the form another, such as a status.
func (f *Form) Say(word, said string) { f.words[word] = said }

// Has reports whether the form asks for a member.
func (f *Form) Has(member string) bool { return slices.Contains(f.members, member) }

// Only is the form of some members, in the order in which they are named. What it
// reads has these and no others, and only they are judged.
func (f *Form) Only(members ...string) *Form {
	part := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Properties: map[string]*huma.Schema{}}
	for _, name := range members {
		part.Properties[name] = f.schema.Properties[name]
		if slices.Contains(f.schema.Required, name) {
			part.Required = append(part.Required, name)
		}
	}
	return &Form{schemas: f.schemas, schema: part, members: members, answers: f.answers, words: f.words}
}

// Without is the form without some members.
func (f *Form) Without(members ...string) *Form {
	return f.Only(slices.DeleteFunc(slices.Clone(f.members), func(name string) bool { return slices.Contains(members, name) })...)
}

// Sheet is a form with what is in it.
type Sheet struct {
	Fields []*Field
	Body   json.RawMessage // compact, with what is wrong as it was typed; nil where nothing was read
	Faults []apierr.Detail // each in a whole sentence, and by the name of the control that it is about
	Turned bool            // the user asked for a row more or less: show the form again, and say nothing of faults

	words dictionary
}

// Blank is the form with nothing in it.
func (f *Form) Blank() *Sheet { return f.Of(nil) }

// Of is the form with a body in it, which may lack anything.
func (f *Form) Of(body json.RawMessage) *Sheet {
	s := &Sheet{Fields: f.fields(), words: f.words}
	of := map[string]json.RawMessage{}
	if json.Unmarshal(body, &of) != nil {
		of = nil
	}
	for _, field := range s.Fields {
		f.fill(field, of[field.member])
	}
	return s
}

// Read returns the submitted form with its body and its errors.
func (f *Form) Read(values url.Values) *Sheet {
	s, t := &Sheet{Fields: f.fields(), words: f.words}, newTyped(values)
	for _, field := range s.Fields {
		f.read(field, t, field.Name)
	}
	var w writer
	s.Body, s.Turned = w.object(s.Fields), t.turned
	if s.Turned {
		return s
	}
	s.Mark(w.faults...)
	s.Mark(schema.Validator{Schemas: f.schemas}.Check(f.schema, s.Body)...)
	return s
}

// Over lays what was read over a body: its members take the place of those of the
// body, and what was left empty goes from it.
func (s *Sheet) Over(body json.RawMessage) (json.RawMessage, error) {
	var w writer
	return filing.Patch(body, w.patch(s.Fields))
}

// fields are the questions of the whole form.
func (f *Form) fields() []*Field { return f.below("", f.schema, f.members, 0) }

// below are the questions of an object's members.
func (f *Form) below(prefix string, object *huma.Schema, members []string, depth int) []*Field {
	fields := make([]*Field, len(members))
	for i, member := range members {
		name := member
		if prefix != "" {
			name = prefix + "." + member
		}
		fields[i] = f.ask(name, member, object.Properties[member], !slices.Contains(object.Required, member), depth)
	}
	return fields
}
