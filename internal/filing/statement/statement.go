// Package statement draws up filings that no caller writes: their body is reckoned
// from what the organisation has recorded in a period, such as the report of a
// quarter's imports or the return of a period's VAT. A kind of statement is a
// Definition, which is data, and the engine steps it like every other filing.
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

// Definition is all that a Hub's author writes of a kind of statement. A is what a
// caller may say of it, B the body that is drawn up.
type Definition[A, B any] struct {
	Filing      filing.Definition[B]               // its Period says which one a body covers; its Lifecycle has refresh and remove
	Compute     func(*Reader, *A) (*B, error)      // faults name the fields of A
	AnswerType  any                                // a zero struct: the members beside the record in the answer to its submission
	Answer      func(*B) any                       // those members; nil where the note of the filing is all
	SourceKind  string                             // kind of the records that it is drawn from and shown with; empty for none
	SourceRange func(*B) Range                     // the instants of those
	Export      func(io.Writer, Document[B]) error // the XML that its authority would take
}

// Document is a statement on its way out.
type Document[B any] struct {
	Organisation access.Organisation
	Body         *B
	Added        json.RawMessage // what the service added: the reference, when it was submitted
	Records      Records         // those that it was drawn from, oldest first
}

// Kind is a Definition with its types closed over.
type Kind struct {
	*filing.Type
	RequestType reflect.Type // what a caller may say
	AnswerType  reflect.Type // nil where the note is all
	SourceKind  string

	compute     func(*Reader, json.RawMessage) (filing.Input, error)
	answer      func(json.RawMessage) (any, error)
	sourceRange func(json.RawMessage) (Range, error)
	export      func(io.Writer, *Reader, *filing.Filing) error
}

// Kind closes over the types. A definition that cannot be drawn up panics when the
// program starts.
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

func (d Definition[A, B]) compute(desk *Reader, ask json.RawMessage) (filing.Input, error) {
	a := new(A)
	if err := json.Unmarshal(ask, a); err != nil {
		return filing.Input{}, apierr.Invalid(apierr.Detail{Field: "body", Message: "cannot be read"}).Because(err)
	}
	b, err := d.Compute(desk, a)
	if err != nil {
		return filing.Input{}, err
	}
	raw, err := json.Marshal(b)
	if err != nil {
		return filing.Input{}, fmt.Errorf("statement: %s: %w", d.Filing.Kind, err)
	}
	return desk.kind.Parse(raw, desk.Now())
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

func (d Definition[A, B]) exportTo(w io.Writer, desk *Reader, f *filing.Filing) error {
	b, err := d.body(f.Body)
	if err != nil {
		return err
	}
	org, err := desk.Organisation()
	if err != nil {
		return err
	}
	doc := Document[B]{Organisation: org, Body: b, Added: f.Added}
	if d.SourceKind != "" {
		doc.Records = desk.Records(d.SourceKind, d.SourceRange(b))
	}
	return d.Export(w, doc)
}
