package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// auditedAction names an action in the audit event about its refusal.
type auditedAction struct{ hub, resource, action string }

// auditRefusal writes an audit event when a key's role or scopes do not allow an action. The event is
// durable before the response is sent. If it cannot be written, or the key has been refused too often,
// the refusal is only logged.
func (s *Server) auditRefusal(r *http.Request, rt route, call tenant.Call, reason error) {
	if rt.refusedAction == (auditedAction{}) || apierr.Is(reason, apierr.HubNotEnabled) {
		return
	}
	s.recordRefusal(r, call, access.Refusal{Hub: rt.refusedAction.hub, Resource: rt.refusedAction.resource, ID: s.recordIDOf(r), Action: rt.refusedAction.action, Role: call.Role, Reason: reason})
}

// recordRefusal writes the audit event unless the key's rate limit for refusals is exceeded.
func (s *Server) recordRefusal(r *http.Request, call tenant.Call, refusal access.Refusal) {
	state, err := s.Limiter.Take(r.Context(), s.Budgets.AuditedRefusals, call.KeyID)
	if err == nil && state.Exceeded {
		s.Log.WarnContext(r.Context(), "refusals of this key are temporarily not written to the audit trail", "keyId", call.KeyID, "requestId", call.RequestID)
		return
	}
	if err := s.Store.Update(context.WithoutCancel(r.Context()), call.Org, func(tx Tx) error { return s.Access.RecordRefusal(tx, call, refusal) }); err != nil {
		s.Log.ErrorContext(r.Context(), "cannot write a refusal to the audit trail", "requestId", call.RequestID, "error", err)
	}
}

// recordIDOf returns the record ID in the request's path, or "" if there is none.
func (s *Server) recordIDOf(r *http.Request) string {
	_, pattern := s.mux.Handler(r)
	_, path, _ := strings.Cut(pattern, " ")
	segments := strings.Split(r.URL.Path, "/")
	for i, segment := range strings.Split(path, "/") {
		if segment == "{id}" && i < len(segments) {
			if id, ok := canonicalUUID(segments[i]); ok {
				return id
			}
		}
	}
	return ""
}
