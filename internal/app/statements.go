package app

import (
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/analysis"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/product"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

// Statements returns the kinds of statements, with default prices.
func Statements() []*statement.Kind { return statementKinds(cbam.DefaultPrice) }

func statementKinds(carbon quantity.Money) []*statement.Kind {
	return []*statement.Kind{
		cbam.Statement(carbon).Kind(),
		tax.Returns(customs.ImportVAT).Kind(),
	}
}

// carbonPrice returns the price of the emissions of one tonne.
func carbonPrice(c config.Config) (quantity.Money, error) {
	if c.CBAMPrice == "" {
		return cbam.DefaultPrice, nil
	}
	price, err := quantity.ParseMoney(c.CBAMPrice)
	if err != nil || price.Sign() < 0 {
		return price, fmt.Errorf("settings: cbam-price: %q is not a price in pounds, such as 65.56", c.CBAMPrice)
	}
	return price, nil
}

// calendarRecords are the records that the calendar creates.
func calendarRecords() []*statement.CalendarRecord {
	return []*statement.CalendarRecord{tax.Periods(tax.Mocked)}
}

func (a *App) statements() *statement.Service {
	return &statement.Service{
		Store: adapter.Of(a.Store), Filings: a.Filings, Clock: a.Store.TimeOf, Kinds: statementKinds(a.carbonPrice), CalendarRecords: calendarRecords(),
	}
}

// allKinds returns all kinds: declarations, other filings, statements, calendar records and consents.
func allKinds(tables *reference.Library, t customs.Tariff, r customs.Rates, estimate cbam.Estimator) []*filing.Type {
	all := append([]*filing.Type{declarationType(t, r)}, kinds(tables, estimate)...)
	for _, k := range Statements() {
		all = append(all, k.Type)
	}
	for _, s := range calendarRecords() {
		all = append(all, s.Type)
	}
	return append(all, customs.Consents().Type())
}

// allKinds returns the kinds of this service, which are made once: a start asks for them some fifteen times.
func (a *App) allKinds() []*filing.Type {
	a.makeTypes.Do(func() { a.types = slices.Clip(allKinds(a.Tables, a.Tariff, a.Rates, a.estimator())) })
	return a.types
}

func byKind(types []*filing.Type) map[string]*filing.Type {
	all := map[string]*filing.Type{}
	for _, t := range types {
		all[t.Kind] = t
	}
	return all
}

// declarationType returns the kind of declarations, with its rules.
func declarationType(t customs.Tariff, r customs.Rates) *filing.Type {
	kind := customs.Declarations(t, r, product.Complete).Type()
	kind.Rules = analysis.Rules.Catalogue()
	return kind
}
