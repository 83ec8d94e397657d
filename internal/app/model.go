package app

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/assist/provider"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/ops/metrics"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

// modelWindow is the period of an organisation's budget of questions.
const modelWindow = 24 * time.Hour

// newModel returns the configured language model; nil for none.
func (a *App) newModel() *provider.Client {
	c := a.Config.AI
	client := &http.Client{Transport: provider.Bounded{Through: a.middleware(metrics.Model)(http.DefaultTransport)}}
	var m provider.Model
	switch c.Provider {
	case "anthropic":
		m = provider.NewClaude(c.URL, c.Key, c.Model, client)
	case "openai":
		m = provider.NewChat(c.URL, c.Key, c.Model, client)
	default:
		return nil
	}
	allowance := ratelimit.Budget{Name: "model", Requests: c.Budget, Window: modelWindow}
	return provider.NewClient(m, a.limiter, allowance, c.Timeout, a.deps.Now, a.deps.Log)
}

// policyModel asks the language model for organisations whose policy allows it.
type policyModel struct {
	model *provider.Client
	store *store.Store
}

// Ask asks the model. It returns provider.ErrOff if the policy forbids that, and an error if the policy cannot be read.
func (p policyModel) Ask(ctx context.Context, organisation string, t provider.Task) (json.RawMessage, error) {
	var off bool
	err := p.store.View(ctx, tenant.ID(organisation), func(tx *store.Tx) error {
		org, err := tx.Organisation()
		off = org.Policy.AIProviderOff
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case off:
		return nil, provider.ErrDisabled
	}
	return p.model.Ask(ctx, organisation, t)
}

func (a *App) permittedModel() assist.Model { return policyModel{a.model, a.Store} }

// classify returns the offline classifier, advised by a language model if one is configured. The organisation's own products come
// first.
func (a *App) classify() api.Classify {
	next := a.classifier.Classify
	if a.model != nil {
		next = (&assist.ModelClassifier{Offline: a.classifier, Model: a.permittedModel()}).Classify
	}
	return (&assist.OwnProducts{Tariff: a.classifier, Next: next, Find: a.ownProducts}).Classify
}

// estimator returns the model that estimates emissions if the supplier gives none; nil without a language model.
func (a *App) estimator() cbam.Estimator {
	if a.model == nil {
		return nil
	}
	return (&assist.Estimator{Offline: a.Tables.Default, Model: a.permittedModel()}).Estimate
}

// imports returns the kind of CBAM imports, with the model's estimates if estimate is not nil.
func imports(tables *reference.Library, estimate cbam.Estimator) filing.Definition[cbam.Import] {
	d := cbam.Imports(tables.Default)
	if estimate != nil {
		d.Advise = estimate.Advise
	}
	return d
}
