package api

import (
	"maps"
	"net/http"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// statuses maps each error code to its HTTP status.
var statuses = map[apierr.Code]int{
	apierr.InvalidRequest:         http.StatusBadRequest,
	apierr.InvalidState:           http.StatusBadRequest,
	apierr.EndpointPaused:         http.StatusBadRequest,
	apierr.Unauthorized:           http.StatusUnauthorized,
	apierr.HubNotEnabled:          http.StatusPaymentRequired,
	apierr.OwnerRoleRequired:      http.StatusForbidden,
	apierr.ReadOnlyKey:            http.StatusForbidden,
	apierr.ScopeRequired:          http.StatusForbidden,
	apierr.AddressNotAllowed:      http.StatusForbidden,
	apierr.SignInAgain:            http.StatusForbidden,
	apierr.SandboxOnly:            http.StatusForbidden,
	apierr.NotFound:               http.StatusNotFound,
	apierr.MethodNotAllowed:       http.StatusMethodNotAllowed,
	apierr.HubAlreadyEnabled:      http.StatusConflict,
	apierr.HubNotBookable:         http.StatusConflict,
	apierr.HubFoundational:        http.StatusConflict,
	apierr.IdempotencyInProgress:  http.StatusConflict,
	apierr.ReferenceTaken:         http.StatusConflict,
	apierr.RequestInProgress:      http.StatusConflict,
	apierr.CustomsConsentRequired: http.StatusConflict,
	apierr.ApprovalRequired:       http.StatusConflict,
	apierr.PreconditionFailed:     http.StatusPreconditionFailed,
	apierr.PayloadTooLarge:        http.StatusRequestEntityTooLarge,
	apierr.UnsupportedMediaType:   http.StatusUnsupportedMediaType,
	apierr.IdempotencyMismatch:    http.StatusUnprocessableEntity,
	apierr.DeclarationIncomplete:  http.StatusUnprocessableEntity,
	apierr.AuthorityRefused:       http.StatusUnprocessableEntity,
	apierr.RateLimited:            http.StatusTooManyRequests,
	apierr.Internal:               http.StatusInternalServerError,
	apierr.CustomsUnreachable:     http.StatusBadGateway,
	apierr.CustomsRejected:        http.StatusBadGateway,
	apierr.HMRCUnreachable:        http.StatusBadGateway,
	apierr.HMRCRejected:           http.StatusBadGateway,
	apierr.ShuttingDown:           http.StatusServiceUnavailable,
	apierr.StoreUnavailable:       http.StatusServiceUnavailable,
	apierr.Overloaded:             http.StatusServiceUnavailable,
	apierr.DiskFull:               http.StatusServiceUnavailable,
	apierr.TariffLoading:          http.StatusServiceUnavailable,
}

// errorCodes returns all codes in alphabetical order.
func errorCodes() (codes []any) {
	for _, code := range slices.Sorted(maps.Keys(statuses)) {
		codes = append(codes, string(code))
	}
	return codes
}
