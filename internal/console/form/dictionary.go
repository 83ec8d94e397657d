package form

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// dictionary maps names and answers of a body, such as countryOfOrigin and NOT_AT_RISK, to readable
// text.
type dictionary map[string]string

// learn adds the members of an object, and of the objects in it.
func (f *Form) learn(object *huma.Schema, depth int) {
	if object == nil || depth > maxNesting {
		return
	}
	for name, member := range object.Properties {
		if strings.ToLower(name) != name {
			f.words[name] = "“" + Label(name) + "”"
		}
		s := f.schemas.Resolve(member)
		for _, value := range s.Enum {
			if answer := fmt.Sprint(value); strings.Contains(answer, "_") {
				f.words[answer] = "“" + f.said(answer) + "”"
			}
		}
		f.learn(s, depth+1)
		if s.Items != nil {
			f.learn(f.schemas.Resolve(s.Items), depth+1)
		}
	}
}

var technical = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_]*(?:\.[a-z][A-Za-z0-9]*)?`)

// of replaces the names in a text. Names inside a free-form object stay, because users typed them.
func (d dictionary) of(text string) string {
	return technical.ReplaceAllStringFunc(text, func(word string) string {
		name, inner, within := strings.Cut(word, ".")
		said, known := d[name]
		switch {
		case !known:
			return word
		case within:
			return said + " as " + inner
		}
		return said
	})
}

// InWords replaces names in a text of a rule or a service with the labels of the form.
func (s *Sheet) InWords(text string) string { return s.words.of(text) }
