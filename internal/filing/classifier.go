package filing

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// ClassifierDefinition is how a kind says under which rules its goods fall: of a stored
// record, and of a question that stands alone. B is the body of the kind, Q the
// question and A the answer, the same for both. Free and Stored are pure, so that
// the same question has the same answer.
type ClassifierDefinition[B, Q, A any] struct {
	Path         string // of the question that stands alone, such as /api/trade/classify
	FromQuestion func(*Q) A
	FromRecord   func(*B) A
	AuditData    func(A) Added // what the event of a stored record's classification tells
}

// Classifier is a Classifying with its types closed over.
type Classifier struct {
	Path             string
	Question, Answer reflect.Type

	free   func(json.RawMessage) (any, error)
	stored func(json.RawMessage) (any, Added, error)
}

// Classifier closes over the types.
func (c ClassifierDefinition[B, Q, A]) Classifier() *Classifier {
	return &Classifier{
		Path: c.Path, Question: reflect.TypeFor[Q](), Answer: reflect.TypeFor[A](),
		free: func(raw json.RawMessage) (any, error) {
			q, err := decode[Q](raw)
			if err != nil {
				return nil, apierr.Invalid(apierr.Detail{Field: "body", Message: "cannot be read"}).Because(err)
			}
			return c.FromQuestion(q), nil
		},
		stored: func(raw json.RawMessage) (any, Added, error) {
			b, err := decode[B](raw)
			if err != nil {
				return nil, nil, err
			}
			a := c.FromRecord(b)
			return a, c.AuditData(a), nil
		},
	}
}

// AnswerQuestion answers a question that stands alone, given as a compact JSON body.
func (c *Classifier) AnswerQuestion(raw json.RawMessage) (any, error) { return c.free(raw) }

// ClassifyBody answers of a body that is not stored, which may lack anything.
func (c *Classifier) ClassifyBody(body json.RawMessage) (any, error) {
	answer, _, err := c.stored(body)
	return answer, err
}

// Classify answers of a record as it stands, and leaves an event in the trail; it
// changes nothing else.
func (s *Service) Classify(tx Tx, call tenant.Call, t *Type, id string) (any, error) {
	f, err := tx.Filing(t.Kind, id)
	if err != nil {
		return nil, err
	}
	answer, told, err := t.Classifier.stored(f.Body)
	if err != nil {
		return nil, fmt.Errorf("filing: classify %s: %w", f.ID, err)
	}
	return answer, tx.Record(s.event(call, t, &f, f.Status, "classified", told))
}
