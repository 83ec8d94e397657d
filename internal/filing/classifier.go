package filing

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ClassifierDefinition defines how a kind classifies goods, from a stored record or from a separate question. B is the
// body of the kind, Q the question and A the answer. FromQuestion and FromRecord are pure functions.
type ClassifierDefinition[B, Q, A any] struct {
	Path         string // of the separate question, such as /api/trade/classify
	FromQuestion func(*Q) A
	FromRecord   func(*B) A
	AuditData    func(A) Added // of the event of a stored record's classification
}

// Classifier is a ClassifierDefinition without its type parameters.
type Classifier struct {
	Path             string
	Question, Answer reflect.Type

	answer   func(json.RawMessage) (any, error)
	classify func(json.RawMessage) (any, Added, error)
}

// Classifier removes the type parameters.
func (c ClassifierDefinition[B, Q, A]) Classifier() *Classifier {
	return &Classifier{
		Path: c.Path, Question: reflect.TypeFor[Q](), Answer: reflect.TypeFor[A](),
		answer: func(raw json.RawMessage) (any, error) {
			q, err := decode[Q](raw)
			if err != nil {
				return nil, apierr.Invalid(apierr.Detail{Field: "body", Message: "cannot be read"}).WithCause(err)
			}
			return c.FromQuestion(q), nil
		},
		classify: func(raw json.RawMessage) (any, Added, error) {
			b, err := decode[B](raw)
			if err != nil {
				return nil, nil, err
			}
			a := c.FromRecord(b)
			return a, c.AuditData(a), nil
		},
	}
}

// AnswerQuestion classifies from a question, given as compact JSON.
func (c *Classifier) AnswerQuestion(raw json.RawMessage) (any, error) { return c.answer(raw) }

// ClassifyBody classifies from a body that is not stored and may be incomplete.
func (c *Classifier) ClassifyBody(body json.RawMessage) (any, error) {
	answer, _, err := c.classify(body)
	return answer, err
}

// Classify classifies a stored record and stores an audit event.
func (s *Service) Classify(tx Tx, call tenant.Call, t *Type, id string) (any, error) {
	f, err := tx.Filing(t.Kind, id)
	if err != nil {
		return nil, err
	}
	answer, data, err := t.Classifier.classify(f.Body)
	if err != nil {
		return nil, fmt.Errorf("filing: classify %s: %w", f.ID, err)
	}
	return answer, tx.Record(s.event(call, t, &f, f.Status, "classified", data))
}
