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
var known = sync.OnceValue(func() *cueIndex {
	return compile(military, torture, dualUseMatter, dualUseElectronics, dualUseAerospace, endangered(), animals, heritage, drugs, foreign)
})

// maxEntries is the maximum number of entries in a classification.
const maxEntries = 5

// subject is an item with the data derived from it.
type subject struct {
	Item
	descriptionPhrases matches   // in the description
	usePhrases         matches   // in the end use
	goods              []matches // in each of the goods, if the description lists several
	use                Use
	vague              bool // the description does not identify the goods
	unread             bool // most of the description is in an unsupported script
	measure            sanction.Measure

	code      ident.CommodityCode // "" if the code is not a commodity code
	rating    Rating              // zero if the code is not an entry
	malformed bool                // the code is neither a commodity code nor an entry

	entries  []Entry
	findings []rules.Finding
}

// decision is the result for one regime.
type decision struct {
	verdict    Verdict
	regime     Regime
	confidence float64
	why        string
}

// Classify returns the export controls for an item.
func Classify(i Item) Classification {
	m := newSubject(i)
	m.vague = !m.unread && len(m.descriptionPhrases.words) <= longestVague && goods.Vague(i.Description)
	d := m.decide()
	m.remark(d)
	return Classification{
		Verdict: d.verdict, LicenceType: m.licence(d), Regime: d.regime, Entries: m.likeliest(),
		Confidence: rounded(d.confidence), Reasoning: m.reasoning(d), Findings: rules.NewReview(m.findings).Findings,
	}
}

// Entries returns the entries of the control lists that an item may come under, as Classify does, without deciding. It returns none if
// none is of the given regimes, which are of species, drugs, animals or cultural objects.
func Entries(i Item, regimes ...Regime) []Entry {
	m, entries := matched(i)
	if !m.reaches(entries, regimes) {
		return nil
	}
	m.rank(entries)
	return m.likeliest()
}

// reaches reports whether the description or the code is evidence for one of several regimes.
func (m *subject) reaches(entries map[string]Entry, regimes []Regime) bool {
	for name := range entries {
		if slices.Contains(regimes, regimeOf(name)) {
			return true
		}
	}
	sign, ok := longest(m.code)
	return ok && slices.Contains(regimes, regimeOf(sign.entry))
}

func (m *subject) likeliest() []Entry { return m.entries[:min(maxEntries, len(m.entries))] }

func newSubject(i Item) *subject {
	m, entries := matched(i)
	m.rank(entries)
	return m
}

// matched reads an item, and returns the entries that its description names.
func matched(i Item) (*subject, map[string]Entry) {
	i.Description = known().upright(i.Description)
	description := read(i.Description)
	m := &subject{
		Item: i, descriptionPhrases: known().phrases.find(description), usePhrases: known().phrases.find(read(i.EndUse)), measure: sanction.Against(i.Destination),
		unread: unreadable(i.Description), findings: []rules.Finding{},
	}
	m.use = useOf(m.usePhrases)
	if i.EndUser != "" {
		m.use = m.use.or(useOf(known().phrases.find(read(i.EndUser))))
	}
	m.readCode()
	return m, known().candidates(m.descriptionPhrases)
}

// rank weighs the entries by everything else that is known of the item.
func (m *subject) rank(entries map[string]Entry) {
	m.descriptionPhrases.addPlatform(entries)
	m.reduceByCode(entries)
	m.addGoods(entries)
	m.addCode(entries)
	m.addCryptography(entries)
	m.addUse(entries)
	m.rankSoftware(entries)
	m.entries = ranked(entries)
}

// addGoods adds the entries of the goods that the description lists, each judged by its own words: toys in one place say nothing about
// machine guns in another.
func (m *subject) addGoods(entries map[string]Entry) {
	for _, text := range goodsOf(m.Description) {
		f := known().phrases.find(read(text))
		own := known().candidates(f)
		f.addPlatform(own)
		m.goods = append(m.goods, f)
		if m.civilCode() && f.loneWord() {
			continue
		}
		for name, e := range own {
			if strategic(regimeOf(name)) && e.Confidence > entries[name].Confidence {
				entries[name] = e
			}
		}
	}
}

// longestVague is the maximum number of words of a vague description.
const longestVague = 40

func (m *subject) mentions(t topic) bool { return m.descriptionPhrases.mentions(t) }

func (f matches) mentions(t topic) bool {
	_, ok := f.any(known().words[t])
	return ok
}

// every reports whether all of the goods are of one of some topics.
func (m *subject) every(topics ...topic) bool {
	for _, f := range m.goods {
		if !slices.ContainsFunc(topics, f.mentions) {
			return false
		}
	}
	return slices.ContainsFunc(topics, m.mentions)
}

func (m *subject) readCode() {
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

// Factors that reduce the weight of words.
const (
	imitationFactor = 0.35 // a toy or a book is not what it names; a lone word is weaker than a civil code
	mismatchFactor  = 0.5  // the code is for goods that are seldom what the words say
)

// drawingsHeading is the heading of technical drawings, which is in the chapter of books.
const drawingsHeading = "4906"

// strategic reports whether a regime is of arms, torture or dual-use goods.
func strategic(r Regime) bool { return r == Military || r == Torture || r == DualUse }

// reduceByCode reduces the confidence of words that do not fit the commodity code. Species and cultural objects have their own
// words for imitations.
func (m *subject) reduceByCode(entries map[string]Entry) {
	imitated := m.chapter() == "95" || m.chapter() == "49" && m.code.Heading() != drawingsHeading
	lone := m.civilCode() && m.descriptionPhrases.loneWord()
	for name, e := range entries {
		switch r := regimeOf(name); {
		case strategic(r) && imitated, r == Military && lone:
			e.Confidence *= imitationFactor
		case strategic(r) && slices.Contains(chaptersWithoutArms, m.chapter()):
			e.Confidence *= mismatchFactor
		case r == CITES && slices.Contains(chaptersWithoutSpecies, m.chapter()) && !m.mentions(spun):
			e.Confidence *= imitationFactor
		}
		entries[name] = e
	}
}

func (m *subject) chapter() string {
	if m.code == "" {
		return ""
	}
	return m.code.Chapter()
}

// addCode adds the evidence of the code: an entry, which is the exporter's rating, decides; a commodity code only supports.
func (m *subject) addCode(entries map[string]Entry) {
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
	why := "the commodity code " + string(m.code) + " is for such goods"
	if e.Entry == "" {
		entries[sign.entry] = Entry{Entry: sign.entry, Confidence: sign.weight, Why: why}
		return
	}
	e.Confidence, e.Why = min(certain+support, max(e.Confidence, sign.weight)+support), e.Why+", and "+why
	entries[sign.entry] = e
}

// addUse considers parts for weapons: goods specially designed for military goods are military, which only their maker can
// know.
func (m *subject) addUse(entries map[string]Entry) {
	if m.use.ArmedForces == "" || !m.mentions(component) {
		return
	}
	for name, e := range known().candidates(m.usePhrases) {
		if regimeOf(name) == Military && e.Confidence >= needing && entries[name].Confidence < doubting {
			entries[name] = Entry{Entry: name, Confidence: doubting + 0.05, Why: "the end use mentions “" + m.use.ArmedForces + "”, and the goods may be specially designed for it"}
		}
	}
}

// rankSoftware ranks software and technology above the military goods that they are for.
func (m *subject) rankSoftware(entries map[string]Entry) {
	entry := ""
	switch {
	case m.mentions(knowledge):
		entry = "ML22"
	case m.mentions(software):
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

// kindOf names exports that are not goods.
var kindOf = map[string]string{"ML21": "software", "ML22": "technology"}

// ranked returns the entries, the most likely first, without entries that have only hints.
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

// order is the order of regimes if several apply.
var order = []Regime{WMDEndUse, MilitaryEndUse, Sanctions, Military, Torture, DualUse, CITES, Drugs, EHC, Cultural, None}

// best returns the most likely entry of some regimes.
func (m *subject) best(regimes ...Regime) Entry {
	for _, e := range m.entries {
		if slices.Contains(regimes, e.Regime) {
			return e
		}
	}
	return Entry{}
}

func rounded(f float64) float64 { return float64(int(f*100+0.5)) / 100 }
