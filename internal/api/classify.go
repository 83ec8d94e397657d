package api

import (
	"context"
	"net/http"
)

// mountClassify makes the two operations of a kind that classifies: of a question
// that stands alone, and of a stored record. Both are counted against the budget of
// the helpers, as they may ask one.
func (s *Server) mountClassify(k kind) {
	answer := under("classification", s.schemaOf(k.Classifier.Answer))
	handle(s, operation{
		id: "classify-" + k.Hub, summary: "Classify goods", tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Classifier.Path,
		status: http.StatusOK, about: "Under which rules the goods fall; nothing is stored", answer: answer, body: k.Classifier.Question,
		gate: route{budget: ai},
	}, func(_ context.Context, in *bodyInput) (reply, error) {
		raw, err := s.read(&in.caller, in.RawBody, k.Classifier.Question, false)
		if err != nil {
			return reply{}, err
		}
		found, err := k.Classifier.Ask(raw)
		if err != nil {
			return reply{}, err
		}
		return wrapped("classification", found)
	})
	handle(s, operation{
		id: k.id("classify", false), summary: "Classify a " + k.One, tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path + "/{id}/classify",
		status: http.StatusOK, about: "Under which rules its goods fall; it changes nothing", answer: answer, errors: []int{404}, gate: route{budget: ai},
	}, func(ctx context.Context, in *ByID) (reply, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return reply{}, err
		}
		var found any
		err = s.Store.Update(ctx, in.call.Org, func(tx Tx) (err error) {
			found, err = s.Filings.Classify(tx, in.call, k.Type, id)
			return err
		})
		if err != nil {
			return reply{}, err
		}
		return wrapped("classification", found)
	})
}
