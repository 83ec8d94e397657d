package analysis_test

import (
	"math/big"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/charge"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/book"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
)

// percent is a duty in per cent of the value.
func percent(rate int64) []measure.Component {
	return []measure.Component{{Expression: "01", Amount: big.NewRat(rate, 1)}}
}

// orElse are conditions that one of several documents meets, and otherwise the action.
func orElse(action string, documents ...string) (all []measure.Condition) {
	for _, code := range documents {
		all = append(all, measure.Condition{Code: "B", Document: code, Action: measure.ActionApplies})
	}
	return append(all, measure.Condition{Code: "B", Action: action})
}

// shirtMeasures are the measures of the T-shirts of imported: duty, VAT, and what a case adds.
func shirtMeasures(more ...measure.Measure) []measure.Measure {
	all := []measure.Measure{{Type: "103", Components: percent(12)}, {Type: "305", Components: percent(20)}}
	for _, m := range more {
		if all = append(all, m); m.Type == "103" {
			all = slices.Delete(all, 0, 1)
		}
	}
	for n := range all {
		m := &all[n]
		m.SID, m.Code = int64(n+1), "6109100010"
		if m.Area == "" {
			m.Area = measure.Everywhere
		}
	}
	return all
}

// underMeasures has the T-shirts under an imported tariff of a day with the measures.
func underMeasures(asOf string, all []measure.Measure) change {
	day, err := measure.ParseDay(asOf)
	if err != nil {
		panic(err)
	}
	r := &recording.Recording{
		Name: recording.Name{Code: "6109100010", Day: day, Service: measure.UK}, Code: "6109100010", Import: all,
		Groups: map[string][]string{"1060": {"BD"}}, Lines: []recording.Line{{Code: "6109100010", Declarable: true}}, Details: measure.NewDetails(),
	}
	b, err := book.New(book.Contents{Holding: duty.Holding{AsOf: asOf, Source: "a test"}, Recordings: []*recording.Recording{r}})
	if err != nil {
		panic(err)
	}
	return func(c *body) {
		c.Charges = &charge.Source{Table: tariff.Embedded().Estimate, Editions: func() duty.Editions { return duty.Editions{ID: 1, UK: b} }}
	}
}

// measures has the T-shirts under a tariff of the day with more measures.
func measures(more ...measure.Measure) change {
	return underMeasures(now.Format(time.DateOnly), shirtMeasures(more...))
}

func additional(typ, code string, rate int64) measure.Measure {
	return measure.Measure{Type: typ, Additional: code, Components: percent(rate)}
}

var (
	suspended    = measure.Measure{Type: "112", Components: percent(0), Conditions: orElse(measure.ActionNot, "C990")}
	ofBangladesh = measure.Measure{Type: "142", Area: "1060", Components: percent(0)}
	veterinary   = measure.Measure{Type: "410", Conditions: orElse("09", "C640", "Y058")}
	forbidden    = measure.Measure{Type: "410", Conditions: orElse(measure.ActionRefused, "C644")}
)

var chargeCases = []testCase{
	check("measures without a fault", imported, measures()),
	check("document that is missing", imported, measures(veterinary), "DEC-130 warning items[0].documents"),
	check("document that is there", imported, both(measures(veterinary), with("Y058"))),
	check("refused by a tariff of the day", imported, measures(forbidden), "DEC-131 blocker items[0].documents"),
	check("refused by an old tariff", imported, underMeasures("2024-01-01", shirtMeasures(forbidden)), "DEC-131 warning items[0].documents"),
	check("refused but for its document", imported, both(measures(forbidden), with("C644"))),
	check("suspension without its document", imported, both(measures(suspended), claim("110")), "DEC-132 warning items[0].documents"),
	check("suspension with its document", imported, both(measures(suspended), claim("110"), with("C990"))),
	check("preference with a proof", imported, both(measures(ofBangladesh), claim("200"), with("U110"))),
	check("preference that the tariff lacks", imported, both(measures(), claim("300"), with("U110")), "DEC-133 warning items[0].preferenceCode"),
	check("remedies by company", imported, measures(additional("552", "B107", 5), additional("552", "B999", 9)), "DEC-134 warning items[0].taricAdditionalCodes"),
	check("remedy of a company", imported, both(measures(additional("552", "B107", 5), additional("552", "B999", 9)), codes("B107", ""))),
	check("two VAT rates", imported, measures(additional("305", "VATZ", 0)), "DEC-135 info items[0].nationalAdditionalCodes"),
	check("VAT rate that is claimed", imported, both(measures(additional("305", "VATZ", 0)), codes("", "VATZ"))),
	check("duty of litres", imported, measures(measure.Measure{Type: "103", Components: []measure.Component{{Expression: "01", Amount: big.NewRat(1, 1), Currency: "GBP", Unit: "LTR"}}}),
		"DEC-136 info items[0].commodityCode"),
	check("cheaper suspension", imported, measures(suspended), "DEC-137 info items[0].preferenceCode"),
	check("cheaper preference", imported, measures(ofBangladesh), "DEC-137 info items[0].preferenceCode"),
}
