package explain

import (
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

// inDocument returns where a pointer leads in a document: the names of the elements, with
// their index from the second occurrence on.
func inDocument(p pointer.Pointer) string { return strings.ReplaceAll(p.Path(), "[1]", "") }

// level is an open element while a document is read.
type level struct {
	path   string
	counts map[string]int // of its children by name
}

// readTexts reads the texts at the wanted paths of a document. Texts that cannot be read stay
// empty.
func readTexts(document []byte, wanted map[string]string) {
	r, err := safexml.New(document)
	if err != nil {
		return
	}
	var open []level
	for {
		token, err := r.Next()
		if err != nil {
			return
		}
		switch token.Kind {
		case safexml.Start:
			open = append(open, enter(open, token.Name.Local))
		case safexml.End:
			open = open[:len(open)-1]
		case safexml.Text:
			path := open[len(open)-1].path
			if known, found := wanted[path]; found {
				wanted[path] = known + token.Text
			}
		}
	}
}

// enter opens an element. The path of a declaration begins at its own root.
func enter(open []level, name string) level {
	if len(open) == 0 || name == "Declaration" {
		return level{path: name}
	}
	parent := &open[len(open)-1]
	if parent.counts == nil {
		parent.counts = map[string]int{}
	}
	parent.counts[name]++
	path := parent.path + "/" + name
	if n := parent.counts[name]; n > 1 {
		path += "[" + strconv.Itoa(n) + "]"
	}
	return level{path: path}
}
