package schema

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// maxName is how many characters of a member's name a report shows.
const maxName = 64

// step leads to a member of an object, or to an item of a list where it has no name.
type step struct {
	member bool
	name   string
	item   int
}

// below reads the value that a step leads to.
func (w *walk) below(s step, schema *huma.Schema) error {
	w.path = append(w.path, s)
	err := w.value(schema)
	w.path = w.path[:len(w.path)-1]
	return err
}

func (w *walk) fault(format string, args ...any) {
	if len(w.faults) < maxFaults {
		w.faults = append(w.faults, apierr.Detail{Field: w.field(), Message: fmt.Sprintf(format, args...)})
	}
}

func (w *walk) faultAt(s step, message string) {
	w.path = append(w.path, s)
	w.fault("%s", message)
	w.path = w.path[:len(w.path)-1]
}

// field writes the path, such as items[0].netMassKg.
func (w *walk) field() string {
	if len(w.path) == 0 {
		return "body"
	}
	var b strings.Builder
	for i, s := range w.path {
		switch {
		case !s.member:
			fmt.Fprintf(&b, "[%d]", s.item)
		case i > 0:
			b.WriteString("." + brief(s.name))
		default:
			b.WriteString(brief(s.name))
		}
	}
	return b.String()
}

func brief(name string) string {
	if name == "" {
		return `""`
	}
	if utf8.RuneCountInString(name) <= maxName {
		return name
	}
	return string([]rune(name)[:maxName]) + "…"
}
