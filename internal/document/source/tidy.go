package source

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tidy returns text with single spaces and without invisible characters, cut to the limit of a
// cell.
func tidy(text string) string {
	var out strings.Builder
	space := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r) || r == '\u00a0' || r == '\u202f':
			space = out.Len() > 0
			continue
		case r == utf8.RuneError || !unicode.IsGraphic(r):
			continue
		}
		if out.Len()+utf8.UTFMax >= maxCell {
			break
		}
		if space {
			out.WriteByte(' ')
			space = false
		}
		out.WriteRune(r)
	}
	return out.String()
}
