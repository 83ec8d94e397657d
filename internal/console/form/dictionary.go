package form

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/strict"
)

// dictionary has the words for the names and answers of a body that no person would
// use: countryOfOrigin and NOT_AT_RISK.
type dictionary map[string]string

// learn takes up the members of an object, and of the objects in it.
func (d dictionary) learn(schemas *strict.Schemas, object *huma.Schema, depth int) {
	if object == nil || depth > maxNesting {
		return
	}
	for name, member := range object.Properties {
		if strings.ToLower(name) != name {
			d[name] = "“" + Label(name) + "”"
		}
		s := schemas.Resolve(member)
		for _, value := range s.Enum {
			if answer := fmt.Sprint(value); strings.Contains(answer, "_") {
				d[answer] = "“" + Words(answer) + "”"
			}
		}
		d.learn(schemas, s, depth+1)
		if s.Items != nil {
			d.learn(schemas, schemas.Resolve(s.Items), depth+1)
		}
	}
}

var technical = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_]*`)

// of says a text in words.
func (d dictionary) of(text string) string {
	return technical.ReplaceAllStringFunc(text, func(word string) string {
		if said, known := d[word]; known {
			return said
		}
		return word
	})
}

// InWords says a text of a rule or of a service in the words of the form.
func (s *Sheet) InWords(text string) string { return s.words.of(text) }
