package ics2

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var modeRules = ruleSet{
	{Code: "ICS2-001", Severity: rules.Blocker, Field: "modeOfTransport", Check: unknownMode, Source: gbDesign + " (8689); UN/ECE Recommendation No. 19",
		Title: "The mode of transport is not a known code"},
	{Code: "ICS2-002", Severity: rules.Warning, Field: "modeOfTransport", Check: unusualMode, Source: gbDesign + " (8689, 8690)",
		Title: "The mode of transport is a word or has a leading zero"},
	{Code: "ICS2-003", Severity: rules.Blocker, Field: "modeOfTransport", Check: otherMode, Source: gbGuidance,
		Title: "The mode of transport belongs to another type of filing"},
	{Code: "ICS2-004", Severity: rules.Warning, Field: "modeOfTransport", Check: ferryIntoUnion, Source: dataLaw + ", code list CL218 of modes of transport",
		Title: "A ferry code of Great Britain is used for Northern Ireland or the EU"},
	{Code: "ICS2-005", Severity: rules.Warning, Field: "modeOfTransport", Check: impossibleMode, Source: gbGuidance,
		Title: "The mode of transport is not possible between the places"},
}

func unknownMode(f *Filing, _ rules.Facts) remarks {
	if parseMode(f.ModeOfTransport) != "" {
		return nil
	}
	if slices.Contains([]string{"7", "9"}, strings.TrimSpace(f.ModeOfTransport)) {
		return rules.Remarks(fmt.Sprintf("Mode %s is for goods in pipes and cables or under their own power, which need no entry summary declaration of this type.", f.ModeOfTransport),
			"Give the mode of transport at the border: 1 sea, 2 rail, 3 road, 4 air.")
	}
	return rules.Remarks(fmt.Sprintf("%q is not a mode of transport.", f.ModeOfTransport),
		"Give the code: 1 sea, 2 rail, 3 road, 4 air, 5 post, 8 inland waterway, 10 or 11 for ferries into Great Britain.")
}

func unusualMode(f *Filing, _ rules.Facts) remarks {
	code := parseMode(f.ModeOfTransport)
	if code == "" || code == strings.TrimSpace(f.ModeOfTransport) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q means %s, but customs accepts only the code %s.", f.ModeOfTransport, carriageNames[code], code), "Give "+code+".")
}

func otherMode(f *Filing, _ rules.Facts) remarks {
	code, allowed := parseMode(f.ModeOfTransport), modes[f.FilingType]
	if code == "" || allowed == nil || slices.Contains(allowed, code) {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("The filing type is %s, but the mode of transport is %s, %s.", f.FilingType, code, carriageNames[code]),
		Suggestion: fmt.Sprintf("Give mode %s, or choose the filing type of the mode at the border.", strings.Join(allowed, " or ")),
	}
	switch {
	case f.FilingType == Road && code == bySea: // a lorry on a ship
		remark.Severity = rules.Warning
		remark.Suggestion = "For a lorry on a ferry file ENS_SEA, or give 10 or 11 into Great Britain. For the Channel Tunnel shuttle give 3."
	case f.FilingType == Air:
		remark.Suggestion = "If air cargo crosses the border on a lorry, ship or train, file for that mode and keep the air waybill number."
	}
	return remarks{remark}
}

func ferryIntoUnion(f *Filing, _ rules.Facts) remarks {
	code := parseMode(f.ModeOfTransport)
	if !isFerry(code) || f.regime() != union {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Mode %s exists only for Great Britain, but the goods are unloaded at %s.", code, f.PortOfUnloading),
		"Give 1: to the EU a lorry or trailer on a ferry comes by sea.")
}

func impossibleMode(f *Filing, _ rules.Facts) remarks {
	from, to, code := f.loading(), f.unloading(), f.carriage()
	switch {
	case code == byRoad || code == byRail:
		if code == byRoad && acrossIrishSea(from, to) {
			return remarks{{
				Severity:   rules.Info,
				Message:    fmt.Sprintf("The mode is 3, road, but lorries come from %s to %s by ferry; only the Channel Tunnel counts as road.", from.text, to.text),
				Suggestion: "Into Great Britain give 10 with a driver or 11 without, into Northern Ireland and Ireland give 1. The filing is due two hours before the arrival.",
			}}
		}
		if island := cmp.Or(cutOff(from), cutOff(to)); island != "" && from.country != to.country && !onIreland(from, to) {
			return rules.Remarks(fmt.Sprintf("Transport by %s from %s to %s is not possible: %s is overseas.", carriageNames[code], from.text, to.text, island),
				"Give the place where the goods are loaded on the lorry or train that crosses the border, or give the mode of the ship or aircraft.")
		}
		if code == byRoad && from.country != to.country && slices.Contains(ferryPorts, string(to.code)) {
			return remarks{{
				Severity:   rules.Info,
				Message:    fmt.Sprintf("The mode is 3, road, but lorries come to %s by ferry; only the Channel Tunnel counts as road.", to.text),
				Suggestion: "Give 10 with a driver or 11 without. The filing is then due two hours before the arrival.",
			}}
		}
	case code == bySea || isFerry(code):
		if slices.Contains(landlocked, string(from.country)) {
			return rules.Remarks(fmt.Sprintf("No ship is loaded at %s: %s has no coast.", from.text, from.country),
				"Give the port where the goods are loaded on the ship.")
		}
	}
	return nil
}

func cutOff(p place) ident.Country {
	if slices.Contains(overseas, string(p.country)) {
		return p.country
	}
	return ""
}

// acrossIrishSea reports whether the route is between Great Britain and the island of Ireland, which needs a ferry.
func acrossIrishSea(from, to place) bool {
	island := []ident.Country{"IE", ident.NorthernIreland}
	return from.country == "GB" && slices.Contains(island, to.country) || to.country == "GB" && slices.Contains(island, from.country)
}

// onIreland reports whether both places are on the island of Ireland.
func onIreland(from, to place) bool {
	island := []ident.Country{"IE", ident.NorthernIreland}
	return slices.Contains(island, from.country) && slices.Contains(island, to.country)
}
