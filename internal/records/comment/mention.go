package comment

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Former stands in a text for a member who has left or was erased.
const Former = "former member"

// token is a member in a stored text.
var token = lazyregexp.New(`@\{([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}`)

// trim removes spaces around a text, and unifies the ends of its lines.
func trim(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// encode replaces @ and the name or the id of a member by a token. It returns the members in the order of the text, each once, and
// the words after an @ that name no member. Of two names the longer one counts; names are compared without case.
func encode(text string, members []access.Member) (encoded string, mentions, unknown []string) {
	byLength := slices.Clone(members)
	slices.SortStableFunc(byLength, func(a, b access.Member) int { return cmp.Compare(len(b.Name), len(a.Name)) })
	var out strings.Builder
	for rest := text; rest != ""; {
		before, after, found := strings.Cut(rest, "@")
		out.WriteString(before)
		if !found {
			break
		}
		id, length := named(after, byLength)
		if last, _ := utf8.DecodeLastRuneInString(before); id == "" || inWord(last) {
			if word := wordOf(after); id == "" && word != "" && !inWord(last) && !slices.Contains(unknown, word) {
				unknown = append(unknown, word)
			}
			out.WriteByte('@')
			rest = after
			continue
		}
		out.WriteString("@{" + id + "}")
		if !slices.Contains(mentions, id) {
			mentions = append(mentions, id)
		}
		rest = after[length:]
	}
	return out.String(), mentions, unknown
}

// wordOf returns the word that begins a text, if it begins with a letter.
func wordOf(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); !unicode.IsLetter(first) {
		return ""
	}
	if end := strings.IndexFunc(text, func(r rune) bool { return !inWord(r) }); end >= 0 {
		return text[:end]
	}
	return text
}

// named returns the member whose name, id or token begins a text, and the length of that in bytes.
func named(text string, members []access.Member) (id string, length int) {
	for _, m := range members {
		for _, name := range []string{m.Name, m.ID, "{" + m.ID + "}"} {
			if n := len(name); n > 0 && n <= len(text) && strings.EqualFold(text[:n], name) {
				if next, _ := utf8.DecodeRuneInString(text[n:]); !inWord(next) {
					return m.ID, n
				}
			}
		}
	}
	return "", 0
}

// inWord reports whether a character continues a word.
func inWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// Names are the names of members by ID.
type Names map[string]string

// NamesOf returns the names of members.
func NamesOf(members []access.Member) Names {
	names := Names{}
	for _, m := range members {
		names[m.ID] = cmp.Or(m.Name, m.Email)
	}
	return names
}

// Of returns the name of a member, also of a former one.
func (n Names) Of(id string) string { return cmp.Or(n[id], Former) }

// Show returns the text with the names of the members in it.
func (c *Comment) Show(names Names) string {
	return token.ReplaceAllStringFunc(c.Text, func(found string) string { return "@" + names.Of(found[2:len(found)-1]) })
}
