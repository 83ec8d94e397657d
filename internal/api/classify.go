package api

import (
	"context"
	"net/http"
)

// mountClassify adds the two operations of a kind that classifies: of goods in the request, and of a
// stored record. Both use the AI rate limit, since they may call a model.
func (s *Server) mountClassify(k kind) {
	answer := objectSchema("classification", s.schemaOf(k.Classifier.Answer))
	handle(s, operation{
		id: "classify-" + k.Hub, summary: "Classify goods", tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Classifier.Path,
		status: http.StatusOK, description: "The rules that apply to the goods. Nothing is stored", response: answer, body: k.Classifier.Question,
		route: route{budget: ai},
	}, func(_ context.Context, in *bodyInput) (response, error) {
		raw, err := s.read(&in.caller, in.RawBody, k.Classifier.Question)
		if err != nil {
			return response{}, err
		}
		found, err := k.Classifier.AnswerQuestion(raw)
		if err != nil {
			return response{}, err
		}
		return objectResponse("classification", found)
	})
	handle(s, operation{
		id: k.id("classify", false), summary: "Classify a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path + "/{id}/classify",
		status: http.StatusOK, description: "The rules that apply to the goods of the record. The record is not changed", response: answer, errors: []int{404}, route: route{budget: ai},
	}, func(ctx context.Context, in *ByID) (response, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		var found any
		err = s.Store.Update(ctx, in.call.Org, func(tx Tx) (err error) {
			found, err = s.Filings.Classify(tx, in.call, k.Type, id)
			return err
		})
		if err != nil {
			return response{}, err
		}
		return objectResponse("classification", found)
	})
}
