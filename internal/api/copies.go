package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/template"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
)

// copied describes an operation that makes a declaration from another record.
func copied(k kind) operation {
	return operation{
		tag: k.Tag, scope: k.Hub, method: http.MethodPost, status: http.StatusCreated, response: k.record, dryRun: k.creation, errors: []int{404},
		idempotent: true, rehearsed: true, etag: true, maxBody: maxDeclaration, route: route{role: tenant.Member, batch: batch.Rule{Allowed: true, Creates: true}},
	}
}

// mountCopies adds the operations that make a declaration from another one and from a template.
func (s *Server) mountCopies(k kind) {
	again := copied(k)
	again.id, again.summary, again.path = "copy-declaration", "Copy a declaration", k.Path+"/{id}/copy"
	again.description = "A new draft with the members of the declaration, except reference, ucr, supplements, previousDocuments and the references of documents. Documents of authorisations keep theirs; without dataSet the others are left out"
	handle(s, again, func(ctx context.Context, in *ByID) (response, error) {
		return s.createFrom(ctx, k, in, nil, func(tx Tx, id string) (filing.Input, error) {
			f, err := tx.Filing(k.Kind, id)
			if err != nil {
				return filing.Input{}, err
			}
			body, err := customs.CopyOf(f.Body)
			if err != nil {
				return filing.Input{}, err
			}
			parsed, err := s.parseMade(tx, k, body)
			return parsed.KeepSecretsFrom(id), err
		})
	})
	from := copied(k)
	from.id, from.summary, from.path = "create-declaration-from-template", "Create a declaration from a template", template.Templates.Path+"/{id}/declarations"
	from.description = "The new declaration. The body is a merge patch (RFC 7396) of the template's: it adds what that lacks, at least shipmentId, and replaces what differs"
	from.body, from.merges, from.errors = k.Body, true, []int{404, 415}
	handle(s, from, func(ctx context.Context, in *patchInput) (response, error) {
		patch, err := s.readMergePatch(&in.caller, in.RawBody, k.Body)
		if err != nil {
			return response{}, err
		}
		return s.createFrom(ctx, k, &in.ByID, in.RawBody, func(tx Tx, id string) (filing.Input, error) {
			body, err := template.Fill(tx, id, patch)
			if err != nil {
				return filing.Input{}, err
			}
			return s.parseMade(tx, k, body)
		})
	})
}

// parseMade checks and parses a body that was made from a record.
func (s *Server) parseMade(tx Tx, k kind, body json.RawMessage) (filing.Input, error) {
	if details := s.faultsOf(k.Type, body); details != nil {
		return filing.Input{}, apierr.Invalid(details...)
	}
	return k.Parse(body, tx.Now())
}

// createFrom creates a declaration with an input that is made from a record.
func (s *Server) createFrom(ctx context.Context, k kind, in *ByID, raw []byte, inputOf func(tx Tx, id string) (filing.Input, error)) (response, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	create := func(tx Tx) (filing.Filing, error) {
		parsed, err := inputOf(tx, id)
		if err != nil {
			return filing.Filing{}, err
		}
		return s.Filings.Create(tx, in.call, k.Type, parsed)
	}
	return s.createOnce(ctx, &in.caller, raw, k, create)
}
