package api

import (
	"context"
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
)

// mountSupplementary adds the creation of the declaration that completes a simplified one.
func (s *Server) mountSupplementary(k kind) {
	handle(s, operation{
		id: "create-supplementary-declaration", summary: "Create the supplementary declaration of a simplified one", tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path + "/{id}/supplementary",
		status: http.StatusCreated, description: "The draft that completes the simplified declaration: its body, with supplements, the additional type X, Y or Z, and the data set of its procedure. Add what the simplified one did not state",
		response: k.record, dryRun: k.creation, errors: []int{404}, idempotent: true, rehearsed: true, etag: true,
		route: route{role: tenant.Member, batch: batch.Rule{Allowed: true, Creates: true}},
	}, func(ctx context.Context, in *ByID) (response, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		create := func(tx Tx) (filing.Filing, error) { return s.Customs.CreateSupplementary(tx, in.call, id) }
		return s.createOnce(ctx, &in.caller, nil, k, create)
	})
}
