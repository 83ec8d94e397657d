package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
)

// OrganisationInput holds the editable fields of an organisation.
type OrganisationInput struct {
	Name string `json:"name" minLength:"1" maxLength:"140" doc:"Name" example:"Harbour Customs Services Ltd"`
	access.Profile
	access.Policy
}

// organisationBody is the organisation in a response.
type organisationBody struct {
	ID        string `json:"id" format:"uuid" doc:"Id of the organisation"`
	CreatedAt string `json:"createdAt" format:"date-time" doc:"When it was created"`
	UpdatedAt string `json:"updatedAt" format:"date-time" doc:"When it last changed"`
	Mode      string `json:"mode" enum:"test,live,simulator" doc:"test for a test organisation, live if the installation is connected to HMRC or the HMRC sandbox, otherwise simulator"`
	OrganisationInput
}

func (s *Server) organisationOf(o access.Organisation, h access.Holder) organisationBody {
	return organisationBody{
		ID: string(o.ID), Mode: string(s.modeOf(h)), CreatedAt: audit.Instant(o.CreatedAt), UpdatedAt: audit.Instant(o.UpdatedAt),
		OrganisationInput: OrganisationInput{o.Name, o.Profile, o.Policy},
	}
}

func (s *Server) mountOrganisation() {
	schema := s.schemaOf(reflect.TypeFor[organisationBody]())
	handle(s, operation{
		id: "get-organisation", summary: "Get the organisation", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: "/api/organisation",
		status: http.StatusOK, description: "The organisation that the key belongs to", response: objectSchema("organisation", schema), conditional: true, etag: true,
	}, s.getOrganisation)
	handle(s, operation{
		id: "update-organisation", summary: "Correct the organisation", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPatch, path: "/api/organisation",
		status: http.StatusOK, description: "The corrected organisation", response: objectSchema("organisation", schema),
		body: reflect.TypeFor[OrganisationInput](), partial: true, ifMatch: true, etag: true,
		route: route{role: tenant.Owner, refusedAction: auditedAction{hub: foundational, resource: "organisation", action: "update"}},
	}, s.updateOrganisation)
	s.mountClosing()
}

// mountClosing documents the operations that the console answers, since they need its session.
func (s *Server) mountClosing() {
	schema := objectSchema("organisation", s.schemaOf(reflect.TypeFor[closure.ClosingBody]()))
	handle(s, operation{
		id: "close-organisation", summary: "Close the organisation", tag: "Hubs", scope: wholeOrganisation, method: http.MethodDelete, path: "/api/organisation",
		status: http.StatusOK, response: schema, body: reflect.TypeFor[closure.ClosingInput](),
		description: "The closed organisation. Needs the console session of an OWNER who has just signed in; an API key gets 403 sign_in_again. Keys, feeds, tokens and connections are revoked at once and for good. After 30 days the data is deleted, except what a retention period or a legal hold protects. Repeating the call changes nothing",
		route:       route{session: true, role: tenant.Owner, refusedAction: auditedAction{hub: foundational, resource: "organisation", action: "close"}},
	}, s.closeOrganisation)
	handle(s, operation{
		id: "restore-organisation", summary: "Restore a closed organisation", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: "/api/organisation/restore",
		status: http.StatusOK, response: schema,
		description: "The reopened organisation. Needs the console session of an OWNER, until the data is deleted. Keys, feeds, tokens and connections stay revoked",
		route:       route{session: true, role: tenant.Owner, refusedAction: auditedAction{hub: foundational, resource: "organisation", action: "restore"}},
	}, s.restoreOrganisation)
}

// errSessionNeeded is the response to an API key at an operation that needs a console session.
func errSessionNeeded() error {
	return apierr.New(apierr.SignInAgain, "An API key cannot do this. An OWNER can do it in the console, under Settings, Data.")
}

func (s *Server) closeOrganisation(context.Context, *bodyInput) (response, error) {
	return response{}, errSessionNeeded()
}

func (s *Server) restoreOrganisation(context.Context, *struct{ caller }) (response, error) {
	return response{}, errSessionNeeded()
}

func (s *Server) getOrganisation(ctx context.Context, in *struct{ caller }) (response, error) {
	var org access.Organisation
	if err := s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) (err error) { org, err = tx.Organisation(); return err }); err != nil {
		return response{}, err
	}
	if out, current := in.currentFor(org.Version); current {
		return out, nil
	}
	out, err := s.organisationResponse(org, in.holder)
	out.Cache = revalidate
	return out, err
}

func (s *Server) organisationResponse(org access.Organisation, h access.Holder) (response, error) {
	out, err := objectResponse("organisation", s.organisationOf(org, h))
	return recordResponse(out, org.Version), err
}

func (s *Server) updateOrganisation(ctx context.Context, in *bodyInput) (response, error) {
	patch, err := s.readPatch(&in.caller, in.RawBody, reflect.TypeFor[OrganisationInput]())
	if err != nil {
		return response{}, err
	}
	var org access.Organisation
	err = s.Store.Update(ctx, in.call.Org, func(tx Tx) error {
		input, err := s.correctedOrganisation(tx, patch, in.ifMatch)
		if err != nil {
			return err
		}
		if _, err = s.Access.UpdateOrganisation(tx, in.call, input.Name, input.Profile); err != nil {
			return err
		}
		if _, err = s.Access.UpdatePolicy(tx, in.call, input.Policy); err != nil {
			return err
		}
		org, err = tx.Organisation()
		return err
	})
	if err != nil {
		return response{}, err
	}
	return s.organisationResponse(org, in.holder)
}

// correctedOrganisation returns the organisation with a patch; precondition_failed if its version is none of those required.
func (s *Server) correctedOrganisation(tx Tx, p patch, required filing.IfVersion) (input OrganisationInput, err error) {
	org, err := tx.Organisation()
	if err == nil {
		err = required.Check(org.Version)
	}
	if err != nil {
		return input, err
	}
	stored, err := json.Marshal(OrganisationInput{org.Name, org.Profile, org.Policy})
	if err != nil {
		return input, err
	}
	return patched[OrganisationInput](s, stored, p)
}
