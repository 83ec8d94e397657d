package ident

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Name returns the usual English name of a country; empty for an unknown code.
func (c Country) Name() string { return countryNames[c] }

// NameAndCode returns a country as users read it, such as France (FR). It returns an unknown code unchanged.
func (c Country) NameAndCode() string {
	if name := c.Name(); name != "" {
		return name + " (" + string(c) + ")"
	}
	return string(c)
}

var codeInText = lazyregexp.New(`\b(of|from|to|in|for) ([A-Z]{2})\b|\b([A-Z]{2}) \(\d+\)`)

// NameCountries adds the names of the countries whose codes are in a sentence: "goods from FR" becomes "goods from
// France (FR)".
func NameCountries(text string) string {
	return codeInText.ReplaceAllStringFunc(text, func(match string) string {
		parts := codeInText.FindStringSubmatch(match)
		code := parts[2] + parts[3]
		return strings.Replace(match, code, Country(code).NameAndCode(), 1)
	})
}

// Countries returns the countries of ISO 3166-1 and Northern Ireland, sorted by name.
func Countries() []Country { return append([]Country(nil), countries...) }

// FindCountry finds a country by its name, in English or another language, or by its code, in any case. It is for text that users type,
// not for the API.
func FindCountry(text string) (Country, bool) {
	text = strings.TrimSpace(text)
	if c, err := ParseCountry(strings.ToUpper(text)); err == nil {
		return c, true
	}
	if c, known := countryByName[strings.ToLower(text)]; known {
		return c, true
	}
	c, known := countryByForeignName()[plainName(text)]
	return c, known
}

// countries are in the order of the table, which is sorted by name.
var countries, countryNames, countryByName = readCountries()

func readCountries() (order []Country, names map[Country]string, byName map[string]Country) {
	names, byName = map[Country]string{}, map[string]Country{}
	for line := range strings.Lines(countryTable) {
		code, all, _ := strings.Cut(strings.TrimSpace(line), " ")
		for i, name := range strings.Split(all, "|") {
			byName[strings.ToLower(name)] = Country(code)
			if i == 0 {
				order, names[Country(code)] = append(order, Country(code)), name
			}
		}
	}
	return order, names, byName
}

// countryTable has a line for each code: its name, then other common names.
const countryTable = `AF Afghanistan
AX Åland Islands|Aland Islands
AL Albania
DZ Algeria
AS American Samoa
AD Andorra
AO Angola
AI Anguilla
AQ Antarctica
AG Antigua and Barbuda
AR Argentina
AM Armenia
AW Aruba
AU Australia
AT Austria
AZ Azerbaijan
BS Bahamas|The Bahamas
BH Bahrain
BD Bangladesh
BB Barbados
BY Belarus
BE Belgium
BZ Belize
BJ Benin
BM Bermuda
BT Bhutan
BO Bolivia
BQ Bonaire, Sint Eustatius and Saba
BA Bosnia and Herzegovina|Bosnia
BW Botswana
BV Bouvet Island
BR Brazil
IO British Indian Ocean Territory
VG British Virgin Islands
BN Brunei
BG Bulgaria
BF Burkina Faso
BI Burundi
KH Cambodia
CM Cameroon
CA Canada
CV Cape Verde|Cabo Verde
KY Cayman Islands
CF Central African Republic
TD Chad
CL Chile
CN China|People's Republic of China|PRC
CX Christmas Island
CC Cocos (Keeling) Islands|Cocos Islands
CO Colombia
KM Comoros
CG Congo|Republic of the Congo
CD Congo (Democratic Republic)|Democratic Republic of the Congo|DR Congo|DRC
CK Cook Islands
CR Costa Rica
CI Côte d’Ivoire|Cote d'Ivoire|Côte d'Ivoire|Ivory Coast
HR Croatia
CU Cuba
CW Curaçao|Curacao
CY Cyprus
CZ Czechia|Czech Republic
DK Denmark
DJ Djibouti
DM Dominica
DO Dominican Republic
TL East Timor|Timor-Leste
EC Ecuador
EG Egypt
SV El Salvador
GQ Equatorial Guinea
ER Eritrea
EE Estonia
SZ Eswatini|Swaziland
ET Ethiopia
FK Falkland Islands
FO Faroe Islands
FJ Fiji
FI Finland
FR France
GF French Guiana
PF French Polynesia
TF French Southern Territories
GA Gabon
GM Gambia|The Gambia
GE Georgia
DE Germany
GH Ghana
GI Gibraltar
GR Greece
GL Greenland
GD Grenada
GP Guadeloupe
GU Guam
GT Guatemala
GG Guernsey
GN Guinea
GW Guinea-Bissau
GY Guyana
HT Haiti
HM Heard Island and McDonald Islands
HN Honduras
HK Hong Kong
HU Hungary
IS Iceland
IN India
ID Indonesia
IR Iran
IQ Iraq
IE Ireland|Republic of Ireland
IM Isle of Man
IL Israel
IT Italy
JM Jamaica
JP Japan
JE Jersey
JO Jordan
KZ Kazakhstan
KE Kenya
KI Kiribati
KW Kuwait
KG Kyrgyzstan
LA Laos
LV Latvia
LB Lebanon
LS Lesotho
LR Liberia
LY Libya
LI Liechtenstein
LT Lithuania
LU Luxembourg
MO Macao|Macau
MG Madagascar
MW Malawi
MY Malaysia
MV Maldives
ML Mali
MT Malta
MH Marshall Islands
MQ Martinique
MR Mauritania
MU Mauritius
YT Mayotte
MX Mexico
FM Micronesia
MD Moldova
MC Monaco
MN Mongolia
ME Montenegro
MS Montserrat
MA Morocco
MZ Mozambique
MM Myanmar|Burma
NA Namibia
NR Nauru
NP Nepal
NL Netherlands|The Netherlands|Holland
NC New Caledonia
NZ New Zealand
NI Nicaragua
NE Niger
NG Nigeria
NU Niue
NF Norfolk Island
KP North Korea
MK North Macedonia|Macedonia
XI Northern Ireland
MP Northern Mariana Islands
NO Norway
OM Oman
PK Pakistan
PW Palau
PS Palestine
PA Panama
PG Papua New Guinea
PY Paraguay
PE Peru
PH Philippines|The Philippines
PN Pitcairn
PL Poland
PT Portugal
PR Puerto Rico
QA Qatar
RE Réunion|Reunion
RO Romania
RU Russia|Russian Federation
RW Rwanda
BL Saint Barthélemy|Saint Barthelemy
SH Saint Helena, Ascension and Tristan da Cunha|Saint Helena|St Helena
KN Saint Kitts and Nevis|St Kitts and Nevis
LC Saint Lucia|St Lucia
MF Saint Martin (French part)|Saint Martin
PM Saint Pierre and Miquelon
VC Saint Vincent and the Grenadines|St Vincent and the Grenadines
WS Samoa
SM San Marino
ST São Tomé and Príncipe|Sao Tome and Principe
SA Saudi Arabia
SN Senegal
RS Serbia
SC Seychelles
SL Sierra Leone
SG Singapore
SX Sint Maarten (Dutch part)|Sint Maarten
SK Slovakia
SI Slovenia
SB Solomon Islands
SO Somalia
ZA South Africa
GS South Georgia and the South Sandwich Islands
KR South Korea|Korea|Republic of Korea
SS South Sudan
ES Spain
LK Sri Lanka
SD Sudan
SR Suriname
SJ Svalbard and Jan Mayen
SE Sweden
CH Switzerland
SY Syria
TW Taiwan
TJ Tajikistan
TZ Tanzania
TH Thailand
TG Togo
TK Tokelau
TO Tonga
TT Trinidad and Tobago
TN Tunisia
TR Türkiye|Turkiye|Turkey
TM Turkmenistan
TC Turks and Caicos Islands
TV Tuvalu
UG Uganda
UA Ukraine
AE United Arab Emirates|UAE
GB United Kingdom|UK|Great Britain|Britain|England|Scotland|Wales
US United States|United States of America|USA
UM United States Minor Outlying Islands
VI United States Virgin Islands|US Virgin Islands
UY Uruguay
UZ Uzbekistan
VU Vanuatu
VA Vatican City|Holy See
VE Venezuela
VN Vietnam|Viet Nam
WF Wallis and Futuna
EH Western Sahara
YE Yemen
ZM Zambia
ZW Zimbabwe`
