package origin

import (
	"slices"
	"strings"
)

// nouns are the names of processes that do not end in -ing.
var nouns = []string{
	"extrusion", "removal", "lamination", "calcination", "distillation", "purification", "separation", "fusion", "treatment", "fractionation", "hydrogenation",
	"recovery", "hand-decoration", "refinement", "acidification", "reaction", "assembly", "operation", "operations", "process", "processing", "processes", "formation",
	"techniques", "making-up", "texturisation", "isomerisation", "melting", "reduction", "polymerisation", "transformation", "repair",
}

// others are words in -ing that are no process.
var others = []string{
	"heading", "subheading", "having", "containing", "being", "including", "following", "clothing", "string", "thing", "ring", "during", "according", "existing", "remaining",
	"non-originating", "originating", "excluding", "consisting", "lining", "using", "incorporating", "comprising", "corresponding",
}

func isHead(w string) bool {
	return strings.HasSuffix(w, "ing") && !slices.Contains(others, w) || slices.Contains(nouns, w)
}

// modal words state conditions. A phrase with one of them is not the name of a process.
var modal = []string{
	itemMark, ".", ":", ";", "provided", "however", "must", "shall", "may", "exceed", "value", "unless", "except", "where", "wholly", "originating",
	"if", "satisfy", "rule", "rules", "change", "following", "manufacture", "production", "maximum", "which", "note", "notes", "territory", "party", "parties",
}

// ordinary reports whether words only name something. What is in brackets explains it.
func ordinary(phrase []string) bool {
	phrase = withoutBrackets(phrase)
	return len(phrase) > 0 && len(phrase) <= 40 && !slices.ContainsFunc(phrase, func(w string) bool {
		return strings.HasSuffix(w, "%") || slices.Contains(modal, w)
	})
}

func withoutBrackets(phrase []string) (all []string) {
	depth := 0
	for _, w := range phrase {
		switch {
		case w == "(":
			depth++
		case w == ")":
			depth--
		case depth == 0:
			all = append(all, w)
		}
	}
	return all
}

// process reads the name of a process, or of several that are combined, and the provisos that follow.
func (p *parser) process() (Node, bool) {
	for _, f := range []func() (Node, bool){p.specific, p.diffusion, p.reactions, p.combination, p.named} {
		n, ok := try(p, func() (Node, bool) {
			n, ok := f()
			if !ok {
				return n, false
			}
			limited, ok := p.with(n)
			if !ok || !p.processEnds() {
				return n, false
			}
			return doubtful(n, limited), true
		})
		if ok {
			return n, true
		}
	}
	return Node{}, false
}

// doubtful returns both readings where a proviso follows several processes: it may concern all of them or only the last.
func doubtful(n, limited Node) Node {
	if n.Op != Any || limited.Op != All {
		return limited
	}
	last := allOf(append([]Node{n.Nodes[len(n.Nodes)-1]}, limited.Nodes[1:]...)...)
	return Node{Op: Readings, Nodes: []Node{limited, anyOf(append(slices.Clone(n.Nodes[:len(n.Nodes)-1]), last)...)}}
}

func (p *parser) processEnds() bool {
	return p.itemEnds() || p.at(".")
}

var (
	specificWords = words("specific process|processes (? es? )?")
	refining      = words("operations of refining and / or one or more specific process|processes (? es? )?")
)

// specific reads "operations of refining and/or one or more specific process(es)". The notes define specific processes.
func (p *parser) specific() (Node, bool) {
	if p.take(refining) {
		return anyOf(leaf(Process{"REFINING"}), leaf(Process{"SPECIFIC_PROCESSES"})), true
	}
	p.take(words("one or more"))
	return leaf(Process{"SPECIFIC_PROCESSES"}), p.take(specificWords)
}

var diffusing = words("the? operation of diffusion ,? in which integrated circuits are formed on a semi-conductor substrate by the selective introduction of an appropriate dopant")

// diffusion reads the process for integrated circuits. Where they are assembled and tested afterwards does not matter.
func (p *parser) diffusion() (Node, bool) {
	if !p.take(diffusing) {
		return Node{}, false
	}
	if p.take(words(",? whether or not assembled and / or tested in a")) {
		for !p.end() && !p.at(".", ";", itemMark) {
			p.pos++
		}
	}
	return leaf(Process{"DIFFUSION_OF_INTEGRATED_CIRCUITS"}), true
}

// reactions reads "A chemical reaction, purification, … or biotechnological processing is undergone".
func (p *parser) reactions() (Node, bool) {
	p.take(words("a|an|the"))
	var all []Node
	start := p.pos
	item := func(end int) bool {
		phrase := p.words[start:end]
		if len(phrase) > 0 && slices.Contains([]string{"a", "an"}, phrase[0]) {
			phrase = phrase[1:]
		}
		if !ordinaryChange(phrase) {
			return false
		}
		all = append(all, leaf(Process{codeOf(strings.Join(phrase, " "))}))
		return true
	}
	for !p.end() {
		at := p.pos
		switch {
		case p.take(words("is undergone")):
			ok := item(at) && len(all) > 1
			return anyOf(all...), ok
		case p.take(words(",? or")), p.take(comma):
			if !item(at) {
				return Node{}, false
			}
			start = p.pos
		default:
			p.pos++
		}
	}
	return Node{}, false
}

// ordinaryChange permits "a change in particle size".
func ordinaryChange(phrase []string) bool {
	return ordinary(slices.DeleteFunc(slices.Clone(phrase), func(w string) bool { return w == "change" || w == "production" }))
}

// How processes are combined.
var (
	combiners = []pattern{
		words(",? combined with"), words(",? accompanied by"), words(",? accompanied with"), words(",? combined by"), words(",? in combination with"), words(",? preceded by"), words(",? followed by"),
	}
	eachCase = words(",? in each case ,? accompanied|combined by|with")
	prefix   = words("by|with")
	orSign   = []pattern{words(",? or"), words(",")}
)

// combination reads "weaving or knitting, accompanied by dyeing or by printing".
func (p *parser) combination() (Node, bool) {
	n, several, ok := p.group()
	chosen := false
	for ok {
		each := p.take(eachCase)
		if !each && !p.takeAny(combiners) {
			return n, true
		}
		if chosen { // "A accompanied by B or C accompanied by D": C may belong to either side
			return n, false
		}
		second, foreign, found := p.companions()
		if !found {
			return n, false
		}
		switch {
		case foreign != nil: // "A accompanied by B or C of D": C may stand alone
			n = Node{Op: Readings, Nodes: []Node{allOf(n, anyOf(second, *foreign)), anyOf(allOf(n, second), *foreign)}}
		case several && !each: // "A or B accompanied by C": A may stand alone
			last := n.Nodes[len(n.Nodes)-1]
			alone := anyOf(append(slices.Clone(n.Nodes[:len(n.Nodes)-1]), allOf(last, second))...)
			n = Node{Op: Readings, Nodes: []Node{allOf(n, second), alone}}
		default:
			n = allOf(n, second)
		}
		several, chosen = false, second.Op == Any
	}
	return n, ok
}

// group reads processes that are alternatives.
func (p *parser) group() (n Node, several, ok bool) {
	first, ok := p.unit()
	if !ok {
		return n, false, false
	}
	all := []Node{first}
	comma, joinedByComma := false, false // "A, B" is no choice unless "or C" follows
	for {
		next, ok := try(p, func() (Node, bool) {
			comma = p.at(",") && !p.sees(words(", or"))
			if !p.takeAny(orSign) {
				return Node{}, false
			}
			return p.unit()
		})
		if !ok {
			return anyOf(all...), len(all) > 1, !sharesObject(all) && !joinedByComma
		}
		joinedByComma = comma
		all = append(all, next)
	}
}

// sharesObject reports whether only the last of several processes names what it is done to: "carding or combing of silk".
func sharesObject(all []Node) bool {
	object := func(n Node) bool { return strings.Contains(n.Leaf.(Process).Code, "_OF_") }
	return object(all[len(all)-1]) && !object(all[0])
}

// companions reads what follows "accompanied by". foreign is a last alternative with an object of its own, which may not
// belong to it.
func (p *parser) companions() (n Node, foreign *Node, ok bool) {
	if n, ok := try(p, p.finishing); ok {
		return n, nil, true
	}
	first, ok := p.unit()
	if !ok {
		return n, nil, false
	}
	all := []Node{first}
	for {
		bare, start := true, 0
		next, ok := try(p, func() (Node, bool) {
			if !p.takeAny(orSign) {
				return Node{}, false
			}
			bare, start = !p.take(prefix), p.pos
			return p.unit()
		})
		if !ok {
			return anyOf(all...), nil, true
		}
		if bare && p.pos-start > 2 {
			return anyOf(all...), &next, true
		}
		all = append(all, next)
	}
}

// unit reads the name of one process with its object.
func (p *parser) unit() (Node, bool) {
	start := p.pos
	if !p.unitStarts() {
		return Node{}, false
	}
	for !p.end() && !p.unitStops() {
		if p.at("(") && !p.brackets() {
			return Node{}, false
		}
		p.pos++
	}
	phrase := p.words[start:p.pos]
	if !ordinary(phrase) || slices.Contains(phrase, ",") && phrase[0] != "making-up" || conjoins(phrase) {
		return Node{}, false
	}
	return leaf(Process{processCode(phrase)}), true
}

// conjoins reports whether a phrase names two processes that are both necessary.
func conjoins(phrase []string) bool {
	return slices.ContainsFunc(phrase, func(w string) bool { return w == "and" }) && !strings.Contains(strings.Join(phrase, " "), "and / or") &&
		!strings.HasPrefix(strings.Join(phrase, " "), "mixing and blending")
}

// processCode returns the code of a process. Making-up always includes cutting.
func processCode(phrase []string) string {
	text := strings.Join(phrase, " ")
	if strings.HasPrefix(text, "making-up") && strings.Contains(text, "including cutting") {
		return "MAKING_UP_INCLUDING_CUTTING"
	}
	return codeOf(text)
}

// unitStarts reports whether one of the next words is the head of a process.
func (p *parser) unitStarts() bool {
	for _, w := range p.words[p.pos:min(p.pos+3, len(p.words))] {
		switch {
		case isHead(w):
			return true
		case slices.Contains([]string{",", "or", "and", "of", ".", "(", "with", "by", itemMark}, w):
			return false
		}
	}
	return false
}

func (p *parser) unitStops() bool {
	if p.at(".", ";", itemMark, ":") || p.sees(words(",? provided|where|in")) || p.seesAny(combiners) || p.sees(eachCase) {
		return true
	}
	if !p.at(",", "or") {
		return false
	}
	at := p.pos
	defer func() { p.pos = at }()
	if p.sees(words(", including cutting")) {
		return false
	}
	p.takeAny(orSign)
	p.take(prefix)
	return p.unitStarts() || p.at("manufacture", "production")
}

var finishingStart = words("at least two|one preparatory or finishing operations|operation (? such? as?")

// finishing reads "at least two preparatory or finishing operations (such as scouring, …)".
func (p *parser) finishing() (Node, bool) {
	start := p.pos
	if !p.take(finishingStart) {
		return Node{}, false
	}
	count := 2
	if p.words[start+2] == "one" {
		count = 1
	}
	names := p.pos
	end := slices.Index(p.words[names:], ")")
	if end < 0 {
		return Node{}, false
	}
	s := Several{Count: count, Code: codeOf(strings.Join(p.words[start:min(start+7, names)], " "))}
	for _, name := range strings.FieldsFunc(strings.ReplaceAll(strings.Join(p.words[names:names+end], " "), " and ", " , "), func(r rune) bool { return r == ',' }) {
		s.Codes = append(s.Codes, codeOf(american.Replace(name)))
	}
	p.pos = names + end + 1
	return leaf(s), true
}

// american are other spellings of the finishing operations.
var american = strings.NewReplacer("mercerizing", "mercerising", "decatizing", "decatising", "calendaring", "calendering", "rasing", "raising")

// named reads a sentence that is the name of one process.
func (p *parser) named() (Node, bool) {
	start := p.pos
	if !p.unitStarts() && !p.at("electrolytic", "destructive", "thermal", "mechanical", "chemical") {
		return Node{}, false
	}
	for !p.end() && !p.at(".", ";", itemMark) && !p.sees(words(",? provided")) && !p.sees(words(",? or|and manufacture|production")) && !p.sees(words("where")) {
		p.pos++
	}
	phrase := p.words[start:p.pos]
	text := strings.Join(phrase, " ")
	if strings.Contains(text, " or ") && (strings.Contains(text, "accompanied") || strings.Contains(text, "preceded") || strings.Contains(text, "combined")) {
		return Node{}, false
	}
	return leaf(Process{processCode(phrase)}), ordinary(phrase)
}
