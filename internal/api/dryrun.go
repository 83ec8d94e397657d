package api

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// dryRunParam is the parameter of operations that create a record.
var dryRunParam = &huma.Param{
	Name: "dryRun", In: "query", Schema: &huma.Schema{Type: huma.TypeBoolean},
	Description: "true: check the call and answer 200 with the record that would be created, without id. Nothing is stored, also no Idempotency-Key. Generated references will be others",
}

// dryRun reports whether the call only asks for checks.
func (c *caller) dryRun() bool { return c.request.URL.Query().Get(dryRunParam.Name) == "true" }

// checkDryRun returns what is wrong with the parameter.
func (c *caller) checkDryRun() []apierr.Detail {
	values, sent := c.request.URL.Query()[dryRunParam.Name]
	if !c.op.rehearsed || !sent || len(values) == 1 && (values[0] == "true" || values[0] == "false") {
		return nil
	}
	return []apierr.Detail{{Field: dryRunParam.Name, Message: "must be true or false"}}
}

// unwritten is a transaction whose changes of records are checked, but not written.
type unwritten struct{ Tx }

func (unwritten) Write(filing.Change) error                 { return nil }
func (unwritten) Subscribers() ([]filing.Subscriber, error) { return nil, nil }

// rehearse answers a dry run of a creation: a transaction that reads runs all checks.
func (s *Server) rehearse(ctx context.Context, c *caller, k kind, create func(Tx) (filing.Filing, error)) (response, error) {
	var f filing.Filing
	err := s.Store.View(ctx, c.call.Org, func(tx Tx) (err error) { f, err = create(unwritten{tx}); return err })
	if err != nil {
		return response{}, err
	}
	f.ID = ""
	if k.Plain {
		return recordResponse(response{Status: http.StatusOK, Body: f.AppendJSON(nil)}, f.Version), nil
	}
	return filingResponse(k.Singular, &f), nil
}

// creationSuffix ends the names of the schemas of records in answers to creations.
const creationSuffix = "Creation"

// describeCreation returns the schema of a kind's records in answers to creations, where a dry run has no id.
func (s *Server) describeCreation(name string, record *huma.Schema) *huma.Schema {
	creation := *record
	creation.Required = slices.DeleteFunc(slices.Clone(record.Required), func(field string) bool { return field == "id" })
	name = strings.TrimSuffix(name, recordSuffix) + creationSuffix
	s.api.OpenAPI().Components.Schemas.Map()[name] = &creation
	return &huma.Schema{Ref: "#/components/schemas/" + name}
}
