package ics2_test

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/ics2"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// column returns the first column of a published list.
func column(t *testing.T, name string) []string {
	t.Helper()
	f, err := os.Open("../../../../shared/domain/data/" + name)
	if err != nil {
		t.Skip(name + " is not available")
	}
	defer f.Close()
	var all []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		first, _, _ := strings.Cut(lines.Text(), ",")
		if !strings.HasPrefix(first, "#") && first != "" {
			all = append(all, first)
		}
	}
	return all
}

// The security area is the same as the published one.
func TestSecurityArea(t *testing.T) {
	want := slices.Sorted(slices.Values(column(t, "common/CL147_CountryCustomsSecurityAgreementArea.csv")[1:]))
	if got := slices.Sorted(slices.Values(ics2.SecurityArea)); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// Every entry of a list of countries is a country, and occurs once.
func TestCountryLists(t *testing.T) {
	for _, list := range ics2.CountryLists {
		for _, country := range list {
			if _, err := ident.ParseCountry(country); err != nil {
				t.Errorf("%s: %v", country, err)
			}
		}
		if sorted := slices.Sorted(slices.Values(list)); len(slices.Compact(sorted)) != len(list) {
			t.Errorf("twice in %q", list)
		}
	}
}

// Every entry of a list of places is a UN/LOCODE, and no entry of the list of names is one.
func TestPlaces(t *testing.T) {
	real := map[string]bool{}
	for _, code := range column(t, "common/CL244_UnLocodeExtended.csv") {
		real[code] = true
	}
	for _, code := range slices.Concat(ics2.NorthernIrish, ics2.Occupied, ics2.FerryPorts) {
		if !real[code] && code != "GBBFS" { // the code of the airport, not in every edition
			t.Errorf("%s is no place", code)
		}
	}
	for _, name := range ics2.FiveLetterNames {
		if real[name] {
			t.Errorf("%s is a code", name)
		}
	}
}

// Every code that a rule checks is a prefix of a code in the Harmonised System.
func TestRiskCodes(t *testing.T) {
	real := column(t, "common/CL152_HScode.csv")
	for _, code := range ics2.RiskCodes() {
		if !slices.ContainsFunc(real, func(r string) bool { return strings.HasPrefix(r, code) }) {
			t.Errorf("%s begins no code", code)
		}
	}
}

// The high priority goods are those of the published list.
func TestPriorityList(t *testing.T) {
	f, err := os.ReadFile("../../../../shared/domain/data/trade/chpl_hs6.csv")
	if err != nil {
		t.Skip("the Common High Priority List is not available")
	}
	rows := strings.Split(strings.TrimSpace(string(f)), "\n")[1:]
	for _, row := range rows {
		_, code, _ := strings.Cut(strings.TrimSpace(row), ",")
		got := suite.Changed(t, longHaul, func(f body) { f.CommodityCodes = []string{code} })
		if !slices.Contains(got, "ICS2-034 info commodityCodes[0]") {
			t.Errorf("%s is not found: %q", code, got)
		}
	}
	if len(rows) != 50 {
		t.Errorf("%d codes", len(rows))
	}
}

// At least 98% of the descriptions that ICS2 rejects are a blocker for goods to the EU.
func TestStopWords(t *testing.T) {
	words := column(t, "ics2/ics2_stop_words.txt")
	var missed []string
	for _, word := range words {
		got := suite.Changed(t, belfast, func(f body) { f.GoodsDescription = word })
		if !slices.Contains(got, "ICS2-023 blocker goodsDescription") {
			missed = append(missed, word)
		}
	}
	if len(words) < 100 || len(missed)*50 > len(words) {
		t.Errorf("of %d stop words these have no finding: %q", len(words), missed)
	}
}

// Names that ICS2 rejects have a finding.
func TestPartyStopWords(t *testing.T) {
	for _, word := range column(t, "ics2/ics2_party_stop_words.txt") {
		got := suite.Changed(t, belfast, func(f body) { f.ConsigneeName = word })
		if !slices.Contains(got, "ICS2-018 warning consigneeName") && !slices.Contains(got, "ICS2-019 warning consigneeName") {
			t.Errorf("%q has no finding about the name: %q", word, got)
		}
	}
}

// Every published UN/LOCODE is recognised as one, so that no correct port has a warning.
func TestPublishedPlacesAreRead(t *testing.T) {
	places := column(t, "common/CL244_UnLocodeExtended.csv")[1:]
	at := slices.IndexFunc(ics2.Rules, func(r rules.Rule[ics2.Filing]) bool { return r.Code == "ICS2-006" })
	for _, code := range places {
		country, err := ident.ParseCountry(code[:2])
		if f := (&ics2.Filing{PortOfLoading: code, PortOfUnloading: "GBFXT"}); err == nil && country != "XI" && len(ics2.Rules[at].Check(f, rules.Facts{})) > 0 {
			t.Errorf("%s has a finding", code)
		}
	}
	if len(places) < 50_000 {
		t.Errorf("only %d places", len(places))
	}
}
