package exportcontrol

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// nounsText names the goods of chapters and headings without arms and without species. It is made from the words of the
// project's own nomenclature (internal/tariff/own) by go test ./internal/hub/exportcontrol -update.
//
//go:embed nouns.txt
var nounsText string

// nounSets are the singular nouns at the end of names of goods.
type nounSets struct {
	civil    map[string]bool // mostly under headings without arms
	lifeless map[string]bool // nearly only under chapters without endangered species
	woodless map[string]bool // nearly only under chapters of goods that are never of wood
}

var nouns = sync.OnceValue(func() nounSets {
	sets := map[string]map[string]bool{}
	for line := range strings.Lines(nounsText) {
		if name, words, found := strings.Cut(strings.TrimSpace(line), ": "); found && !strings.HasPrefix(line, "#") {
			sets[name] = map[string]bool{}
			for w := range strings.FieldsSeq(words) {
				sets[name][w] = true
			}
		}
	}
	return nounSets{sets["civil"], sets["lifeless"], sets["woodless"]}
})

// partsOfArms are nouns of goods, but also of parts of arms and of what arms shoot.
var partsOfArms = wordSet(`accessory arm ball band bar barrel base bench blade block body bolt box breech buckshot buffer bush cap carrier canister cartridge case casing catch chain chamber charge clip coil container core cover cylinder disc drum
	filler fin forend frame fuse fuze grip guard hammer handle handguard head holder jacket launcher link lock magazine mount muzzle nose nozzle nut pellet pin plate plug pod powder primer rail rack range ring rod round receiver sabot scope screw seat shaft shell shot sight sleeve
	sling spacer spring stand stock strip tail target tester top tower track trigger tripod tube tunnel turret wad warhead washer wheel wing`)

// endsWith reports whether the noun that ends the name of the goods after a span names goods of a set: “onions” after
// “torpedo”.
func (f matches) endsWith(set map[string]bool, s span) bool {
	head := s.to
	for head < len(f.words) && head-s.to <= headWithin && !f.endsName(head) {
		head++
	}
	for head--; head >= s.to && qualifies(f.words[head]); head-- {
	}
	if head < s.to || head-s.to > headWithin || f.cut(s.to, head) {
		return false
	}
	noun := f.words[head]
	return set[noun] || set[strings.TrimSuffix(noun, "er")] // a puncher is a punch
}

// tinted reports whether a span only says which colour goods have that are never of wood: “ebony hair dye”, “curtains, mahogany”.
func (f matches) tinted(s span) bool {
	if f.endsWith(nouns().woodless, s) {
		return true
	}
	return s.to == len(f.words) && s.from > 0 && f.cut(s.from, s.from) && nouns().woodless[f.words[s.from-1]]
}

// qualities are words for materials and colours, which may follow a noun: “hooks, stainless”.
var qualities = wordSet(`aluminium alloy black blue brass bronze brown canvas carbon cardboard ceramic chrome composite copper cotton fabric foam galvanised glass gold green grey iron leather metal nylon orange paper pink plastic
	polyester polymer purple red rubber silk silver stainless steel stone titanium vinyl white wood wooden wool yellow zinc`)

// qualifies reports whether a word only says what the noun before it is like or is for, such as “stainless” and “gaming”.
func qualifies(word string) bool { return qualities[word] || strings.HasSuffix(word, "ing") }

// plural reports whether the last word of a span stood in the plural, so that it is itself the noun: “detonators electric”.
func (f matches) plural(s span) bool {
	_, found := slices.BinarySearch(f.plurals, s.to-1)
	return found
}

// agents are names of ships and aircraft that also say what goods do.
var agents = wordSet("destroyer fighter bomber")

// actsOn reports whether a span says what goods do to the thing before it: “paper destroyer”.
func (f matches) actsOn(s span) bool {
	if s.from == 0 || !agents[f.words[s.from]] || f.cut(s.from, s.from) {
		return false
	}
	thing := f.words[s.from-1]
	return nouns().civil[thing] || nouns().lifeless[thing]
}

// workshop are machines that shape or move materials. What is for them is not for arms, though it may be called a head or a cylinder.
var workshop = wordSet("lathe mill saw planer router grinder sander shaper loom crane conveyor printer mixer extruder machining turning milling drilling")

// partFor reports whether a span only says which part of civil goods the goods are: “revolver heads for lathes”. But for those of a
// workshop, the noun behind it may not be one of a part of arms.
func (f matches) partFor(s span) bool {
	head := s.to
	for head < len(f.words) && head-s.to <= headWithin && !f.endsName(head) {
		head++
	}
	if head == s.to || head == len(f.words) || f.words[head] != "for" || f.cut(s.to, head) {
		return false
	}
	noun := head + 1
	for noun < len(f.words) && noun-head <= headWithin && !f.endsName(noun) {
		noun++
	}
	last := f.words[noun-1]
	if workshop[last] {
		return true
	}
	return noun > head+1 && !partsOfArms[f.words[head-1]] && (nouns().civil[last] || nouns().lifeless[last]) && !partsOfArms[last]
}

// onRoad reports whether a phrase is one word, and the description has parts that only road vehicles have: “Corvette brake discs”.
func (f matches) onRoad(phrase int) bool {
	return f.mentions(road) && f.soldierly() == "" && !slices.ContainsFunc(f.spans[phrase], func(s span) bool { return s.to-s.from > 1 })
}
