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

// mentions is what the @ signs of a text lead to.
type mentions struct {
	members   []string // IDs in the order of the text, each once
	unknown   []string // what follows an @ and names no member, or several
	ambiguous []string // of unknown, what names several
}

// encode replaces @ and the name, e-mail address or id of a member by a token. The first name is enough if no other member has it.
func encode(text string, members []access.Member) (encoded string, all mentions) {
	var out strings.Builder
	for rest := text; rest != ""; {
		before, after, found := strings.Cut(rest, "@")
		out.WriteString(before)
		if !found {
			break
		}
		rest = after
		last, _ := utf8.DecodeLastRuneInString(before)
		ids, length := named(after, members)
		switch {
		case inWord(last): // the middle of an e-mail address
		case len(ids) == 1:
			out.WriteString("@{" + ids[0] + "}")
			all.members = appendNew(all.members, ids[0])
			rest = after[length:]
			continue
		case len(ids) > 1:
			all.unknown, all.ambiguous = appendNew(all.unknown, after[:length]), appendNew(all.ambiguous, after[:length])
		default:
			all.unknown = appendNew(all.unknown, wordOf(after))
		}
		out.WriteByte('@')
	}
	return out.String(), all
}

// appendNew appends a text unless it is empty or among the others.
func appendNew(all []string, text string) []string {
	if text == "" || slices.Contains(all, text) {
		return all
	}
	return append(all, text)
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

// named returns the members that the beginning of a text names, and the length of their name in bytes. Of two names the longer one
// counts, and first names only if there is no other.
func named(text string, members []access.Member) (ids []string, length int) {
	for _, namesOf := range []func(access.Member) []string{wholeNames, firstName} {
		for _, m := range members {
			for _, name := range namesOf(m) {
				if n := len(name); n > 0 && n >= length && begins(text, name) {
					if n > length {
						ids, length = nil, n
					}
					ids = appendNew(ids, m.ID)
				}
			}
		}
		if ids != nil {
			break
		}
	}
	return ids, length
}

func wholeNames(m access.Member) []string {
	return []string{m.Name, m.Email, m.ID, "{" + m.ID + "}"}
}

func firstName(m access.Member) []string {
	first, _, _ := strings.Cut(strings.TrimSpace(m.Name), " ")
	return []string{first}
}

// begins reports whether a text begins with a name, without regard to case. A hyphen before a letter continues a name.
func begins(text, name string) bool {
	n := len(name)
	if n > len(text) || !strings.EqualFold(text[:n], name) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(text[n:], "-"))
	return !inWord(next)
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
