package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const connectionPath = "/api/tax/connection"

// connectionBody is the state of the organisation's connection to HMRC.
type connectionBody struct {
	Status       submission.Status `json:"status" enum:"UNAVAILABLE,NONE,CONNECTED,LAPSED" doc:"UNAVAILABLE without a connection of the service, NONE without consent, LAPSED if HMRC no longer accepts it"`
	VATNumber    *string           `json:"vatNumber" doc:"VAT registration number" example:"123456782"`
	ConnectedBy  *string           `json:"connectedBy" doc:"User who gave consent"`
	ConnectedAt  *string           `json:"connectedAt" format:"date-time" doc:"When consent was given"`
	PeriodsAt    *string           `json:"periodsAt" format:"date-time" doc:"When the periods were last retrieved from HMRC"`
	Problem      *string           `json:"problem" doc:"Error of the last request to HMRC; null if it succeeded"`
	OtherPeriods []elsewhereBody   `json:"otherPeriods" nullable:"false" doc:"Periods at HMRC that are not calendar quarters, and cannot be returned here"`
}

// elsewhereBody is a period at HMRC that the service does not support.
type elsewhereBody struct {
	StartDate string `json:"startDate" format:"date" doc:"First day" example:"2026-08-01"`
	EndDate   string `json:"endDate" format:"date" doc:"Last day" example:"2026-10-31"`
	DueDate   string `json:"dueDate" format:"date" doc:"Due date" example:"2026-12-07"`
}

func connectionOf(c submission.Connection) connectionBody {
	b := connectionBody{
		Status: c.Status, VATNumber: orNull(string(c.VRN)), ConnectedBy: orNull(c.UserID), ConnectedAt: instantOrNull(c.ConnectedAt),
		PeriodsAt: instantOrNull(c.FetchedAt), Problem: orNull(c.Problem), OtherPeriods: []elsewhereBody{},
	}
	for _, o := range c.UnsupportedPeriods() {
		b.OtherPeriods = append(b.OtherPeriods, elsewhereBody{o.Start, o.End, o.Due})
	}
	return b
}

// consentBody is the address at which a person gives consent.
type consentBody struct {
	URL       string `json:"url" format:"uri" doc:"Page at which the key's user, or an OWNER if that user cannot, signs in and goes on to HMRC. It works once" example:"https://tidewaiter.example.com/connect/abc"`
	ExpiresAt string `json:"expiresAt" format:"date-time" doc:"When it expires"`
}

// mountConnection adds the operations of the connection to HMRC's Making Tax Digital.
func (s *Server) mountConnection() {
	connection := objectSchema("connection", s.schemaOf(reflect.TypeFor[connectionBody]()))
	owner := func(action string) route {
		return route{role: tenant.Owner, refusedAction: auditedAction{hub: submission.HubID, resource: "tax.connection", action: action}}
	}
	begin := owner("begin")
	begin.hub = submission.HubID
	handle(s, operation{
		id: "get-tax-connection", summary: "Get the connection to HMRC", tag: "Tax", scope: submission.HubID, method: http.MethodGet, path: connectionPath,
		status: http.StatusOK, description: "The organisation's connection to HMRC's Making Tax Digital", response: connection,
	}, s.getConnection)
	handle(s, operation{
		id: "begin-tax-connection", summary: "Start connecting to HMRC", tag: "Tax", scope: submission.HubID, method: http.MethodPost, path: connectionPath,
		status: http.StatusCreated, description: "The address at which a person gives consent; it invalidates the caller's earlier ones. HMRC sends the person back to the console, where the same session confirms",
		response: objectSchema("consent", s.schemaOf(reflect.TypeFor[consentBody]())), idempotent: true, rehearsed: true, withheld: []string{"consent.url"}, route: begin,
	}, s.beginConnection)
	handle(s, operation{
		id: "delete-tax-connection", summary: "Disconnect from HMRC", tag: "Tax", scope: submission.HubID, method: http.MethodDelete, path: connectionPath,
		status: http.StatusOK, description: "The connection. Its tokens are deleted at once; data received from HMRC stays", response: connection, errors: []int{404}, route: owner("disconnect"),
	}, s.deleteConnection)
}

func (s *Server) getConnection(ctx context.Context, in *struct{ caller }) (response, error) {
	return s.connection(ctx, in.call.Org)
}

func (s *Server) connection(ctx context.Context, org tenant.ID) (response, error) {
	var c submission.Connection
	if err := s.Store.View(ctx, org, func(tx Tx) (err error) { c, err = s.VAT.CurrentConnection(tx); return err }); err != nil {
		return response{}, err
	}
	return objectResponse("connection", connectionOf(c))
}

func (s *Server) beginConnection(ctx context.Context, in *struct{ caller }) (response, error) {
	return s.updateOnceSecret(ctx, &in.caller, nil, func(tx Tx) (response, error) {
		address, expires, err := s.VAT.Begin(tx, in.call, "", s.origin(&in.caller))
		if err != nil {
			return response{}, err
		}
		r, err := objectResponse("consent", consentBody{address, audit.Instant(expires)})
		r.Status = http.StatusCreated
		return r, err
	})
}

func (s *Server) deleteConnection(ctx context.Context, in *struct{ caller }) (response, error) {
	if err := s.Store.Update(ctx, in.call.Org, func(tx Tx) error { return s.VAT.Disconnect(tx, in.call) }); err != nil {
		return response{}, err
	}
	return s.connection(ctx, in.call.Org)
}
