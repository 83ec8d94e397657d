package exportcontrol

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
)

// decide checks the regimes in order: end use, destination, then the goods. The most severe verdict counts, and of equal
// verdicts the first.
func (m *subject) decide() decision {
	best := m.unlisted()
	for _, d := range []decision{m.massDestruction(), m.militaryEndUse(), m.sanctioned(), m.listed()} {
		if verdictRank[d.verdict] > verdictRank[best.verdict] || verdictRank[d.verdict] == verdictRank[best.verdict] && best.regime == None && d.regime != "" {
			best = d
		}
	}
	return best
}

var verdictRank = map[Verdict]int{Free: 1, Probably: 2, Needs: 3}

func (m *subject) massDestruction() decision {
	if m.use.MassDestruction == "" {
		return decision{}
	}
	return decision{Needs, WMDEndUse, 0.92, fmt.Sprintf("The end use mentions “%s”: all goods for weapons of mass destruction need a licence.", m.use.MassDestruction)}
}

func (m *subject) militaryEndUse() decision {
	if !MilitaryEmbargo(m.Destination) || m.best(Military).Confidence >= doubting {
		return decision{}
	}
	if word := m.descriptionPhrases.soldierly(); word != "" {
		return decision{Needs, MilitaryEndUse, 0.75, fmt.Sprintf("The description says “%s”, and %s is under an arms embargo: all goods for a military end use there need a licence.", word, m.Destination)}
	}
	if m.use.ArmedForces == "" {
		return decision{}
	}
	return decision{Needs, MilitaryEndUse, 0.85, fmt.Sprintf("The end use mentions “%s”, and %s is under an arms embargo: all goods for a military end use there need a licence.", m.use.ArmedForces, m.Destination)}
}

// sanctioned checks the measures against a country. The regulations decide about exempt goods; here only clearly exempt goods
// count.
func (m *subject) sanctioned() decision {
	law := m.measure.Regime
	if place := m.occupied(); place != "" {
		return decision{Needs, Sanctions, 0.9, fmt.Sprintf("%s is in the part of Ukraine that its government does not control, where trade is prohibited without a licence.", place)}
	}
	switch m.measure.Level {
	case sanction.Prohibited:
		if m.exempted() && m.Destination != "KP" {
			return decision{Probably, Sanctions, 0.55, fmt.Sprintf("The %s prohibit most goods, but such goods may be exempt.", law)}
		}
		return decision{Needs, Sanctions, 0.9, fmt.Sprintf("The %s prohibit nearly all goods for %s without a licence.", law, m.Destination)}
	case sanction.Extensive:
		switch {
		case m.best(Military, Torture, DualUse).Confidence >= doubting:
			return decision{Needs, Sanctions, 0.9, fmt.Sprintf("The %s prohibit goods on the control lists.", law)}
		case HighPriority(m.code):
			return decision{Needs, Sanctions, 0.85, fmt.Sprintf("%s is on the common high priority list, and %s is under the %s.", m.code, m.Destination, law)}
		case !m.everyday():
			return decision{Probably, Sanctions, 0.5, fmt.Sprintf("The %s cover entire sectors of industrial goods.", law)}
		}
	}
	if m.Destination == "LY" && m.mentions(boats) || m.Destination == "MM" && m.mentions(fuels) {
		return decision{Needs, Sanctions, 0.85, fmt.Sprintf("The %s name these goods.", law)}
	}
	return decision{}
}

// occupied returns the place in occupied Ukraine to which the item goes.
func (m *subject) occupied() string {
	if m.Destination != "UA" && m.Destination != "RU" {
		return ""
	}
	place, _ := m.usePhrases.any(known().words[occupation])
	if place == "" {
		place, _ = known().phrases.find(read(m.EndUser)).any(known().words[occupation])
	}
	if place == "" {
		return ""
	}
	return strings.ToUpper(place[:1]) + place[1:]
}

// exempted reports whether the goods are food, medicine, books or other basic goods.
func (m *subject) exempted() bool {
	return m.every(harmless) && !m.mentions(luxury) && m.best(Military, Torture, DualUse, CITES).Confidence < doubting
}

func (m *subject) everyday() bool {
	switch {
	case m.code != "" && slices.Contains(sanctionedSectors, m.chapter()):
		return false
	case m.code != "" && slices.Contains(everydayChapters, m.chapter()):
		return true
	}
	return m.every(harmless, ordinary) && !m.mentions(industry)
}

// listed checks the goods against the lists.
func (m *subject) listed() decision {
	for _, floor := range []struct {
		least   float64
		verdict Verdict
	}{{needing, Needs}, {doubting, Probably}} {
		for _, regime := range order {
			e := m.best(regime)
			if e.Confidence < floor.least || !m.applies(regime) {
				continue
			}
			verdict := floor.verdict
			if regime == Military && MilitaryEmbargo(m.Destination) {
				verdict = Needs // in doubt, no arms go to a country under an embargo
			}
			if regime == EHC && m.Destination == "XI" {
				verdict = Probably // a certificate, or the retail movement scheme
			}
			return decision{verdict, regime, e.Confidence, fmt.Sprintf("%s, %s: %s.", e.Entry, e.Title, e.Why)}
		}
	}
	return decision{}
}

// applies reports whether a regime applies to the destination. Strategic goods move freely within the United Kingdom.
func (m *subject) applies(r Regime) bool {
	switch m.Destination {
	case "GB":
		return false
	case "XI":
		return r == CITES || r == EHC
	}
	return true
}

// unlisted is the decision without evidence for a control. Unreadable or vague descriptions are not free.
func (m *subject) unlisted() decision {
	const sure, unread = 0.92, 0.3
	switch {
	case m.unread && m.code == "":
		return decision{Probably, None, unread, "The description is in an unsupported script, and there is no commodity code for the goods."}
	case m.vague && m.code == "":
		return decision{Probably, None, unread, "The description does not identify the goods, and there is no commodity code."}
	}
	confidence := sure
	if len(m.entries) > 0 {
		confidence -= m.entries[0].Confidence / 2
	}
	if m.unread || m.vague {
		confidence -= unread
	}
	return decision{Free, None, confidence, "Description, code, end use and destination give no evidence of a control."}
}

// unreadable reports whether most of a text is in another script.
func unreadable(text string) bool {
	read, other := 0, 0
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			if r|0x20 >= 'a' && r|0x20 <= 'z' {
				read++
			}
		case r < firstBeyond:
			read++
		case unicode.IsLetter(r):
			other++
		}
	}
	return other > read
}

// firstBeyond is the first letter after the Latin ones.
const firstBeyond = 0x250
