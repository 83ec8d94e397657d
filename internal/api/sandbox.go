package api

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ModeHeader is on every answer of the service.
const ModeHeader = "X-Tidewaiter-Mode"

// modes are the values of ModeHeader.
var modes = []any{string(tenant.Test), string(tenant.Live), string(tenant.Simulator)}

func modeSchema(about string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: modes, Description: about}
}

// modeOf returns the mode of a caller's organisation.
func (s *Server) modeOf(h access.Holder) tenant.Mode {
	if h.Test {
		return tenant.Test
	}
	return s.Mode
}

// nowOf returns the time of a caller's organisation: real time, or that of its test clock.
func (s *Server) nowOf(h access.Holder) time.Time {
	if !h.TestClock.IsZero() {
		return h.TestClock
	}
	return s.Now()
}

// SandboxKeyInput is the body that creates a test key.
type SandboxKeyInput struct {
	Name string `json:"name" minLength:"1" maxLength:"140" doc:"What it is for" example:"Integration tests"`
	Role string `json:"role" enum:"OWNER,MEMBER,VIEWER" doc:"Maximum role of the key" example:"OWNER"`
}

func (s *Server) mountSandbox() {
	handle(s, operation{
		id: "create-sandbox-key", summary: "Create a test key", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: "/api/sandbox/keys",
		status: http.StatusCreated, response: s.schemaOf(reflect.TypeFor[madeKey]()),
		description: "A key of the test organisation, with its secret, which begins with svc_test and is shown only once. The test organisation is created at first use, is connected to simulators only, and has the members of the live one",
		body:        reflect.TypeFor[SandboxKeyInput](), idempotent: true, etag: true, rehearsed: true, withheld: []string{"key.id", "secret"},
		route: route{role: tenant.Owner, refusedAction: auditedAction{hub: foundational, resource: "key", action: "create"}},
	}, s.createSandboxKey)
	handle(s, operation{
		id: "reset-sandbox", summary: "Empty the test organisation", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: "/api/sandbox/reset",
		status: http.StatusOK, response: objectSchema("reset", s.schemaOf(reflect.TypeFor[resetBody]())),
		description: "Deletes the records, deliveries, batches and exports of the test organisation. Keys, settings, endpoints, the test clock, the audit trail and what is under a legal hold stay. Needs a test key",
		route:       route{role: tenant.Owner, refusedAction: auditedAction{hub: foundational, resource: "organisation", action: "reset"}},
	}, s.resetSandbox)
	handle(s, operation{
		id: "create-sandbox", summary: "Create a sandbox without an account", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: "/api/sandboxes",
		status: http.StatusCreated, response: s.schemaOf(reflect.TypeFor[sandboxBody]()), errors: []int{404},
		description: "A test organisation with an OWNER key, for 7 days, or for good once an OWNER opens claimUrl in the console. No API key is needed. 404 not_found unless the operator allows it",
		rehearsed:   true, withheld: []string{"organisationId", "secret", "claimUrl"}, route: route{public: true, publicBudget: true},
	}, s.createSandbox)
	s.mountClock()
}

// sandboxBody is a new sandbox without an account.
type sandboxBody struct {
	OrganisationID string `json:"organisationId" format:"uuid" doc:"Id of the test organisation" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c7e57"`
	Secret         string `json:"secret" doc:"OWNER key, which is shown only once" example:"svc_test…"`
	ExpiresAt      string `json:"expiresAt" format:"date-time" doc:"When it expires unless it is claimed; then its data is deleted"`
	ClaimURL       string `json:"claimUrl" format:"uri" doc:"Page on which an OWNER makes it the test organisation of an organisation, which is shown only once" example:"https://tidewaiter.example/claim/…"`
}

func (s *Server) createSandbox(ctx context.Context, in *struct{ caller }) (response, error) {
	if !s.Anonymous {
		return response{}, apierr.New(apierr.NotFound, "This installation has no sandboxes without an account. Create a test key with POST /api/sandbox/keys.")
	}
	if in.dryRun() {
		return jsonResponse(http.StatusOK, map[string]string{"expiresAt": audit.Instant(s.Now().Add(access.SandboxLife))})
	}
	made, err := s.Sandboxes.CreateSandbox(ctx, in.call)
	if err != nil {
		return response{}, err
	}
	return jsonResponse(http.StatusCreated, sandboxBody{string(made.Org), made.Secret, audit.Instant(made.ExpiresAt), strings.TrimRight(s.PublicURL, "/") + access.ClaimPath + made.ClaimToken})
}

// resetBody is the result of emptying a test organisation.
type resetBody struct {
	Removed map[string]int64 `json:"removed" doc:"Number of deleted rows, by kind of record or table" example:"{\"declaration\": 12}"`
}

func (s *Server) resetSandbox(ctx context.Context, in *struct{ caller }) (response, error) {
	if !in.holder.Test {
		return response{}, access.ErrNotTest
	}
	removed, err := s.Reset(ctx, in.call)
	if err != nil {
		return response{}, err
	}
	return objectResponse("reset", resetBody{removed})
}

// createSandboxKey stores everything in the test organisation, also the answer for repeats, so that it is one transaction.
// A dry run makes the key in the live organisation, which has the same members: there may be no test organisation yet.
func (s *Server) createSandboxKey(ctx context.Context, in *bodyInput) (response, error) {
	body, err := decode[SandboxKeyInput](s, &in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	var maker access.Key
	err = s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) (err error) { maker, err = tx.Key(in.call.KeyID); return err })
	if err != nil {
		return response{}, err
	}
	c := in.caller
	if !c.dryRun() {
		if c.call.Org, err = s.Sandboxes.Open(ctx, in.call); err != nil {
			return response{}, err
		}
	}
	return s.updateOnceSecret(ctx, &c, in.RawBody, func(tx Tx) (response, error) {
		wanted := access.NewKey{Name: body.Name, Role: tenant.Role(body.Role)}
		return keyResponse(http.StatusCreated, tenant.Test)(s.Access.IssueKeyByKey(tx, c.call, maker, wanted))
	})
}
