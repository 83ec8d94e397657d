package extract

import "testing"

// Names of countries are read in other languages; towns that are called like countries are not.
func TestCountriesOfDocuments(t *testing.T) {
	all := allCountries()
	for text, want := range map[string]string{
		"Turkije": "TR", "Elfenbeinküste": "CI", "Corea del Sur": "KR", "SVEZIA": "SE", "Oekraïne": "UA", "République dominicaine": "DO", "Granada": "", "Chili": "",
	} {
		if got, _ := all.country(text); got != want {
			t.Errorf("%s is %q, not %q", text, got, want)
		}
	}
}
