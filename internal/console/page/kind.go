package page

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// KindName returns the name of a kind's records among those of all Hubs, such as GVMS movements.
func KindName(t *filing.Type) string {
	if t.Hub == access.FoundationalHub {
		return Capitalize(t.Plural)
	}
	return t.Area + " " + t.Plural
}

// Capitalize returns the text with its first letter in upper case.
func Capitalize(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
