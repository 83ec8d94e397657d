package app

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/importer"
	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/ops/operator"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

// newOperator returns the operator's commands on this installation.
func (a *App) newOperator() *operator.Operator {
	return &operator.Operator{
		Store: a.Store, Access: a.Access, Sandboxes: a.sandboxes(), Accounts: a.Accounts, IDs: a.IDs, Identity: a.newIdentity(), Closure: a.closure(), Archive: a.portability(),
		Erasure: a.Erasure(), Retention: a.newSweeper, Kinds: kindNames, Importer: a.importer(), Hubs: hubIDs(), URL: a.consoleURL, TariffURL: a.Config.TariffURL, RatesURL: a.Config.RatesURL, Now: a.deps.Now,
	}
}

// importer returns the service that makes declarations from documents.
func (a *App) importer() *importer.Service {
	schemas := schema.NewSchemas()
	return &importer.Service{
		Filings: a.Filings, Clients: a.Filings.Types[customs.Clients.Kind], Shipments: a.Filings.Types[customs.Shipments.Kind], Declarations: a.Customs.Type,
		Check: func(body json.RawMessage) []apierr.Detail {
			return schema.Validator{Schemas: schemas}.Check(schemas.Of(reflect.TypeFor[customs.Declaration]()), body)
		},
	}
}

// consoleURL returns the address of a page of the console, as users reach it.
func (a *App) consoleURL(path string) string {
	base := a.Config.PublicURL
	if base == "" {
		base = a.Config.Scheme() + "://" + localhost(a.Config.Addr)
	}
	return strings.TrimRight(base, "/") + path
}

// Environment returns what an operator's command needs that opens no App.
func (d Deps) Environment() installation.Environment {
	d = d.orDefault()
	e := installation.Environment{Now: d.Now, Random: d.Random, Log: d.Log, Version: d.Version, Kinds: kindNames}
	if d.clock != nil {
		e.LeaseExtension = d.clock.LeaseExtension
	}
	return e
}

// kindNames returns the kinds of all records, as audit events name them.
func kindNames() map[string]bool {
	names := map[string]bool{}
	for _, t := range allKinds(&reference.Library{}, &official.Library{}, nil, nil) {
		names[t.Kind] = true
	}
	return names
}
