package worksheet

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// AddItem adds an empty item behind the others and tells which it is.
func (s *Sheet) AddItem() (int, error) {
	if len(s.Items) >= MaxItems {
		return 0, apierr.New(apierr.InvalidState, "A declaration has at most %d items.", MaxItems)
	}
	s.Items = append(s.Items, Part{})
	return len(s.Items) - 1, nil
}

// CopyItem puts a copy of an item behind it. The copy is the author's, not the document's.
func (s *Sheet) CopyItem(n int) (int, error) {
	if len(s.Items) >= MaxItems {
		return 0, apierr.New(apierr.InvalidState, "A declaration has at most %d items.", MaxItems)
	}
	s.Items = slices.Insert(s.Items, n+1, s.Items[n].Copy())
	return n + 1, nil
}

// RemoveItem takes an item away. One is always left, if only an empty one.
func (s *Sheet) RemoveItem(n int) {
	if s.Items = slices.Delete(s.Items, n, n+1); len(s.Items) == 0 {
		s.Items = []Part{{}}
	}
}

// AddDocument adds an empty document behind the others.
func (s *Sheet) AddDocument() error {
	if len(s.Documents) >= MaxDocuments {
		return apierr.New(apierr.InvalidState, "A declaration names at most %d documents.", MaxDocuments)
	}
	s.Documents = append(s.Documents, Part{})
	return nil
}

// RemoveDocument takes a document away.
func (s *Sheet) RemoveDocument(n int) { s.Documents = slices.Delete(s.Documents, n, n+1) }

// Step is one page of the form.
type Step string

// The steps, in their order.
const (
	What      Step = "what"
	Journey   Step = "journey"
	Goods     Step = "goods"
	Documents Step = "documents"
	Check     Step = "check"
)

// Steps are all of them.
var Steps = []Step{What, Journey, Goods, Documents, Check}

// Next is the step behind one; the last has none behind it.
func (s Step) Next() Step { return Steps[min(slices.Index(Steps, s)+1, len(Steps)-1)] }

// Back is the step before one.
func (s Step) Back() Step { return Steps[max(slices.Index(Steps, s)-1, 0)] }

// Known tells whether there is such a step.
func (s Step) Known() bool { return slices.Contains(Steps, s) }

// At is the step and, among the goods, the item in which a field is filled in. A field
// that has no place here, such as one of the organisation, belongs to the last step.
func At(field string) (step Step, item int) {
	record, _, _ := strings.Cut(field, ".")
	switch {
	case record == "client", field == "declarationType":
		return What, 0
	case record == "shipment", field == "shipmentId":
		return Journey, 0
	case strings.HasPrefix(record, "items"):
		return Goods, index(record)
	case strings.HasPrefix(record, "documents"):
		return Documents, index(record)
	}
	return Check, 0
}

// index is the number in a name such as items[3]; 0 where there is none.
func index(name string) int {
	_, rest, _ := strings.Cut(name, "[")
	n, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
