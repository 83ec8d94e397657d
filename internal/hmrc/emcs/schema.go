package emcs

import (
	_ "embed" // for schema.txt
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed schema.txt
var schemaTable string

// span is how often an element may occur.
type span struct{ least, most int }

// presence says whether an element has the attribute language.
type presence int

const (
	noLanguage presence = iota
	optionalLanguage
	requiredLanguage
)

// spec is one element of the schema.
type spec struct {
	name     string
	member   string // name in JSON
	occurs   [len(versions)]span
	form     form // of a leaf
	language presence
	only     Version // empty if both versions have the element
	children []*spec
}

// schemas returns the element below Body of each message.
var schemas = sync.OnceValue(func() map[Kind]*spec {
	all := map[Kind]*spec{}
	var open []*spec
	var kind Kind
	for line := range strings.Lines(schemaTable) {
		depth := len(line) - len(strings.TrimLeft(line, "\t"))
		switch words := strings.Fields(line); {
		case words[0] == "#":
		case depth == 0:
			kind, open = Kind(words[0]), nil
		default:
			s := parseSpec(words)
			open = append(open[:depth-1], s)
			if depth == 1 {
				all[kind] = s
				continue
			}
			parent := open[depth-2]
			parent.children = append(parent.children, s)
		}
	}
	return all
})

func parseSpec(words []string) *spec {
	s := &spec{name: words[0], member: memberName(words[0])}
	first, second, differ := strings.Cut(words[1], "|")
	s.occurs[0], s.occurs[1] = parseSpan(first), parseSpan(first)
	if differ {
		s.occurs[1] = parseSpan(second)
	}
	for _, word := range words[2:] {
		switch {
		case word == "lang":
			s.language = requiredLanguage
		case word == "lang?":
			s.language = optionalLanguage
		case word[0] == '@':
			s.only = Version(word[1:])
		default:
			s.form = parseForm(word)
		}
	}
	return s
}

// unbounded is the greatest number of occurrences if the schema has no limit.
const unbounded = math.MaxInt

func parseSpan(text string) span {
	switch text {
	case "1":
		return span{1, 1}
	case "?":
		return span{0, 1}
	}
	from, to, _ := strings.Cut(text, "..")
	least, _ := strconv.Atoi(from)
	most, err := strconv.Atoi(to)
	if err != nil {
		most = unbounded
	}
	return span{least, most}
}

// memberName makes the first letter of a name small.
func memberName(name string) string { return strings.ToLower(name[:1]) + name[1:] }

func (s *spec) isGroup() bool { return len(s.children) > 0 || s.form.kind == noForm }

func (s *spec) isList() bool { return s.occurs[0].most > 1 }

func (s *spec) in(v Version) bool { return s.only == "" || s.only == v }

// child returns the element with a name in a version; nil if there is none.
func (s *spec) child(name string, v Version) *spec {
	i := slices.IndexFunc(s.children, func(c *spec) bool { return c.name == name && c.in(v) })
	if i < 0 {
		return nil
	}
	return s.children[i]
}

// member returns the element with a name in JSON in a version; nil if there is none.
func (s *spec) memberSpec(name string, v Version) *spec {
	i := slices.IndexFunc(s.children, func(c *spec) bool { return c.member == name && c.in(v) })
	if i < 0 {
		return nil
	}
	return s.children[i]
}

// Kinds returns the messages that this package knows, in the order of their numbers.
func Kinds() []Kind {
	var kinds []Kind
	for k := range schemas() {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	return kinds
}
