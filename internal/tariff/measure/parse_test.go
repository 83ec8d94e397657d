package measure_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Duties of both dialects are read, and written in that of HMRC's tariff service.
func TestParseDuty(t *testing.T) {
	for text, want := range map[string]string{
		"12.00%":                                "12.00 %",
		"8.00 %":                                "8.00 %",
		"12.80 % + 176.80 EUR / 100 kg":         "12.80 % + 176.80 EUR / 100 kg",
		"0.80 GBP / % vol / hl + 5.30 GBP / hl": "0.80 GBP / % vol/hl + 5.30 GBP / hl",
		"13.80 % MIN 13.00 GBP / 100 kg MAX 15.00 GBP / 100 kg":                      "13.80 % MIN 13.00 GBP / 100 kg MAX 15.00 GBP / 100 kg",
		"244.78 GBP / 1,000 items":                                                   "244.78 GBP / 1000 p/st",
		"25.233 EUR / 100 kg - 50.00 %":                                              "25.233 EUR / 100 kg - 50.00 %",
		"9.00 % + EA MAX 24.20 % +ADSZ":                                              "9.00 % + EA MAX 24.20 % + ADSZ",
		"0.00% + AC (reduced) MAX 20.70% + FD (reduced)":                             "0.00 % + EAR MAX 20.70 % + ADFMR",
		"16.50 % / Retail Price + 244.78 GBP / 1000 p/st MIN 320.90 GBP / 1000 p/st": "16.50 % / Retail Price + 244.78 GBP / 1000 p/st MIN 320.90 GBP / 1000 p/st",
		"28.74 GBP / l alc. 100%":                                                    "28.74 GBP / l alc. 100%",
		"0.30 GBP / 100 kg/net/%sacchar.":                                            "0.30 GBP / 100 kg/net/%sacchar.",
		"144.10 GBP / 1,000 kg/biodiesel":                                            "144.10 GBP / 1000 kg/biodiesel",
		"5.30 EUR / DTN/Z + 1.00 EUR / TNE":                                          "5.30 EUR / 100 kg/net/%sacchar. + 1.00 EUR / 1000 kg",
		"253.00 GBP/100kg":                                                           "253.00 GBP / 100 kg",
		"5.300 GBP / 100 kg / net drained wt":                                        "5.30 GBP / 100 kg/net eda",
		"0.300 GBP / 100 kg / % sacchar.":                                            "0.30 GBP / 100 kg/net/%sacchar.",
		"144.100 GBP / tonne / of biodiesel content":                                 "144.10 GBP / 1000 kg/biodiesel",
		"5.500 GBP / kilogram / tot alc + 1.00 GBP / 1,000 kWh":                      "5.50 GBP / kg/tot/alc + 1.00 GBP / 1000 kWh",
		"MIN 2.250%": "2.25 %",
		"p/st":       "p/st",
		"1,000 p/st": "1000 p/st",
		"NIHIL":      "NIHIL",
		"":           "",
	} {
		all, err := measure.ParseDuty(text)
		if got := measure.Text(all); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"free", "12", "12.00 USD / kg", "1.2.3 %", "5 GBP / parsec", "% 5"} {
		if all, err := measure.ParseDuty(text); err == nil {
			t.Errorf("%q is accepted as %q", text, measure.Text(all))
		}
	}
}
