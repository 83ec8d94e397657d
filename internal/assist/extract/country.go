package extract

import (
	"strings"
	"sync"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// countryNames are names of trading countries as documents write them, in normalised words, by code, besides the table
// of ident.ForeignNames.
var countryNames = map[string]string{
	"GB": "storbritannien|storbritannia|velka britanie|gra bretanha|reino unido da gra bretanha|iso britannia|united kingdom|uk|great britain|england|scotland|wales|grossbritannien|vereinigtes konigreich|royaume uni|reino unido|regno unito|verenigd koninkrijk|wielka brytania",
	"XI": "northern ireland",
	"IE": "ireland|republic of ireland|irland|irlande|eire",
	"DE": "tyskland|alemanha|germany|deutschland|federal republic of germany|allemagne|alemania|germania|duitsland|niemcy",
	"FR": "frankrig|france|frankreich|francia|frankrijk|francja",
	"IT": "italy|italia|italien|italie|wlochy",
	"ES": "spain|espana|spanien|espagne|spagna|spanje|hiszpania",
	"PT": "portugal|portugalia",
	"NL": "netherlands|the netherlands|holland|nederland|niederlande|pays bas|paises bajos|paesi bassi|holandia",
	"BE": "belgium|belgie|belgique|belgien|belgica|belgio",
	"LU": "luxembourg|luxemburg",
	"AT": "austria|osterreich|oesterreich|autriche|oostenrijk",
	"CH": "switzerland|schweiz|suisse|svizzera|zwitserland|suiza",
	"PL": "poland|polska|polen|pologne|polonia",
	"CZ": "ceska rep|czech republic|czechia|ceska republika|cesko|tschechien|republique tcheque",
	"SK": "slovakia|slovensko|slowakei",
	"HU": "hungary|magyarorszag|ungarn|hongrie",
	"RO": "romania|rumanien|roumanie",
	"BG": "bulgaria|bulgarien|bulgarie",
	"GR": "greece|griechenland|grece|hellas",
	"DK": "danska|denmark|danmark|danemark|danemark",
	"SE": "svedsko|sweden|sverige|schweden|suede|suecia",
	"NO": "norsko|norway|norge|norwegen|norvege",
	"FI": "finland|suomi|finnland|finlande",
	"EE": "estonia|eesti",
	"LV": "latvia|latvija",
	"LT": "lithuania|lietuva|litauen",
	"HR": "croatia|hrvatska|kroatien",
	"SI": "slovenia|slovenija|slowenien",
	"RS": "serbia|srbija",
	"BA": "bosnia and herzegovina",
	"UA": "ukraine|ukraina",
	"MD": "moldova",
	"TR": "turkiye cumhuriyeti|turkey|turkiye|turkei|turquie|turchia",
	"CY": "cyprus",
	"MT": "malta",
	"IS": "iceland",
	"US": "united states|united states of america|usa|u s a|vereinigte staaten|etats unis|estados unidos|stati uniti",
	"CA": "canada|kanada",
	"MX": "mexico|mexiko|mexique",
	"BR": "brazil|brasil|brasilien|bresil",
	"AR": "argentina|argentinien",
	"CL": "chile",
	"PE": "peru",
	"CO": "colombia|kolumbien",
	"EC": "ecuador",
	"UY": "uruguay",
	"CR": "costa rica",
	"GT": "guatemala",
	"DO": "dominican republic",
	"CN": "china|peoples republic of china|p r china|pr china|prc|chine|cina|chiny|people s republic of china",
	"HK": "hong kong|hong kong sar|hongkong",
	"TW": "taiwan|taiwan r o c|taiwan roc",
	"JP": "japan|japon|giappone",
	"KR": "south korea|korea|republic of korea|korea republic of|sudkorea|coree du sud",
	"IN": "india|indien|inde|indie",
	"PK": "pakistan",
	"BD": "bangladesh|bangladesch",
	"LK": "sri lanka",
	"NP": "nepal",
	"VN": "vietnam|viet nam|socialist republic of vietnam",
	"TH": "thailand|thailande",
	"MY": "malaysia",
	"SG": "singapore|singapur",
	"ID": "indonesia|indonesien|indonesie",
	"PH": "philippines|philippinen",
	"KH": "cambodia|kambodscha|cambodge",
	"LA": "laos",
	"MM": "myanmar",
	"MN": "mongolia",
	"AE": "united arab emirates|uae|u a e|vereinigte arabische emirate",
	"SA": "saudi arabia",
	"QA": "qatar",
	"KW": "kuwait",
	"OM": "oman",
	"BH": "bahrain",
	"JO": "jordan",
	"IL": "israel",
	"EG": "egypt|agypten|egypte",
	"MA": "morocco|maroc|marokko|marruecos",
	"TN": "tunisia|tunisie|tunesien",
	"DZ": "algeria",
	"ZA": "south africa|sudafrika|afrique du sud|rsa",
	"KE": "kenya|kenia",
	"ET": "ethiopia",
	"GH": "ghana",
	"NG": "nigeria",
	"CI": "cote d ivoire|ivory coast|cote divoire",
	"TZ": "tanzania",
	"UG": "uganda",
	"MU": "mauritius",
	"MG": "madagascar",
	"ZW": "zimbabwe",
	"NA": "namibia",
	"AU": "australia|australien|australie",
	"NZ": "new zealand|neuseeland",
	"FJ": "fiji",
	"KZ": "kazakhstan",
	"UZ": "uzbekistan",
	"GE": "georgia",
	"AM": "armenia",
	"AZ": "azerbaijan",
}

// countryIndex finds countries by name.
type countryIndex map[string]string

// allCountries is read at its first use, and never changes.
var allCountries = sync.OnceValue(newCountryIndex)

func newCountryIndex() countryIndex {
	a := countryIndex{}
	for code, names := range countryNames {
		for name := range strings.SplitSeq(names, "|") {
			a[name] = code
		}
	}
	for name, code := range ident.ForeignNames() {
		if name := phrase(name); name != "" && a[name] == "" {
			a[name] = string(code)
		}
	}
	for _, code := range ident.Countries() {
		if name := phrase(code.Name()); a[name] == "" {
			a[name] = string(code)
		}
	}
	return a
}

// nounsOfCountries are the names that adjectives are compared with.
var nounsOfCountries = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for code, names := range countryNames {
		for name := range strings.SplitSeq(names, "|") {
			all[name] = code
		}
	}
	for _, code := range ident.Countries() {
		if name := phrase(code.Name()); all[name] == "" {
			all[name] = string(code)
		}
	}
	return all
})

// shortestCountry is the number of letters of a country's name that an adjective must begin with.
const shortestCountry = 4

// countryOfAdjective returns the country of an adjective such as "Indian" or "marocaine": it begins with the country's name, apart from a
// vowel at the name's end. If it begins with several names, the longest counts.
func countryOfAdjective(word string) (code string, ok bool) {
	longest, alone := 0, true
	for name, c := range nounsOfCountries() {
		root := name
		if last := name[len(name)-1:]; strings.Contains("aeiouy", last) {
			root = strings.TrimSuffix(name, last)
		}
		if len(root) < max(longest, shortestCountry) || len(word) <= len(root) || len(word) > len(name)+4 || !strings.HasPrefix(word, root) {
			continue
		}
		alone = len(root) > longest || alone && c == code
		code, longest = c, len(root)
	}
	return code, longest > 0 && alone
}

// longestName is the largest number of words in a country's name.
const longestName = 5

// italianTown matches a town with its postcode and the letters of its province, which look like the code of a country.
var italianTown = lazyregexp.New(`\b\d{5} \pL[\pL' -]+ \(?[A-Z]{2}\)?$`)

// country returns the country that a whole text names, such as "P.R. China" or CN.
func (a countryIndex) country(text string) (string, bool) {
	text = strings.Trim(text, " .,;:()[]")
	if code, err := ident.ParseCountry(text); err == nil {
		return string(code), true
	}
	if code, ok := a[phrase(text)]; ok {
		return code, true
	}
	if name, code, ok := strings.Cut(text, "("); ok && !italianTown.MatchString(text) { // China (CN)
		if found, ok := a.country(code); ok {
			return found, true
		}
		return a.country(name)
	}
	for _, separator := range []string{" - ", " / ", "/", "-", " "} { // CN - China, DE Germany
		if code, name, ok := strings.Cut(text, separator); ok {
			if found, ok := a.country(code); ok && len(code) == 2 && a[phrase(name)] == found {
				return found, true
			}
		}
	}
	return "", false
}

// isLine reports whether a line of an address names a country, perhaps behind other words, such as "Île de la Réunion".
func (a countryIndex) isLine(text string) bool {
	if _, ok := a.country(text); ok {
		return true
	}
	_, ok := a.ending(text)
	return ok && !strings.ContainsFunc(text, unicode.IsDigit)
}

// ending returns the country that the last words of a text name.
func (a countryIndex) ending(text string) (string, bool) {
	words := wordsOf(text)
	for n := min(longestName, len(words)); n > 0; n-- {
		var plain []string
		for _, w := range words[len(words)-n:] {
			plain = append(plain, w.plain)
		}
		if code, ok := a[strings.Join(plain, " ")]; ok {
			return code, true
		}
	}
	return "", false
}
