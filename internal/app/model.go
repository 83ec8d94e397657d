package app

import (
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/assist/provider"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/limit"
	"github.com/tidewaiter/tidewaiter/internal/reference"
)

// modelWindow is how long an organisation's allowance of questions lasts.
const modelWindow = 24 * time.Hour

// newModel is the language model that is configured; nil for none.
func (a *App) newModel() *provider.Guard {
	c := a.Config.AI
	client := &http.Client{Transport: provider.Bounded{Through: a.around(modelPeer)(http.DefaultTransport)}}
	var m provider.Model
	switch c.Provider {
	case "anthropic":
		m = provider.NewClaude(c.URL, c.Key, c.Model, client)
	case "openai":
		m = provider.NewChat(c.URL, c.Key, c.Model, client)
	default:
		return nil
	}
	allowance := limit.Budget{Name: "model", Requests: c.Budget, Window: modelWindow}
	return provider.NewGuard(m, a.limiter, allowance, c.Timeout, a.deps.Log)
}

// classify is who suggests commodity codes: the offline engine, advised by a model
// where there is one.
func (a *App) classify() api.Classify {
	if a.model == nil {
		return a.classifier.Classify
	}
	return (&assist.Advised{Offline: a.classifier, Model: a.model}).Classify
}

// estimator is who estimates emissions where the supplier says nothing, if somebody
// besides the tables does.
func (a *App) estimator() cbam.Estimator {
	if a.model == nil {
		return nil
	}
	return (&assist.Estimator{Offline: a.Tables.Default, Model: a.model}).Estimate
}

// imports are those under CBAM, with the estimates of another where there is one.
func imports(tables *reference.Library, estimate cbam.Estimator) filing.Definition[cbam.Import] {
	d := cbam.Imports(tables.Default)
	if estimate != nil {
		d.Advise = estimate.Advise
	}
	return d
}
