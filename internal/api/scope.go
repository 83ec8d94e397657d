package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// First parts of scopes that are not a Hub.
const (
	wholeOrganisation = access.AllHubs // keys, users, audit trail, settings
	noScope           = access.AnyKey
)

// addRoute adds an operation to the routes that ServeHTTP checks. It needs write scope if a VIEWER may
// not use it, unless it is a GET.
func (s *Server) addRoute(op *operation) {
	op.route.name = op.id
	if op.route.hub == "" && needsHub(op) {
		op.route.hub = op.scope
	}
	op.route.scope = access.Need{Hub: op.scope, Write: op.method != http.MethodGet && op.route.role != ""}
	if op.route.public || op.route.feed {
		op.route.scope = access.Need{Hub: noScope}
	}
	s.routes[op.method+" "+op.path] = op.route
}

// needsHub reports whether an operation needs its Hub to be enabled: all of them, except for reading one
// record with its exports and evidence, since what was filed must be shown for years.
func needsHub(op *operation) bool {
	switch op.scope {
	case foundational, wholeOrganisation, noScope:
		return false
	}
	return op.method != http.MethodGet || !strings.Contains(op.path, "{id}")
}

// checkScopes panics at start-up if an operation names no scope: a key that is limited to some Hubs
// must not reach it by mistake.
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

// refuseAddress refuses a key that was used from an address outside its allow list. It does not count
// against the organisation's rate limit, since the key may be stolen.
func (s *Server) refuseAddress(w http.ResponseWriter, r *http.Request, h access.Holder) error {
	address := clientaddr.Of(r)
	if err := s.takeRateLimit(w, r, s.Budgets.Refused, clientaddr.Group(address)); err != nil {
		return err
	}
	err := addressNotAllowed(address)
	call := tenant.Call{Principal: h.Principal(), RequestID: w.Header().Get(requestIDHeader), IPAddress: address}
	s.recordRefusal(r, call, access.Refusal{Hub: foundational, Resource: "key", ID: h.KeyID, Action: "use", Role: call.Role, Reason: err})
	return err
}

func addressNotAllowed(address string) *apierr.Error {
	return apierr.New(apierr.AddressNotAllowed, "This key cannot be used from %s. An OWNER sets the allowed addresses when creating the key.", address)
}
