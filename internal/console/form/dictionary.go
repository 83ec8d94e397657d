package form

import (
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// dictionary maps names and answers of a body, such as countryOfOrigin and NOT_AT_RISK, to readable
// text.
type dictionary map[string]string

// collectWords adds the members of an object, and of the objects in it.
func (f *Form) collectWords(object *huma.Schema, depth int) {
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
				f.words[answer] = "“" + f.answerText(answer) + "”"
			}
		}
		f.collectWords(s, depth+1)
		if s.Items != nil {
			f.collectWords(f.schemas.Resolve(s.Items), depth+1)
		}
	}
}

var namePattern = lazyregexp.New(`[A-Za-z][A-Za-z0-9_]*(?:\.[a-z][A-Za-z0-9]*)?`)

// replaceNames replaces the names in a text. Names inside a free-form object stay, because users typed them.
func (d dictionary) replaceNames(text string) string {
	return namePattern.ReplaceAllStringFunc(text, func(word string) string {
		if label, known := d[word]; known {
			return label
		}
		name, inner, within := strings.Cut(word, ".")
		text, known := d[name]
		switch {
		case !known:
			return word
		case within:
			return text + " as " + inner
		}
		return text
	})
}

// ReplaceNames replaces names in a text of a rule or a service with the labels of the form.
func (s *FilledForm) ReplaceNames(text string) string { return s.words.replaceNames(text) }
