package app

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// explained is the explanation of a rejection that needs nobody's help.
func explained(_ context.Context, _ tenant.ID, q explain.Question) (explain.Explained, error) {
	return explain.Explain(q), nil
}

// mapped is the mapping of columns that needs nobody's help.
func mapped(_ context.Context, columns []mapping.Column) ([]mapping.Guess, error) {
	return mapping.Map(columns), nil
}

// explainedOf explains what customs found wrong with a declaration that can be
// corrected; nothing of one that it has not rejected.
func (a *App) explainedOf(tx customs.Tx, id string) ([]explain.Explanation, error) {
	found, err := a.Customs.RejectionOf(tx, id)
	if err != nil || found.Declaration.Status != lifecycle.Rejected {
		return nil, err
	}
	q, err := explain.About(&found)
	return explain.Explain(q).Errors, err
}
