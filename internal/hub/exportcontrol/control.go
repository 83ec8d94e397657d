// Package exportcontrol says under which export controls goods fall: the UK Strategic
// Export Control Lists, the end-use controls, sanctions, instruments of torture,
// endangered species, animal products, cultural objects and drugs. It reads words,
// codes and countries and looks nothing up elsewhere, so the same goods always get
// the same answer. It is a first look for whoever has to decide, and no ruling: it
// would rather raise a false alarm than let a military or sanctioned item pass.
//
// The lists are of its own writing, after the consolidated control lists, Annexes
// A to D of the endangered species regulation and GOV.UK's guidance, as at 21
// November 2026.
package exportcontrol

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// Item is what is to be exported, as far as it is known.
type Item struct {
	Description  string
	Code         string // entry of the control lists, or a tariff code
	EndUse       string
	EndUser      string // name, and address where there is one
	Destination  string // ISO 3166-1 alpha-2, or XI
	Cryptography *bool  // nil where nobody has said
}

// Verdict is whether a licence is needed.
type Verdict string

// The verdicts there are.
const (
	Needs    Verdict = "needs_licence"
	Probably Verdict = "probably_needs_licence"
	Free     Verdict = "no_licence_needed"
)

// Regime is the body of rules that an export falls under.
type Regime string

// The regimes there are, in the order in which the first that applies is named.
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

// Classification is the answer.
type Classification struct {
	Verdict     Verdict         `json:"verdict" enum:"needs_licence,probably_needs_licence,no_licence_needed" doc:"Whether the export needs a licence, permit or certificate"`
	LicenceType *string         `json:"suggestedLicenceType" enum:"EHC,DUAL_USE_SIEL,DUAL_USE_OIEL,OPEN_GENERAL,STRATEGIC_CONTROL,CITES" doc:"What to apply for; null where nothing is needed or another authority licenses it"`
	Regime      Regime          `json:"controlRegime" enum:"WMD_END_USE,MILITARY_END_USE,SANCTIONS,MILITARY,TORTURE,DUAL_USE,CITES,DRUGS,EHC,CULTURAL,NONE" doc:"The rules that decide"`
	Entries     []Entry         `json:"controlEntries" nullable:"false" doc:"Entries that the goods may fall under, the likeliest first"`
	Confidence  float64         `json:"confidence" minimum:"0" maximum:"1" doc:"How sure the verdict is"`
	Reasoning   string          `json:"reasoning" doc:"Why, in a sentence or two"`
	Findings    []rules.Finding `json:"findings" nullable:"false" doc:"What else to look at, gravest first"`
}

// Entry is one place in a list that the goods may fall under.
type Entry struct {
	Entry      string  `json:"entry" doc:"Entry of the list, such as 5A002 or ML1" example:"5A002"`
	Title      string  `json:"title" doc:"What the entry covers" example:"Information security systems and equipment"`
	Regime     Regime  `json:"regime" enum:"WMD_END_USE,MILITARY_END_USE,SANCTIONS,MILITARY,TORTURE,DUAL_USE,CITES,DRUGS,EHC,CULTURAL,NONE" doc:"The list" example:"DUAL_USE"`
	Why        string  `json:"why" doc:"What pointed to it" example:"the description says “encryptor”"`
	Confidence float64 `json:"confidence" minimum:"0" maximum:"1" doc:"How strongly it points there"`
}

// What can be applied for, by the names of the interface.
const (
	licenceStandard  = "DUAL_USE_SIEL"
	licenceOpen      = "OPEN_GENERAL"
	licenceStrategic = "STRATEGIC_CONTROL"
	permitCITES      = "CITES"
	certificateEHC   = "EHC"
)
