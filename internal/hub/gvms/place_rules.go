package gvms

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var placeRules = ruleSet{
	{Code: "GVMS-001", Severity: rules.Blocker, Field: "routeFrom", Check: eachEnd(placeholder), Source: haulierAPI + ": plannedCrossing.routeId",
		Title: "A place is missing or a placeholder"},
	{Code: "GVMS-002", Severity: rules.Blocker, Field: "routeFrom", Check: eachEnd(countryAlone), Source: referenceData,
		Title: "A country is given without a port"},
	{Code: "GVMS-003", Severity: rules.Blocker, Field: "routeFrom", Check: eachEnd(severalPlaces), Source: haulierAPI + ": a GMR is for one crossing (BR005)",
		Title: "One field names several places"},
	{Code: "GVMS-004", Severity: rules.Warning, Field: "routeFrom", Check: eachEnd(unknownPlace), Source: ownTable,
		Title: "A place is neither a UN/LOCODE nor a port with ferries or the tunnel"},
	{Code: "GVMS-005", Severity: rules.Warning, Field: "routeFrom", Check: eachEnd(malformedCode), Source: locodeList,
		Title: "A code begins with an unknown country or contains 0 or 1"},
	{Code: "GVMS-006", Severity: rules.Blocker, Field: "routeFrom", Check: eachEnd(inlandPlace), Source: haulierAPI + ": plannedCrossing.routeId names a route between ports",
		Title: "A place of loading or delivery is given instead of the port"},
	{Code: "GVMS-007", Severity: rules.Warning, Field: "routeFrom", Check: eachEnd(tooFar), Source: ownTable,
		Title: "There is no ferry for lorries between that country and the United Kingdom"},
	{Code: "GVMS-008", Severity: rules.Warning, Field: "routeFrom", Check: eachEnd(contradiction), Source: locodeList,
		Title: "The port is in another country than the text says"},
}

// eachEnd applies a check to both places, each with its own field.
func eachEnd(judge func(place) *rules.Remark) func(*Movement, rules.Facts) remarks {
	return func(m *Movement, _ rules.Facts) (all remarks) {
		for _, p := range m.ends() {
			if remark := judge(p); remark != nil {
				remark.Field = p.field
				all = append(all, *remark)
			}
		}
		return all
	}
}

// placeholderPlaces lists placeholders for a place, in addition to the placeholders for a party.
var placeholderPlaces = strings.Fields("port ferry home depot yard any anywhere tobeconfirmed tobeadvised tobedecided abroad europe eu")

func (p *place) isPlaceholder() bool {
	return !p.known() && (party.Placeholder(p.text) || slices.Contains(placeholderPlaces, strings.ReplaceAll(normalise(p.text), " ", "")))
}

func placeholder(p place) *rules.Remark {
	if !p.isPlaceholder() {
		return nil
	}
	return &rules.Remark{Message: fmt.Sprintf("%q is not a place.", p.text), Suggestion: "Give the port or tunnel terminal of the crossing: its UN/LOCODE, such as GBDVR, or its name."}
}

func countryAlone(p place) *rules.Remark {
	if !p.isCountry() {
		return nil
	}
	return &rules.Remark{Message: fmt.Sprintf("%q is a country; a GMR is for a crossing from port to port.", p.text), Suggestion: "Give the port or tunnel terminal."}
}

func severalPlaces(p place) *rules.Remark {
	if len(p.ports) < 2 {
		return nil
	}
	names := make([]string, len(p.ports))
	for i, port := range p.ports {
		names[i] = port.name
	}
	return &rules.Remark{
		Message:    fmt.Sprintf("%q names %s.", p.text, strings.Join(names, " and ")),
		Suggestion: "Give one place in each field: departure in routeFrom, arrival in routeTo. A journey with two crossings needs two GMRs.",
	}
}

// unknownPlace checks names only. A port that is not in the table may have a ferry, so this is only a warning.
func unknownPlace(p place) *rules.Remark {
	if p.known() || p.isPlaceholder() || p.isCountry() || looksLikeCode(p.text) {
		return nil
	}
	remark := &rules.Remark{
		Message:    fmt.Sprintf("%q is neither a UN/LOCODE nor the name of a known port.", p.text),
		Suggestion: "Give the UN/LOCODE of the port, such as GBDVR for Dover or FRCQF for Calais.",
	}
	if name := nearest(normalise(p.text)); name != "" {
		remark.Suggestion = fmt.Sprintf("Perhaps %s (%s) is meant. Otherwise give the UN/LOCODE of the port.", byName[name].name, byName[name].code())
	}
	return remark
}

// looksLikeCode reports whether a text has the form of a code but is not one.
func looksLikeCode(text string) bool {
	squeezed := strings.ReplaceAll(text, " ", "")
	return len(squeezed) == 5 && squeezed == strings.ToUpper(squeezed) && strings.IndexFunc(squeezed, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') }) < 0
}

// correctedPrefix maps wrong country prefixes of codes to the right ones.
var correctedPrefix = map[string]string{"UK": "GB", "EN": "GB", "SC": "GB", "XI": "GB", "EI": "IE"}

func malformedCode(p place) *rules.Remark {
	if p.known() || !looksLikeCode(p.text) || p.isCountry() || p.isPlaceholder() {
		return nil
	}
	code := strings.ReplaceAll(p.text, " ", "")
	if _, err := ident.ParseCountry(code[:2]); err == nil && code[:2] != "XI" {
		return &rules.Remark{
			Message:    fmt.Sprintf("%q looks like a UN/LOCODE, but these do not contain the digits 0 and 1.", p.text),
			Suggestion: "Check whether the letter O or I is meant, or give the name of the port.",
		}
	}
	return &rules.Remark{
		Message:    fmt.Sprintf("%q looks like a UN/LOCODE, but %s is not a country code.", p.text, code[:2]),
		Suggestion: fmt.Sprintf("Write %s%s if that is the place. Codes in Northern Ireland also begin with GB.", cmp.Or(correctedPrefix[code[:2]], "the country and then "), code[2:]),
	}
}

func inlandPlace(p place) *rules.Remark {
	if len(p.ports) > 0 || p.inland == "" && !among(landlocked, p.country()) || p.isCountry() {
		return nil
	}
	return &rules.Remark{
		Message:    fmt.Sprintf("There is no ferry or shuttle for lorries from or to %q.", p.text),
		Suggestion: "Give the port where the vehicle boards or leaves the ferry or shuttle, not the place of loading or delivery.",
	}
}

func tooFar(p place) *rules.Remark {
	country := p.country()
	if country == "" || p.inland != "" || among(landlocked, country) || among("GB XI IE IM GG JE MA "+continent, country) || p.isCountry() {
		return nil
	}
	return &rules.Remark{
		Message:    fmt.Sprintf("%q is in %s, and there is no ferry for lorries between that country and the United Kingdom.", p.text, country),
		Suggestion: "Give the port of the crossing to or from the United Kingdom. Containers on deep-sea ships need no GMR; they are declared through the port's inventory system.",
	}
}

func contradiction(p place) *rules.Remark {
	port := p.port()
	if port == nil || p.statedCountry == "" || p.statedCountry == port.country() || p.statedCountry == "GB" && port.country() == "XI" {
		return nil
	}
	return &rules.Remark{
		Message:    fmt.Sprintf("%q names %s, which is in %s and not in %s.", p.text, port.name, port.country(), p.statedCountry),
		Suggestion: "Give the UN/LOCODE of the intended port.",
	}
}
