package gvms

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var routeRules = ruleSet{
	{Code: "GVMS-009", Severity: rules.Blocker, Field: "routeTo", Check: samePlace, Source: referenceData,
		Title: "Departure and arrival are the same place"},
	{Code: "GVMS-010", Severity: rules.Blocker, Field: "routeTo", Check: withinOneTerritory, Source: whoNeedsOne,
		Title: "Both places are in Great Britain, or both in Northern Ireland"},
	{Code: "GVMS-011", Severity: rules.Blocker, Field: "routeTo", Check: outsideTheUK, Source: whoNeedsOne,
		Title: "Neither place is in the United Kingdom"},
	{Code: "GVMS-012", Severity: rules.Blocker, Field: "routeTo", Check: northernIrelandAndUnion, Source: "Windsor Framework, Article 5 and Annex 2: Union customs law applies in Northern Ireland; " + whoNeedsOne,
		Title: "Goods between Northern Ireland and the EU do not cross a customs border"},
	{Code: "GVMS-013", Severity: rules.Info, Field: "routeFrom", Check: outOfNorthernIreland, Source: whoNeedsOne,
		Title: "Most goods from Northern Ireland to Great Britain need no GMR"},
	{Code: "GVMS-014", Severity: rules.Warning, Field: "routeFrom", Check: crownDependency, Source: whoNeedsOne,
		Title: "A place is in the Isle of Man or the Channel Islands"},
	{Code: "GVMS-015", Severity: rules.Warning, Field: "routeFrom", Check: portWithoutService, Source: ownTable + "; " + locationCodes,
		Title: "The UK port is not known to use GVMS"},
	{Code: "GVMS-016", Severity: rules.Warning, Field: "routeFrom", Check: exportWithoutService, Source: locationCodes + ", as changed on 30 April 2024",
		Title: "The port does not use GVMS for exports"},
	{Code: "GVMS-017", Severity: rules.Warning, Field: "routeTo", Check: noCrossing, Source: ownTable,
		Title: "There is no known ferry or shuttle between the two places"},
	{Code: "GVMS-018", Severity: rules.Info, Field: "routeTo", Check: preBoardingNotification, Source: "Irish Revenue: Pre-Boarding Notification (PBN) for roll-on roll-off freight between Ireland and Great Britain",
		Title: "Ireland requires its own notification"},
}

// Territories on the two sides of a customs border.
const (
	greatBritain    = "Great Britain"
	northernIreland = "Northern Ireland"
	dependency      = "a Crown Dependency"
	abroad          = "abroad"
)

// side returns the territory of a place, or "" if it is unknown or not a port.
func (p *place) side() string {
	country := p.country()
	switch {
	case country == "" || p.isCountry() || p.inland != "" && len(p.ports) == 0:
		return ""
	case country == "GB":
		return greatBritain
	case country == ident.NorthernIreland:
		return northernIreland
	case among("IM GG JE", country):
		return dependency
	}
	return abroad
}

// sides returns the territories of both places, or two empty strings if one is unknown.
func (m *Movement) sides() (from, to string) {
	a, b := m.from(), m.to()
	if a.side() == "" || b.side() == "" {
		return "", ""
	}
	return a.side(), b.side()
}

// sameEnds reports whether both places are the same.
func (m *Movement) sameEnds() bool {
	from, to := m.from(), m.to()
	if from.port() != nil || to.port() != nil {
		return from.port() == to.port()
	}
	return from.code != "" && from.code == to.code || from.known() && normalise(from.text) == normalise(to.text)
}

func samePlace(m *Movement, _ rules.Facts) remarks {
	if !m.sameEnds() {
		return nil
	}
	to := m.to()
	if port := to.port(); port != nil && port.code() == "GBFOL" {
		return rules.Remarks(fmt.Sprintf("%q and %q are the same tunnel terminal.", m.RouteFrom, m.RouteTo), "Give Folkestone (GBFOL) and Coquelles (FRCQS).")
	}
	return rules.Remarks(fmt.Sprintf("%q and %q are the same place.", m.RouteFrom, m.RouteTo), "Give the port of departure in routeFrom and the port of arrival in routeTo.")
}

func withinOneTerritory(m *Movement, _ rules.Facts) remarks {
	from, to := m.sides()
	if from != to || from != greatBritain && from != northernIreland || m.sameEnds() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q and %q are both in %s, so the goods do not cross a customs border.", m.RouteFrom, m.RouteTo, from),
		"Give the two ports of the crossing. A journey by land needs no GMR.")
}

func outsideTheUK(m *Movement, _ rules.Facts) remarks {
	if from, to := m.sides(); from != abroad || to != abroad || m.sameEnds() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Neither %q nor %q is in the United Kingdom.", m.RouteFrom, m.RouteTo),
		"Cancel the record: only crossings to or from the United Kingdom need a GMR. A journey through Great Britain needs one for each of its two crossings.")
}

// northernIrelandAndUnion covers the land border and ships.
func northernIrelandAndUnion(m *Movement, _ rules.Facts) remarks {
	from, to := m.from(), m.to()
	for _, pair := range [][2]place{{from, to}, {to, from}} {
		if pair[0].side() == northernIreland && pair[1].side() == abroad && among(memberStates, pair[1].country()) {
			return rules.Remarks(fmt.Sprintf("Between %q in Northern Ireland and %q in %s goods do not cross a customs border and need no GMR.", pair[0].text, pair[1].text, pair[1].country()),
				"Cancel the record, or give the crossing to or from Great Britain.")
		}
	}
	return nil
}

func outOfNorthernIreland(m *Movement, _ rules.Facts) remarks {
	if from, to := m.sides(); from != northernIreland || to != greatBritain {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("From %q to %q a GMR is needed only for transit, TIR and ATA carnets, exports from Ireland, special procedures and goods under international controls.", m.RouteFrom, m.RouteTo),
		"Cancel the record if these are qualifying Northern Ireland goods, which move freely.")
}

func crownDependency(m *Movement, _ rules.Facts) (all remarks) {
	for _, p := range m.ends() {
		if p.side() == dependency {
			all = append(all, rules.Remark{Field: p.field,
				Message:    fmt.Sprintf("%q is in a Crown Dependency, which is in a customs union with the United Kingdom, so GVMS does not cover this movement.", p.text),
				Suggestion: "Ask the carrier what it needs instead. For goods that continue to the EU, give the crossing that leaves the United Kingdom."})
		}
	}
	return all
}

func portWithoutService(m *Movement, f rules.Facts) (all remarks) {
	for _, p := range m.ends() {
		side := p.side()
		if side != greatBritain && side != northernIreland || p.port() == nil && p.code == "" || p.unlisted(f) || p.port() != nil && p.port().service != none {
			continue
		}
		all = append(all, rules.Remark{Field: p.field,
			Message:    fmt.Sprintf("%q is not in the lists of ports that use GVMS (2022 to 2025).", p.text),
			Suggestion: "Ask the carrier, because ports join and leave. At ports without GVMS, goods are declared through the port's inventory system or as arrived."})
	}
	return all
}

func exportWithoutService(m *Movement, _ rules.Facts) remarks {
	from, to := m.from(), m.to()
	port := from.port()
	if port == nil || port.service != importsOnly || to.side() != abroad {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s does not use GVMS for exports; CDS has rejected export declarations with its GVMS location code since 10 May 2024.", port.name),
		"Declare the export as arrived at the port or through its inventory system. Goods in transit still need a GMR if the carrier asks for one.")
}

// noCrossing uses the known crossings of the UK port.
func noCrossing(m *Movement, _ rules.Facts) remarks {
	from, to := m.from(), m.to()
	if from.side() == to.side() || m.sameEnds() || from.country() == "" || to.country() == "" || m.impossible() {
		return nil
	}
	if from.reaches(to) && to.reaches(from) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("There is no known ferry or shuttle for lorries from %q to %q.", m.RouteFrom, m.RouteTo),
		"Check both ports against the booking: GVMS rejects a route that the carrier does not operate.")
}

// impossible reports whether other rules already found that the movement is impossible.
func (m *Movement) impossible() bool {
	return slices.ContainsFunc(m.ends(), func(p place) bool {
		return p.inland != "" && len(p.ports) == 0 || tooFar(p) != nil || inlandPlace(p) != nil
	}) || northernIrelandAndUnion(m, rules.Facts{}) != nil
}

// reaches reports whether there may be a ferry from a port to a place. If the place is a known port, the port or its
// country must be a known destination; if only its country is known, a destination must be in that country.
func (p *place) reaches(other place) bool {
	port := p.port()
	if port == nil || port.destinations == "" {
		return true
	}
	country := other.country()
	for _, to := range strings.Fields(port.destinations) {
		code := ident.UNLOCODE(to)
		switch {
		case to == string(country):
			return true
		case len(to) != 5 || countryOf(code) != country:
		case other.port() != nil:
			if other.port() == byCode[code] {
				return true
			}
		case other.code == "":
			return true
		}
	}
	return false
}

func preBoardingNotification(m *Movement, f rules.Facts) remarks {
	from, to := m.from(), m.to()
	irish := from.side() == greatBritain && to.country() == "IE" || from.country() == "IE" && to.side() == greatBritain
	if !irish || noCrossing(m, f) != nil {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Between %q and %q the driver needs a Pre-Boarding Notification (PBN) of Irish Revenue and the GMR.", m.RouteFrom, m.RouteTo),
		"Create the PBN in Irish Revenue's customs RoRo service. It also shows the channel for the vehicle.")
}
