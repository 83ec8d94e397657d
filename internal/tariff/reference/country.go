package reference

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// countryNames are the codes of the country names in the Commission's workbook of default
// values, which cuts them to 31 characters.
const countryNames = `Albania AL|Algeria DZ|Angola AO|Argentina AR|Armenia AM|Australia AU|Azerbaijan AZ|Bahrain BH|Bangladesh BD|Belarus BY|Benin BJ|Bolivia BO|
Bosnia and Herzegovina BA|Brazil BR|Brunei BN|Cambodia KH|Cameroon CM|Canada CA|Chile CL|China CN|Colombia CO|Congo CG|Costa Rica CR|Cuba CU|Curaçao CW|Côte d'Ivoire CI|
Democratic Republic of the Cong CD|Dominican Republic DO|Ecuador EC|Egypt EG|El Salvador SV|Equatorial Guinea GQ|Eritrea ER|Eswatini SZ|Ethiopia ET|Gabon GA|Georgia GE|
Ghana GH|Guatemala GT|Haiti HT|Honduras HN|Hong Kong HK|India IN|Indonesia ID|Iran IR|Iraq IQ|Israel IL|Jamaica JM|Japan JP|Jordan JO|Kazakhstan KZ|Kenya KE|Kosovo XK|
Kuwait KW|Kyrgyzstan KG|Laos LA|Lebanon LB|Libya LY|Madagascar MG|Malaysia MY|Mali ML|Mauritania MR|Mauritius MU|Mexico MX|Moldova MD|Mongolia MN|Montenegro ME|
Morocco MA|Mozambique MZ|Myanmar_Burma MM|Namibia NA|Nepal NP|New Zealand NZ|Nicaragua NI|Niger NE|Nigeria NG|North Korea KP|North Macedonia MK|Oman OM|Pakistan PK|
Panama PA|Papua New Guinea PG|Paraguay PY|Peru PE|Philippines PH|Qatar QA|Russia RU|Rwanda RW|Saudi Arabia SA|Senegal SN|Serbia RS|Sierra Leone SL|Singapore SG|
South Africa ZA|South Korea KR|Sri Lanka LK|Sudan SD|Suriname SR|Syria SY|Taiwan TW|Tajikistan TJ|Tanzania TZ|Thailand TH|Togo TG|Trinidad and Tobago TT|Tunisia TN|
Türkiye TR|Turkmenistan TM|Uganda UG|Ukraine UA|United Arab Emirates AE|United Kingdom GB|United States US|Uruguay UY|Uzbekistan UZ|Venezuela VE|Vietnam VN|Yemen YE|
Zambia ZM|Zimbabwe ZW`

// otherCountries is the beginning of the name for all countries without values of their own.
const otherCountries = "_Other Countries"

var countryCodes = func() map[string]string {
	codes := map[string]string{}
	for _, entry := range strings.Split(countryNames, "|") {
		entry = strings.TrimSpace(entry)
		at := strings.LastIndexByte(entry, ' ')
		codes[entry[:at]] = entry[at+1:]
	}
	return codes
}()

// countryOf returns the code of a country given by name or code; "" for all other countries.
func countryOf(name string) (code string, ok bool) {
	if strings.HasPrefix(name, otherCountries) {
		return others, true
	}
	if code, ok := countryCodes[name]; ok {
		return code, true
	}
	c, err := ident.ParseCountry(name)
	return string(c), err == nil
}
