package duty_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// lines makes a request of several lines, each with the members that are given.
func lines(members ...string) string {
	var all []string
	for _, m := range members {
		all = append(all, `{"commodityCode": "1234567890", "origin": "US", `+m+`}`)
	}
	return strings.Join(all, ", ")
}

func parts(l duty.ResponseLine) string {
	var all []string
	for _, p := range l.CustomsValue.Parts {
		text := p.Kind + " "
		if p.Amount.Rat == nil {
			text += "null"
		} else {
			text += p.Amount.FloatString(2)
		}
		if !p.Included {
			text += " left out"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ") + " = " + fixed(l.CustomsValue.Amount)
}

// Costs of the whole are apportioned by price with the largest remainder, among the lines that state none of their own.
func TestSharesOfCosts(t *testing.T) {
	uk := simple(t, measure.Measure{Type: "103", Components: rate("0")}, vat20)
	price := func(amount string) string { return `"price": {"amount": ` + amount + `, "currency": "GBP"}` }
	for _, c := range []struct {
		head  string
		lines []string
		want  []string
	}{
		{`"freight": [{"amount": 100, "currency": "GBP"}],`, []string{price("1"), price("1"), price("1")},
			[]string{"PRICE 1.00, FREIGHT 33.34 = 34.34", "PRICE 1.00, FREIGHT 33.33 = 34.33", "PRICE 1.00, FREIGHT 33.33 = 34.33"}},
		{`"freight": [{"amount": 10, "currency": "GBP"}],`, []string{price("30"), price("10") + `, "freight": [{"amount": 7, "currency": "GBP"}]`, price("10")},
			[]string{"PRICE 30.00, FREIGHT 7.50 = 37.50", "PRICE 10.00, FREIGHT 7.00 = 17.00", "PRICE 10.00, FREIGHT 2.50 = 12.50"}},
		{`"incoterm": "CIF", "freight": [{"amount": 10, "currency": "JPY"}], "insurance": [{"amount": 5, "currency": "GBP", "inPrice": false}],`, []string{price("30")},
			[]string{"PRICE 30.00, FREIGHT 10.00 left out, INSURANCE 5.00 = 35.00"}},
		{`"freight": [{"amount": 10, "currency": "GBP", "afterArrival": true}], "deductions": [{"code": "BA", "amount": 4.005, "currency": "GBP"}],`, []string{price("30")},
			[]string{"PRICE 30.00, FREIGHT 10.00 left out, DEDUCTION 4.01 = 26.00"}}, // 25.995 away from zero
		{`"additions": [{"code": "AB", "amount": 1.25, "currency": "USD"}],`, []string{`"price": {"amount": 125, "currency": "USD"}`},
			[]string{"PRICE 125.00, ADDITION 1.25 = 101.00"}},
		{`"freight": [{"amount": 10, "currency": "GBP"}],`, []string{`"price": {"amount": 1, "currency": "JPY"}`, price("1")},
			[]string{"PRICE 1.00, FREIGHT null = null", "PRICE 1.00, FREIGHT null = null"}},
		{``, []string{price("30") + `, "customsValueGbp": 99.5`}, []string{"GIVEN 99.50 = 99.50"}},
	} {
		a := asking{uk: uk, head: c.head}
		r := a.calculate(a.request(t, lines(c.lines...)))
		for i, l := range r.Lines {
			equal(t, fmt.Sprint(c.head, i), parts(l), c.want[i])
			if l.CustomsValue.Amount == nil {
				equal(t, "without a rate", fmt.Sprint(l.Outcome, codes(l.Problems)), "NOT_CALCULABLE[RATE_MISSING]")
			}
		}
	}
}

// Costs of the whole that no line takes are not lost silently, and a rate that only the VAT base lacks leaves the duty.
func TestCostsThatDoNotCount(t *testing.T) {
	uk := simple(t, measure.Measure{Type: "103", Components: rate("10")}, vat20)
	r := asking{uk: uk, head: `"incoterm": "FOB", "vatCosts": [{"amount": 1, "currency": "JPY"}], "freight": [{"amount": 10, "currency": "GBP"}],`,
		line: `"freight": [{"amount": 20, "currency": "GBP"}]`}.response(t)
	equal(t, "warnings", codes(r.Warnings), []string{"COSTS_NOT_APPORTIONED"})
	l := r.Lines[0]
	equal(t, "problems", fmt.Sprint(l.Outcome, codes(l.Problems)), "CALCULATED[RATE_MISSING]")
	totals := l.Options[0].Totals
	equal(t, "totals", fmt.Sprint(fixed(l.CustomsValue.Amount), " ", totals.Duty.Fixed(), " ", fixed(totals.Total), " ", totals.Known.Fixed()), "1020.00 102.00 null 102.00")
}

// A rate that a contract fixes replaces HMRC's, and is named.
func TestFixedRate(t *testing.T) {
	uk := simple(t, measure.Measure{Type: "103", Components: rate("10")}, vat20)
	l := asking{uk: uk, head: `"exchangeRates": [{"currency": "USD", "rate": 1.6, "source": "contract 7"}],`, line: `"price": {"amount": 160, "currency": "USD"}`}.one(t)
	p := l.CustomsValue.Parts[0]
	equal(t, "part", fmt.Sprint(fixed(p.Pounds), " ", p.Rate.FloatString(2), " ", *p.Source, " ", p.Period), "100.00 1.60 contract 7 <nil>")
}
