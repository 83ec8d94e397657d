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

func (m *subject) note(code string, severity rules.Severity, field, message, suggestion, source string) {
	m.findings = append(m.findings, rules.Finding{Code: code, Severity: severity, Field: field, Message: message, Suggestion: suggestion, Source: source})
}

// Fields of the question for findings.
const (
	fieldDescription  = "productDescription"
	fieldCode         = "productCode"
	fieldEndUse       = "endUse"
	FieldDestination  = "destinationCountry" // stored records use another name
	fieldCryptography = "hasCryptography"
)

// remark adds the findings.
func (m *subject) remark(d decision) {
	m.remarkUse()
	m.remarkDestination(d)
	m.remarkGoods(d)
	m.remarkText()
	m.remarkCryptography()
	if d.regime == DualUse && m.openGeneralCovers(d) {
		m.note("CTL-011", rules.Info, FieldDestination, fmt.Sprintf("An open general licence may cover %s to %s.", m.best(DualUse).Entry, m.Destination),
			"Read the terms of the open general licence, and register for it before its first use or within the 30 days that it allows.", "GOV.UK: Open general export licences (OGELs)")
	}
}

func (m *subject) remarkUse() {
	if words := m.use.MassDestruction; words != "" {
		m.note("CTL-001", rules.Blocker, fieldEndUse, fmt.Sprintf("The end use mentions “%s”.", words),
			"Do not export. Inform the Export Control Joint Unit and apply for a licence.", endUseLaw)
	}
	if words := m.use.ArmedForces; words != "" {
		severity, advice := rules.Info, "Make sure that the goods are not specially designed or modified for military use."
		if MilitaryEmbargo(m.Destination) {
			severity, advice = rules.Blocker, "Do not export without a licence. Ask the Export Control Joint Unit."
		}
		m.note("CTL-002", severity, fieldEndUse, fmt.Sprintf("The end use or the end user mentions “%s”.", words), advice, endUseLaw)
	}
	if words, ok := m.usePhrases.any(known().words[civilNuclear]); ok && m.use.MassDestruction == "" {
		m.note("CTL-003", rules.Info, fieldEndUse, fmt.Sprintf("The end use mentions “%s”.", words),
			"Keep proof of the civil use and of safeguards. Goods for nuclear use may need a separate licence.", endUseLaw)
	}
}

func (m *subject) remarkDestination(d decision) {
	listed := m.best(Military, Torture, DualUse).Confidence >= doubting
	switch level := m.measure.Level; {
	case level >= sanction.Extensive:
		severity := rules.Warning
		if d.regime == Sanctions && d.verdict == Needs {
			severity = rules.Blocker
		}
		m.note("CTL-004", severity, FieldDestination, fmt.Sprintf("%s is under the %s.", m.Destination, m.measure.Regime),
			"Stop, and screen goods and parties. Export only under a licence or an exception.", "Sanctions and Anti-Money Laundering Act 2018")
	case level == sanction.Embargo:
		severity := rules.Info
		if listed {
			severity = rules.Warning
		}
		if m.best(Military).Confidence >= needing && m.Destination != "CN" && m.Destination != "HK" {
			severity = rules.Blocker
		}
		m.note("CTL-005", severity, FieldDestination, fmt.Sprintf("%s is under an arms embargo: %s.", m.Destination, m.measure.Regime),
			"Screen the end user, and ask for the purpose of the goods. Arms are licensed only under exceptions.", endUseLaw)
	case level == sanction.Financial:
		m.note("CTL-006", rules.Info, FieldDestination, fmt.Sprintf("Persons are designated under the %s.", m.measure.Regime), "Screen the end user against the UK Sanctions List.", "UK Sanctions List")
	case level == sanction.Transhipped && (HighPriority(m.code) || listed):
		m.note("CTL-007", rules.Warning, FieldDestination, fmt.Sprintf("%s is on a known route to Russia, where such goods are in demand.", m.Destination),
			"Identify the end user, and get an undertaking against re-export to Russia and Belarus.", evasion)
	}
	if m.Destination == "GB" || m.Destination == "XI" {
		m.note("CTL-008", rules.Info, FieldDestination, fmt.Sprintf("%s is in the United Kingdom: strategic goods need no licence to move there.", m.Destination),
			"Give the country where the goods will finally be used.", "Export Control Order 2008, article 2: export from the United Kingdom")
	}
}

// prohibitedPhrases lists phrases for prohibited goods.
const prohibitedPhrases = "anti personnel mine, anti personnel landmine, cluster munition, cluster bomb, bomblet, submunition, blinding laser"

func (m *subject) remarkGoods(d decision) {
	if m.best(Torture).Entry == "Annex II" && m.best(Torture).Confidence >= needing {
		m.note("CTL-009", rules.Blocker, fieldDescription, "Goods of Annex II are only for execution and torture, and their export is prohibited.", "Do not export.", tortureLaw)
	}
	if words, ok := m.descriptionPhrases.any(known().barred); ok && m.best(Military).Confidence >= needing {
		m.note("CTL-010", rules.Blocker, fieldDescription, fmt.Sprintf("The description mentions “%s”: such goods are never licensed.", words), "Do not export.",
			"Landmines Act 1998; Cluster Munitions (Prohibitions) Act 2010; Protocol IV to the Convention on Certain Conventional Weapons")
	}
	for _, regime := range []Regime{CITES, EHC, Drugs, Cultural} {
		e := m.best(regime)
		if e.Confidence < doubting || !m.applies(regime) {
			continue
		}
		if regime != d.regime {
			m.note("CTL-012", rules.Warning, fieldDescription, fmt.Sprintf("The goods may also be %s: %s.", e.Title, e.Why), "Also apply for "+licenceNames[regime]+".", sources[regime])
		} else if m.licence(d) == nil {
			m.note("CTL-013", rules.Warning, fieldDescription, fmt.Sprintf("%s: %s.", e.Title, e.Why), "Apply for "+licenceNames[regime]+", which is not one of the licence types here.", sources[regime])
		}
	}
	if m.mentions(knowledge) && m.best(Military, DualUse).Confidence >= doubting {
		m.note("CTL-014", rules.Info, fieldDescription, "E-mail, download and access from abroad are also exports of software and technology.",
			"Include every means of transfer in the application, and keep records of transfers.", "Export Control Order 2008, articles 6 and 18: transfer by electronic means")
	}
}

var licenceNames = map[Regime]string{
	CITES: "a CITES permit from the Animal and Plant Health Agency", EHC: "an export health certificate", Drugs: "a licence from the Home Office", Cultural: "an export licence from Arts Council England",
}

var sources = map[Regime]string{
	CITES: "Regulation (EC) No 338/97 as retained", EHC: "GOV.UK: Get an export health certificate", Drugs: "Misuse of Drugs Act 1971; GOV.UK: Controlled drugs: import and export licences",
	Cultural: "Export of Objects of Cultural Interest (Control) Order 2003",
}

func (m *subject) remarkText() {
	switch {
	case m.unread:
		m.note("CTL-015", rules.Warning, fieldDescription, "Most of the description is not in Latin letters, so it was not checked.", "Describe the goods in English.", consolidated)
	case m.vague:
		m.note("CTL-016", rules.Warning, fieldDescription, fmt.Sprintf("%q does not identify the goods.", shortened(m.Description)), "Describe the goods, their purpose and their technical data, which decides whether they are controlled.", consolidated)
	}
	switch {
	case m.malformed:
		m.note("CTL-017", rules.Warning, fieldCode, fmt.Sprintf("%q is neither an entry of the control lists nor a commodity code.", shortened(m.Code)), "Give an entry such as 5A002.a, or the commodity code.", consolidated)
	case m.rating.Entry != "" && !m.rating.Known:
		m.note("CTL-018", rules.Warning, fieldCode, fmt.Sprintf("%s is not in the control lists.", m.rating.Entry), "Look the goods up in the consolidated list.", consolidated)
	}
}

func (m *subject) remarkCryptography() {
	e := m.best(DualUse)
	says := m.Cryptography != nil && *m.Cryptography
	switch {
	case m.exempt() && says:
		m.note("CTL-019", rules.Info, fieldCryptography, "The goods may be exempt under the Cryptography Note or because of a fixed purpose.",
			"Keep proof that they are sold to the public without restriction, that users cannot easily change the cryptography, and that they can install the goods without substantial support.", cryptoNote)
	case slices.Contains([]string{"5A002", "5D002", "5E002"}, e.Entry):
		m.note("CTL-020", rules.Info, fieldCryptography, "The control of cryptography depends on key lengths, on its purpose and on how the goods are sold.",
			"Give the key lengths (above 56 bits symmetric or equivalent?), the purpose, whether the goods are sold to the public, and whether users can change the cryptography.", cryptoNote)
	}
}

// shortened cuts a text for a message.
func shortened(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// licence returns the type of licence to apply for.
func (m *subject) licence(d decision) *string {
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
		if m.openGeneralCovers(d) {
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

// openGeneralCovers reports whether an open general licence may cover every likely entry.
func (m *subject) openGeneralCovers(d decision) bool {
	for _, e := range m.entries {
		if e.Regime == DualUse && e.Confidence >= min(needing, d.confidence) && !General(e.Entry, m.Destination) {
			return false
		}
	}
	return slices.Contains(covered, m.Destination)
}

func (m *subject) reasoning(d decision) string {
	parts := []string{d.why}
	if d.verdict == Free && len(m.entries) > 0 {
		parts = append(parts, fmt.Sprintf("The closest entry is %s, but the evidence is weak.", m.entries[0].Entry))
	}
	switch d.verdict {
	case Free:
		parts = append(parts, "This is not a ruling; the exporter decides.")
	case Probably:
		parts = append(parts, "Check the technical data of the goods against the entry, or ask the authority for a ruling.")
	}
	return strings.Join(parts, " ")
}
