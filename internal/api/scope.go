package api

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// First parts of scopes that are no Hub.
const (
	wholeOrganisation = access.AllHubs // keys, users, audit trail, settings
	noScope           = access.AnyKey
)

// addRoute puts an operation into the table that the gate reads. An operation changes
// something if a VIEWER may not use it, unless it is a GET.
func (s *Server) addRoute(op *operation) {
	op.gate.name = op.id
	op.gate.scope = access.Need{Hub: op.scope, Write: op.method != http.MethodGet && op.gate.role != ""}
	if op.gate.public || op.gate.feed {
		op.gate.scope = access.Need{Hub: noScope}
	}
	s.routes[op.method+" "+op.path] = op.gate
}

// checkScopes ends the start of a program with an operation that names no scope: a key
// that is limited to some Hubs must not reach it by mistake.
func (s *Server) checkScopes() {
	hubs := []string{wholeOrganisation, noScope}
	for _, h := range s.Hubs {
		hubs = append(hubs, h.ID)
	}
	for pattern, rt := range s.routes {
		if !rt.public && !rt.feed && !slices.Contains(hubs, rt.scope.Hub) {
			panic(fmt.Sprintf("api: %s needs a scope: a Hub, wholeOrganisation or noScope, not %q", pattern, rt.scope.Hub))
		}
	}
}

// refuseAddress refuses a key that was sent from an address that it is not limited to. The
// organisation's budget stays untouched, since the key may be in wrong hands.
func (s *Server) refuseAddress(w http.ResponseWriter, r *http.Request, h access.Holder) error {
	address := clientaddr.Of(r)
	if err := s.take(w, r, s.Budgets.Refused, clientaddr.Group(address)); err != nil {
		return err
	}
	err := apierr.New(apierr.AddressNotAllowed, "This key cannot be used from %s. An OWNER sets its addresses when the key is made.", address)
	call := tenant.Call{Principal: h.Principal(), RequestID: w.Header().Get(requestIDHeader), IPAddress: address}
	s.recordRefusal(r, call, access.Refusal{Hub: foundational, Resource: "key", ID: h.KeyID, Action: "use", Role: call.Role, Reason: err})
	return err
}
