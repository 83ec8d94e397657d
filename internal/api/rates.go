package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

// ratesBody are the exchange rates of a day.
type ratesBody struct {
	RateTable string                 `json:"rateTable" doc:"Version of the imported rates; 0 before the first import" example:"3"`
	On        string                 `json:"on" format:"date" doc:"The day" example:"2026-11-21"`
	Rates     []rateBody             `json:"rates" nullable:"false" doc:"The rates of the day, by series and currency; none if no imported period has the day"`
	Periods   map[string]seriesRange `json:"periods" doc:"First and last day that is held, by series"`
}

// rateBody is the rate of a currency.
type rateBody struct {
	Series    string          `json:"series" enum:"HMRC_MONTHLY,HMRC_WEEKLY,XI_EURO" doc:"Series of rates" example:"HMRC_MONTHLY"`
	Currency  string          `json:"currency" doc:"Currency (ISO 4217)" example:"USD"`
	Rate      quantity.Number `json:"rate" doc:"The rate" example:"1.3102"`
	Direction string          `json:"direction" enum:"UNITS_PER_GBP,GBP_PER_UNIT" doc:"Units of the currency for one pound, or pounds for one unit" example:"UNITS_PER_GBP"`
	From      string          `json:"from" format:"date" doc:"First day" example:"2026-11-01"`
	To        string          `json:"to" format:"date" doc:"Last day" example:"2026-11-30"`
	Source    string          `json:"source" doc:"Publisher and file" example:"HMRC, monthly_csv_2026-11.csv"`
}

// seriesRange is the first and the last day of a series.
type seriesRange struct {
	First string `json:"first" format:"date" doc:"First day" example:"2020-01-01"`
	Last  string `json:"last" format:"date" doc:"Last day" example:"2026-12-31"`
}

type ratesInput struct {
	caller
	On       string `query:"on" maxLength:"10" doc:"Day (YYYY-MM-DD); today if absent" example:"2026-11-21"`
	Currency string `query:"currency" maxLength:"3" doc:"Only this currency" example:"USD"`
	Series   string `query:"series" maxLength:"20" doc:"Only this series: HMRC_MONTHLY, HMRC_WEEKLY or XI_EURO" example:"HMRC_MONTHLY"`
}

// Resolve checks what the schemas of the parameters cannot.
func (in *ratesInput) Resolve(ctx huma.Context) []error {
	errs := in.caller.Resolve(ctx)
	if _, err := time.Parse(time.DateOnly, in.On); err != nil && in.On != "" {
		errs = append(errs, paramError("on", "must be a day such as 2026-11-21"))
	}
	if in.Currency != "" && !isCurrency(in.Currency) {
		errs = append(errs, paramError("currency", "must be three capitals, such as USD"))
	}
	if in.Series != "" && !slices.Contains(rates.AllSeries(), in.Series) {
		errs = append(errs, paramError("series", "must be HMRC_MONTHLY, HMRC_WEEKLY or XI_EURO"))
	}
	return errs
}

func isCurrency(code string) bool {
	return len(code) == 3 && !slices.ContainsFunc([]byte(code), func(c byte) bool { return c < 'A' || c > 'Z' })
}

func (s *Server) mountRates() {
	handle(s, operation{
		id: "list-exchange-rates", summary: "List exchange rates", tag: "Declarations", scope: foundational, method: http.MethodGet, path: "/api/exchange-rates",
		status: http.StatusOK, description: "The imported exchange rates of a day, for estimates. CDS uses its own",
		response: s.schemaOf(reflect.TypeFor[ratesBody]()),
	}, s.listRates)
}

func (s *Server) listRates(_ context.Context, in *ratesInput) (response, error) {
	t, day := s.Rates(), in.On
	if day == "" {
		day = s.nowOf(in.holder).In(calendar.London()).Format(time.DateOnly)
	}
	b := ratesBody{RateTable: strconv.FormatInt(t.Version, 10), On: day, Rates: []rateBody{}, Periods: map[string]seriesRange{}}
	for _, series := range rates.AllSeries() {
		if in.Series != "" && series != in.Series {
			continue
		}
		if periods := t.Periods(series); len(periods) > 0 {
			last := slices.MaxFunc(periods, func(a, b rates.Period) int { return strings.Compare(a.To, b.To) })
			b.Periods[series] = seriesRange{periods[0].From, last.To}
		}
		for _, r := range t.On(series, day) {
			if in.Currency == "" || r.Currency == in.Currency {
				b.Rates = append(b.Rates, rateBody{series, r.Currency, r.Value, rates.Direction(series), r.From, r.To, r.Source})
			}
		}
	}
	return jsonResponse(http.StatusOK, b)
}
