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
	StepDetails   Step = "details" // all other members of the declaration
	StepGoods     Step = "goods"
	StepDocuments Step = "documents"
	StepCheck     Step = "check"

	// StepItem is all other members of an item. It is not in the list of steps: the step of the goods leads to it.
	StepItem Step = "item"
)

var allSteps = []Step{StepBasics, StepJourney, StepDetails, StepGoods, StepDocuments, StepCheck}

// Steps are the steps of the worksheet. A plain import or export has no step for other members.
func (s *Worksheet) Steps() []Step {
	if s.General.Get("dataSet") != "" || s.General.Kept != nil {
		return allSteps
	}
	return slices.DeleteFunc(slices.Clone(allSteps), func(one Step) bool { return one == StepDetails })
}

// Next returns the step after another; the last step returns itself.
func (s *Worksheet) Next(step Step) Step {
	steps := s.Steps()
	return steps[min(slices.Index(steps, step)+1, len(steps)-1)]
}

// Back returns the step before another; the first step returns itself.
func (s *Worksheet) Back(step Step) Step {
	steps := s.Steps()
	return steps[max(slices.Index(steps, step)-1, 0)]
}

// Known reports whether the step exists.
func (s Step) Known() bool { return s == StepItem || slices.Contains(allSteps, s) }

// StepOf returns the step of a field and, for goods and documents, the index of the entry. A field
// that is not in the form, such as one of the organisation, belongs to the last step.
func StepOf(field string) (step Step, item int) {
	record, _, _ := strings.Cut(field, ".")
	switch {
	case record == "client", slices.ContainsFunc(GeneralFields, func(f Field) bool { return f.Name == field }):
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
