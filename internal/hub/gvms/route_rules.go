package gvms

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var routeRules = ruleSet{
	{Code: "GVMS-009", Severity: rules.Blocker, Field: "routeTo", Judge: samePlace, Source: referenceData,
		Title: "The crossing ends where it begins"},
	{Code: "GVMS-010", Severity: rules.Blocker, Field: "routeTo", Judge: withinOneTerritory, Source: whoNeedsOne,
		Title: "Both ends lie in Great Britain, or both in Northern Ireland"},
	{Code: "GVMS-011", Severity: rules.Blocker, Field: "routeTo", Judge: outsideTheUK, Source: whoNeedsOne,
		Title: "Neither end lies in the United Kingdom"},
	{Code: "GVMS-012", Severity: rules.Blocker, Field: "routeTo", Judge: northernIrelandAndUnion, Source: "Windsor Framework, Article 5 and Annex 2: Union customs law applies in Northern Ireland; " + whoNeedsOne,
		Title: "Goods between Northern Ireland and the Union cross no customs border"},
	{Code: "GVMS-013", Severity: rules.Info, Field: "routeFrom", Judge: outOfNorthernIreland, Source: whoNeedsOne,
		Title: "From Northern Ireland to Great Britain most goods need no GMR"},
	{Code: "GVMS-014", Severity: rules.Warning, Field: "routeFrom", Judge: crownDependency, Source: whoNeedsOne,
		Title: "An end lies in the Isle of Man or the Channel Islands"},
	{Code: "GVMS-015", Severity: rules.Warning, Field: "routeFrom", Judge: portWithoutService, Source: houseTable + "; " + locationCodes,
		Title: "The port in the United Kingdom is not among those that use the service"},
	{Code: "GVMS-016", Severity: rules.Warning, Field: "routeFrom", Judge: exportWithoutService, Source: locationCodes + ", as changed on 30 April 2024",
		Title: "The port does not use the service for exports"},
	{Code: "GVMS-017", Severity: rules.Warning, Field: "routeTo", Judge: noCrossing, Source: houseTable,
		Title: "No ferry or shuttle is known to go between the two"},
	{Code: "GVMS-018", Severity: rules.Info, Field: "routeTo", Judge: preBoardingNotification, Source: "Irish Revenue: Pre-Boarding Notification (PBN) for roll-on roll-off freight between Ireland and Great Britain",
		Title: "Ireland asks for a notification of its own"},
}

// Words for where a place lies, as the law of the border parts it.
const (
	greatBritain    = "Great Britain"
	northernIreland = "Northern Ireland"
	dependency      = "a Crown Dependency"
	abroad          = "abroad"
)

// side is where a place lies, empty where its text does not tell or names no port.
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

// sides are where both ends lie, both empty where one does not tell.
func (m *Movement) sides() (from, to string) {
	a, b := m.from(), m.to()
	if a.side() == "" || b.side() == "" {
		return "", ""
	}
	return a.side(), b.side()
}

// same tells whether both ends are one place.
func (m *Movement) same() bool {
	from, to := m.from(), m.to()
	if from.port() != nil || to.port() != nil {
		return from.port() == to.port()
	}
	return from.code != "" && from.code == to.code || from.told() && fold(from.text) == fold(to.text)
}

func samePlace(m *Movement, _ rules.Facts) remarks {
	if !m.same() {
		return nil
	}
	to := m.to()
	if port := to.port(); port != nil && port.code() == "GBFOL" {
		return rules.Say(fmt.Sprintf("%q and %q are one terminal of the tunnel.", m.RouteFrom, m.RouteTo), "Name Folkestone (GBFOL) and Coquelles (FRCQS).")
	}
	return rules.Say(fmt.Sprintf("%q and %q are one place.", m.RouteFrom, m.RouteTo), "Name the port of departure in routeFrom and that of arrival in routeTo.")
}

func withinOneTerritory(m *Movement, _ rules.Facts) remarks {
	from, to := m.sides()
	if from != to || from != greatBritain && from != northernIreland || m.same() {
		return nil
	}
	return rules.Say(fmt.Sprintf("%q and %q both lie in %s, so no customs border is crossed.", m.RouteFrom, m.RouteTo, from),
		"Name the two ports of the crossing; a journey by land has no GMR.")
}

func outsideTheUK(m *Movement, _ rules.Facts) remarks {
	if from, to := m.sides(); from != abroad || to != abroad || m.same() {
		return nil
	}
	return rules.Say(fmt.Sprintf("Neither %q nor %q lies in the United Kingdom.", m.RouteFrom, m.RouteTo),
		"Cancel the record: a crossing that does not touch the United Kingdom has no GMR. One by way of Great Britain has a GMR for each of its two crossings.")
}

// northernIrelandAndUnion is about the land border and ships alike.
func northernIrelandAndUnion(m *Movement, _ rules.Facts) remarks {
	from, to := m.from(), m.to()
	for _, pair := range [][2]place{{from, to}, {to, from}} {
		if pair[0].side() == northernIreland && pair[1].side() == abroad && among(memberStates, pair[1].country()) {
			return rules.Say(fmt.Sprintf("Between %q in Northern Ireland and %q in %s goods cross no customs border, and there is no GMR.", pair[0].text, pair[1].text, pair[1].country()),
				"Cancel the record, or name the crossing to or from Great Britain.")
		}
	}
	return nil
}

func outOfNorthernIreland(m *Movement, _ rules.Facts) remarks {
	if from, to := m.sides(); from != northernIreland || to != greatBritain {
		return nil
	}
	return rules.Say(fmt.Sprintf("From %q to %q a GMR is needed for transit, TIR and ATA carnets, exports from Ireland, special procedures and goods under international controls alone.", m.RouteFrom, m.RouteTo),
		"For qualifying Northern Ireland goods cancel the record; they move freely.")
}

func crownDependency(m *Movement, _ rules.Facts) (all remarks) {
	for _, p := range m.ends() {
		if p.side() == dependency {
			all = append(all, rules.Remark{Field: p.field,
				Message:    fmt.Sprintf("%q lies in a Crown Dependency, which is in a customs union with the United Kingdom and not among the movements of the service.", p.text),
				Suggestion: "Ask the carrier what it needs instead; for goods that go on to the Union name the crossing that leaves the United Kingdom."})
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
			Message:    fmt.Sprintf("%q is not among the ports known to use the Goods Vehicle Movement Service (lists of 2022 to 2025).", p.text),
			Suggestion: "Ask the carrier, since ports join and leave: without the service goods are declared through the port's inventory or as arrived, and the GMR is not looked at."})
	}
	return all
}

func exportWithoutService(m *Movement, _ rules.Facts) remarks {
	from, to := m.from(), m.to()
	port := from.port()
	if port == nil || port.service != inwards || to.side() != abroad {
		return nil
	}
	return rules.Say(fmt.Sprintf("Exports by way of %s are not controlled through the service; declarations with its GVMS location have been refused since 10 May 2024.", port.name),
		"Declare the export as arrived at the port or through its inventory. A GMR still serves goods in transit where the carrier asks for one.")
}

// noCrossing judges by the port in the United Kingdom, and only by what is known of it.
func noCrossing(m *Movement, _ rules.Facts) remarks {
	from, to := m.from(), m.to()
	if from.side() == to.side() || m.same() || from.country() == "" || to.country() == "" || m.astray() {
		return nil
	}
	if from.reaches(to) && to.reaches(from) {
		return nil
	}
	return rules.Say(fmt.Sprintf("No ferry or shuttle with lorries is known to go from %q to %q.", m.RouteFrom, m.RouteTo),
		"Check both ports against the booking: GVMS refuses a route that the carrier does not run.")
}

// astray tells whether other rules have found that there is no such movement.
func (m *Movement) astray() bool {
	return slices.ContainsFunc(m.ends(), func(p place) bool {
		return p.inland != "" && len(p.ports) == 0 || tooFar(p) != nil || inlandPlace(p) != nil
	}) || northernIrelandAndUnion(m, rules.Facts{}) != nil
}

// reaches tells whether ferries go from a port to a place, as far as is known: where
// a port's own routes are named, one of them must be it; where only its country is
// told, one of them must be there.
func (p *place) reaches(other place) bool {
	port := p.port()
	if port == nil || port.to == "" {
		return true
	}
	country := other.country()
	for _, to := range strings.Fields(port.to) {
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
	return rules.Say(fmt.Sprintf("Between %q and %q the driver shows a Pre-Boarding Notification of Irish Revenue besides the GMR.", m.RouteFrom, m.RouteTo),
		"Make the PBN in Irish Revenue's customs RoRo service and see by it to which channel the vehicle goes.")
}
