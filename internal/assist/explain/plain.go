package explain

import (
	"strings"
	"unicode"
)

// Limits of untrusted texts in answers.
const (
	maxCode        = 40
	maxNamed       = 120 // names and pointers
	maxValue       = 120
	maxCustomsText = 300
)

// oneLine returns untrusted text as one line of limited length, without control characters and
// marks that change the direction of writing.
func oneLine(text string, most int) string {
	var b strings.Builder
	n, blank := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			blank = true
			continue
		}
		if blank && n > 0 {
			b.WriteByte(' ')
			n++
		}
		blank = false
		if n >= most {
			b.WriteRune('…')
			break
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// capital returns a text with a capital at the beginning.
func capital(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}
