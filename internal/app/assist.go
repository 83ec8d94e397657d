package app

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// explainOffline explains a rejection without a language model.
func explainOffline(_ context.Context, _ tenant.ID, q explain.Question) (explain.Explained, error) {
	return explain.Explain(q), nil
}

// mapOffline maps columns without a language model.
func mapOffline(_ context.Context, columns []mapping.Column) ([]mapping.Guess, error) {
	return mapping.Map(columns), nil
}

// explainRejection explains the errors of a rejected declaration that can be corrected; nil for any other status.
func (a *App) explainRejection(tx customs.Tx, id string) ([]explain.Explanation, error) {
	found, err := a.Customs.RejectionOf(tx, id)
	if err != nil || found.Declaration.Status != lifecycle.Rejected {
		return nil, err
	}
	q, err := explain.About(&found)
	return explain.Explain(q).Errors, err
}
