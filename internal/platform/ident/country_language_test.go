package ident_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var update = flag.Bool("update", false, "write country_names.txt")

var countryLanguages = []string{"de", "fr", "es", "it", "nl", "pl", "pt", "ro", "tr", "sv", "da", "cs", "zh"}

// otherThings are names of countries that towns, people and goods have too: Spain's Granada, Dominique, chili, Turkish for maize.
var otherThings = []string{"Granada", "Grenade", "Grenada", "Dominique", "Maurice", "Chili", "Mısır", "Man", "Malte", "Fas", "Chade", "Tonga", "Dominica", "Dominika", "Dominik"}

// oldNames are usual names that the CLDR has no more.
var oldNames = map[ident.Country]string{
	"AE": "VAE|Emirati Arabi", "BY": "Weißrussland|Wit-Rusland|Biélorussie", "CN": "VR China|Volksrepublik China|République populaire de Chine", "CZ": "Tschechische Republik|République tchèque|Repubblica Ceca|República Checa|Tsjechische Republiek",
	"GB": "Großbritannien|Grande-Bretagne|Gran Bretagna|Gran Bretaña|Groot-Brittannië|Engeland|Angleterre|Inghilterra|Inglaterra", "MM": "Birma", "CI": "Elfenbeinküste", "NL": "Holland|Olanda|Hollande|Holanda|Hollanda", "MK": "Nordmazedonien|Macédoine du Nord|Macedonia del Norte|Macedonia del Nord|Noord-Macedonië|Mazedonien|Macédoine|Macedonia|Macedonië",
	"US": "USA|VS|VSA|EE. UU.|Etats-Unis d'Amérique|Vereinigte Staaten von Amerika|Stati Uniti d'America|Verenigde Staten van Amerika|Estados Unidos de América", "KR": "Südkorea|Corée|Corea|Republik Korea|República de Corea|Repubblica di Corea",
}

// The table of names is the one that the CLDR gives.
func TestForeignNames(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Names of countries in " + strings.Join(countryLanguages, ", ") + ": Unicode CLDR " + display.CLDRVersion + " and usual older names, made by go test ./internal/platform/ident -update.\n")
	taken := map[string]ident.Country{}
	for _, code := range ident.Countries() {
		if code == ident.NorthernIreland {
			continue
		}
		var names []string
		add := func(name string) {
			if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) && !slices.Contains(otherThings, name) && (taken[name] == "" || taken[name] == code) {
				names, taken[name] = append(names, name), code
			}
		}
		for _, tag := range countryLanguages {
			name := display.Regions(language.MustParse(tag)).Name(language.MustParseRegion(string(code)))
			outside, inside, _ := strings.Cut(name, " (") // Myanmar (Birmanie), but Saint-Martin (France)
			add(outside)
			if code == "MM" {
				add(strings.Trim(inside, ")"))
			}
		}
		for name := range strings.SplitSeq(oldNames[code], "|") {
			add(name)
		}
		b.WriteString(string(code) + " " + strings.Join(names, "|") + "\n")
	}
	was, err := os.ReadFile("country_names.txt")
	if *update {
		err = os.WriteFile("country_names.txt", []byte(b.String()), 0o644)
		was = []byte(b.String())
	}
	if err != nil {
		t.Fatal(err)
	}
	if string(was) != b.String() {
		t.Fatal("country_names.txt is stale: run go test ./internal/platform/ident -update")
	}
}

// No name is that of two countries.
func TestForeignNamesAreDistinct(t *testing.T) {
	found := map[string]ident.Country{}
	for name, code := range ident.ForeignNames() {
		key := strings.ToLower(name)
		if other, known := found[key]; known && other != code {
			t.Errorf("%s is %s and %s", name, other, code)
		}
		found[key] = code
		if c, _ := ident.FindCountry(name); c != code {
			t.Errorf("%s is %s, not %s", name, c, code)
		}
	}
}

func TestCountriesInOtherLanguages(t *testing.T) {
	for name, code := range map[string]ident.Country{
		"Turkije": "TR", "TÜRKEI": "TR", "Vereinigte Staaten": "US", "Verenigde Staten": "US", "Côte d'Ivoire": "CI", "Elfenbeinküste": "CI", "Etats-Unis": "US", "Corea del Sur": "KR", "Svezia": "SE",
		"Oekraïne": "UA", "Czechia": "CZ", "Granada": "", "Chili": "",
	} {
		got, _ := ident.FindCountry(name)
		if got != code {
			t.Errorf("%s is %q, not %q", name, got, code)
		}
	}
}
