package worksheet

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// AddItem appends an empty item and returns its index.
func (s *Worksheet) AddItem() (int, error) {
	if len(s.Items) >= MaxItems {
		return 0, apierr.New(apierr.InvalidState, "A declaration can have at most %d items.", MaxItems)
	}
	s.Items = append(s.Items, Part{})
	return len(s.Items) - 1, nil
}

// CopyItem inserts a copy of an item after it, without the values from documents.
func (s *Worksheet) CopyItem(n int) (int, error) {
	if len(s.Items) >= MaxItems {
		return 0, apierr.New(apierr.InvalidState, "A declaration can have at most %d items.", MaxItems)
	}
	s.Items = slices.Insert(s.Items, n+1, s.Items[n].Copy())
	return n + 1, nil
}

// RemoveItem removes an item. At least one item, possibly empty, remains.
func (s *Worksheet) RemoveItem(n int) {
	if s.Items = slices.Delete(s.Items, n, n+1); len(s.Items) == 0 {
		s.Items = []Part{{}}
	}
}

// AddDocument appends an empty document.
func (s *Worksheet) AddDocument() error {
	if len(s.Documents) >= MaxDocuments {
		return apierr.New(apierr.InvalidState, "A declaration can have at most %d documents.", MaxDocuments)
	}
	s.Documents = append(s.Documents, Part{})
	return nil
}

// RemoveDocument removes a document.
func (s *Worksheet) RemoveDocument(n int) { s.Documents = slices.Delete(s.Documents, n, n+1) }

// Step is one page of the form.
type Step string

// The steps, in order.
const (
	StepBasics    Step = "what"
	StepJourney   Step = "journey"
	StepGoods     Step = "goods"
	StepDocuments Step = "documents"
	StepCheck     Step = "check"
)

// Steps are all steps.
var Steps = []Step{StepBasics, StepJourney, StepGoods, StepDocuments, StepCheck}

// Next returns the next step; the last step returns itself.
func (s Step) Next() Step { return Steps[min(slices.Index(Steps, s)+1, len(Steps)-1)] }

// Back returns the previous step; the first step returns itself.
func (s Step) Back() Step { return Steps[max(slices.Index(Steps, s)-1, 0)] }

// Known reports whether the step exists.
func (s Step) Known() bool { return slices.Contains(Steps, s) }

// StepOf returns the step of a field and, for goods and documents, the index of the entry. A field
// that is not in the form, such as one of the organisation, belongs to the last step.
func StepOf(field string) (step Step, item int) {
	record, _, _ := strings.Cut(field, ".")
	switch {
	case record == "client", field == "declarationType":
		return StepBasics, 0
	case record == "shipment", field == "shipmentId":
		return StepJourney, 0
	case strings.HasPrefix(record, "items"):
		return StepGoods, entryIndex(record)
	case strings.HasPrefix(record, "documents"):
		return StepDocuments, entryIndex(record)
	}
	return StepCheck, 0
}

// entryIndex returns the number in a name such as items[3]; 0 without one.
func entryIndex(name string) int {
	_, rest, _ := strings.Cut(name, "[")
	n, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
