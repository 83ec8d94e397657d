package page

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// KindName is what the records of a kind are called beside those of all Hubs, such as
// GVMS movements.
func KindName(t *filing.Type) string {
	if t.Hub == access.FoundationalHub {
		return Capitalize(t.Many)
	}
	return t.Tag + " " + t.Many
}

// Capital is a text that begins a line or a sentence.
func Capitalize(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
