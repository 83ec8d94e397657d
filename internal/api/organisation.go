package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
)

// OrganisationInput is what an organisation says of itself.
type OrganisationInput struct {
	Name string `json:"name" minLength:"1" maxLength:"140" doc:"Name of the organisation" example:"Harbour Customs Services Ltd"`
	access.Profile
	access.Policy
}

// organisationBody is the organisation as it sees itself.
type organisationBody struct {
	ID        string `json:"id" format:"uuid" doc:"Id of the organisation"`
	CreatedAt string `json:"createdAt" format:"date-time" doc:"When it was created"`
	UpdatedAt string `json:"updatedAt" format:"date-time" doc:"When it last changed"`
	OrganisationInput
}

func organisationOf(o access.Organisation) organisationBody {
	return organisationBody{
		ID: string(o.ID), CreatedAt: audit.Instant(o.CreatedAt), UpdatedAt: audit.Instant(o.UpdatedAt),
		OrganisationInput: OrganisationInput{o.Name, o.Profile, o.Policy},
	}
}

func (s *Server) mountOrganisation() {
	schema := s.schemaOf(reflect.TypeFor[organisationBody]())
	handle(s, operation{
		id: "get-organisation", summary: "Get the organisation", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: "/api/organisation",
		status: http.StatusOK, about: "The organisation that the key belongs to", answer: under("organisation", schema),
	}, s.getOrganisation)
	handle(s, operation{
		id: "update-organisation", summary: "Correct the organisation", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPatch, path: "/api/organisation",
		status: http.StatusOK, about: "The corrected organisation", answer: under("organisation", schema),
		body: reflect.TypeFor[OrganisationInput](), partial: true,
		gate: route{role: tenant.Owner, step: step{hub: foundational, resource: "organisation", action: "update"}},
	}, s.updateOrganisation)
	s.mountClosing()
}

// mountClosing describes the operations that the console answers, since they take its session.
func (s *Server) mountClosing() {
	schema := under("organisation", s.schemaOf(reflect.TypeFor[closure.ClosingBody]()))
	handle(s, operation{
		id: "close-organisation", summary: "Close the organisation", tag: "Hubs", scope: wholeOrganisation, method: http.MethodDelete, path: "/api/organisation",
		status: http.StatusOK, answer: schema, body: reflect.TypeFor[closure.ClosingInput](),
		about: "The closed organisation. It takes the session of an OWNER who has signed in to the console within the last minutes; a key is answered 403 sign_in_again. " +
			"Keys, feeds, tokens and connections end at once and stay ended. After 30 days the data is deleted, except for what retention law or a legal hold keeps. Closing it again changes nothing",
		gate: route{session: true, role: tenant.Owner, step: step{hub: foundational, resource: "organisation", action: "close"}},
	}, s.closeOrganisation)
	handle(s, operation{
		id: "restore-organisation", summary: "Restore a closed organisation", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: "/api/organisation/restore",
		status: http.StatusOK, answer: schema,
		about: "The organisation, open again. It takes the console session of an OWNER, until the data is deleted. Keys, feeds, tokens and connections stay ended",
		gate:  route{session: true, role: tenant.Owner, step: step{hub: foundational, resource: "organisation", action: "restore"}},
	}, s.restoreOrganisation)
}

// errSessionNeeded is the answer to a key at an operation that takes a session of the console.
func errSessionNeeded() error {
	return apierr.New(apierr.SignInAgain, "An API key cannot do this. An OWNER does it with a session of the console, at Settings, Data.")
}

func (s *Server) closeOrganisation(context.Context, *bodyInput) (reply, error) {
	return reply{}, errSessionNeeded()
}

func (s *Server) restoreOrganisation(context.Context, *struct{ caller }) (reply, error) {
	return reply{}, errSessionNeeded()
}

func (s *Server) getOrganisation(ctx context.Context, in *struct{ caller }) (reply, error) {
	var org access.Organisation
	if err := s.Store.Glance(ctx, in.call.Org, func(tx Tx) (err error) { org, err = tx.Organisation(); return err }); err != nil {
		return reply{}, err
	}
	return wrapped("organisation", organisationOf(org))
}

func (s *Server) updateOrganisation(ctx context.Context, in *bodyInput) (reply, error) {
	patch, err := s.read(&in.caller, in.RawBody, reflect.TypeFor[OrganisationInput](), true)
	if err != nil {
		return reply{}, err
	}
	var org access.Organisation
	err = s.Store.Update(ctx, in.call.Org, func(tx Tx) error {
		wanted, err := s.correctedOrganisation(tx, patch)
		if err != nil {
			return err
		}
		if _, err = s.Access.UpdateOrganisation(tx, in.call, wanted.Name, wanted.Profile); err != nil {
			return err
		}
		org, err = s.Access.UpdatePolicy(tx, in.call, wanted.Policy)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	return wrapped("organisation", organisationOf(org))
}

func (s *Server) correctedOrganisation(tx Tx, patch json.RawMessage) (wanted OrganisationInput, err error) {
	org, err := tx.Organisation()
	if err != nil {
		return wanted, err
	}
	stored, err := json.Marshal(OrganisationInput{org.Name, org.Profile, org.Policy})
	if err != nil {
		return wanted, err
	}
	return patched[OrganisationInput](s, stored, patch)
}
