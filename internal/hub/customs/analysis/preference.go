package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
)

const preferenceGuide = completion + ": DE 4/17"

var preferenceRules = ruleSet{
	{Code: "DEC-055", Severity: rules.Blocker, Field: "items[].preferenceCode", Check: each("preferenceCode", unknownPreference), Source: preferenceGuide,
		Title: "The preference code does not exist"},
	{Code: "DEC-056", Severity: rules.Warning, Field: "items[].preferenceCode", Check: each("preferenceCode", groundlessPreference), Source: "GOV.UK: UK trade agreements in effect; GOV.UK: Developing Countries Trading Scheme",
		Title: "A preference is claimed for an origin that has none"},
	{Code: "DEC-057", Severity: rules.Warning, Field: "items[].preferenceCode", Check: each("preferenceCode", unprovenPreference), Source: originGuide + "; " + documentGuide,
		Title: "A preference is claimed without a proof of origin"},
	{Code: "DEC-058", Severity: rules.Warning, Field: "documents", Check: foreignProof, Source: "EU-UK Trade and Cooperation Agreement, Part Two, Title I, Chapter 2; " + documentGuide,
		Title: "The proof of origin belongs to a different agreement"},
	{Code: "DEC-059", Severity: rules.Blocker, Field: "items[].preferenceCode", Check: each("preferenceCode", quotaWithoutOrder), Source: tariffGuide + ": quotas; " + completion + ": DE 8/1",
		Title: "A quota is claimed, and its order number cannot be declared here"},
	{Code: "DEC-060", Severity: rules.Warning, Field: "items[].preferenceCode", Check: each("preferenceCode", endUsePreference), Source: preferenceGuide + " (authorised use)",
		Title: "A duty for an authorised use is claimed under another procedure"},
	{Code: "DEC-061", Severity: rules.Info, Field: "items[].preferenceCode", Check: each("preferenceCode", indirectTransport), Source: originGuide + ": direct transport and non-alteration",
		Title: "Goods with a preference are dispatched from another country"},
	{Code: "DEC-062", Severity: rules.Info, Field: "items[].preferenceCode", Check: each("preferenceCode", unusedPreference), Source: "GOV.UK: UK trade agreements in effect; GOV.UK: Developing Countries Trading Scheme",
		Title: "Duty is paid although a preference may be available"},
	{Code: "DEC-063", Severity: rules.Warning, Field: "items[].preferenceCode", Check: each("preferenceCode", preferenceOnExport), Source: exportGuide,
		Title: "A preference is claimed for an export"},
}

// Countries with a preference. The agreements are those in force or about to be; the tariff decides whether an
// agreement covers the goods.
const (
	agreements = union + ` AD SM IS LI NO CH FO TR JP KR SG VN CA MX AU NZ BN MY PE CL CO EC CR SV GT HN NI PA AG BB BZ BS DM DO GD GY JM KN LC VC SR TT
		MU SC ZW ZA BW LS NA SZ MZ CI GH CM KE EG IL JO LB MA TN PS GE MD UA AL RS MK FJ PG WS SB IN AE SA QA KW OM BH`
	developing = `AF AO BD BJ BF BI KH CF TD KM CD DJ ER ET GM GN GW HT KI LA LS LR MG MW ML MR MM NP NE RW ST SN SL SB SO SS SD TL TG TV UG TZ YE ZM MZ
		DZ BT BO CV CG CK KG MN NG NU PK PH LK TJ UZ FM SY VU WS IN ID`
	dependencies = "JE GG IM"
)

// known are all preference codes (DE 4/17).
const preferences = `100 110 115 118 119 120 123 125 128 140 150 200 210 215 218 220 223 225 240 250 300 310 315 318 320 323 325 340 350 400 420`

// claims reports whether an imported item claims a preference by its origin.
func (i *item) claims(c *Case) bool {
	return c.imports() && i.PreferenceCode >= "200" && i.PreferenceCode <= "499"
}

func unknownPreference(_ *Case, i *item) remarks {
	if i.PreferenceCode == "" || isOneOf(i.PreferenceCode, preferences) {
		return nil
	}
	return remarkOf(fmt.Sprintf("%s is no preference code.", i.PreferenceCode), "Use 100 for none, 200 for developing countries, 300 for a trade agreement, 120 or 320 within a quota.")
}

func groundlessPreference(c *Case, i *item) remarks {
	if !i.claims(c) || i.charged != nil { // else DEC-133
		return nil
	}
	if i.CountryOfOrigin == "" && i.PreferentialOrigin != "" {
		return nil // a country or group of countries that the tables of preferences may not have
	}
	if i.CountryOfOrigin == "" {
		return remarkOf(fmt.Sprintf("Preference %s is claimed for goods without an origin.", i.PreferenceCode), "Give the country of origin.")
	}
	list, scheme := agreements, "a trade agreement"
	switch i.PreferenceCode[0] {
	case '2':
		list, scheme = developing, "the Developing Countries Trading Scheme"
	case '4':
		list, scheme = dependencies, "the customs union with the Crown Dependencies"
	}
	if isOneOf(i.CountryOfOrigin, list) {
		return nil
	}
	return remarkOf(fmt.Sprintf("Preference %s is for goods under %s, and no such preference is known for %s.", i.PreferenceCode, scheme, i.CountryOfOrigin),
		"Claim the preference that the origin has, or 100.")
}

// proofs are prefixes of document codes of proofs of origin.
const proofs = "U0 U1 N864 N865 N954 N018 N861 N862 C100"

func unprovenPreference(c *Case, i *item) remarks {
	if !i.claims(c) || i.PreferenceCode[0] == '4' || c.has(proofs) {
		return nil
	}
	advice := "Name the proof, such as U110 (origin declaration), N954 (EUR.1) or U112 (importer's knowledge)."
	switch {
	case isOneOf(i.CountryOfOrigin, union):
		advice = "Name the proof: U116 for a statement on origin, U118 for one of several shipments, U117 for importer's knowledge."
	case i.PreferenceCode[0] == '2':
		advice = "Name the proof: U110 or N864 for an origin declaration, N865 for a Form A."
	}
	return remarkOf(fmt.Sprintf("Preference %s for %s is claimed, and no document proves the origin.", i.PreferenceCode, i.CountryOfOrigin), advice)
}

// european are the proofs under the agreement with the European Union.
const european = "U116 U117 U118"

func foreignProof(c *Case, _ rules.Facts) (found remarks) {
	for n := range c.items {
		if i := &c.items[n]; i.claims(c) && isOneOf(i.CountryOfOrigin, union) {
			return nil
		}
	}
	for n, code := range c.documentCodes() {
		if isOneOf(code, european) {
			found = append(found, about(fmt.Sprintf("documents[%d].type", n), fmt.Sprintf("%s proves an origin in the European Union, and no item claims a preference for one.", code),
				"Take it out, or correct the origin and the preference."))
		}
	}
	return found
}

func quotaWithoutOrder(c *Case, i *item) remarks {
	if !c.imports() || !strings.HasSuffix(i.PreferenceCode, "20") && !isOneOf(i.PreferenceCode, "123 125 128 223 225 323 325") || i.QuotaOrderNumber != "" ||
		slices.ContainsFunc(i.TaxLines, func(t datamodel.TaxLine) bool { return t.QuotaOrderNumber != "" }) {
		return nil
	}
	return remarkOf(fmt.Sprintf("Preference %s claims a quota, and the item has no order number of it (DE 8/1).", i.PreferenceCode),
		"Give quotaOrderNumber, or claim a preference without a quota.")
}

func endUsePreference(c *Case, i *item) remarks {
	if !c.imports() || !isOneOf(i.PreferenceCode, "115 123 140 215 223 240 315 323 340") || strings.HasPrefix(i.procedure(c), "44") {
		return nil
	}
	return remarkOf(fmt.Sprintf("Preference %s is for goods with an authorised use, and the procedure is %s.", i.PreferenceCode, i.procedure(c)), "Use procedure 4400 with the authorisation, or claim 100.")
}

func indirectTransport(c *Case, i *item) remarks {
	from := c.dispatch()
	if !i.claims(c) || from == "" || from == i.CountryOfOrigin || isOneOf(from, union) && isOneOf(i.CountryOfOrigin, union) {
		return nil
	}
	return remarkOf(fmt.Sprintf("The goods originate in %s and are sent from %s.", i.CountryOfOrigin, from), "Keep the evidence, such as a through bill of lading, that they were not altered on the way.")
}

func unusedPreference(c *Case, i *item) remarks {
	if !c.imports() || i.charged != nil || i.PreferenceCode != "" && i.PreferenceCode != "100" || !i.known {
		return nil
	}
	scheme := ""
	switch {
	case isOneOf(i.CountryOfOrigin, agreements):
		scheme = "300, under the trade agreement"
	case isOneOf(i.CountryOfOrigin, developing):
		scheme = "200, under the Developing Countries Trading Scheme"
	default:
		return nil
	}
	if strings.HasPrefix(i.line.Duty.String(), "0.0") {
		return nil
	}
	return remarkOf(fmt.Sprintf("Duty of %s is paid on goods of %s.", i.line.Duty, i.CountryOfOrigin), "With a proof of origin they may come under preference "+scheme+"; ask the supplier.")
}

func preferenceOnExport(c *Case, i *item) remarks {
	if c.imports() || i.PreferenceCode == "" || i.PreferenceCode == "100" {
		return nil
	}
	return remarkOf(fmt.Sprintf("Preference %s is claimed, and an export has none.", i.PreferenceCode), "Leave preferenceCode out; give the buyer a statement on origin instead.")
}
