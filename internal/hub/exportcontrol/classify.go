package exportcontrol

import (
	"cmp"
	"slices"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// known returns the tables of the classifier, which are compiled at its first use.
var known = sync.OnceValue(func() *lists {
	return compile(military, torture, dualUseMatter, dualUseElectronics, dualUseAerospace, endangered, animals, heritage, drugs, foreign)
})

// maxEntries is how many candidates an answer names.
const maxEntries = 5

// matter is an item and what was read from it.
type matter struct {
	Item
	said    found // by the description
	purpose found // by the end use
	use     Use
	vague   bool // the description could be anything
	unread  bool // most of it is in a script that is not read
	measure sanction.Measure

	code      ident.CommodityCode // none where the code is no tariff code
	rating    Rating              // none where the code is no entry
	malformed bool                // the code is neither

	entries  []Entry
	findings []rules.Finding
}

// decision is the part of an answer that follows from one regime.
type decision struct {
	verdict    Verdict
	regime     Regime
	confidence float64
	why        string
}

// Classify says under which controls an item falls.
func Classify(i Item) Classification {
	m := read(i)
	d := m.decide()
	m.remark(d)
	return Classification{
		Verdict: d.verdict, LicenceType: m.licence(d), Regime: d.regime, Entries: m.entries[:min(maxEntries, len(m.entries))],
		Confidence: rounded(d.confidence), Reasoning: m.reasoning(d), Findings: rules.NewReview(m.findings).Findings,
	}
}

func read(i Item) *matter {
	words := wordsOf(i.Description)
	m := &matter{
		Item: i, said: known().book.find(words), purpose: known().book.find(wordsOf(i.EndUse)), measure: sanction.Against(i.Destination),
		unread: unreadable(i.Description), findings: []rules.Finding{},
	}
	m.vague = !m.unread && len(words) <= longestVague && goods.Vague(i.Description)
	m.use = useOf(m.purpose)
	if i.EndUser != "" {
		m.use = m.use.or(useOf(known().book.find(wordsOf(i.EndUser))))
	}
	m.readCode()
	entries := known().candidates(m.said)
	m.damp(entries)
	m.weighCode(entries)
	m.weighCryptography(entries)
	m.weighUse(entries)
	m.weighKnowledge(entries)
	m.entries = ranked(entries)
	return m
}

// longestVague is how many words may say nothing.
const longestVague = 40

func (m *matter) speaks(t topic) bool {
	_, ok := m.said.any(known().words[t])
	return ok
}

func (m *matter) readCode() {
	if m.Code == "" {
		return
	}
	if code, err := ident.ParseCommodityCode(m.Code); err == nil && goods.HeadingExists(code.Heading()) {
		m.code = code
		return
	}
	rating, ok := ParseRating(m.Code)
	m.rating, m.malformed = rating, !ok
}

// Factors by which words lose weight.
const (
	playful = 0.35 // a toy or a book only looks like what it names
	unlike  = 0.5  // the code is of goods that are seldom what the words say: still worth a question
)

// plans is the heading of technical drawings, which stand in the chapter of books.
const plans = "4906"

// damp lowers what the words only seem to say: of imitations, and under a tariff code
// of other goods. What grows or is old has its own words for imitations.
func (m *matter) damp(entries map[string]Entry) {
	imitated := m.speaks(imitation) || m.chapter() == "95" || m.chapter() == "49" && m.code.Heading() != plans
	for name, e := range entries {
		switch r := regimeOf(name); {
		case (r == Military || r == Torture || r == DualUse) && imitated:
			e.Confidence *= playful
		case (r == Military || r == Torture || r == DualUse) && slices.Contains(unarmed, m.chapter()):
			e.Confidence *= unlike
		case r == CITES && slices.Contains(lifeless, m.chapter()) && !m.speaks(spun):
			e.Confidence *= playful
		}
		entries[name] = e
	}
}

func (m *matter) chapter() string {
	if m.code == "" {
		return ""
	}
	return m.code.Chapter()
}

// weighCode adds what the code says: an entry that somebody has rated the goods
// with decides, a tariff code supports.
func (m *matter) weighCode(entries map[string]Entry) {
	const support = 0.04
	if m.rating.Entry != "" {
		weight := strong
		if m.rating.Known {
			weight = certain
		}
		entries[m.rating.Entry] = Entry{Entry: m.rating.Entry, Confidence: weight, Why: "the goods are rated " + m.Code}
	}
	if m.code == "" {
		return
	}
	sign, ok := longest(m.code)
	if !ok {
		return
	}
	e := entries[sign.entry]
	why := "the tariff code " + string(m.code) + " is of such goods"
	if e.Entry == "" {
		entries[sign.entry] = Entry{Entry: sign.entry, Confidence: sign.weight, Why: why}
		return
	}
	e.Confidence, e.Why = min(certain+support, max(e.Confidence, sign.weight)+support), e.Why+", and "+why
	entries[sign.entry] = e
}

// weighUse takes parts for weapons into account: what is specially designed for
// military goods is military itself, and only its maker can say.
func (m *matter) weighUse(entries map[string]Entry) {
	if m.use.ArmedForces == "" || !m.speaks(component) {
		return
	}
	for name, e := range known().candidates(m.purpose) {
		if regimeOf(name) == Military && e.Confidence >= needing && entries[name].Confidence < doubting {
			entries[name] = Entry{Entry: name, Confidence: doubting + 0.05, Why: "the end use says “" + m.use.ArmedForces + "”, and the goods may be made for it"}
		}
	}
}

// weighKnowledge puts software and technology before the military goods that they
// are for.
func (m *matter) weighKnowledge(entries map[string]Entry) {
	entry := ""
	switch {
	case m.speaks(knowledge):
		entry = "ML22"
	case m.speaks(software):
		entry = "ML21"
	default:
		return
	}
	best := Entry{}
	for name, e := range entries {
		if regimeOf(name) == Military && (e.Confidence > best.Confidence || e.Confidence == best.Confidence && name < best.Entry) {
			best = e
		}
	}
	if best.Confidence >= doubting && best.Entry != "ML21" && best.Entry != "ML22" {
		entries[entry] = Entry{Entry: entry, Confidence: min(1, best.Confidence+0.01), Why: best.Why + ", and it is " + kindOf[entry]}
	}
}

// kindOf says what is exported where no goods are.
var kindOf = map[string]string{"ML21": "software", "ML22": "technology"}

// ranked are the entries with the likeliest first; hints alone are no candidates.
func ranked(entries map[string]Entry) []Entry {
	all := make([]Entry, 0, len(entries))
	for name, e := range entries {
		if e.Confidence <= hint {
			continue
		}
		e.Title, e.Regime, e.Confidence = titleOf(name), regimeOf(name), rounded(e.Confidence)
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(slices.Index(order, a.Regime), slices.Index(order, b.Regime)), cmp.Compare(a.Entry, b.Entry))
	})
	return all
}

// order is that in which regimes are named where several apply.
var order = []Regime{WMDEndUse, MilitaryEndUse, Sanctions, Military, Torture, DualUse, CITES, Drugs, EHC, Cultural, None}

// best is the likeliest entry of some regimes.
func (m *matter) best(regimes ...Regime) Entry {
	for _, e := range m.entries {
		if slices.Contains(regimes, e.Regime) {
			return e
		}
	}
	return Entry{}
}

func rounded(f float64) float64 { return float64(int(f*100+0.5)) / 100 }
