package exportcontrol

import "slices"

// likenesses returns the phrases that say in every place only what goods look like: “grenade-shaped”, “in the form of a
// pistol”, “toy tank”, “machine gun cookie cutters”.
func (l *cueIndex) likenesses(f matches) map[int]bool {
	weak := map[int]bool{}
	for _, p := range f.order {
		if len(l.by[p]) > 0 {
			weak[p] = !slices.ContainsFunc(f.spans[p], func(s span) bool { return !l.likeness(f, l.widest(f, s)) })
		}
	}
	return weak
}

// styles returns the phrases that are in every place followed by a word for a likeness: “crocodile-style”, “rosewood-coloured”. Of
// species, drugs and cultural objects only this counts: toys and books may be made of them.
func (l *cueIndex) styles(f matches) map[int]bool {
	styled := map[int]bool{}
	for _, p := range f.order {
		styled[p] = !slices.ContainsFunc(f.spans[p], func(s span) bool { return !shapedAfter(f.words, l.widest(f, s).to) })
	}
	return styled
}

// attributes returns the words that say in every place only which food, drink or book the goods are: “gunpowder green tea”.
func (l *cueIndex) attributes(f matches) map[int]bool {
	return l.single(f, func(s span) bool { return l.attribute(f, s) })
}

// civilNames returns the words that in every place are only part of the name of civil goods: “torpedo onions”, “paper destroyer”.
func (l *cueIndex) civilNames(f matches) map[int]bool {
	if f.soldierly() != "" {
		return nil
	}
	return l.single(f, func(s span) bool {
		return !f.plural(s) && f.endsWith(nouns().civil, s) || l.followed(f, ordinary, s) || f.actsOn(s) || f.partFor(s)
	})
}

// single returns the words of the lists for which something holds in every place, and which stand in no longer phrase.
func (l *cueIndex) single(f matches, holds func(span) bool) map[int]bool {
	found := map[int]bool{}
	for _, p := range f.order {
		found[p] = len(l.by[p]) > 0 && !slices.ContainsFunc(f.spans[p], func(s span) bool { return s.to-s.from > 1 || !holds(s) })
	}
	return found
}

// furGoods are goods that are made of fur, whether their names say so or not.
var furGoods = wordSet("coat jacket stole collar rug hat muff throw cape wrap")

// namesakes returns the names of animals that say in every place only how lifeless goods are called: “rhino plaster gel”.
func (l *cueIndex) namesakes(f matches) map[int]bool {
	named := map[int]bool{}
	if _, real := f.any(l.matter); real {
		return named
	}
	onRoad := f.mentions(road)
	for _, p := range f.order {
		fur, beast := l.beasts[p]
		named[p] = beast && (onRoad || !slices.ContainsFunc(f.spans[p], func(s span) bool {
			return fur && f.endsWith(furGoods, s) || !f.endsWith(nouns().lifeless, s) && !(fur && f.endsWith(nouns().civil, s)) && !l.near(f, l.words[petSupply], s, linking, headWithin, nil)
		}))
	}
	return named
}

// tints returns the woods that say in every place only which colour goods have.
func (l *cueIndex) tints(f matches) map[int]bool {
	found := map[int]bool{}
	for _, p := range f.order {
		found[p] = l.woods[p] && !slices.ContainsFunc(f.spans[p], func(s span) bool { return !f.tinted(s) })
	}
	return found
}

// attribute reports whether the noun at the end of the words that follow a span names harmless goods.
func (l *cueIndex) attribute(f matches, s span) bool { return l.followed(f, harmless, s) }

// followed reports whether the words that follow a span end with a name of a topic.
func (l *cueIndex) followed(f matches, t topic, s span) bool {
	for _, p := range l.words[t] {
		for _, o := range f.spans[p] {
			between := f.words[min(s.to, o.from):o.from]
			if o.from >= s.to && len(between) <= headWithin && !slices.ContainsFunc(between, func(w string) bool { return linking[w] || naming[w] }) && !f.cut(s.to, o.from) && f.endsName(o.to) {
				return true
			}
		}
	}
	return false
}

// endsName reports whether the name of goods ends before a word.
func (f matches) endsName(at int) bool {
	return at == len(f.words) || len(f.words[at]) == 1 || naming[f.words[at]] || linking[f.words[at]] || isDigit(f.words[at][0]) || slices.Contains(f.cuts, at)
}

// cut reports whether a comma or the end of a clause stands between two places.
func (f matches) cut(from, to int) bool {
	return slices.ContainsFunc(f.cuts, func(at int) bool { return from <= at && at <= to })
}

// widest returns the longest phrase of the lists around a span: “hand grenade” around “grenade”.
func (l *cueIndex) widest(f matches, s span) span {
	for _, p := range f.order {
		for _, o := range f.spans[p] {
			if len(l.by[p]) > 0 && o.from <= s.from && o.to >= s.to && (o.to-o.from > s.to-s.from || o.to-o.from == s.to-s.from && o.from < s.from) {
				s = o
			}
		}
	}
	return s
}

func (l *cueIndex) likeness(f matches, s span) bool {
	return l.imitated(f, s) || l.near(f, l.words[novelty], s, linking, headWithin, nil)
}

// imitated is likeness without goods, such as mugs, that also exist for soldiers.
func (l *cueIndex) imitated(f matches, s span) bool {
	return shapedAfter(f.words, s.to) || shapedBefore(f.words, s.from) || l.near(f, l.words[imitation], s, parting, beginsWithin, nil)
}

// Words after a phrase, and before it, by which the goods only look like what the phrase names.
var (
	likenessAfter  = wordSet("shape shaped style styled like look looking alike motif theme themed effect inspired flavour flavoured scented decorated print printed pattern patterned colour coloured")
	likenessBefore = wordSet("shape shaped form like resembling resemble modelled moulded printed picture image depicting imitation mock fake toy pretend design motif plush cuddly knitted crochet foam cardboard chocolate")
	making         = wordSet("by from on in out")
	likenessFiller = wordSet("of a an the as with on like small large little real old 3 d")
)

// shapedAfter looks at the next word, which does not count if it says how goods are made: “shaped by forging”.
func shapedAfter(words []string, at int) bool {
	return at < len(words) && likenessAfter[words[at]] && !(at+1 < len(words) && making[words[at+1]])
}

// shapedBefore looks back over words such as “of a small”.
func shapedBefore(words []string, at int) bool {
	for at--; at >= 0; at-- {
		if likenessBefore[words[at]] {
			return true
		}
		if !likenessFiller[words[at]] {
			return false
		}
	}
	return false
}

// Words that end the reach of an imitation: goods “and” others, and goods packed “in” others.
var (
	parting = wordSet("and plus in by from against packed")
	linking = wordSet("and plus in by from against packed for")
	// notThing are words after which the word before names no goods: “soap-resistant”, “toy factory”.
	joining  = wordSet("and plus")
	notThing = wordSet("resistant proof free factory machine plant maker production grade safe style")
)

// Distances in words.
const (
	beginsWithin = maxWords // of an imitation from the phrase
	headWithin   = 4        // of the goods whose shape or picture the phrase names
)

// near reports whether one of some phrases names goods within a distance of a span, without a word of ends between them. Words of
// uncounted do not add to the distance.
func (l *cueIndex) near(f matches, phrases []int, s span, ends map[string]bool, within int, uncounted map[string]bool) bool {
	for _, p := range phrases {
		for _, o := range f.spans[p] {
			if o.from < s.to && s.from < o.to || f.apart(o, s) {
				continue // the same words, or another clause
			}
			between := f.words[min(o.to, s.to):max(o.from, s.from)]
			if len(between)-countOf(between, uncounted) <= within && !slices.ContainsFunc(between, func(w string) bool { return ends[w] && !(joining[w] && f.heads(o, s)) }) && !(o.to < len(f.words) && o.to != s.from && o.to != f.heading && notThing[f.words[o.to]]) {
				return true
			}
		}
	}
	return false
}

// countOf is how many words are in a set.
func countOf(words []string, set map[string]bool) (n int) {
	for _, w := range words {
		if set[w] {
			n++
		}
	}
	return n
}

// heads reports whether an imitation heads a list with a span: “toys: guns and tanks”, “books about guns and tanks”.
func (f matches) heads(imitation, s span) bool {
	return imitation.to <= s.from && (imitation.to <= f.heading && f.heading <= s.from || governs(f.words, imitation.to))
}

// longestHeading is the number of words of a first clause that is about all that follow, such as “No. 12, toy;”.
const longestHeading = 3

// apart reports whether an imitation stands in another clause than a phrase: “Rifle. Toy cars.” lists two goods.
func (f matches) apart(imitation, s span) bool {
	if len(f.ends) > 0 && imitation.to <= f.ends[0] && f.ends[0] <= longestHeading {
		return false
	}
	return slices.ContainsFunc(f.ends, func(end int) bool {
		return imitation.to <= end && end <= s.from || s.to <= end && end <= imitation.from
	})
}

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range wordsOf(text) {
		set[w] = true
	}
	return set
}
