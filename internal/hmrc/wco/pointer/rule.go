package pointer

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed fields.txt
var fieldsText string

// byPath and byField are the rules of fields.txt. They do not change.
var byPath, byField = mustReadRules(fieldsText)

// rule is one line of fields.txt.
type rule struct {
	path     Pointer // a sequence other than 0 must be met
	template string
	indices  []index // placeholders of the template in order
}

// index is a placeholder such as {70A-1}: the given number of first occurrences is not counted.
type index struct {
	section string
	skipped int
}

// meets reports whether the occurrences match those that the rule requires; a missing one is the first.
func (r *rule) meets(p Pointer) bool {
	for i, s := range r.path {
		if s.Sequence != 0 && max(p[i].Sequence, 1) != s.Sequence {
			return false
		}
	}
	return true
}

// render inserts the occurrences into the template. At the end of a field, a missing occurrence leaves the list.
func (r *rule) render(p Pointer, whole bool) string {
	field := r.template
	for i, x := range r.indices {
		sequence := p.sequence(x.section)
		placeholder := "{" + x.String() + "}"
		if last := i == len(r.indices)-1; last && whole && sequence == 0 {
			field = strings.TrimSuffix(field, "["+placeholder+"]")
		}
		n := max(sequence-1-x.skipped, 0)
		field = strings.Replace(field, placeholder, strconv.Itoa(n), 1)
	}
	return field
}

func (x index) String() string {
	if x.skipped == 0 {
		return x.section
	}
	return x.section + "-" + strconv.Itoa(x.skipped)
}

// mustReadRules parses fields.txt; an error in it is a bug.
func mustReadRules(text string) (byPath map[string][]*rule, byField map[string]*rule) {
	byPath, byField = map[string][]*rule{}, map[string]*rule{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		path, err := Parse(words[0])
		if err != nil || len(words) != 2 || !path.Known() {
			panic(fmt.Sprintf("pointer: fields.txt: %q: %v", line, err))
		}
		r := newRule(path, words[1])
		byPath[key(path, path.tag())] = append(byPath[key(path, path.tag())], r)
		if s := r.skeleton(); byField[s] == nil {
			byField[s] = r
		}
	}
	return byPath, byField
}

func newRule(path Pointer, template string) *rule {
	r := &rule{path: path, template: template}
	for _, part := range strings.Split(template, "{")[1:] {
		placeholder, _, _ := strings.Cut(part, "}")
		code, skipped, _ := strings.Cut(placeholder, "-")
		n, _ := strconv.Atoi(skipped)
		r.indices = append(r.indices, index{section: code, skipped: n})
	}
	return r
}

// skeleton returns the template with empty brackets.
func (r *rule) skeleton() string {
	field := r.template
	for _, x := range r.indices {
		field = strings.Replace(field, "{"+x.String()+"}", "", 1)
	}
	return field
}
