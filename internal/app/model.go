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

// modelWindow is how long an organisation's allowance of questions lasts.
const modelWindow = 24 * time.Hour

// newModel is the language model that is configured; nil for none.
func (a *App) newModel() *provider.Client {
	c := a.Config.AI
	client := &http.Client{Transport: provider.Bounded{Through: a.around(metrics.Model)(http.DefaultTransport)}}
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

// permitted asks the language model for organisations that have not switched it off.
type permitted struct {
	model *provider.Client
	store *store.Store
}

// Ask asks, unless the organisation's policy forbids it. A policy that cannot be read forbids it too.
func (p permitted) Ask(ctx context.Context, organisation string, t provider.Task) (json.RawMessage, error) {
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
		return nil, provider.ErrOff
	}
	return p.model.Ask(ctx, organisation, t)
}

func (a *App) permittedModel() assist.Model { return permitted{a.model, a.Store} }

// classify is who suggests commodity codes: the offline engine, advised by a model
// where there is one.
func (a *App) classify() api.Classify {
	if a.model == nil {
		return a.classifier.Classify
	}
	return (&assist.Advised{Offline: a.classifier, Model: a.permittedModel()}).Classify
}

// estimator is who estimates emissions where the supplier says nothing, if somebody
// besides the tables does.
func (a *App) estimator() cbam.Estimator {
	if a.model == nil {
		return nil
	}
	return (&assist.Estimator{Offline: a.Tables.Default, Model: a.permittedModel()}).Estimate
}

// imports are those under CBAM, with the estimates of another where there is one.
func imports(tables *reference.Library, estimate cbam.Estimator) filing.Definition[cbam.Import] {
	d := cbam.Imports(tables.Default)
	if estimate != nil {
		d.Advise = estimate.Advise
	}
	return d
}
