package api

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// Rehearsal is embedded in the input of operations that create a record.
type Rehearsal struct {
	DryRun bool `query:"dryRun" doc:"true: check the call and answer 200 with the record that would be created, without id. Nothing is stored, and an Idempotency-Key has no effect. Generated references will be others"`
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
		return response{Status: http.StatusOK, Body: f.AppendJSON(nil)}, nil
	}
	return response{Status: http.StatusOK, Body: filingResponse(k.Singular, &f).Body}, nil
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
