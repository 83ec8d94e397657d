package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const consentPath = "/api/customs/consent"

// CustomsConsentBody is the organisation's consent at customs.
type CustomsConsentBody struct {
	Status          consent.Status `json:"status" enum:"NONE,PENDING,GRANTED,EXPIRING,EXPIRED,REVOKED,FAILED" doc:"EXPIRING within 60 days of its end, REVOKED if HMRC no longer accepts it, FAILED if it cannot be used"`
	EORI            *string        `json:"eori" doc:"EORI number; null for another identifier" example:"GB123456789000"`
	GrantedAt       *string        `json:"grantedAt" format:"date-time" doc:"When consent was given"`
	GrantedBy       *string        `json:"grantedBy" format:"uuid" doc:"User who gave consent"`
	AccessExpiresAt *string        `json:"accessExpiresAt" format:"date-time" doc:"When the access token ends"`
	ExpiresAt       *string        `json:"expiresAt" format:"date-time" doc:"When it expires"`
	LastRefreshAt   *string        `json:"lastRefreshAt" format:"date-time" doc:"When the tokens were last refreshed"`
	LastError       *string        `json:"lastError" doc:"Why the consent cannot be used"`
}

func customsConsentOf(v consent.View) CustomsConsentBody {
	return CustomsConsentBody{
		Status: v.Status, EORI: orNull(v.Record.EORI), GrantedAt: orNull(v.Record.GrantedAt), GrantedBy: orNull(v.Record.GrantedBy), ExpiresAt: orNull(v.Record.ExpiresAt),
		AccessExpiresAt: instantOrNull(v.AccessExpiresAt), LastRefreshAt: instantOrNull(v.LastRefreshAt), LastError: orNull(v.LastError),
	}
}

// authorizeBody is the address at which a person gives consent.
type authorizeBody struct {
	AuthorizeURL string `json:"authorizeUrl" format:"uri" doc:"Page of this service at which the key's user signs in and goes on to HMRC to give consent. It works once" example:"https://tidewaiter.example.com/connect/abc"`
	ExpiresAt    string `json:"expiresAt" format:"date-time" doc:"When it expires"`
}

// mountConsent adds the operations of the organisation's consent at customs.
func (s *Server) mountConsent() {
	s.describeKind(s.Customs.Consents.Kind)
	shown := objectSchema("consent", s.schemaOf(reflect.TypeFor[CustomsConsentBody]()))
	owner := func(action string) route {
		return route{role: tenant.Owner, refusedAction: auditedAction{hub: foundational, resource: customs.ConsentKind, action: action}}
	}
	handle(s, operation{
		id: "get-customs-consent", summary: "Get the consent at HMRC for customs", tag: "Declarations", scope: foundational, method: http.MethodGet, path: consentPath,
		status: http.StatusOK, description: "The consent with which declarations are sent to HMRC. The simulator needs none", response: shown,
	}, s.getConsent)
	handle(s, operation{
		id: "begin-customs-consent", summary: "Start connecting to HMRC for customs", tag: "Declarations", scope: foundational, method: http.MethodPost, path: consentPath,
		status: http.StatusOK, description: "The address at which a person gives consent; it invalidates the caller's earlier ones. HMRC sends the person back to the console, where the same session confirms",
		response: s.schemaOf(reflect.TypeFor[authorizeBody]()), idempotent: true, route: owner("begin"),
	}, s.beginConsent)
	handle(s, operation{
		id: "delete-customs-consent", summary: "Remove the consent at HMRC for customs", tag: "Declarations", scope: foundational, method: http.MethodDelete, path: consentPath,
		status: http.StatusOK, description: "The consent. Its tokens are deleted at once; declarations that were sent are not affected", response: shown, errors: []int{404}, route: owner("remove"),
	}, s.deleteConsent)
}

func (s *Server) getConsent(ctx context.Context, in *struct{ caller }) (response, error) {
	return s.consent(ctx, in.call.Org)
}

func (s *Server) consent(ctx context.Context, org tenant.ID) (response, error) {
	var v consent.View
	if err := s.Store.View(ctx, org, func(tx Tx) (err error) { v, err = s.Customs.Consents.Current(tx); return err }); err != nil {
		return response{}, err
	}
	return objectResponse("consent", customsConsentOf(v))
}

func (s *Server) beginConsent(ctx context.Context, in *struct{ caller }) (response, error) {
	return s.updateOnceSecret(ctx, &in.caller, nil, func(tx Tx) (response, error) {
		address, expires, err := s.Customs.Consents.Begin(tx, in.call, "")
		if err != nil {
			return response{}, err
		}
		return jsonResponse(http.StatusOK, authorizeBody{address, audit.Instant(expires)})
	})
}

func (s *Server) deleteConsent(ctx context.Context, in *struct{ caller }) (response, error) {
	if err := s.Store.Update(ctx, in.call.Org, func(tx Tx) error { return s.Customs.Consents.Remove(tx, in.call) }); err != nil {
		return response{}, err
	}
	return s.consent(ctx, in.call.Org)
}
