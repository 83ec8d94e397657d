package gvms

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// byName and byCode find a port by any of its folded names and by any of its codes.
var byName, byCode = index(ports)

func index(ports []port) (map[string]*port, map[ident.UNLOCODE]*port) {
	names, codes := map[string]*port{}, map[ident.UNLOCODE]*port{}
	for i := range ports {
		p := &ports[i]
		for _, name := range append(strings.Split(p.otherNames, "|"), normalise(p.name)) {
			names[name] = p
		}
		for _, code := range strings.Fields(p.codes) {
			codes[ident.UNLOCODE(code)] = p
		}
	}
	delete(names, "") // of ports without another name
	return names, codes
}

// byCountry inverts a map of names, separated by bars, by country.
func byCountry(names map[ident.Country]string) map[string]ident.Country {
	all := map[string]ident.Country{}
	for country, list := range names {
		for _, name := range strings.Split(list, "|") {
			all[name] = country
		}
	}
	return all
}

// countries by their folded names in English and in their own languages.
var countries = byCountry(map[ident.Country]string{
	"GB": "uk|gb|great britain|united kingdom|britain|england|scotland|wales", "XI": "northern ireland|ni|n ireland|ulster",
	"IE": "ireland|republic of ireland|eire|roi", "FR": "france", "BE": "belgium|belgie|belgique", "NL": "netherlands|the netherlands|holland|nederland",
	"DE": "germany|deutschland", "DK": "denmark|danmark", "SE": "sweden|sverige", "NO": "norway|norge", "FI": "finland|suomi", "EE": "estonia|eesti",
	"LV": "latvia", "LT": "lithuania", "PL": "poland|polska", "ES": "spain|espana", "PT": "portugal", "IT": "italy|italia", "AT": "austria", "CH": "switzerland",
	"CZ": "czechia|czech republic", "HU": "hungary", "SK": "slovakia", "SI": "slovenia", "HR": "croatia", "RO": "romania", "BG": "bulgaria", "GR": "greece",
	"CY": "cyprus", "MT": "malta", "LU": "luxembourg", "TR": "turkey|turkiye", "UA": "ukraine", "IS": "iceland", "FO": "faroe islands|faroes", "MA": "morocco",
	"CN": "china", "US": "usa|united states", "IN": "india", "RU": "russia", "IM": "isle of man", "GG": "guernsey", "JE": "jersey",
})

// inlandTowns lists places of loading or delivery without a ferry for lorries to or from the United Kingdom.
var inlandTowns = byCountry(map[ident.Country]string{
	"GB": "london|birmingham|leeds|bradford|sheffield|nottingham|derby|leicester|coventry|northampton|daventry|milton keynes|wolverhampton|stoke on trent|" +
		"peterborough|cambridge|oxford|swindon|reading|luton|ashford|sevington|maidstone|dartford|crick|lutterworth|tamworth|warrington|wigan|bolton|preston|" +
		"carlisle|glasgow|edinburgh|stirling|perth|wrexham|york|doncaster|wakefield|exeter|heathrow|gatwick|stansted|east midlands airport",
	"XI": "lisburn|newry|craigavon|antrim|ballymena|omagh|dungannon|armagh|enniskillen|lurgan|portadown",
	"IE": "athlone|naas|kilkenny|tullamore|navan|mullingar|monaghan|letterkenny|cavan|carlow",
	"FR": "paris|lille|lyon|lyons|toulouse|strasbourg|reims|orleans|dijon|metz|nancy|rungis|amiens|arras|tours|rennes|grenoble|clermont ferrand",
	"BE": "brussels|bruxelles|brussel|liege|namur|charleroi|kortrijk|mons|hasselt|genk",
	"NL": "utrecht|eindhoven|venlo|tilburg|breda|arnhem|nijmegen|the hague|den haag|aalsmeer|schiphol",
	"DE": "berlin|munich|munchen|cologne|koln|frankfurt|stuttgart|dusseldorf|dortmund|duisburg|leipzig|dresden|nuremberg|nurnberg|hanover|hannover|mannheim|essen|kassel",
	"PL": "warsaw|warszawa|krakow|cracow|poznan|wroclaw|lodz|katowice", "CZ": "prague|praha|brno|ostrava", "AT": "vienna|wien|graz|linz|salzburg",
	"HU": "budapest", "SK": "bratislava|kosice", "CH": "zurich|basel|basle|geneva|berne|bern", "LU": "luxembourg city|bettembourg",
	"ES": "madrid|zaragoza|seville|sevilla|murcia", "PT": "braga", "IT": "milan|milano|turin|torino|rome|roma|bologna|verona|padua|padova",
	"RO": "bucharest|bucuresti|cluj|timisoara|arad", "BG": "sofia|plovdiv", "SI": "ljubljana", "HR": "zagreb", "RS": "belgrade", "LT": "vilnius|kaunas",
})

// inlandCodes lists the UN/LOCODEs of the larger of these places, including airports.
const inlandCodes = "GBLON GBBHM GBLBA GBLHR GBLGW GBSTN GBEMA GBCVT GBLCE GBNGM GBEDI GBGLW GBNHP FRPAR FRLIL FRLYS FRTLS FRSXB FRCDG FRORY BEBRU BELGG NLUTC NLEIN " +
	"NLVEN DEBER DEMUC DECGN DEFRA DESTR DEDUS DEDTM DELEJ DENUE DEHAJ PLWAW PLKRK PLPOZ PLWRO PLLOD ESMAD ESZAZ ITMIL ITTRN ITROM ITBLQ ROBUH BGSOF SILJU HRZAG LTVNO"

// landlocked lists the countries of Europe without a coast.
const landlocked = "AD AT BY CH CZ HU LI LU MD MK RS SK SM"

// memberStates lists the states of the European Union whose coast ferries from the United Kingdom reach.
const memberStates = "BE DE DK EE ES FI FR IE LT LV NL PL PT SE"

func among[T ~string](list string, code T) bool {
	return code != "" && strings.Contains(list, string(code))
}
