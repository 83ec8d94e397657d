package worksheet_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// The form states and removes a rate of its own. It leaves those of a contract and of a published series as they are.
func TestRates(t *testing.T) {
	const contract = `{"currency":"USD","rate":1.5,"source":"CONTRACT","evidence":"C-1"}`
	s := &worksheet.Worksheet{}
	s.General.SetMember("exchangeRates", json.RawMessage(`[`+contract+`,{"currency":"EUR","source":"HMRC_MONTHLY","on":"2026-10-31"}]`))
	for _, c := range []struct {
		rate       worksheet.Rate
		want, body string
	}{
		{worksheet.Rate{Currency: "USD", Units: "1,300.5", Source: "OTHER"}, "[{USD 1300.5 OTHER}] [2]", `,{"currency":"USD","rate":1300.5,"source":"OTHER"}`},
		{worksheet.Rate{Currency: "USD", Units: "1.3", Source: "HMRC_MONTHLY"}, "[{USD 1.3 HMRC_MONTHLY}] [2]", `,{"currency":"USD","rate":1.3,"source":"HMRC_MONTHLY"}`},
		{worksheet.Rate{Currency: "USD", Units: "x", Source: "OTHER"}, "[{USD x OTHER}] [2]", `,{"currency":"USD","rate":"x","source":"OTHER"}`},
		{worksheet.Rate{Currency: "USD"}, "[] []", ``},
	} {
		s.SetRate(c.rate)
		all, at := s.Rates()
		if got := fmt.Sprint(all, at); got != c.want {
			t.Errorf("%v: %s", c.rate, got)
		}
		if got := string(s.General.Member("exchangeRates")); got != `[`+contract+`,{"currency":"EUR","source":"HMRC_MONTHLY","on":"2026-10-31"}`+c.body+`]` {
			t.Errorf("%v: %s", c.rate, got)
		}
	}
}

// An import with a price alone gets a data set, with which customs converts the price. Nothing is added to others.
func TestPriceAloneHasDataSet(t *testing.T) {
	for _, c := range []struct {
		direction, price, value, set string
		want                         bool
	}{
		{"IMPORT", "1300", "", "", true},
		{"IMPORT", "1300", "1000", "", false},
		{"IMPORT", "", "", "", false},
		{"EXPORT", "1300", "", "", false},
		{"IMPORT", "1300", "", "H3", false},
	} {
		s := &worksheet.Worksheet{General: worksheet.Part{Values: map[string]string{"declarationType": c.direction}}, Items: []worksheet.Part{{Values: map[string]string{}}}}
		if c.set != "" {
			s.General.Set("dataSet", c.set)
		}
		if c.price != "" {
			s.Items[0].SetPrice(c.price, "USD")
		}
		if c.value != "" {
			s.Items[0].Set("customsValueGbp", c.value)
		}
		if body := string(s.DeclarationBody("s")); strings.Contains(body, `"dataSet":"H1","fill":"USUAL"`) != c.want {
			t.Errorf("%+v: %s", c, body)
		}
	}
}
