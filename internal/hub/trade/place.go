package trade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
)

// addressElsewhere reads the country at the end of an address. Elsewhere the name of a country may be part of a street name.
func addressElsewhere(l *Licence, _ rules.Facts) remarks {
	lines := strings.FieldsFunc(l.EndUserAddress, func(r rune) bool { return r == ',' || r == '\n' || r == ';' })
	if len(lines) == 0 {
		return nil
	}
	if place := occupied(l); place != "" {
		return remarkOn("", rules.Blocker, fmt.Sprintf("%q names %s, which is in the part of Ukraine that its government does not control.", l.EndUserAddress, place),
			"Stop, and screen goods and parties. Export only under a licence under the Russia (Sanctions) (EU Exit) Regulations 2019.")
	}
	named := countryNamed(lines[len(lines)-1])
	if named == "" || named == l.EndUserCountry || named == "GB" && l.EndUserCountry == "XI" {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("The address ends with %s, which is %s, but endUserCountry is %s.", strings.TrimSpace(lines[len(lines)-1]), named, l.EndUserCountry),
		Suggestion: "Correct one of them. The licence is granted for the country where the goods are used.",
	}
	if sanction.Against(named).Level >= sanction.Extensive {
		remark.Severity = rules.Blocker
	}
	return remarks{remark}
}

// occupied returns the name of a place in occupied Ukraine in an address.
func occupied(l *Licence) string {
	if l.EndUserCountry != "UA" && l.EndUserCountry != "RU" {
		return ""
	}
	for _, w := range goods.Words(strings.ToLower(l.EndUserAddress)) {
		if slices.Contains(occupiedNames, w) {
			return strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return ""
}

// occupiedNames lists places in the Crimea, and in the parts of Donetsk, Kherson, Luhansk and Zaporizhzhia that were
// occupied in autumn 2026.
var occupiedNames = strings.Fields("crimea sevastopol simferopol kerch feodosia yevpatoria yalta mariupol berdyansk berdiansk donetsk luhansk lugansk melitopol horlivka makiivka")

// countryNamed returns the country in the last line of an address, ignoring a postcode.
func countryNamed(line string) string {
	var words []string
	for _, w := range goods.Words(strings.ToLower(line)) {
		if !strings.ContainsAny(w, "0123456789") {
			words = append(words, w)
		}
	}
	return countries[strings.Join(words, " ")]
}

// countries maps names to countries: those with most exports and those with measures.
var countries = map[string]string{
	"russia": "RU", "russian federation": "RU", "belarus": "BY", "republic of belarus": "BY", "iran": "IR", "islamic republic of iran": "IR",
	"north korea": "KP", "dprk": "KP", "syria": "SY", "syrian arab republic": "SY", "myanmar": "MM", "burma": "MM", "sudan": "SD", "south sudan": "SS",
	"libya": "LY", "venezuela": "VE", "yemen": "YE", "zimbabwe": "ZW", "somalia": "SO", "afghanistan": "AF", "iraq": "IQ", "lebanon": "LB",
	"china": "CN", "pr china": "CN", "p r china": "CN", "people s republic of china": "CN", "hong kong": "HK", "cuba": "CU",
	"united kingdom": "GB", "uk": "GB", "england": "GB", "scotland": "GB", "wales": "GB", "great britain": "GB", "northern ireland": "XI",
	"united states": "US", "united states of america": "US", "usa": "US", "canada": "CA", "mexico": "MX", "brazil": "BR", "argentina": "AR", "chile": "CL",
	"france": "FR", "germany": "DE", "deutschland": "DE", "italy": "IT", "spain": "ES", "portugal": "PT", "netherlands": "NL", "the netherlands": "NL",
	"belgium": "BE", "ireland": "IE", "austria": "AT", "switzerland": "CH", "sweden": "SE", "norway": "NO", "denmark": "DK", "finland": "FI",
	"poland": "PL", "czech republic": "CZ", "czechia": "CZ", "slovakia": "SK", "hungary": "HU", "romania": "RO", "bulgaria": "BG", "greece": "GR",
	"serbia": "RS", "ukraine": "UA", "turkey": "TR", "türkiye": "TR", "turkiye": "TR", "armenia": "AM", "azerbaijan": "AZ", "kazakhstan": "KZ",
	"kyrgyzstan": "KG", "uzbekistan": "UZ", "tajikistan": "TJ", "turkmenistan": "TM", "mongolia": "MN", "israel": "IL", "saudi arabia": "SA",
	"united arab emirates": "AE", "uae": "AE", "u a e": "AE", "qatar": "QA", "kuwait": "KW", "oman": "OM", "bahrain": "BH", "egypt": "EG",
	"india": "IN", "pakistan": "PK", "bangladesh": "BD", "sri lanka": "LK", "japan": "JP", "south korea": "KR", "korea": "KR", "republic of korea": "KR",
	"taiwan": "TW", "singapore": "SG", "malaysia": "MY", "thailand": "TH", "vietnam": "VN", "viet nam": "VN", "indonesia": "ID", "philippines": "PH",
	"australia": "AU", "new zealand": "NZ", "south africa": "ZA", "nigeria": "NG", "kenya": "KE", "ghana": "GH", "morocco": "MA", "algeria": "DZ",
}
