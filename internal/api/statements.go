package api

import (
	"bufio"
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
)

// maxShown is the maximum number of source records in the response with a statement.
const maxShown = 1000

// mountStatement adds the operations of a kind that the service prepares from other records.
func (s *Server) mountStatement(st *statement.Kind) {
	k := s.describeKind(st.Type)
	if st.AnswerType != nil {
		k.submitExtra, k.submitExtraOf = st.AnswerType, st.Answer
	}
	s.mountList(k)
	s.mountDraw(k, st)
	if st.SourceKind == "" {
		s.mountGet(k, nil)
	} else {
		s.mountGetWith(k, st)
	}
	s.mountRemove(k)
	if k.Assignable() {
		s.mountAssign(k)
	}
	for _, action := range st.Lifecycle.Actions() {
		switch {
		case action == lifecycle.Submit && k.Kind == submission.Kind:
			s.mountReturn(k)
		case action != lifecycle.Refresh && action != lifecycle.Remove:
			s.mountStep(k, action)
		}
	}
	if len(st.Rules) > 0 {
		s.mountReview(k)
	}
	s.mountApproval(k)
	s.mountExportOf(k, st)
	s.mountStatementPrint(k)
	s.mountEvidence(k)
	s.mountAuthorityPapers(k)
}

func (s *Server) mountDraw(k kind, st *statement.Kind) {
	optional := len(s.resolveSchema(s.schemaOf(st.RequestType)).Required) == 0
	handle(s, operation{
		id: k.id("create", false), summary: "Prepare a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path, status: http.StatusOK,
		description: "The " + k.Singular + ", prepared from the recorded data. An existing DRAFT is prepared again",
		response:    objectSchema(k.Singular, k.creation), body: st.RequestType, bodyOptional: optional, idempotent: true, etag: true, rehearsed: true,
		route: route{role: tenant.Member, batch: batch.Rule{Allowed: true, Creates: true}},
	}, func(ctx context.Context, in *optionalBody) (response, error) {
		raw, err := s.read(&in.caller, in.RawBody, st.RequestType)
		if err != nil {
			return response{}, err
		}
		prepared, err := s.Statements.Compute(ctx, in.call.Org, st, raw)
		if err != nil {
			return response{}, err
		}
		save := func(tx Tx) (f filing.Filing, err error) {
			if err := s.checkPeriodUnsubmitted(tx, k, prepared.Period()); err != nil {
				return f, err
			}
			return s.Statements.Save(tx, in.call, st, prepared)
		}
		if in.dryRun() {
			return s.rehearse(ctx, &in.caller, k, save)
		}
		return s.updateOnce(ctx, &in.caller, raw, func(tx Tx) (response, error) {
			f, err := save(tx)
			return filingResponse(k.Singular, &f), err
		})
	})
}

// mountGetWith adds the operation that returns a statement with its source records.
func (s *Server) mountGetWith(k kind, st *statement.Kind) {
	shown := s.kinds[st.SourceKind]
	answer := objectSchema(k.Singular, k.record)
	answer.Properties[shown.Plural] = &huma.Schema{Type: huma.TypeArray, Items: shown.brief, Description: "The source records, oldest first; at most 1,000"}
	answer.Properties["hasMore"] = &huma.Schema{Type: huma.TypeBoolean, Description: "Whether there are more source records"}
	answer.Required = append(answer.Required, shown.Plural, "hasMore")
	handle(s, operation{
		id: k.id("get", false), summary: "Get a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}",
		status: http.StatusOK, description: "The " + k.Singular + " with the " + shown.Plural + " that it was prepared from", response: answer, errors: []int{404}, conditional: true, etag: true,
	}, func(ctx context.Context, in *ByID) (response, error) {
		f, err := s.record(ctx, in, k)
		if err != nil {
			return response{}, err
		}
		if out, current := in.currentFor(f.Version); current {
			return out, nil
		}
		first, more, err := s.Statements.SourceRecords(ctx, in.call.Org, st, &f, maxShown)
		if err != nil {
			return response{}, err
		}
		list := []byte(`"` + shown.Plural + `":[`)
		for i := range first {
			if i > 0 {
				list = append(list, ',')
			}
			list = first[i].AppendOf(shown.Kind, list)
		}
		list = append(list, ']')
		rest := `"hasMore":false`
		if more {
			rest = `"hasMore":true`
		}
		out := filingResponse(k.Singular, &f, string(list), rest)
		out.Cache = revalidate
		return out, nil
	})
}

// record reads one record of a kind.
func (s *Server) record(ctx context.Context, in *ByID, k kind) (f filing.Filing, err error) {
	id, err := checkID(in.ID)
	if err != nil {
		return f, err
	}
	err = s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) (err error) { f, err = tx.Filing(k.Kind, id); return err })
	return f, err
}

func (s *Server) mountRemove(k kind) {
	handle(s, operation{
		id: k.id("delete", false), summary: "Delete a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodDelete, path: k.Path + "/{id}",
		status: http.StatusOK, description: "The record has been deleted; its audit events stay", response: s.schemaOf(reflect.TypeFor[successBody]()), errors: []int{404}, ifMatch: true,
		route: route{role: tenant.Member, batch: batch.Rule{Allowed: true}},
	}, func(ctx context.Context, in *ByID) (response, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		return s.updateOnce(ctx, &in.caller, nil, func(tx Tx) (response, error) {
			if err := s.checkUnsubmitted(tx, k, id, lifecycle.Remove, in.ifMatch); err != nil {
				return response{}, err
			}
			if _, err := s.Filings.Transition(tx, in.call, k.Type, id, lifecycle.Remove, filing.TransitionData{If: in.ifMatch}); err != nil {
				return response{}, err
			}
			return jsonResponse(http.StatusOK, successBody{true})
		})
	})
}

// mountExportOf adds GET …/{id}/export.xml.
func (s *Server) mountExportOf(k kind, st *statement.Kind) {
	stream(s, operation{
		id: k.id("export", false), summary: "Export a " + k.Singular + " as XML", tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/export.xml",
		status: http.StatusOK, description: "The document in the XML format of its authority", contentType: xmlType,
		response: &huma.Schema{Type: huma.TypeString}, errors: []int{404},
	}, func(ctx context.Context, in *ByID, w *streamWriter) error {
		f, err := s.record(ctx, in, k)
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", xmlType)
		buffered := bufio.NewWriterSize(w, 1<<16)
		if err := s.Statements.Export(ctx, in.call.Org, st, &f, buffered); err != nil {
			return err
		}
		return buffered.Flush()
	})
}

// mountStanding adds the operations of a kind whose records follow the calendar: today's record is
// created when the records are listed.
func (s *Server) mountStanding(st *statement.CalendarRecord) {
	k := s.describeKind(st.Type)
	handle(s, operation{
		id: k.id("list", true), summary: "List " + k.Plural, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path,
		status: http.StatusOK, description: "A page of " + k.Plural + ", newest first, including today's", response: listSchema(k.Plural, k.brief),
		kind: &k, filters: filtersOf(k.Type),
	}, func(ctx context.Context, in *Listing) (response, error) {
		if err := s.ensureToday(ctx, &in.caller, st); err != nil {
			return response{}, err
		}
		return s.list(ctx, in)
	})
	s.mountGet(k, nil)
	s.mountEvidence(k)
}

func (s *Server) ensureToday(ctx context.Context, c *caller, st *statement.CalendarRecord) error {
	var missing bool
	err := s.Store.View(ctx, c.call.Org, func(tx Tx) (err error) {
		_, missing, err = s.Statements.Missing(tx, st, s.nowOf(c.holder))
		return err
	})
	if err != nil || !missing {
		return err
	}
	return s.Store.Update(ctx, c.call.Org, func(tx Tx) error { return s.Statements.CreateMissing(tx, c.call, st) })
}
