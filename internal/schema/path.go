package schema

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// maxName is the maximum number of characters of a member's name in an error.
const maxName = 64

// step is one element of a path: a member of an object, or an item of a list.
type step struct {
	member bool
	name   string
	item   int
}

// element checks the value at a path element.
func (w *checker) element(s step, schema *huma.Schema) error {
	w.path = append(w.path, s)
	err := w.value(schema)
	w.path = w.path[:len(w.path)-1]
	return err
}

func (w *checker) report(format string, args ...any) {
	if len(w.details) < maxDetails {
		w.details = append(w.details, apierr.Detail{Field: w.fieldPath(), Message: fmt.Sprintf(format, args...)})
	}
}

func (w *checker) reportAt(s step, message string) {
	w.path = append(w.path, s)
	w.report("%s", message)
	w.path = w.path[:len(w.path)-1]
}

// fieldPath returns the current path, such as items[0].netMassKg.
func (w *checker) fieldPath() string {
	if len(w.path) == 0 {
		return "body"
	}
	var b strings.Builder
	for i, s := range w.path {
		switch {
		case !s.member:
			fmt.Fprintf(&b, "[%d]", s.item)
		case i > 0:
			b.WriteString("." + shorten(s.name))
		default:
			b.WriteString(shorten(s.name))
		}
	}
	return b.String()
}

func shorten(name string) string {
	if name == "" {
		return `""`
	}
	if utf8.RuneCountInString(name) <= maxName {
		return name
	}
	return string([]rune(name)[:maxName]) + "…"
}
