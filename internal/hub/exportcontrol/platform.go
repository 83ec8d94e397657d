package exportcontrol

import "slices"

// platforms are kinds of goods that are military if a word for the military stands near them.
var platforms = []struct {
	kind  topic
	entry string
}{{ground, "ML6"}, {naval, "ML9"}, {airborne, "ML10"}, {signals, "ML11"}, {training, "ML14"}}

// platformDistance is the maximum number of words between a platform and the word for the military, without small words.
const platformDistance = 4

// small are words that are not counted: “to be used by the”.
var small = wordSet("a an the of for to by in on at with and or be is are as")

// platformParts are words for parts of platforms, besides those of the topic component.
var platformParts = wordSet("engine wheel tyre propeller gearbox windscreen radiator")

// civilSetting are words for places and goods of peace.
var civilSetting = wordSet("museum film history surplus demilitarised decommissioned former ex")

// addPlatform adds the entry of a platform that stands within a few words of a word for the military, in any order: “trucks for the
// army”, “vehicle painted for military service”.
func (f matches) addPlatform(entries map[string]Entry) {
	l := known()
	if slices.ContainsFunc(f.words, func(w string) bool { return civilSetting[w] }) {
		return
	}
	weight := likely
	if f.mentions(component) || slices.ContainsFunc(f.words, func(w string) bool { return platformParts[w] }) {
		weight = possible
	}
	for _, p := range platforms {
		word := l.beside(f, p.kind)
		if word == "" || entries[p.entry].Confidence >= weight {
			continue
		}
		entries[p.entry] = Entry{Entry: p.entry, Confidence: weight, Why: "the description says “" + word + "” near a word for the military"}
	}
}

// beside returns the first phrase of a topic that a word for the military stands near, and that is no likeness.
func (l *cueIndex) beside(f matches, t topic) string {
	for _, p := range l.words[t] {
		for _, s := range f.spans[p] {
			if !l.likeness(f, s) && l.near(f, l.words[soldierly], s, joining, platformDistance, small) {
				return f.text[p]
			}
		}
	}
	return ""
}

// soldierly returns the first word for the military in the description that is no likeness.
func (f matches) soldierly() string {
	l := known()
	for _, p := range l.words[soldierly] {
		if slices.ContainsFunc(f.spans[p], func(s span) bool { return !l.imitated(f, s) }) {
			return f.text[p]
		}
	}
	return ""
}

// loneWord reports whether a single word of the description is all that hints at arms.
func (f matches) loneWord() bool {
	l, found := known(), ""
	if f.soldierly() != "" || f.mentions(component) {
		return false
	}
	for _, p := range f.order {
		if len(l.by[p]) == 0 || !slices.ContainsFunc(l.by[p], func(i int) bool { return regimeOf(l.signs[i].entry) == Military && l.signs[i].fires(f) }) {
			continue
		}
		if word := f.text[p]; slices.ContainsFunc(f.spans[p], func(s span) bool { return s.to-s.from > 1 }) || found != "" && found != word {
			return false
		}
		found = f.text[p]
	}
	return found != ""
}

// civilCode reports whether the commodity code is for goods that are never arms.
func (m *subject) civilCode() bool {
	return m.code != "" && (slices.Contains(civilChapters, m.chapter()) || slices.Contains(civilHeadings, m.code.Heading()))
}
