package exportcontrol

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
)

// decide asks the regimes in their order: what anything is used for, where it goes,
// and then what it is. The gravest verdict counts, and of two the same the first.
func (m *matter) decide() decision {
	best := m.unlisted()
	for _, d := range []decision{m.massDestruction(), m.militaryEndUse(), m.sanctioned(), m.listed()} {
		if gravity[d.verdict] > gravity[best.verdict] || gravity[d.verdict] == gravity[best.verdict] && best.regime == None && d.regime != "" {
			best = d
		}
	}
	return best
}

var gravity = map[Verdict]int{Free: 1, Probably: 2, Needs: 3}

func (m *matter) massDestruction() decision {
	if m.use.MassDestruction == "" {
		return decision{}
	}
	return decision{Needs, WMDEndUse, 0.92, fmt.Sprintf("The end use speaks of “%s”: goods that are or may be for weapons of mass destruction need a licence, whatever they are.", m.use.MassDestruction)}
}

func (m *matter) militaryEndUse() decision {
	if m.use.ArmedForces == "" || !MilitaryEmbargo(m.Destination) || m.best(Military).Confidence >= needing {
		return decision{}
	}
	return decision{Needs, MilitaryEndUse, 0.85, fmt.Sprintf("The end use speaks of “%s”, and %s is under an arms embargo: goods for a military end use there need a licence, whatever they are.", m.use.ArmedForces, m.Destination)}
}

// sanctioned weighs the measures against a country. What they spare is for the
// regulations to say; here it counts as spared only where it plainly is.
func (m *matter) sanctioned() decision {
	law := m.measure.Regime
	if place := m.occupied(); place != "" {
		return decision{Needs, Sanctions, 0.9, fmt.Sprintf("%s lies in the part of Ukraine that is not under its government's control, where trade is prohibited but for a licence.", place)}
	}
	switch m.measure.Level {
	case sanction.Prohibited:
		if m.spared() && m.Destination != "KP" {
			return decision{Probably, Sanctions, 0.55, fmt.Sprintf("Goods such as these may be spared by the %s, which prohibit most others.", law)}
		}
		return decision{Needs, Sanctions, 0.9, fmt.Sprintf("The %s prohibit practically all goods for %s but under a licence.", law, m.Destination)}
	case sanction.Extensive:
		switch {
		case m.best(Military, Torture, DualUse).Confidence >= doubting:
			return decision{Needs, Sanctions, 0.9, fmt.Sprintf("The %s prohibit goods on the control lists.", law)}
		case HighPriority(m.code):
			return decision{Needs, Sanctions, 0.85, fmt.Sprintf("%s is on the common high priority list, and %s is under the %s.", m.code, m.Destination, law)}
		case !m.everyday():
			return decision{Probably, Sanctions, 0.5, fmt.Sprintf("The %s reach whole sectors of industrial goods.", law)}
		}
	}
	if m.Destination == "LY" && m.speaks(boats) || m.Destination == "MM" && m.speaks(fuels) {
		return decision{Needs, Sanctions, 0.85, fmt.Sprintf("The %s name these goods.", law)}
	}
	return decision{}
}

// occupied is the place in occupied Ukraine that the item goes to.
func (m *matter) occupied() string {
	if m.Destination != "UA" && m.Destination != "RU" {
		return ""
	}
	place, _ := m.purpose.any(known().words[occupation])
	if place == "" {
		place, _ = known().book.find(wordsOf(m.EndUser)).any(known().words[occupation])
	}
	if place == "" {
		return ""
	}
	return strings.ToUpper(place[:1]) + place[1:]
}

// spared tells of food, medicine, books and what else is for people's needs.
func (m *matter) spared() bool {
	return m.speaks(harmless) && !m.speaks(luxury) && m.best(Military, Torture, DualUse, CITES).Confidence < doubting
}

func (m *matter) everyday() bool {
	switch {
	case m.code != "" && slices.Contains(industrial, m.chapter()):
		return false
	case m.code != "" && slices.Contains(everyday, m.chapter()):
		return true
	}
	return (m.speaks(harmless) || m.speaks(ordinary)) && !m.speaks(industry)
}

// listed weighs what the goods are.
func (m *matter) listed() decision {
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
			if regime == EHC && m.Destination == "XI" {
				verdict = Probably // a certificate, or the retail movement scheme
			}
			return decision{verdict, regime, e.Confidence, fmt.Sprintf("%s, %s: %s.", e.Entry, e.Title, e.Why)}
		}
	}
	return decision{}
}

// applies tells whether a regime knows a border to the destination: within the
// United Kingdom strategic goods move freely.
func (m *matter) applies(r Regime) bool {
	switch m.Destination {
	case "GB":
		return false
	case "XI":
		return r == CITES || r == EHC
	}
	return true
}

// unlisted is the answer where nothing points to a control. What cannot be read, or
// says nothing, is not free for that.
func (m *matter) unlisted() decision {
	const sure, unread = 0.92, 0.3
	switch {
	case m.unread && m.code == "":
		return decision{Probably, None, unread, "The description cannot be read here, and no tariff code says what the goods are."}
	case m.vague && m.code == "":
		return decision{Probably, None, unread, "The description could be anything, and no tariff code says what the goods are."}
	}
	confidence := sure
	if len(m.entries) > 0 {
		confidence -= m.entries[0].Confidence / 2
	}
	if m.unread || m.vague {
		confidence -= unread
	}
	return decision{Free, None, confidence, "Nothing in description, code, end use and destination points to a control."}
}

// unreadable tells of a text that is for the greater part in another script.
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

// firstBeyond is the first letter beyond the Latin ones.
const firstBeyond = 0x250
