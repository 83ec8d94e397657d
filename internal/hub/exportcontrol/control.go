// Package exportcontrol classifies goods by export controls: the UK Strategic Export Control Lists, the end-use controls,
// sanctions, instruments of torture, endangered species, animal products, cultural objects and drugs. It uses only words,
// codes and countries, so the same goods always have the same result. The result helps the exporter to decide and is not a
// ruling: the package prefers a false alarm to a missed military or sanctioned item.
//
// The lists of words are this project's own, based on the consolidated control lists, Annexes A to D of the endangered
// species regulation and GOV.UK guidance, as at 21 November 2026.
package exportcontrol

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// Item describes goods to be exported. Unknown fields are empty.
type Item struct {
	Description  string
	Code         string // entry of the control lists, or commodity code
	EndUse       string
	EndUser      string // name, and address if known
	Destination  string // ISO 3166-1 alpha-2, or XI
	Cryptography *bool  // nil if unknown
}

// Verdict is the answer to whether a licence is needed.
type Verdict string

// Verdicts.
const (
	Needs    Verdict = "needs_licence"
	Probably Verdict = "probably_needs_licence"
	Free     Verdict = "no_licence_needed"
)

// Regime is a set of export control rules.
type Regime string

// Regimes, in their order of priority.
const (
	WMDEndUse      Regime = "WMD_END_USE"      // anything for weapons of mass destruction
	MilitaryEndUse Regime = "MILITARY_END_USE" // anything for armed forces under an embargo
	Sanctions      Regime = "SANCTIONS"        // a country under trade sanctions
	Military       Regime = "MILITARY"         // UK Military List, and security goods of Schedule 2
	Torture        Regime = "TORTURE"          // goods for execution, torture and restraint
	DualUse        Regime = "DUAL_USE"         // UK Dual-Use List and national controls
	CITES          Regime = "CITES"            // endangered species
	Drugs          Regime = "DRUGS"            // controlled drugs and precursors
	EHC            Regime = "EHC"              // animals and their products
	Cultural       Regime = "CULTURAL"         // antiques and works of art
	None           Regime = "NONE"
)

// Classification is the result.
type Classification struct {
	Verdict     Verdict         `json:"verdict" enum:"needs_licence,probably_needs_licence,no_licence_needed" doc:"Whether the export needs a licence, permit or certificate"`
	LicenceType *string         `json:"suggestedLicenceType" enum:"EHC,DUAL_USE_SIEL,DUAL_USE_OIEL,OPEN_GENERAL,STRATEGIC_CONTROL,CITES" doc:"Licence to apply for; null if none is needed or another authority grants it"`
	Regime      Regime          `json:"controlRegime" enum:"WMD_END_USE,MILITARY_END_USE,SANCTIONS,MILITARY,TORTURE,DUAL_USE,CITES,DRUGS,EHC,CULTURAL,NONE" doc:"Rules that apply"`
	Entries     []Entry         `json:"controlEntries" nullable:"false" doc:"Entries that may cover the goods, the most likely first"`
	Confidence  float64         `json:"confidence" minimum:"0" maximum:"1" doc:"Confidence"`
	Reasoning   string          `json:"reasoning" doc:"Reason in one or two sentences"`
	Findings    []rules.Finding `json:"findings" nullable:"false" doc:"Further findings, the most severe first"`
}

// Entry is an entry of a list that may cover the goods.
type Entry struct {
	Entry      string  `json:"entry" doc:"Entry of the list, such as 5A002 or ML1" example:"5A002"`
	Title      string  `json:"title" doc:"Title" example:"Information security systems and equipment"`
	Regime     Regime  `json:"regime" enum:"WMD_END_USE,MILITARY_END_USE,SANCTIONS,MILITARY,TORTURE,DUAL_USE,CITES,DRUGS,EHC,CULTURAL,NONE" doc:"The list" example:"DUAL_USE"`
	Why        string  `json:"why" doc:"Reason for the entry" example:"the description says “encryptor”"`
	Confidence float64 `json:"confidence" minimum:"0" maximum:"1" doc:"Confidence"`
}

// Types of licence, as in the API.
const (
	licenceStandard  = "DUAL_USE_SIEL"
	licenceOpen      = "OPEN_GENERAL"
	licenceStrategic = "STRATEGIC_CONTROL"
	permitCITES      = "CITES"
	certificateEHC   = "EHC"
)
