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
)

// maxShown is how many of the records that a statement was drawn from are shown with it.
const maxShown = 1000

// mountStatement makes the operations of a kind that the service draws up.
func (s *Server) mountStatement(st *statement.Kind) {
	k := s.describeKind(st.Type)
	if st.Told != nil {
		k.told, k.tell = st.Told, st.Tell
	}
	s.mountList(k)
	s.mountDraw(k, st)
	if st.Shown == "" {
		s.mountGet(k, nil)
	} else {
		s.mountGetWith(k, st)
	}
	s.mountRemove(k)
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
	s.mountExportOf(k, st)
	s.mountEvidence(k)
}

func (s *Server) mountDraw(k kind, st *statement.Kind) {
	optional := len(s.resolved(s.schemaOf(st.Asks)).Required) == 0
	handle(s, operation{
		id: k.id("create", false), summary: "Draw up a " + k.One, tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path, status: http.StatusOK,
		about:  "The " + k.One + ", drawn up from what is recorded; one that is still a DRAFT is drawn up anew",
		answer: under(k.One, k.record), body: st.Asks, bodyOptional: optional, once: true,
		gate: route{hub: k.guardHub(), role: tenant.Member},
	}, func(ctx context.Context, in *optionalBody) (reply, error) {
		ask, err := s.read(&in.caller, in.RawBody, st.Asks, false)
		if err != nil {
			return reply{}, err
		}
		drawn, err := s.Statements.Draw(ctx, in.call.Org, st, ask)
		if err != nil {
			return reply{}, err
		}
		return s.change(ctx, &in.caller, ask, func(tx Tx) (reply, error) {
			if err := s.freePeriod(tx, k, drawn.Period()); err != nil {
				return reply{}, err
			}
			f, err := s.Statements.File(tx, in.call, st, drawn)
			return named(k.One, &f), err
		})
	})
}

// mountGetWith shows a statement with the records that it was drawn from.
func (s *Server) mountGetWith(k kind, st *statement.Kind) {
	shown := s.kinds[st.Shown]
	answer := under(k.One, k.record)
	answer.Properties[shown.Many] = &huma.Schema{Type: huma.TypeArray, Items: shown.brief, Description: "What it was drawn up from, oldest first; the first 1,000"}
	answer.Properties["hasMore"] = &huma.Schema{Type: huma.TypeBoolean, Description: "Whether there are more of them"}
	answer.Required = append(answer.Required, shown.Many, "hasMore")
	handle(s, operation{
		id: k.id("get", false), summary: "Get a " + k.One, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}",
		status: http.StatusOK, about: "The " + k.One + " with the " + shown.Many + " that it was drawn up from", answer: answer, errors: []int{404},
	}, func(ctx context.Context, in *ByID) (reply, error) {
		f, err := s.record(ctx, in, k)
		if err != nil {
			return reply{}, err
		}
		first, more, err := s.Statements.Shown(ctx, in.call.Org, st, &f, maxShown)
		if err != nil {
			return reply{}, err
		}
		list := []byte(`"` + shown.Many + `":[`)
		for i := range first {
			if i > 0 {
				list = append(list, ',')
			}
			list = first[i].AppendJSON(list)
		}
		list = append(list, ']')
		rest := `"hasMore":false`
		if more {
			rest = `"hasMore":true`
		}
		return named(k.One, &f, string(list), rest), nil
	})
}

// record reads one record of a kind.
func (s *Server) record(ctx context.Context, in *ByID, k kind) (f filing.Filing, err error) {
	id, err := checkID(in.ID)
	if err != nil {
		return f, err
	}
	err = s.Store.Glance(ctx, in.call.Org, func(tx Tx) (err error) { f, err = tx.Filing(k.Kind, id); return err })
	return f, err
}

func (s *Server) mountRemove(k kind) {
	handle(s, operation{
		id: k.id("delete", false), summary: "Delete a " + k.One, tag: k.Tag, scope: k.Hub, method: http.MethodDelete, path: k.Path + "/{id}",
		status: http.StatusOK, about: "It is gone; its events stay in the trail", answer: s.schemaOf(reflect.TypeFor[successBody]()), errors: []int{404},
		gate: route{role: tenant.Member},
	}, func(ctx context.Context, in *ByID) (reply, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return reply{}, err
		}
		err = s.Store.Update(ctx, in.call.Org, func(tx Tx) error {
			if err := s.free(tx, k, id, lifecycle.Remove); err != nil {
				return err
			}
			_, err := s.Filings.Act(tx, in.call, k.Type, id, lifecycle.Remove, filing.Step{})
			return err
		})
		if err != nil {
			return reply{}, err
		}
		return answer(http.StatusOK, successBody{true})
	})
}

// mountExportOf makes …/{id}/export.xml.
func (s *Server) mountExportOf(k kind, st *statement.Kind) {
	stream(s, operation{
		id: k.id("export", false), summary: "Export a " + k.One + " as XML", tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/export.xml",
		status: http.StatusOK, about: "The document as its authority would take it", contentType: xmlType,
		answer: &huma.Schema{Type: huma.TypeString}, errors: []int{404},
	}, func(ctx context.Context, in *ByID, w *answerWriter) error {
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

// mountStanding makes the operations of a kind that the calendar makes: the record of
// the day is there when somebody lists them.
func (s *Server) mountStanding(st *statement.Standing) {
	k := s.describeKind(st.Type)
	handle(s, operation{
		id: k.id("list", true), summary: "List " + k.Many, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path,
		status: http.StatusOK, about: "A page of " + k.Many + ", newest first; that of today is among them", answer: listSchema(k.Many, k.brief),
		gate: route{hub: k.guardHub()}, kind: &k,
	}, func(ctx context.Context, in *Listing) (reply, error) {
		if err := s.stand(ctx, in.call, st); err != nil {
			return reply{}, err
		}
		return s.list(ctx, in, filing.Query{})
	})
	s.mountGet(k, nil)
	s.mountEvidence(k)
}

func (s *Server) stand(ctx context.Context, call tenant.Call, st *statement.Standing) error {
	var missing bool
	err := s.Store.View(ctx, call.Org, func(tx Tx) (err error) {
		_, missing, err = s.Statements.Missing(tx, st, s.Now())
		return err
	})
	if err != nil || !missing {
		return err
	}
	return s.Store.Update(ctx, call.Org, func(tx Tx) error { return s.Statements.Stand(tx, call, st) })
}
