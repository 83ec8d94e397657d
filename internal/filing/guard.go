package filing

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Allowed returns an error if a principal must not make a transition with a guard.
func Allowed(g lifecycle.Guard, p tenant.Principal) error {
	switch {
	case g == lifecycle.System && p.Type != tenant.BySystem:
		return apierr.New(apierr.InvalidState, "Only the authority can make this change.")
	case !p.Role.Covers(tenant.Member):
		return apierr.New(apierr.ReadOnlyKey, "This key can read but not change anything.")
	case g == lifecycle.SecondPerson && (p.KeyID != "" || p.Type != tenant.ByUser):
		return apierr.New(apierr.SignInAgain, "An API key cannot approve. A second person can do it in the console, on the page of the record.")
	case g == lifecycle.Owner && !p.Role.Covers(tenant.Owner):
		return apierr.New(apierr.OwnerRoleRequired, "This action requires the OWNER role.")
	}
	return nil
}

func invalidTransition(t *Type, by lifecycle.Action, in lifecycle.State) *apierr.Error {
	return invalidState(t.Singular, by, in, t.Lifecycle.FromAlone(by))
}

// invalidState is the error of an action in another state than those from which it is possible.
func invalidState(singular string, by lifecycle.Action, in lifecycle.State, from []lifecycle.State) *apierr.Error {
	slices.Sort(from)
	names := make([]string, len(from))
	for i, s := range from {
		names[i] = string(s)
	}
	return apierr.New(apierr.InvalidState, "Cannot %s this %s while it is %s; it must be %s.",
		strings.ReplaceAll(string(by), "-", " "), singular, in, strings.Join(names, " or "))
}
