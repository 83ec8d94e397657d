package pointer

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed elements.txt
var elementsText string

// sections is the WCO table by section code. It does not change.
var sections = mustReadSections(elementsText)

// section is a WCO class with its direct elements.
type section struct {
	name     string
	repeats  bool
	elements []string          // data element of the first, second … occurrence; the last holds for all later ones
	within   map[string]string // data element by parent section, where it differs
	tags     map[string]tag
}

type tag struct {
	name    string
	element string
}

// elementIn returns the data element of an occurrence in a parent.
func (s *section) elementIn(parent string, sequence int) string {
	if e, ok := s.within[parent]; ok {
		return e
	}
	if len(s.elements) == 0 {
		return ""
	}
	return s.elements[min(max(sequence, 1), len(s.elements))-1]
}

func sectionName(code string) string {
	if s := sections[code]; s != nil {
		return s.name
	}
	return code
}

func tagName(code, id string) string {
	if s := sections[code]; s != nil && s.tags[id].name != "" {
		return s.tags[id].name
	}
	return id
}

// mustReadSections parses elements.txt; an error in it is a bug.
func mustReadSections(text string) map[string]*section {
	all := map[string]*section{}
	var current *section
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
		case len(words) == 1:
			panic(fmt.Sprintf("pointer: elements.txt: %q has no name", line))
		case strings.HasPrefix(line, " "):
			current.tags[words[0]] = tag{name: words[1], element: strings.Join(words[2:], "")}
		default:
			code, repeats := strings.CutSuffix(words[0], "*")
			current = newSection(words[1], repeats, words[2:])
			all[code] = current
		}
	}
	return all
}

func newSection(name string, repeats bool, elements []string) *section {
	s := &section{name: name, repeats: repeats, within: map[string]string{}, tags: map[string]tag{}}
	for _, e := range elements {
		if parent, number, found := strings.Cut(e, ":"); found {
			s.within[parent] = number
		} else {
			s.elements = strings.Split(e, ",")
		}
	}
	return s
}
