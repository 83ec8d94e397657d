package ics2

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var routeRules = ruleSet{
	{Code: "ICS2-006", Severity: rules.Warning, Field: "portOfLoading", Check: noCode, Source: locodes,
		Title: "A port is not given by its UN/LOCODE"},
	{Code: "ICS2-007", Severity: rules.Blocker, Field: "portOfUnloading", Check: samePlace, Source: gbGuidance,
		Title: "Goods are loaded and unloaded at the same place"},
	{Code: "ICS2-008", Severity: rules.Warning, Field: "portOfLoading", Check: noBorder, Source: entryLaw + "; " + gbGuidance,
		Title: "No entry summary declaration is needed between the places"},
	{Code: "ICS2-009", Severity: rules.Warning, Field: "portOfUnloading", Check: leavesTerritory, Source: entryLaw + "; " + gbGuidance,
		Title: "The goods are unloaded outside the United Kingdom and the EU"},
}

func noCode(f *Filing, _ rules.Facts) (found remarks) {
	for _, p := range []place{f.loading(), f.unloading()} {
		if p.code != "" {
			continue
		}
		remark := rules.Remark{
			Field:      p.field,
			Message:    fmt.Sprintf("%q is not a UN/LOCODE: two letters for the country and three more.", p.text),
			Suggestion: "Give the code of the place, such as GBFXT for Felixstowe.",
		}
		switch {
		case p.country == ident.NorthernIreland && strings.HasPrefix(strings.ToUpper(p.text), "XI"):
			remark.Message = fmt.Sprintf("%q begins with XI, but UN/LOCODEs in Northern Ireland begin with GB.", p.text)
			remark.Suggestion = "Give the code with GB, such as GBBEL for Belfast."
		case p.country != "" && f.regime() != union:
			remark.Severity = rules.Info // Great Britain accepts a country and a name
		}
		found = append(found, remark)
	}
	return found
}

func samePlace(f *Filing, _ rules.Facts) remarks {
	from, to := f.loading(), f.unloading()
	if from.code == "" || from.code != to.code {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The goods are loaded and unloaded at %s.", to.code), "Give the place of loading abroad and the place of unloading.")
}

func noBorder(f *Filing, _ rules.Facts) remarks {
	from, to := f.loading(), f.unloading()
	if from.code != "" && from.code == to.code { // else ICS2-007
		return nil
	}
	message := ""
	switch into := regimeIn(to.country); {
	case into == greatBritain && (from.country == ident.NorthernIreland || regimeIn(from.country) == greatBritain):
		message = fmt.Sprintf("From %s to %s goods stay inside the United Kingdom and its customs territory.", from.text, to.text)
	case into == union && regimeIn(from.country) == union:
		message = fmt.Sprintf("From %s to %s goods stay inside the EU security area.", from.text, to.text)
	default:
		return nil
	}
	return rules.Remarks(message, "File only if the ship or aircraft calls at a place outside in between. Otherwise correct the places.")
}

// leavesTerritory distinguishes exports from goods in transit that stay on board.
func leavesTerritory(f *Filing, _ rules.Facts) remarks {
	from, to := f.loading(), f.unloading()
	if to.country == "" || f.regime() != otherRegime {
		return nil
	}
	if regimeIn(from.country) != otherRegime {
		return rules.Remarks(fmt.Sprintf("The goods leave %s for %s; an entry summary declaration is for goods that enter.", from.text, to.text),
			"Swap the places if they were mixed up. Goods that leave need an exit summary or export declaration.")
	}
	return remarks{{
		Severity:   rules.Info,
		Message:    fmt.Sprintf("The goods are unloaded at %s, outside the United Kingdom and the EU.", to.text),
		Suggestion: "That is right for freight that stays on board at the port of call. Otherwise give the place of unloading.",
	}}
}
