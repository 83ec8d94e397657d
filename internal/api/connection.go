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

// connectionBody is how an organisation stands with HMRC.
type connectionBody struct {
	Status      submission.Status `json:"status" enum:"UNAVAILABLE,NONE,CONNECTED,LAPSED" doc:"UNAVAILABLE where the service is connected to no HMRC, NONE where nobody has given consent, LAPSED where HMRC takes the consent no longer"`
	VATNumber   *string           `json:"vatNumber" doc:"VAT registration number that the consent is for" example:"123456782"`
	ConnectedBy *string           `json:"connectedBy" doc:"User who gave consent"`
	ConnectedAt *string           `json:"connectedAt" format:"date-time" doc:"When"`
	PeriodsAt   *string           `json:"periodsAt" format:"date-time" doc:"When HMRC last told its periods"`
	Problem     *string           `json:"problem" doc:"What went wrong when HMRC was last asked"`
	Elsewhere   []elsewhereBody   `json:"otherPeriods" nullable:"false" doc:"Periods of HMRC's that are no quarters of the calendar: their returns cannot be drawn up here"`
}

// elsewhereBody is a period of HMRC's that is none of the service's.
type elsewhereBody struct {
	StartDate string `json:"startDate" format:"date" doc:"First day" example:"2026-08-01"`
	EndDate   string `json:"endDate" format:"date" doc:"Last day" example:"2026-10-31"`
	DueDate   string `json:"dueDate" format:"date" doc:"Last day for the return" example:"2026-12-07"`
}

func connectionOf(c submission.Connection) connectionBody {
	b := connectionBody{
		Status: c.Status, VATNumber: orNull(string(c.VRN)), ConnectedBy: orNull(c.UserID), ConnectedAt: instantOrNull(c.ConnectedAt),
		PeriodsAt: instantOrNull(c.AskedAt), Problem: orNull(c.Problem), Elsewhere: []elsewhereBody{},
	}
	for _, o := range c.Elsewhere() {
		b.Elsewhere = append(b.Elsewhere, elsewhereBody{o.Start, o.End, o.Due})
	}
	return b
}

// consentBody is where a person gives consent.
type consentBody struct {
	URL       string `json:"url" format:"uri" doc:"HMRC's address, at which a person signs in and gives consent. Open it in a browser in which an OWNER of the organisation is signed in to the console" example:"https://www.tax.service.gov.uk/oauth/authorize?client_id=abc&response_type=code&state=xyz"`
	ExpiresAt string `json:"expiresAt" format:"date-time" doc:"By then the person must be back"`
}

// mountConnection makes the operations of the connection to HMRC's Making Tax Digital.
func (s *Server) mountConnection() {
	connection := under("connection", s.schemaOf(reflect.TypeFor[connectionBody]()))
	owner := func(action string) route {
		return route{role: tenant.Owner, step: step{hub: submission.HubID, resource: "tax.connection", action: action}}
	}
	begin := owner("begin")
	begin.hub = submission.HubID
	handle(s, operation{
		id: "get-tax-connection", summary: "Get the connection to HMRC", tag: "VAT", scope: submission.HubID, method: http.MethodGet, path: connectionPath,
		status: http.StatusOK, about: "How the organisation stands with HMRC's Making Tax Digital", answer: connection,
	}, s.getConnection)
	handle(s, operation{
		id: "begin-tax-connection", summary: "Begin to connect to HMRC", tag: "VAT", scope: submission.HubID, method: http.MethodPost, path: connectionPath,
		status: http.StatusCreated, about: "Returns the address at which a person gives consent, and invalidates the caller's earlier ones. HMRC sends the person back to the console, where an OWNER who is signed in confirms the connection",
		answer: under("consent", s.schemaOf(reflect.TypeFor[consentBody]())), once: true, gate: begin,
	}, s.beginConnection)
	handle(s, operation{
		id: "delete-tax-connection", summary: "Disconnect from HMRC", tag: "VAT", scope: submission.HubID, method: http.MethodDelete, path: connectionPath,
		status: http.StatusOK, about: "The tokens are forgotten at once; what HMRC has told stays", answer: connection, errors: []int{404}, gate: owner("disconnect"),
	}, s.deleteConnection)
}

func (s *Server) getConnection(ctx context.Context, in *struct{ caller }) (reply, error) {
	return s.connection(ctx, in.call.Org)
}

func (s *Server) connection(ctx context.Context, org tenant.ID) (reply, error) {
	var c submission.Connection
	if err := s.Store.View(ctx, org, func(tx Tx) (err error) { c, err = s.VAT.Standing(tx); return err }); err != nil {
		return reply{}, err
	}
	return wrapped("connection", connectionOf(c))
}

func (s *Server) beginConnection(ctx context.Context, in *struct{ caller }) (reply, error) {
	return s.changeSealed(ctx, &in.caller, nil, func(tx Tx) (reply, error) {
		address, expires, err := s.VAT.Begin(tx, in.call, "", s.origin(&in.caller))
		if err != nil {
			return reply{}, err
		}
		r, err := wrapped("consent", consentBody{address, audit.Instant(expires)})
		r.Status = http.StatusCreated
		return r, err
	})
}

func (s *Server) deleteConnection(ctx context.Context, in *struct{ caller }) (reply, error) {
	if err := s.Store.Update(ctx, in.call.Org, func(tx Tx) error { return s.VAT.Disconnect(tx, in.call) }); err != nil {
		return reply{}, err
	}
	return s.connection(ctx, in.call.Org)
}
