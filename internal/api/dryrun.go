package api

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// dryRunParam is the parameter of operations that create a record.
var dryRunParam = &huma.Param{
	Name: "dryRun", In: "query", Schema: &huma.Schema{Type: huma.TypeBoolean},
	Description: "true: check the call and answer 200 with what would be created, without id and secrets. Nothing is stored, also no Idempotency-Key. Generated references will be others",
}

// dryRun reports whether the call only asks for checks.
func (c *caller) dryRun() bool { return c.request.URL.Query().Get(dryRunParam.Name) == "true" }

// checkDryRun returns what is wrong with the parameter before the body is read. The faults of a form are named together with it.
func (c *caller) checkDryRun() []apierr.Detail {
	if c.op.content[formType] != nil {
		return nil
	}
	return c.dryRunFaults()
}

// withDryRunFaults adds what is wrong with the parameter to the faults of a form.
func (c *caller) withDryRunFaults(err error) error {
	faults := c.dryRunFaults()
	if faults == nil {
		return err
	}
	if form, ok := apierr.As(err); ok && form.Code == apierr.InvalidRequest {
		faults = append(faults, form.Details...)
	} else if err != nil {
		return err
	}
	return apierr.Invalid(faults...)
}

func (c *caller) dryRunFaults() []apierr.Detail {
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

// errRehearsed ends the transaction of a dry run, so that it is rolled back.
var errRehearsed = errors.New("api: dry run")

// rolledBack runs fn in a transaction that stores nothing.
func (s *Server) rolledBack(ctx context.Context, org tenant.ID, fn func(Tx) error) error {
	err := s.Store.Update(ctx, org, func(tx Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return errRehearsed
	})
	if errors.Is(err, errRehearsed) {
		return nil
	}
	return err
}

// tryOut answers a dry run of a call that creates something else than a record: it makes all changes and takes them back.
func (s *Server) tryOut(ctx context.Context, c *caller, fn func(Tx) (response, error)) (out response, err error) {
	if err = s.rolledBack(ctx, c.call.Org, func(tx Tx) (err error) { out, err = fn(tx); return err }); err != nil {
		return response{}, err
	}
	return c.withhold(out)
}

// storeOrTry runs fn in a transaction, which a dry run takes back. It ignores an Idempotency-Key.
func (s *Server) storeOrTry(ctx context.Context, c *caller, fn func(Tx) (response, error)) (out response, err error) {
	if c.dryRun() {
		return s.tryOut(ctx, c, fn)
	}
	err = s.Store.Update(ctx, c.call.Org, func(tx Tx) (err error) { out, err = fn(tx); return err })
	return out, err
}

// withhold makes the answer to a dry run from the one to a creation: without what only something that is stored has.
func (c *caller) withhold(out response) (_ response, err error) {
	out.Status = http.StatusOK
	for _, path := range c.op.withheld {
		if out.Body, err = withoutMember(out.Body, strings.Split(path, ".")); err != nil {
			return response{}, err
		}
	}
	return out, nil
}

// withoutMember removes a member, or one of a member, from a JSON object.
func withoutMember(object json.RawMessage, path []string) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(object, &members); err != nil {
		return nil, err
	}
	if inner, ok := members[path[0]]; ok && len(path) > 1 {
		var err error
		if members[path[0]], err = withoutMember(inner, path[1:]); err != nil {
			return nil, err
		}
	} else {
		delete(members, path[0])
	}
	return json.Marshal(members)
}

// describeDryRun adds the schema of the answers to dry runs.
func (s *Server) describeDryRun(op *operation) {
	if op.withheld == nil {
		return
	}
	dry := op.response
	for _, path := range op.withheld {
		dry = s.schemaWithout(dry, strings.Split(path, "."))
	}
	op.dryRun = dry
	if op.status == http.StatusOK { // both answers have the same status, and so the same schema
		op.response = dry
	}
}

// schemaWithout returns an object's schema with an optional member, or with one of a member. That of a named schema is
// named too, so that typed clients have a type for it.
func (s *Server) schemaWithout(object *huma.Schema, path []string) *huma.Schema {
	own := *s.resolveSchema(object)
	if len(path) > 1 {
		own.Properties = maps.Clone(own.Properties)
		own.Properties[path[0]] = s.schemaWithout(own.Properties[path[0]], path[1:])
	} else {
		own.Required = slices.DeleteFunc(slices.Clone(own.Required), func(name string) bool { return name == path[0] })
	}
	if object.Ref == "" {
		return &own
	}
	name := strings.TrimPrefix(object.Ref, schema.Prefix)
	if !strings.HasSuffix(name, creationSuffix) {
		name = publishedName(name, answer) + creationSuffix
	}
	s.api.OpenAPI().Components.Schemas.Map()[name] = &own
	return &huma.Schema{Ref: schema.Prefix + name}
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
