package origin

import (
	"slices"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// parser reads the words of a rule text by recursive descent. A function that does not recognise what follows returns
// false; try then goes back.
type parser struct {
	words  []string
	pos    int
	theirs bool // the last ceiling was of "their value"
}

// word is one word of a pattern, with its variants.
type word struct {
	variants []string
	optional bool
}

func (w word) has(text string) bool { return slices.Contains(w.variants, text) }

// pattern is a sequence of words.
type pattern []word

// patterns are those that words has made.
var patterns sync.Map

// words makes a pattern: "a|b" is either, "a?" may be absent.
func words(text string) pattern {
	if made, ok := patterns.Load(text); ok {
		return made.(pattern)
	}
	all := pattern{}
	for _, field := range strings.Split(text, " ") {
		bare, optional := strings.CutSuffix(field, "?")
		all = append(all, word{strings.Split(bare, "|"), optional})
	}
	patterns.Store(text, all)
	return all
}

// take reads a pattern if it follows.
func (p *parser) take(what pattern) bool {
	at := p.pos
	for _, w := range what {
		switch {
		case at < len(p.words) && w.has(p.words[at]):
			at++
		case !w.optional:
			return false
		}
	}
	p.pos = at
	return true
}

// takeAny reads the first of several patterns that follows.
func (p *parser) takeAny(all []pattern) bool { return slices.ContainsFunc(all, p.take) }

// sees reports whether a pattern follows.
func (p *parser) sees(what pattern) bool {
	at := p.pos
	defer func() { p.pos = at }()
	return p.take(what)
}

func (p *parser) seesAny(all []pattern) bool { return slices.ContainsFunc(all, p.sees) }

func (p *parser) at(words ...string) bool {
	return p.pos < len(p.words) && slices.Contains(words, p.words[p.pos])
}

func (p *parser) end() bool { return p.pos >= len(p.words) }

func (p *parser) next() string {
	p.pos++
	return p.words[p.pos-1]
}

// try runs a function and goes back if it fails.
func try[T any](p *parser, f func() (T, bool)) (T, bool) {
	at := p.pos
	v, ok := f()
	if !ok {
		p.pos = at
	}
	return v, ok
}

// notes are references that only widen what a rule permits (tolerances of textile products), or define its words.
var notes = lazyregexp.New(`(?:for (?:the )?special conditions relating to [^.;\x01]*?, )?\(?see (?:also )?introductory notes? [\d.]+(?:(?:,| and| or) [\d.]+)*\)?\.?|\((?:\d|footnote \d|cth|cc|ctsh|maxnom(?: \d+%)?(?: \(?exw\)?)?|maxnom \d+% \(exw\))\)`)

// maxWords is twice the words of the longest published text.
const maxWords = 2000

// Compile turns the text of a rule into conditions. ok is false if any word of it was not understood; the node may then
// still have parts that were, beside Unread ones.
func Compile(text string) (Node, bool) { return compileNormal(text, normal(text)) }

func compileNormal(text, normalised string) (Node, bool) {
	p := &parser{words: tokens(notes.ReplaceAllString(normalised, " "))}
	if len(p.words) == 0 || len(p.words) > maxWords {
		return leaf(Unread{text}), false
	}
	n, ok := p.rule()
	if !ok || !p.end() {
		return leaf(Unread{text}), false
	}
	n = n.flat()
	return n, !n.unread()
}

// unread reports whether a part was not understood.
func (n Node) unread() bool {
	_, is := n.Leaf.(Unread)
	return is || slices.ContainsFunc(n.Nodes, Node.unread)
}

// flat joins nodes of the same operator.
func (n Node) flat() Node {
	if n.Op == Is {
		return n
	}
	var nodes []Node
	for _, c := range n.Nodes {
		if c = c.flat(); c.Op == n.Op && n.Op != Readings {
			nodes = append(nodes, c.Nodes...)
		} else {
			nodes = append(nodes, c)
		}
	}
	return combined(n.Op, nodes)
}

var (
	stop        = words(".|;|,")
	alternative = []pattern{words("and / or"), words("/ or"), words(", or"), words("or")}
)

// rule reads clauses that are alternatives.
func (p *parser) rule() (Node, bool) {
	var all []Node
	for {
		n, ok := p.sentences()
		if !ok {
			return n, false
		}
		if all = append(all, n); p.end() {
			return anyOf(all...), true
		}
		if !p.takeAny(alternative) {
			return n, false
		}
	}
}

// sentences reads a clause and the sentences that widen or narrow it.
func (p *parser) sentences() (Node, bool) {
	n, ok := p.clause()
	for ok {
		p.take(stop)
		next, found := try(p, func() (Node, bool) { return p.proviso(n) })
		if !found {
			break
		}
		n = next
	}
	return n, ok
}
