package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
)

// usageBody is what an organisation uses.
type usageBody struct {
	Budgets budgetsBody      `json:"budgets" doc:"Rate limits; this call counts against the standard one"`
	Records map[string]int64 `json:"records" doc:"Number of records by kind, also those removed when their retention ended"`
	Storage storageBody      `json:"storage" doc:"Stored documents"`
}

type budgetsBody struct {
	Standard budgetBody `json:"standard" doc:"All operations except those of the other two, a minute for the organisation"`
	AI       budgetBody `json:"ai" doc:"Operations that suggest, classify, extract or explain, a minute for the organisation"`
	Public   budgetBody `json:"public" doc:"Operations without a key, an hour for the caller's address"`
}

type budgetBody struct {
	Limit     *int   `json:"limit" doc:"Requests allowed per window; null for any number" example:"1000"`
	Remaining *int   `json:"remaining" doc:"Requests left in the window; null for any number" example:"999"`
	Reset     *int64 `json:"reset" doc:"Unix seconds at which the window ends; null without a limit" example:"1795251600"`
}

type storageBody struct {
	DocumentBytes int64  `json:"documentBytes" doc:"Size of the kept files in bytes, with attachments of records" example:"1048576"`
	QuotaBytes    *int64 `json:"quotaBytes" doc:"Most bytes of attachments; null for no limit"`
}

func (s *Server) mountUsage() {
	handle(s, operation{
		id: "get-usage", summary: "Get the organisation's usage", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: "/api/usage",
		status: http.StatusOK, description: "Rate limits, number of records, and size of stored documents", response: s.schemaOf(reflect.TypeFor[usageBody]()),
	}, s.getUsage)
}

func (s *Server) getUsage(ctx context.Context, in *struct{ caller }) (response, error) {
	usage := usageBody{Records: make(map[string]int64, len(s.kinds))}
	for name := range s.kinds {
		usage.Records[name] = 0
	}
	org, address := string(in.call.Org), clientaddr.Group(clientaddr.Of(in.request))
	for _, b := range []struct {
		of      ratelimit.Budget
		subject string
		to      *budgetBody
	}{{s.Budgets.Standard, org, &usage.Budgets.Standard}, {s.Budgets.AI, org, &usage.Budgets.AI}, {s.Budgets.Public, address, &usage.Budgets.Public}} {
		if b.of.Requests == 0 {
			continue
		}
		state, err := s.Limiter.Look(ctx, b.of, b.subject)
		if err != nil {
			return response{}, err
		}
		*b.to = budgetBody{ptr(state.Limit), ptr(state.Remaining), ptr(resetOf(state))}
	}
	err := s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		counts, err := tx.RecordCounts()
		if err != nil {
			return err
		}
		for kind, n := range counts {
			usage.Records[kind] = n
		}
		if quota := s.Customs.Attachments.Quota; quota > 0 {
			usage.Storage.QuotaBytes = &quota
		}
		usage.Storage.DocumentBytes, err = tx.DocumentBytes()
		return err
	})
	if err != nil {
		return response{}, err
	}
	return jsonResponse(http.StatusOK, usage)
}
