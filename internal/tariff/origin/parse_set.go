package origin

import (
	"slices"
	"strings"
)

// A set of materials is named by a phrase. Where the phrase ends depends on what follows: after "from" only a new clause
// ends it, before a verb the verb does.
var (
	clauseStarts = []pattern{
		words(",|; or|and? " + itemMark), words("or|and " + itemMark), words(", and / or " + itemMark),
		words(".|;|:|" + itemMark + "|however|provided|where|except|excluding"), words("in which"), words("whether or not there"), words("if"),
		words(", and? or? in? which|provided|where|however|but|except|excluding|from|if"), words(", and? or? the total? value|weight"), words("and|or in which"),
		words(", and? the|their|its|all value|weight|materials|other"), words("and|or the|their value|weight"), words("and? / or? manufacture|production"), words("and|or manufacture|production"),
		words("or a regional value"), words("and a? maximum"), words(", whether or not there"), words(", including"), words("including"), words(", other than"), words("other than"),
		words("or other operations"), words("into|being"), words(", combined|accompanied"), words("combined|accompanied"), words("and all? from"), words("and is|are|has"),
	}
	verbs = []pattern{words("used"), words("is|are|does|do|must|shall|may|cannot|can|has|have|that|which|exceed|exceeds|incorporated|undergo"), words("classified")}
)

// set reads the name of a set up to a new clause.
func (p *parser) set() (Set, bool) { return p.setUntil(clauseStarts) }

// subject reads the name of a set up to a verb.
func (p *parser) subject() (Set, bool) { return p.setUntil(clauseStarts, verbs) }

func (p *parser) setUntil(ends ...[]pattern) (Set, bool) {
	start := p.pos
	if s, ok := try(p, p.sameAsProduct); ok {
		return s, true
	}
	for !p.end() && !slices.ContainsFunc(ends, p.seesAny) {
		if p.at("(") && !p.brackets() || strings.HasSuffix(p.words[p.pos], "%") && !p.contains() {
			break
		}
		p.pos++
	}
	s, ok := setOf(p.words[start:p.pos])
	if !ok {
		p.pos = start
		return s, false
	}
	at := p.pos
	p.take(comma)
	if !p.takeAny(exceptions) {
		p.pos = at
		return s, true
	}
	not, ok := p.setUntil(ends...)
	s.Except = append(s.Except, not)
	return s, ok
}

// contains reports whether a percentage is part of a description, such as "containing more than 70% cacao".
func (p *parser) contains() bool {
	return p.pos > 1 && p.words[p.pos-1] == "than" && slices.Contains([]string{"more", "less"}, p.words[p.pos-2])
}

var exceptions = []pattern{words("except|excluding for|from? those|that? of?"), words("other than those? of?")}

// brackets moves to the bracket that closes.
func (p *parser) brackets() bool {
	at := slices.Index(p.words[p.pos:], ")")
	if at < 0 {
		return false
	}
	p.pos += at
	return true
}

var sameHeading = []pattern{
	words("all? any? of? the? other? non-originating? materials? material? classified? in? within? of? the|this same heading|subheading|chapter as the final? product|good used?"),
	words("all? any? the? other? non-originating? materials? classified? in|within|of the|this same heading|subheading|chapter"),
	words("all? any? the? non-originating? materials? classified? in|within|of that|this heading|subheading|chapter"),
	words("those|that of the product|good"), words("the heading|subheading|chapter of the product|good"),
}

// sameAsProduct reads "materials of the same heading as the product".
func (p *parser) sameAsProduct() (Set, bool) {
	start := p.pos
	if !p.takeAny(sameHeading) {
		return Set{}, false
	}
	used := p.words[start:p.pos]
	switch {
	case slices.Contains(used, "subheading"):
		return Set{Same: 6}, true
	case slices.Contains(used, "chapter"):
		return Set{Same: 2}, true
	}
	return Set{Same: 4}, true
}

// fillers say nothing about what the materials are.
var fillers = []string{
	"materials", "material", "products", "product", "goods", "good", "those", "that", "of", "the", "any", "all", "other", "classified", "in", "within", "under",
	"non-originating", "from", "a", "an", "falling", "these", "and", "or", ",", "used", "heading", "headings", "either", "both",
}

// conditional words show that a phrase is more than a name.
var conditional = []string{"may", "must", "shall", "exceed", "exceeds", "provided", "however", "value", "unless", "maximum", "following", "rule", "rules", "quota", "limits", "change", "there", "separation", "fusion", "regional", "/"}

// setOf analyses a phrase: references make the codes, other words describe.
func setOf(phrase []string) (Set, bool) {
	if len(phrase) == 0 || len(phrase) > 150 || slices.ContainsFunc(phrase, func(w string) bool { return slices.Contains(conditional, w) }) {
		return Set{}, false
	}
	for _, suffix := range sameSuffixes {
		if text, found := strings.CutSuffix(strings.Join(phrase, " "), " "+suffix); found {
			s, ok := setOf(strings.Fields(text))
			s.Same = 4
			return s, ok && len(s.Or) == 0
		}
	}
	if text, found := strings.CutSuffix(strings.Join(phrase, " "), " of any heading"); found {
		return setOf(strings.Fields(text))
	}
	p := &parser{words: phrase}
	var s Set
	var described bool
	depth, commas := 0, 0 // of brackets, and between words
	for !p.end() {
		if codes, ok := try(p, p.codes); ok {
			s.Codes = append(s.Codes, codes...)
			if part := p.pos; !p.end() && p.take(words(",? and|or of?")) && !p.end() {
				rest, ok := setOf(phrase[p.pos:])
				if !ok {
					return s, false
				}
				s.Or, phrase, p.pos = []Set{rest}, phrase[:part], part
				break
			}
			continue
		}
		w := p.next()
		switch {
		case referenceWord[0].has(w):
			return s, false
		case w == "(":
			depth++
		case w == ")":
			depth--
		case w == "," && depth == 0 && described:
			commas++
		}
		described = described || !slices.Contains(fillers, w)
	}
	s.Loose = described && len(s.Codes) > 0 && (commas > 0 || !endsWithCode(phrase) || len(s.Or) > 0)
	if described {
		s.Words = plainWords(phrase)
		if strings.HasPrefix(s.Words, "same description") || strings.Contains(s.Words, "of the same description") || s.Words == "materials of this description" {
			s.Same = 4 // goods of the same description belong to the same heading
		}
		return s, s.Words != ""
	}
	return s, len(s.Codes) > 0 || slices.ContainsFunc(phrase, isMaterial)
}

// sameSuffixes refer to the heading of the product.
var sameSuffixes = []string{"of the same heading as the product", "of the same heading as the good", "of the same heading", "of this heading"}

func endsWithCode(phrase []string) bool {
	return strings.Trim(phrase[len(phrase)-1], "0123456789") == ""
}

func isMaterial(w string) bool {
	return slices.Contains([]string{"materials", "material", "products", "goods"}, w)
}

// plainWords joins the words of a phrase, without articles at its beginning.
func plainWords(phrase []string) string {
	for len(phrase) > 0 && slices.Contains([]string{"the", "a", "an", "any", "all", "other", "non-originating", "of", "those"}, phrase[0]) {
		phrase = phrase[1:]
	}
	return plain(strings.Join(phrase, " "))
}
