package app

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
)

// calendars are the deadlines that follow from the calendar and belong to no filing.
var calendars = []deadline.Calendar{cbam.Calendar, tax.Calendar, customs.FinalDeclarations, customs.OwnTerms, customs.DeferredPayments}

// paths returns the API path of each kind.
func paths(types []*filing.Type) map[string]string {
	all := map[string]string{}
	for _, t := range types {
		all[t.Kind] = t.Path
	}
	return all
}
