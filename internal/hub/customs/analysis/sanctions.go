package analysis

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

const (
	russia   = "Russia (Sanctions) (EU Exit) Regulations 2019"
	evasion  = "GOV.UK: Countering Russian sanctions evasion: the common high priority list"
	halt     = "Stop, and screen goods and parties; continue only with a licence or a stated exception."
	occupied = "GOV.UK: UK sanctions relating to Russia: non-government controlled areas of Ukraine"
)

var sanctionRules = ruleSet{
	{Code: "DEC-064", Severity: rules.Warning, Field: "items[].countryOfOrigin", Check: each("countryOfOrigin", sanctionedOrigin), Source: sanctionsLaw,
		Title: "Goods of a sanctioned country are imported"},
	{Code: "DEC-065", Severity: rules.Warning, Field: "shipment.countryOfDispatch", Check: sanctionedRoute, Source: sanctionsLaw,
		Title: "The goods come from a sanctioned country, or on its ships, lorries or aircraft"},
	{Code: "DEC-066", Severity: rules.Warning, Field: "items[].commodityCode", Check: each("commodityCode", sanctionedExport), Source: sanctionsLaw,
		Title: "Goods go to a sanctioned country"},
	{Code: "DEC-067", Severity: rules.Blocker, Field: "shipment.counterpartyCity", Check: occupiedUkraine, Source: russia + "; " + occupied,
		Title: "The goods come from, or go to, a part of Ukraine that its government does not control"},
	{Code: "DEC-068", Severity: rules.Warning, Field: "items[].commodityCode", Check: each("commodityCode", diversionRisk), Source: evasion,
		Title: "Goods that Russia's weapons need go to a country from which they are often diverted to Russia"},
	{Code: "DEC-069", Severity: rules.Info, Field: "items[].commodityCode", Check: each("commodityCode", russianInputs), Source: russia + ": iron and steel, gold and diamonds processed in third countries",
		Title: "Iron and steel, gold or diamonds need evidence that they contain nothing Russian"},
}

// bannedGoods are goods whose import from a country is forbidden, for countries without a nearly complete ban.
var bannedGoods = map[string]string{
	"BY": "2709 2710 2711 2713 3104 3105 2403 4001 4002 4011 44 7106 7108 7110 72 73 7601 7602 7604 7605 7606 7607 7608 76 84798",
	"IR": "2612 2844 2845 3801 8401 93 2709 2711", "SY": "2709 2710 93 97", "LY": "93", "IQ": "93 9705 9706 97", "SO": "4402 93", "MM": "93", "AF": "93", "CD": "93",
	"CF": "93", "LB": "93", "SD": "93", "SS": "93", "VE": "93", "YE": "93", "ZW": "93", "HT": "93",
}

func importGravity(country, code string) (rules.Severity, sanction.Measure) {
	m := sanction.Against(country)
	switch {
	case m.Level == sanction.Prohibited, hasPrefixOf(code, bannedGoods[country]):
		return rules.Blocker, m
	case m.Level == sanction.Extensive:
		return rules.Warning, m
	}
	return "", m
}

func sanctionedOrigin(c *Case, i *item) remarks {
	if !c.imports() {
		return nil
	}
	severity, m := importGravity(i.CountryOfOrigin, i.CommodityCode)
	if severity == "" {
		return nil
	}
	return note(severity, fmt.Sprintf("Goods of %s made in %s are subject to the %s.", i.CommodityCode, i.CountryOfOrigin, m.Regime), halt)
}

func sanctionedRoute(c *Case, _ rules.Facts) (found remarks) {
	for _, p := range []struct{ field, country, way string }{
		{"shipment.countryOfDispatch", c.Shipment.CountryOfDispatch, "sent from"},
		{"shipment.counterpartyCountry", c.Shipment.CounterpartyCountry, "sent by a party in"},
	} {
		if severity, m := importGravity(p.country, ""); c.imports() && severity != "" {
			found = append(found, remark{Field: p.field, Severity: severity, Suggestion: halt,
				Message: fmt.Sprintf("The goods are %s %s, a country under the %s.", p.way, p.country, m.Regime)})
		}
	}
	if flag := c.Shipment.TransportNationality; flag == "RU" || flag == "BY" || flag == "KP" {
		found = append(found, remark{Field: "shipment.transportNationality", Severity: rules.Blocker, Suggestion: "Check the registration; such means of transport may not enter the United Kingdom.",
			Message: fmt.Sprintf("The goods travel on a means of transport that is registered in %s.", flag)})
	}
	return found
}

func sanctionedExport(c *Case, i *item) remarks {
	m := sanction.Against(c.destination())
	if c.imports() || m.Level < sanction.Extensive {
		return nil
	}
	severity := rules.Warning
	if (i.control.Regime == exportcontrol.Sanctions || i.control.Regime == exportcontrol.Military || i.control.Regime == exportcontrol.DualUse) && i.control.Verdict == exportcontrol.Needs {
		severity = rules.Blocker
	}
	return note(severity, fmt.Sprintf("Goods of %s go to %s, a country under the %s.", i.CommodityCode, m.Country, m.Regime), halt)
}

// Places in the parts of Ukraine that its government does not control.
const occupiedPlaces = `crimea crimean krym sevastopol simferopol kerch yalta feodosia yevpatoria dzhankoi donetsk makiivka horlivka mariupol luhansk lugansk alchevsk
	sievierodonetsk melitopol berdiansk berdyansk tokmak enerhodar henichesk dnr lnr`

func occupiedUkraine(c *Case, _ rules.Facts) (found remarks) {
	if c.Shipment.CounterpartyCountry != "UA" && c.Shipment.CounterpartyCountry != "RU" {
		return nil
	}
	for _, p := range []struct{ field, text string }{
		{"shipment.counterpartyCity", c.Shipment.CounterpartyCity}, {"shipment.counterpartyAddress", c.Shipment.CounterpartyAddress},
	} {
		if place := anyOf(goods.Words(strings.ToLower(p.text)), occupiedPlaces); place != "" {
			found = append(found, about(p.field, fmt.Sprintf("%q names %s.", p.text, place), halt))
		}
	}
	return found
}

func diversionRisk(c *Case, i *item) remarks {
	m := sanction.Against(c.destination())
	code, err := ident.ParseCommodityCode(i.CommodityCode)
	if c.imports() || m.Level != sanction.Transhipped || err != nil || !exportcontrol.HighPriority(code) {
		return nil
	}
	return remarkOf(fmt.Sprintf("%s is on the common high priority list, and goods are known to be diverted to Russia through %s.", code, m.Country),
		"Know the end user, have a clause against re-export, and ask the Export Control Joint Unit when in doubt.")
}

// trusted are origins for which customs requires no evidence about Russian inputs.
const trusted = union + " GB XI RU NO CH IS LI US CA JP KR AU NZ"

func russianInputs(c *Case, i *item) remarks {
	if !c.imports() || i.CountryOfOrigin == "" || !hasPrefixOf(i.CommodityCode, "7206 7207 7208 7209 721 722 73 7108 7102") || isOneOf(i.CountryOfOrigin, trusted) {
		return nil
	}
	return remarkOf(fmt.Sprintf("Goods of %s from %s must not contain Russian inputs that are banned.", i.CommodityCode, i.CountryOfOrigin),
		"Have the mill certificate, or the supplier's evidence of where the metal was melted or the stone mined, at hand.")
}
