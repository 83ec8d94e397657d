package exportcontrol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
)

// Sources of the findings.
const (
	consolidated = "UK Strategic Export Control Lists (consolidated list)"
	endUseLaw    = "Export Control Order 2008 and Regulation (EC) No 428/2009 as retained, Article 4: end-use controls"
	cryptoNote   = "UK Dual-Use List, Category 5 Part 2, Note 3 (Cryptography Note)"
	evasion      = "GOV.UK: Countering Russian sanctions evasion: the common high priority list"
	tortureLaw   = "Regulation (EU) 2019/125 as retained (goods for capital punishment and torture)"
)

func (m *matter) note(code string, severity rules.Severity, field, message, suggestion, source string) {
	m.findings = append(m.findings, rules.Finding{Code: code, Severity: severity, Field: field, Message: message, Suggestion: suggestion, Source: source})
}

// Fields of the question that findings are about.
const (
	fieldDescription  = "productDescription"
	fieldCode         = "productCode"
	fieldEndUse       = "endUse"
	FieldDestination  = "destinationCountry" // a stored record has another name for it
	fieldCryptography = "hasCryptography"
)

// remark says what else there is to look at.
func (m *matter) remark(d decision) {
	m.remarkUse()
	m.remarkDestination(d)
	m.remarkGoods(d)
	m.remarkText()
	m.remarkCryptography()
	if d.regime == DualUse && m.generally(d) {
		m.note("CTL-011", rules.Info, FieldDestination, fmt.Sprintf("An open general licence may cover %s to %s.", m.best(DualUse).Entry, m.Destination),
			"Read the terms of the open general licence and register for it before its first use, or within 30 days where it says so.", "GOV.UK: Open general export licences (OGELs)")
	}
}

func (m *matter) remarkUse() {
	if words := m.use.MassDestruction; words != "" {
		m.note("CTL-001", rules.Blocker, fieldEndUse, fmt.Sprintf("The end use says “%s”.", words),
			"Do not export; tell the Export Control Joint Unit and apply for a licence.", endUseLaw)
	}
	if words := m.use.ArmedForces; words != "" {
		severity, advice := rules.Info, "Make sure that the goods are not specially designed or modified for military use."
		if MilitaryEmbargo(m.Destination) {
			severity, advice = rules.Blocker, "Do not export without a licence; ask the Export Control Joint Unit."
		}
		m.note("CTL-002", severity, fieldEndUse, fmt.Sprintf("The end use or the end user says “%s”.", words), advice, endUseLaw)
	}
	if words, ok := m.purpose.any(known().words[civilNuclear]); ok && m.use.MassDestruction == "" {
		m.note("CTL-003", rules.Info, fieldEndUse, fmt.Sprintf("The end use says “%s”.", words),
			"Keep proof of the civil use and of safeguards; goods for a nuclear use may need a licence of their own.", endUseLaw)
	}
}

func (m *matter) remarkDestination(d decision) {
	listed := m.best(Military, Torture, DualUse).Confidence >= doubting
	switch level := m.measure.Level; {
	case level >= sanction.Extensive:
		severity := rules.Warning
		if d.regime == Sanctions && d.verdict == Needs {
			severity = rules.Blocker
		}
		m.note("CTL-004", severity, FieldDestination, fmt.Sprintf("%s is under the %s.", m.Destination, m.measure.Regime),
			"Stop and screen goods and parties; export only under a licence or a stated exception.", "Sanctions and Anti-Money Laundering Act 2018")
	case level == sanction.Embargo:
		severity := rules.Info
		if listed {
			severity = rules.Warning
		}
		if m.best(Military).Confidence >= needing && m.Destination != "CN" && m.Destination != "HK" {
			severity = rules.Blocker
		}
		m.note("CTL-005", severity, FieldDestination, fmt.Sprintf("%s is under an arms embargo: %s.", m.Destination, m.measure.Regime),
			"Screen the end user and ask what the goods are for; arms are not licensed but for exceptions.", endUseLaw)
	case level == sanction.Financial:
		m.note("CTL-006", rules.Info, FieldDestination, fmt.Sprintf("Persons are designated under the %s.", m.measure.Regime), "Screen the end user against the UK Sanctions List.", "UK Sanctions List")
	case level == sanction.Transhipped && (HighPriority(m.code) || listed):
		m.note("CTL-007", rules.Warning, FieldDestination, fmt.Sprintf("%s is on known detours to Russia, and goods of this kind are sought there.", m.Destination),
			"Ask who will use the goods, and have it undertaken that they are not passed on to Russia or Belarus.", evasion)
	}
	if m.Destination == "GB" || m.Destination == "XI" {
		m.note("CTL-008", rules.Info, FieldDestination, fmt.Sprintf("%s is in the United Kingdom: strategic goods need no licence to move there.", m.Destination),
			"Name the country where the goods will be used in the end.", "Export Control Order 2008, article 2: export from the United Kingdom")
	}
}

// barred are words for goods that nobody may deal in.
const barred = "anti personnel mine, anti personnel landmine, cluster munition, cluster bomb, bomblet, submunition, blinding laser"

func (m *matter) remarkGoods(d decision) {
	if m.best(Torture).Entry == "Annex II" && m.best(Torture).Confidence >= needing {
		m.note("CTL-009", rules.Blocker, fieldDescription, "Goods of Annex II have no use but execution and torture, and their export is prohibited.", "Do not export.", tortureLaw)
	}
	if words, ok := m.said.any(known().barred); ok && m.best(Military).Confidence >= needing {
		m.note("CTL-010", rules.Blocker, fieldDescription, fmt.Sprintf("The description says “%s”: no licence is granted for such goods.", words), "Do not export.",
			"Landmines Act 1998; Cluster Munitions (Prohibitions) Act 2010; Protocol IV to the Convention on Certain Conventional Weapons")
	}
	for _, regime := range []Regime{CITES, EHC, Drugs, Cultural} {
		e := m.best(regime)
		if e.Confidence < doubting || !m.applies(regime) {
			continue
		}
		if regime != d.regime {
			m.note("CTL-012", rules.Warning, fieldDescription, fmt.Sprintf("Besides, %s: %s.", e.Title, e.Why), "Apply for "+papers[regime]+" too.", sources[regime])
		} else if m.licence(d) == nil {
			m.note("CTL-013", rules.Warning, fieldDescription, fmt.Sprintf("%s: %s.", e.Title, e.Why), "Apply for "+papers[regime]+"; none of the types here is it.", sources[regime])
		}
	}
	if m.speaks(knowledge) && m.best(Military, DualUse).Confidence >= doubting {
		m.note("CTL-014", rules.Info, fieldDescription, "Software and technology are exported by e-mail, by download and by access from abroad as well.",
			"Cover every way of transfer in the application, and keep records of them.", "Export Control Order 2008, articles 6 and 18: transfer by electronic means")
	}
}

var papers = map[Regime]string{
	CITES: "a CITES permit at the Animal and Plant Health Agency", EHC: "an export health certificate", Drugs: "a licence at the Home Office", Cultural: "an export licence at Arts Council England",
}

var sources = map[Regime]string{
	CITES: "Regulation (EC) No 338/97 as retained", EHC: "GOV.UK: Get an export health certificate", Drugs: "Misuse of Drugs Act 1971; GOV.UK: Controlled drugs: import and export licences",
	Cultural: "Export of Objects of Cultural Interest (Control) Order 2003",
}

func (m *matter) remarkText() {
	switch {
	case m.unread:
		m.note("CTL-015", rules.Warning, fieldDescription, "Most of the description is not in Latin letters and was not read.", "Describe the goods in English.", consolidated)
	case m.vague:
		m.note("CTL-016", rules.Warning, fieldDescription, fmt.Sprintf("%q could be anything.", shortened(m.Description)), "Say what the goods are, what they do and how well: the figures decide.", consolidated)
	}
	switch {
	case m.malformed:
		m.note("CTL-017", rules.Warning, fieldCode, fmt.Sprintf("%q is neither an entry of the control lists nor a tariff code.", shortened(m.Code)), "Give an entry such as 5A002.a, or the tariff code.", consolidated)
	case m.rating.Entry != "" && !m.rating.Known:
		m.note("CTL-018", rules.Warning, fieldCode, fmt.Sprintf("The control lists have no entry %s.", m.rating.Entry), "Look the goods up in the consolidated list.", consolidated)
	}
}

func (m *matter) remarkCryptography() {
	e := m.best(DualUse)
	says := m.Cryptography != nil && *m.Cryptography
	switch {
	case m.exempt() && says:
		m.note("CTL-019", rules.Info, fieldCryptography, "The goods look like ones that the Cryptography Note or a fixed purpose takes out of control.",
			"Keep proof: sold without restriction to the public, cryptography that the user cannot easily change, installed without much help.", cryptoNote)
	case slices.Contains([]string{"5A002", "5D002", "5E002"}, e.Entry):
		m.note("CTL-020", rules.Info, fieldCryptography, "Whether cryptography is controlled depends on key lengths, on its purpose and on how the goods are sold.",
			"Answer: symmetric keys over 56 bits or their equal? Secrecy its purpose? Sold to everybody? Can the user change it?", cryptoNote)
	}
}

// shortened is a text as a message quotes it.
func shortened(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// licence is what to apply for.
func (m *matter) licence(d decision) *string {
	kind := ""
	switch d.regime {
	case Military, Torture:
		kind = licenceStrategic
	case Sanctions:
		kind = licenceStandard
		if e := m.best(Military, Torture, DualUse); (e.Regime == Military || e.Regime == Torture) && e.Confidence >= doubting {
			kind = licenceStrategic
		}
	case DualUse:
		kind = licenceStandard
		if m.generally(d) {
			kind = licenceOpen
		}
	case WMDEndUse, MilitaryEndUse:
		kind = licenceStandard
	case CITES:
		kind = permitCITES
	case EHC:
		kind = certificateEHC
	}
	if kind == "" || d.verdict == Free {
		return nil
	}
	return &kind
}

// generally tells whether an open general licence may cover every entry that the
// goods may well fall under.
func (m *matter) generally(d decision) bool {
	for _, e := range m.entries {
		if e.Regime == DualUse && e.Confidence >= min(needing, d.confidence) && !General(e.Entry, m.Destination) {
			return false
		}
	}
	return slices.Contains(covered, m.Destination)
}

func (m *matter) reasoning(d decision) string {
	parts := []string{d.why}
	if d.verdict == Free && len(m.entries) > 0 {
		parts = append(parts, fmt.Sprintf("The nearest is %s, and too little speaks for it.", m.entries[0].Entry))
	}
	switch d.verdict {
	case Free:
		parts = append(parts, "This is a first look and no ruling; who exports decides.")
	case Probably:
		parts = append(parts, "Check the figures of the goods against the entry, or ask the authority for a ruling.")
	}
	return strings.Join(parts, " ")
}
