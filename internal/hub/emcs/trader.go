package emcs

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
)

var traderRules = ruleSet{
	{Code: "EMCS-001", Severity: rules.Blocker, Field: "dispatcherExciseNumber", Check: malformedDispatcher, Source: ernGuidance + "; EMCS rule R070 (form of excise numbers)",
		Title: "The dispatcher's excise number is malformed"},
	{Code: "EMCS-002", Severity: rules.Blocker, Field: "dispatcherExciseNumber", Check: dispatcherRole, Source: ernGuidance + ": 8552, 8553 and 8716",
		Title: "The dispatcher's excise number does not allow dispatch in duty suspension"},
	{Code: "EMCS-003", Severity: rules.Blocker, Field: "dispatcherExciseNumber", Check: dispatcherElsewhere, Source: ernGuidance + ": 8552 and 8553",
		Title: "The dispatcher's excise number contradicts the type of movement"},
	{Code: "EMCS-004", Severity: rules.Blocker, Field: "consigneeExciseNumber", Check: malformedConsignee, Source: ernGuidance + ": 8047; EMCS rule R070 (form of excise numbers)",
		Title: "The consignee's excise number is malformed"},
	{Code: "EMCS-005", Severity: rules.Blocker, Field: "consigneeExciseNumber", Check: consigneeRole, Source: ernGuidance + ": 8550 and 8602",
		Title: "The consignee's excise number does not allow receipt in duty suspension"},
	{Code: "EMCS-006", Severity: rules.Blocker, Field: "consigneeExciseNumber", Check: missingConsignee, Source: ernGuidance + ": 8045 and 8047",
		Title: "The consignee has no excise number"},
	{Code: "EMCS-007", Severity: rules.Blocker, Field: "consigneeExciseNumber", Check: consigneeElsewhere, Source: ernGuidance + ": 8059, 8163 and 8610",
		Title: "The consignee's excise number contradicts the type of movement"},
	{Code: "EMCS-008", Severity: rules.Warning, Field: "consigneeCountry", Check: countryOfNumber, Source: ernGuidance + ": 8551 and 8602",
		Title: "The consignee's excise number was issued by another country"},
	{Code: "EMCS-009", Severity: rules.Warning, Field: "consigneeExciseNumber", Check: sameTrader, Source: approvalNotice,
		Title: "Dispatcher and consignee have the same excise number"},
	{Code: "EMCS-010", Severity: rules.Warning, Field: "dispatcherName", Check: placeholderNames, Source: warehouseNotice,
		Title: "A trader's name is a placeholder"},
}

func malformedDispatcher(m *Movement, _ rules.Facts) remarks {
	if _, err := parseExciseNumber(m.DispatcherNumber); err != nil {
		return rules.Remarks(fmt.Sprintf("%q is not an excise number: it %s.", m.DispatcherNumber, err),
			"Copy the number from HMRC's approval, or look it up in SEED.")
	}
	return nil
}

func dispatcherRole(m *Movement, _ rules.Facts) remarks {
	n, err := parseExciseNumber(m.DispatcherNumber)
	if err != nil || !n.isUK() || n.role() == keeper || n.role() == consignor {
		return nil
	}
	message := fmt.Sprintf("%s does not allow dispatch: such numbers begin with GBWK, XIWK, GBRC or XIRC.", n)
	if n.role() != unknownRole {
		message = fmt.Sprintf("%s is the number of %s.", n, n.role())
	}
	return rules.Remarks(message, "Give the number of the warehousekeeper (GBWK or XIWK), or of the registered consignor for newly imported goods (GBRC or XIRC).")
}

func dispatcherElsewhere(m *Movement, _ rules.Facts) remarks {
	n, err := parseExciseNumber(m.DispatcherNumber)
	switch {
	case err != nil:
		return nil
	case m.Route != FromUnion && !n.isUK():
		return rules.Remarks(fmt.Sprintf("%s was issued by %s, but a %s movement starts in the United Kingdom.", n, n.state(), m.Route),
			"Give the UK number of the dispatcher, or declare IMPORT_FROM_EU.")
	case m.Route == FromUnion && n.role() == keeper:
		return rules.Remarks(fmt.Sprintf("%s is the number of %s, but goods from the European Union are dispatched by a registered consignor or from a member state.", n, n.role()),
			"Give the number of the registered consignor (GBRC or XIRC), or of the dispatcher in the EU for goods to Northern Ireland. For a movement between UK warehouses declare DOMESTIC.")
	case m.Route == FromUnion && !n.isUK() && m.endsInGB():
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("%s was issued by %s, and that e-AD ends when the goods leave the European Union. In Great Britain a registered consignor dispatches them with a new one.", n, n.state()),
			Suggestion: "Have a registered consignor (GBRC) create the e-AD from the place of import to the warehouse.",
		}}
	}
	return nil
}

// endsInGB reports whether the consignee is known to be in Great Britain. An address in Northern Ireland may be written as
// GB, so the number decides.
func (m *Movement) endsInGB() bool {
	n, err := parseExciseNumber(m.ConsigneeNumber)
	return err == nil && n.state() == "GB"
}

func malformedConsignee(m *Movement, _ rules.Facts) remarks {
	if m.ConsigneeNumber == "" {
		return nil
	}
	_, err := parseExciseNumber(m.ConsigneeNumber)
	if err == nil {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("%q is not an excise number: it %s.", m.ConsigneeNumber, err),
		Suggestion: "Ask the consignee for the number and look it up in SEED.",
	}
	if m.Route == Export {
		remark.Severity = rules.Warning // an export needs none
		remark.Suggestion = "Remove it for a consignee outside EMCS, or copy the number from SEED."
	}
	return remarks{remark}
}

func consigneeRole(m *Movement, _ rules.Facts) remarks {
	n, err := parseExciseNumber(m.ConsigneeNumber)
	if err != nil || !n.isUK() || !m.Route.inward() || n.role() == keeper {
		return nil
	}
	message := fmt.Sprintf("%s is the number of %s.", n, n.role())
	if n.role() == unknownRole {
		if n.isNI() && m.Route == FromUnion {
			return nil // a registered consignee
		}
		message = fmt.Sprintf("%s is not the number of an authorised warehousekeeper.", n)
	}
	return rules.Remarks(message, "Give the number of the warehousekeeper that receives the goods. It begins with GBWK or XIWK.")
}

// missingConsignee is not a blocker for oils, which may leave before their destination is known.
func missingConsignee(m *Movement, _ rules.Facts) remarks {
	if m.ConsigneeNumber != "" {
		return nil
	}
	const ask = "Ask the consignee for the number and look it up in SEED."
	switch {
	case m.Route == Export && m.fromNI() && inUnion(m.ConsigneeCountry):
		return remarks{{
			Severity:   rules.Warning,
			Message:    fmt.Sprintf("The goods go from Northern Ireland to %s, within the EU excise territory, but the consignee has no excise number.", m.ConsigneeCountry),
			Suggestion: ask,
		}}
	case m.Route == Export:
		return nil
	case m.Category == EnergyOils:
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("The consignee %q has no excise number, which is allowed only for oils moved by water to an unknown destination.", m.ConsigneeName),
			Suggestion: ask,
		}}
	}
	return rules.Remarks(fmt.Sprintf("The consignee %q has no excise number, but goods in duty suspension may only go to a consignee with one.", m.ConsigneeName), ask)
}

func consigneeElsewhere(m *Movement, _ rules.Facts) remarks {
	n, err := parseExciseNumber(m.ConsigneeNumber)
	switch {
	case err != nil:
		return nil
	case m.Route.inward() && !n.isUK():
		return rules.Remarks(fmt.Sprintf("%s was issued by %s, but a %s movement ends in the United Kingdom.", n, n.state(), m.Route),
			"Give the UK number of the warehousekeeper, or declare EXPORT.")
	case m.Route == Export && n.isUK():
		return remarks{{
			Severity:   rules.Warning,
			Message:    fmt.Sprintf("%s was issued in the United Kingdom, but the goods are exported.", n),
			Suggestion: "Remove the number for a consignee outside EMCS, or declare DOMESTIC.",
		}}
	case m.Route == Export && !m.fromNI():
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("%s is not used in an export from Great Britain, which needs the consignee's EORI.", n),
			Suggestion: "Prepare the consignee's EORI for the e-AD.",
		}}
	}
	return nil
}

func countryOfNumber(m *Movement, _ rules.Facts) remarks {
	n, err := parseExciseNumber(m.ConsigneeNumber)
	if err != nil || m.ConsigneeCountry == "" || n.state() == issuer(m.ConsigneeCountry) {
		return nil
	}
	if n.isNI() && m.ConsigneeCountry == "GB" || n.isUK() != inUK(m.ConsigneeCountry) { // an address in Northern Ireland; else EMCS-007 or EMCS-011
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The consignee is in %s, but %s was issued by %s.", m.ConsigneeCountry, n, n.state()),
		"Correct the country, or give the consignee's number from that country.")
}

// sameTrader is only a note if a warehousekeeper moves goods between its own warehouses.
func sameTrader(m *Movement, _ rules.Facts) remarks {
	from, errFrom := parseExciseNumber(m.DispatcherNumber)
	to, errTo := parseExciseNumber(m.ConsigneeNumber)
	if errFrom != nil || errTo != nil || from != to {
		return nil
	}
	if strings.EqualFold(strings.TrimSpace(m.DispatcherName), strings.TrimSpace(m.ConsigneeName)) {
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("%s sends the goods to itself, both as %s.", m.DispatcherName, from),
			Suggestion: "Check that the e-AD names two different warehouses.",
		}}
	}
	return rules.Remarks(fmt.Sprintf("Dispatcher %q and consignee %q have the same excise number, %s.", m.DispatcherName, m.ConsigneeName, from),
		"Give each trader its own number, or the same name to both if a keeper moves goods between its warehouses.")
}

func placeholderNames(m *Movement, _ rules.Facts) (found remarks) {
	for _, p := range []struct{ field, value string }{{"dispatcherName", m.DispatcherName}, {"consigneeName", m.ConsigneeName}} {
		if party.Placeholder(p.value) {
			found = append(found, rules.Remark{
				Field:      p.field,
				Message:    fmt.Sprintf("%q is not the name of a trader.", p.value),
				Suggestion: "Give the trader's name as registered for excise.",
			})
		}
	}
	return found
}
