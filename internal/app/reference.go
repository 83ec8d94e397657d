package app

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// facts are what the rules may know besides the record and the instant.
func (a *App) facts() rules.Facts {
	return rules.Facts{Places: a.Tables.Places(), ExciseProducts: a.Tables.ExciseProducts()}
}
