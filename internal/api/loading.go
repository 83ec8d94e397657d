package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// dutiable begin the paths of operations that may compute duties or look up goods.
var dutiable = []string{"/api/declarations", "/api/templates", "/api/import/declarations", "/api/ai/", "/api/tariff/calculate", "/api/tariff/commodities"}

// needsTariff reports whether an operation needs the tariff in force. Lists do not; a draft is estimated when it is read.
func (op *operation) needsTariff() bool {
	if op.method == http.MethodGet && !strings.HasPrefix(op.path, "/api/tariff/commodities") && !strings.HasPrefix(op.path, "/api/declarations/") {
		return false
	}
	for _, prefix := range dutiable {
		if strings.HasPrefix(op.path, prefix) {
			return true
		}
	}
	return false
}

// awaitTariff waits for the tariff in force, outside of any transaction.
func (s *Server) awaitTariff(ctx context.Context, needed bool) error {
	if !needed || s.AwaitTariff == nil {
		return nil
	}
	if s.AwaitTariff(ctx) != nil {
		return apierr.New(apierr.TariffLoading, "The tariff is being loaded. Try again in some seconds.")
	}
	return nil
}
