package schema

import (
	"strconv"
	"strings"
)

// location is the place in a document as HMRC writes it for errors of the schema: names with their prefixes, and an index that
// counts only elements of the same name that end directly before the next begins.
type location struct {
	open []step
	last step // the element that ended last, at whatever level
}

type step struct {
	raw   string
	index int
}

func (l *location) enter(raw string) {
	index := 1
	if l.last.raw == raw {
		index = l.last.index + 1
	}
	l.open = append(l.open, step{raw: raw, index: index})
}

func (l *location) leave() {
	l.last = l.open[len(l.open)-1]
	l.open = l.open[:len(l.open)-1]
}

func (l *location) String() string {
	var path strings.Builder
	for _, s := range l.open {
		path.WriteString("/" + s.raw + "[" + strconv.Itoa(s.index) + "]")
	}
	if path.Len() == 0 {
		return "/"
	}
	return path.String()
}
