package extract

import (
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// currencyCodes are the currencies that are recognised.
const currencyCodes = "GBP EUR USD CHF JPY CNY HKD SGD AUD NZD CAD SEK NOK DKK ISK PLN CZK HUF RON BGN TRY INR PKR BDT LKR VND THB MYR IDR PHP KRW TWD AED SAR QAR KWD ILS EGP MAD ZAR KES BRL MXN ARS CLP PEN COP UAH"

var currencyCode = lazyregexp.New(`\b(?:` + strings.ReplaceAll(currencyCodes, " ", "|") + `)\b`)

// currencySigns are signs of currencies, longer ones before those that they contain. The
// country decides about a shared sign; without one the first meaning holds.
var currencySigns = []struct{ sign, code string }{
	{"US$", "USD"}, {"A$", "AUD"}, {"AU$", "AUD"}, {"C$", "CAD"}, {"CA$", "CAD"}, {"NZ$", "NZD"}, {"HK$", "HKD"}, {"S$", "SGD"}, {"NT$", "TWD"}, {"R$", "BRL"},
	{"RMB", "CNY"}, {"CN¥", "CNY"}, {"£", "GBP"}, {"€", "EUR"}, {"$", "USD"}, {"¥", "JPY"}, {"₹", "INR"}, {"₺", "TRY"}, {"₩", "KRW"}, {"zł", "PLN"}, {"Kč", "CZK"},
}

// dollars are the currencies of countries that share the dollar or yen sign.
var dollars = map[string]string{"$AU": "AUD", "$CA": "CAD", "$NZ": "NZD", "$HK": "HKD", "$SG": "SGD", "¥CN": "CNY"}

// currencyNames are names of currencies.
var currencyNames = map[string]string{
	"pounds sterling": "GBP", "pound sterling": "GBP", "sterling": "GBP", "british pounds": "GBP", "gb pounds": "GBP", "euro": "EUR", "euros": "EUR",
	"us dollars": "USD", "us dollar": "USD", "united states dollars": "USD", "swiss francs": "CHF", "schweizer franken": "CHF", "renminbi": "CNY", "yen": "JPY",
}

// findCurrency returns the currency that a text names, and whether by code or name.
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
	if m := namedAmount.FindStringSubmatch(text); m != nil {
		return currencyNames[phrase(m[1]+m[2])], true
	}
	return "", false
}

// namedAmount matches a number with the name of a currency behind it, or before it.
var namedAmount = lazyregexp.New(`(?i)\d ?(` + currencyWords + `)\b|\b(` + currencyWords + `) ?\d`)

var currencyWords = strings.Join(slices.Sorted(maps.Keys(currencyNames)), "|")

// onlyCurrency reports whether a text is a code or a sign of a currency and no more.
func onlyCurrency(text string) bool {
	text = strings.Trim(text, "()[] .:")
	if currencyCode.FindString(text) == text && text != "" {
		return true
	}
	for _, s := range currencySigns {
		if s.sign == text {
			return true
		}
	}
	return false
}
