// Package schema has the elements of HMRC's messages of entry summary declarations in tables, and checks messages against them
// as HMRC's schema validator (Xerces) does, with HMRC's numbers for what it finds.
package schema

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

//go:embed messages/*.txt
var files embed.FS

// The names of the messages.
const (
	Declaration         = "CC315A"
	Amendment           = "CC313A"
	AmendmentAccepted   = "CC304A"
	AmendmentRejected   = "CC305A"
	DeclarationRejected = "CC316A"
	DeclarationAccepted = "CC328A"
	Intervention        = "CC351A" // "do not load"
)

// Names are the names of all messages.
var Names = []string{Declaration, Amendment, AmendmentAccepted, AmendmentRejected, DeclarationRejected, DeclarationAccepted, Intervention}

// Space returns the namespace of a message.
func Space(name string) string { return "http://ics.dgtaxud.ec/" + name }

// unbounded is the most of an element that may occur any number of times.
const unbounded = -1

// Part is an element of a message: how often it may occur, and what it contains.
type Part struct {
	Name  string
	Parts []*Part // of a group, in their order

	most     int
	needed   bool
	oldNeeds bool // needed by the old schema
	format   format
	fromName map[string]*Part
	members  map[string]*Part
}

// Of returns the root of a message, or nil if there is no such message.
func Of(name string) *Part { return roots()[name] }

// IsGroup reports whether an element contains elements, not a text.
func (p *Part) IsGroup() bool { return len(p.Parts) > 0 }

// IsList reports whether an element may occur more than once.
func (p *Part) IsList() bool { return p.most != 1 }

// Find returns the part with a name, or nil.
func (p *Part) Find(name string) *Part { return p.fromName[name] }

// Order is the place of an element among those of the group, or -1 if it is none of them.
func (p *Part) Order(name string) int {
	return slices.IndexFunc(p.Parts, func(inner *Part) bool { return inner.Name == name })
}

// Member is the name of an element in JSON: its first letter is small.
func (p *Part) Member() string { return strings.ToLower(p.Name[:1]) + p.Name[1:] }

// FindMember returns the part with a name in JSON, or nil.
func (p *Part) FindMember(member string) *Part { return p.members[member] }

// IsNeeded reports whether an element must occur in a generation.
func (p *Part) IsNeeded(g verdict.Generation) bool {
	return p.needed || p.oldNeeds && g == verdict.Old
}

// roots are the tables of all messages by name.
var roots = sync.OnceValue(func() map[string]*Part {
	all := map[string]*Part{}
	for _, name := range Names {
		text, err := files.ReadFile("messages/" + name + ".txt")
		if err != nil {
			panic("schema: " + err.Error())
		}
		all[name] = parse(name, string(text))
	}
	return all
})

// parse reads a table. A line is an element: its name, how often it occurs (1, ? up to once, + at least once, * any number, 99
// up to 99 times, new: needed by the old schema only), and the format of its text. The elements in it follow, with one tab more.
func parse(name, text string) *Part {
	open := []*Part{{Name: name, most: 1, fromName: map[string]*Part{}, members: map[string]*Part{}}}
	for line := range strings.Lines(text) {
		inner := strings.TrimLeft(line, "\t")
		words := strings.Fields(inner)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		p := newPart(words)
		open = open[:1+len(line)-len(inner)]
		parent := open[len(open)-1]
		parent.Parts = append(parent.Parts, p)
		parent.fromName[p.Name], parent.members[p.Member()] = p, p
		open = append(open, p)
	}
	return open[0]
}

func newPart(words []string) *Part {
	p := &Part{Name: words[0], most: 1, fromName: map[string]*Part{}, members: map[string]*Part{}}
	switch words[1] {
	case "1":
		p.needed = true
	case "new":
		p.oldNeeds = true
	case "+":
		p.needed, p.most = true, unbounded
	case "*":
		p.most = unbounded
	case "99":
		p.most = 99
	}
	if len(words) > 2 {
		p.format = formatOf(words[2])
	}
	return p
}
