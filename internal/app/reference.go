package app

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// facts returns what the rules know besides the record and the time.
func (a *App) facts() rules.Facts {
	return rules.Facts{Places: a.Tables.Places(), ExciseProducts: a.Tables.ExciseProducts()}
}
