package ics2

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
)

const sanctionLaw = "Sanctions and Anti-Money Laundering Act 2018 and the (Sanctions) (EU Exit) Regulations for the country"

var sanctionRules = ruleSet{
	{Code: "ICS2-036", Severity: rules.Warning, Field: "portOfLoading", Check: sanctionedPlaces, Source: sanctionLaw,
		Title: "Goods are loaded or unloaded in a country under sanctions"},
	{Code: "ICS2-037", Severity: rules.Blocker, Field: "carrierEori", Check: sanctionedParties, Source: sanctionLaw,
		Title: "A party's EORI was issued by a country under sanctions"},
	{Code: "ICS2-038", Severity: rules.Blocker, Field: "portOfLoading", Check: occupiedPlaces, Source: "Russia (Sanctions) (EU Exit) Regulations 2019: non-government controlled Ukrainian territory",
		Title: "Goods are loaded or unloaded in occupied Ukraine"},
}

const screenAdvice = "Stop, and screen goods and parties. Trade only under a licence or an exception."

func sanctionedPlaces(f *Filing, _ rules.Facts) (found remarks) {
	for _, p := range []place{f.loading(), f.unloading()} {
		country := string(p.country)
		if country == "" {
			country = countryNamed(p.text, sanctionedNames)
		}
		measure, way := sanction.Against(country), "unloaded"
		if p.field == "portOfLoading" {
			way = "loaded"
		}
		severity, ok := f.sanctionSeverity(measure, way == "loaded")
		if !ok {
			continue
		}
		found = append(found, rules.Remark{
			Field: p.field, Severity: severity, Suggestion: screenAdvice,
			Message: fmt.Sprintf("The goods are %s at %s in %s, a country under the %s.", way, p.text, country, measure.Regime),
		})
	}
	return found
}

// prohibitedChapters lists the chapters that must not be imported from a country, if others may.
var prohibitedChapters = map[string][]string{
	"BY": strings.Fields("25 27 31 40 44 71 72 73 93"),
	"IR": strings.Fields("28 93"),
}

// sanctionSeverity returns the severity of a measure for these goods, and false if it does not apply. The embargo against China
// covers only goods that go there.
func (f *Filing) sanctionSeverity(m sanction.Measure, loaded bool) (rules.Severity, bool) {
	switch m.Level {
	case sanction.Prohibited:
		return rules.Blocker, true
	case sanction.Extensive:
		if !loaded || f.hasChapter(prohibitedChapters[m.Country]) {
			return rules.Blocker, true
		}
		return rules.Warning, true
	case sanction.Embargo:
		switch {
		case isChina(m.Country):
			return "", false
		case f.hasChapter([]string{"93"}):
			return rules.Blocker, true
		}
		return rules.Warning, true
	case sanction.Financial:
		return rules.Info, true
	}
	return "", false
}

func isChina(country string) bool { return country == "CN" || country == "HK" }

func (f *Filing) hasChapter(chapters []string) bool {
	for code := range f.fullCodes() {
		if slices.Contains(chapters, code.chapter()) {
			return true
		}
	}
	return false
}

func sanctionedParties(f *Filing, _ rules.Facts) (found remarks) {
	for _, p := range f.parties() {
		eori := p.parsed()
		if eori == "" {
			continue
		}
		measure := sanction.Against(string(eori.Country()))
		remark := rules.Remark{
			Field: p.eoriField, Suggestion: screenAdvice,
			Message: fmt.Sprintf("The number %s of the %s was issued by %s, a country under the %s.", eori, p.role, measure.Country, measure.Regime),
		}
		switch measure.Level {
		case sanction.Prohibited, sanction.Extensive:
		case sanction.Embargo:
			if isChina(measure.Country) {
				continue
			}
			remark.Severity = rules.Warning
		default:
			continue
		}
		found = append(found, remark)
	}
	return found
}

func occupiedPlaces(f *Filing, _ rules.Facts) (found remarks) {
	for _, p := range []place{f.loading(), f.unloading()} {
		isNamed := p.code == "" && (p.country == "" || p.country == "UA") && countryNamed(p.text, occupiedNames) != ""
		if !isNamed && !slices.Contains(occupied, string(p.code)) {
			continue
		}
		found = append(found, rules.Remark{
			Field:      p.field,
			Message:    fmt.Sprintf("%s is in the part of Ukraine that its government does not control.", p.text),
			Suggestion: screenAdvice,
		})
	}
	return found
}

// occupied lists UN/LOCODEs in the Crimea, and in the parts of Donetsk, Kherson, Luhansk and Zaporizhzhia that were
// occupied in autumn 2026.
var occupied = strings.Fields("UABAK UABAP UADOK UAERD UAFEO UAKEH UAKRA UAMKV UAMPW UASIP UASKD UASVP UAVSG UAYAL UAZKA UAZUC UAZUI UAZZO")

// occupiedNames and sanctionedNames list names of places, for ports that are not given by their code.
var (
	occupiedNames = map[string]string{
		"crimea": "UA", "sevastopol": "UA", "kerch": "UA", "feodosia": "UA", "yevpatoria": "UA", "simferopol": "UA",
		"mariupol": "UA", "berdyansk": "UA", "berdiansk": "UA", "donetsk": "UA", "luhansk": "UA", "lugansk": "UA", "melitopol": "UA",
	}
	sanctionedNames = map[string]string{
		"russia": "RU", "russian": "RU", "novorossiysk": "RU", "petersburg": "RU", "luga": "RU", "vladivostok": "RU", "vostochny": "RU", "kaliningrad": "RU",
		"murmansk": "RU", "arkhangelsk": "RU", "moscow": "RU", "sheremetyevo": "RU",
		"belarus": "BY", "minsk": "BY", "iran": "IR", "tehran": "IR", "abbas": "IR", "bushehr": "IR", "chabahar": "IR",
		"dprk": "KP", "pyongyang": "KP", "nampo": "KP", "wonsan": "KP", "syria": "SY", "latakia": "SY", "tartus": "SY", "damascus": "SY",
	}
)

// countryNamed returns the country of the first name of a list in a text.
func countryNamed(text string, list map[string]string) string {
	for _, w := range goods.Words(strings.ToLower(text)) {
		if country, ok := list[w]; ok {
			return country
		}
	}
	return ""
}
