package extract

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// currencyCodes are the currencies that goods are traded in.
const currencyCodes = "GBP EUR USD CHF JPY CNY HKD SGD AUD NZD CAD SEK NOK DKK ISK PLN CZK HUF RON BGN TRY INR PKR BDT LKR VND THB MYR IDR PHP KRW TWD AED SAR QAR KWD ILS EGP MAD ZAR KES BRL MXN ARS CLP PEN COP UAH"

var currencyCode = lazyregexp.New(`\b(?:` + strings.ReplaceAll(currencyCodes, " ", "|") + `)\b`)

// currencySigns are written for a currency, the longer before those they contain.
// Where a sign is shared, country says whose it is, and the other is its first meaning.
var currencySigns = []struct{ sign, code string }{
	{"US$", "USD"}, {"A$", "AUD"}, {"AU$", "AUD"}, {"C$", "CAD"}, {"CA$", "CAD"}, {"NZ$", "NZD"}, {"HK$", "HKD"}, {"S$", "SGD"}, {"NT$", "TWD"}, {"R$", "BRL"},
	{"RMB", "CNY"}, {"CN¥", "CNY"}, {"£", "GBP"}, {"€", "EUR"}, {"$", "USD"}, {"¥", "JPY"}, {"₹", "INR"}, {"₺", "TRY"}, {"₩", "KRW"}, {"zł", "PLN"}, {"Kč", "CZK"},
}

// dollars are the countries whose own dollar or yen sign means another currency.
var dollars = map[string]string{"$AU": "AUD", "$CA": "CAD", "$NZ": "NZD", "$HK": "HKD", "$SG": "SGD", "¥CN": "CNY"}

// currencyNames are words for a currency.
var currencyNames = map[string]string{
	"pounds sterling": "GBP", "pound sterling": "GBP", "sterling": "GBP", "british pounds": "GBP", "gb pounds": "GBP", "euro": "EUR", "euros": "EUR",
	"us dollars": "USD", "us dollar": "USD", "united states dollars": "USD", "swiss francs": "CHF", "schweizer franken": "CHF", "renminbi": "CNY", "yen": "JPY",
}

// findCurrency is the currency that a text names, and whether by its code or name.
func findCurrency(text string) (code string, named bool) {
	if code := currencyCode.FindString(text); code != "" {
		return code, true
	}
	if code, ok := currencyNames[phrase(text)]; ok {
		return code, true
	}
	for _, s := range currencySigns {
		if strings.Contains(text, s.sign) {
			return s.code, false
		}
	}
	return "", false
}
