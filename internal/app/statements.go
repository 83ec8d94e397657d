package app

import (
	"github.com/tidewaiter/tidewaiter/internal/customs"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/reference"
	"github.com/tidewaiter/tidewaiter/internal/statement"
)

// Statements are what the service draws up.
func Statements() []*statement.Kind {
	return []*statement.Kind{
		cbam.Statement(cbam.DefaultPrice).Kind(),
		tax.Returns(customs.ImportVAT).Kind(),
	}
}

// standing are the records that the calendar makes.
func standing() []*statement.Standing { return []*statement.Standing{tax.Periods(tax.Mocked)} }

func (a *App) statements() *statement.Service {
	return &statement.Service{
		Store: wide{a.Store}, Filings: a.Filings, Now: a.deps.Now, Kinds: Statements(), Standing: standing(),
	}
}

// everyKind is declarations and all that can be filed besides.
func everyKind(tables *reference.Library) []*filing.Type {
	all := append([]*filing.Type{declarations()}, kinds(tables)...)
	for _, k := range Statements() {
		all = append(all, k.Type)
	}
	for _, s := range standing() {
		all = append(all, s.Type)
	}
	return all
}

func (a *App) everyKind() []*filing.Type { return everyKind(a.Tables) }

func byKind(types []*filing.Type) map[string]*filing.Type {
	all := map[string]*filing.Type{}
	for _, t := range types {
		all[t.Kind] = t
	}
	return all
}
