package exportcontrol

import "slices"

// purpose are words after which goods are only what others are for: “ear defenders for fireworks”.
var purpose = wordSet("for against")

// Pyrotechnic reports whether a description names fireworks or other pyrotechnic articles, and not only their likeness or
// goods to be used with them. They need no export licence, but are explosives where they arrive.
func Pyrotechnic(description string) bool { return names(description, pyrotechnic) }

// Explosive reports the same of explosives, their fuses and detonators.
func Explosive(description string) bool { return names(description, blasting) }

// names reports whether a description names goods of a topic.
func names(description string, t topic) bool {
	texts := goodsOf(description)
	if texts == nil {
		texts = []string{description}
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		return known().stands(known().phrases.find(read(text)), t)
	})
}

// stands reports whether a phrase of a topic stands for goods.
func (l *cueIndex) stands(f matches, t topic) bool {
	for _, p := range l.words[t] {
		for _, s := range f.spans[p] {
			if !l.likeness(f, s) && !l.attribute(f, s) && !(s.from > 0 && purpose[f.words[s.from-1]]) {
				return true
			}
		}
	}
	return false
}
