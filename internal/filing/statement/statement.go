// Package statement computes filings whose body is not input but calculated from the organisation's records of a period,
// such as the report of a quarter's imports or a VAT return. A kind of statement is a Definition, which is data. Its
// transitions are those of every other filing.
package statement

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Definition is everything that a Hub defines for a kind of statement. A is the request of the caller, B the computed
// body.
type Definition[A, B any] struct {
	Filing      filing.Definition[B]               // needs Period, and a Lifecycle with refresh and remove
	Compute     func(*Reader, *A) (*B, error)      // errors name the fields of A
	AnswerType  any                                // a zero struct of the additional members in the answer to a submission
	Answer      func(*B) any                       // those members; nil if there is only the note
	SourceKind  string                             // kind of the records that it is computed from; empty for none
	SourceRange func(*B) Range                     // when those were created
	Export      func(io.Writer, Document[B]) error // in the authority's XML format
}

// Document is a statement for export.
type Document[B any] struct {
	Organisation access.Organisation
	Body         *B
	Added        json.RawMessage // by the service, such as the reference
	Records      Records         // that it was computed from, oldest first
}

// Kind is a Definition without its type parameters.
type Kind struct {
	*filing.Type
	RequestType reflect.Type // of the caller
	AnswerType  reflect.Type // nil if there is only the note
	SourceKind  string

	compute     func(*Reader, json.RawMessage) (filing.Input, error)
	answer      func(json.RawMessage) (any, error)
	sourceRange func(json.RawMessage) (Range, error)
	export      func(io.Writer, *Reader, *filing.Filing) error
}

// Kind removes the type parameters. It panics if the lifecycle lacks refresh or remove, so that the program does not
// start.
func (d Definition[A, B]) Kind() *Kind {
	k := &Kind{
		Type: d.Filing.Type(), RequestType: reflect.TypeFor[A](), AnswerType: reflect.TypeOf(d.AnswerType), SourceKind: d.SourceKind,
		compute: d.compute, answer: d.answer, sourceRange: d.sourceRange, export: d.exportTo,
	}
	for _, by := range []lifecycle.Action{lifecycle.Refresh, lifecycle.Remove} {
		if len(k.Lifecycle.From(by)) == 0 {
			panic(fmt.Sprintf("statement: a %s cannot %s", k.Kind, by))
		}
	}
	return k
}

func (d Definition[A, B]) compute(r *Reader, request json.RawMessage) (filing.Input, error) {
	a := new(A)
	if err := json.Unmarshal(request, a); err != nil {
		return filing.Input{}, apierr.Invalid(apierr.Detail{Field: "body", Message: "cannot be read"}).WithCause(err)
	}
	b, err := d.Compute(r, a)
	if err != nil {
		return filing.Input{}, err
	}
	raw, err := json.Marshal(b)
	if err != nil {
		return filing.Input{}, fmt.Errorf("statement: %s: %w", d.Filing.Kind, err)
	}
	return r.kind.Parse(raw, r.Now())
}

func (d Definition[A, B]) body(raw json.RawMessage) (*B, error) {
	b := new(B)
	if err := json.Unmarshal(raw, b); err != nil {
		return nil, fmt.Errorf("statement: body of a %s: %w", d.Filing.Kind, err)
	}
	return b, nil
}

func (d Definition[A, B]) answer(raw json.RawMessage) (any, error) {
	b, err := d.body(raw)
	if err != nil || d.Answer == nil {
		return nil, err
	}
	return d.Answer(b), nil
}

func (d Definition[A, B]) sourceRange(raw json.RawMessage) (Range, error) {
	b, err := d.body(raw)
	if err != nil || d.SourceRange == nil {
		return Range{}, err
	}
	return d.SourceRange(b), nil
}

func (d Definition[A, B]) exportTo(w io.Writer, r *Reader, f *filing.Filing) error {
	b, err := d.body(f.Body)
	if err != nil {
		return err
	}
	org, err := r.Organisation()
	if err != nil {
		return err
	}
	doc := Document[B]{Organisation: org, Body: b, Added: f.Added}
	if d.SourceKind != "" {
		doc.Records = r.Records(d.SourceKind, d.SourceRange(b))
	}
	return d.Export(w, doc)
}
