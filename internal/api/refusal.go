package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// step is what only an OWNER may do, as the trail names it when it is refused.
type step struct{ hub, resource, action string }

// noteRefusal leaves an event for a step that the key's role or scopes do not allow. It is
// durable before the refusal is answered; where it cannot be written, and when a key
// has tried too often, the log tells of it instead.
func (s *Server) noteRefusal(r *http.Request, rt route, call tenant.Call, why error) {
	if rt.step == (step{}) || apierr.Is(why, apierr.HubNotEnabled) {
		return
	}
	s.recordRefusal(r, call, access.Refusal{Hub: rt.step.hub, Resource: rt.step.resource, ID: s.subject(r), Action: rt.step.action, Role: call.Role, Reason: why})
}

// recordRefusal stores a refusal, unless the key was refused too often lately.
func (s *Server) recordRefusal(r *http.Request, call tenant.Call, refusal access.Refusal) {
	state, err := s.Limiter.Take(r.Context(), s.Budgets.Noted, call.KeyID)
	if err == nil && state.Exceeded {
		s.Log.WarnContext(r.Context(), "refusals are no longer noted for now", "keyId", call.KeyID, "requestId", call.RequestID)
		return
	}
	if err := s.Store.Update(context.WithoutCancel(r.Context()), call.Org, func(tx Tx) error { return s.Access.Refused(tx, call, refusal) }); err != nil {
		s.Log.ErrorContext(r.Context(), "cannot note a refusal", "requestId", call.RequestID, "error", err)
	}
}

// subject is the id of the record that a request names in its path; empty for none.
func (s *Server) subject(r *http.Request) string {
	_, pattern := s.mux.Handler(r)
	_, path, _ := strings.Cut(pattern, " ")
	have := strings.Split(r.URL.Path, "/")
	for i, segment := range strings.Split(path, "/") {
		if segment == "{id}" && i < len(have) {
			if id, ok := canonical(have[i]); ok {
				return id
			}
		}
	}
	return ""
}
