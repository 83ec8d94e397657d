package declare

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// question is a field of a step with its value, its error, where the value was found in a
// document, and notes of the rules and of customs.
type question struct {
	worksheet.Field
	Path  string // name in the form
	Value string
	Error string
	Found *worksheet.FoundValue
	From  string // type of the document
	Notes []note
}

// note is a finding or an error of customs beside a field.
type note struct {
	Kind  string // bad, wait or note
	Label string // severity and code
	Text  string
	Fix   string
}

// Differs reports whether the value in the document differs from the field's value.
func (q question) Differs() bool { return q.Found.Value != q.Value || q.Value == "" }

// LowConfidence reports whether the user should check the value that was found.
func (q question) LowConfidence() bool { return q.Found.Confidence < confidentFrom }

// confidentFrom is the confidence in per cent from which a value is not highlighted.
const confidentFrom = 85

// Rows returns the number of lines of a text area; 0 for an input element.
func (q question) Rows() int {
	if q.Name == "description" {
		return 2
	}
	return 0
}

// InputType returns the type of the input element.
func (q question) InputType() string {
	switch {
	case q.Kind == worksheet.Instant:
		return "datetime-local"
	case q.Name == "email":
		return "email"
	}
	return "text"
}

// InputMode returns the inputmode attribute, which selects the keyboard on phones.
func (q question) InputMode() string {
	switch {
	case q.Kind == worksheet.Number:
		return "decimal"
	case q.Kind == worksheet.Integer:
		return "numeric"
	}
	return ""
}

// Checkbox reports whether the field is a checkbox.
func (q question) Checkbox() bool { return q.Kind == worksheet.Checkbox }

// Uppercase reports whether the field is a code in upper case.
func (q question) Uppercase() bool { return q.Kind == worksheet.Code || q.Kind == worksheet.List }

// DescribedBy returns the ids of hint, error, found value and notes, for screen readers.
func (q question) DescribedBy() string {
	var ids []string
	add := func(present bool, suffix string) {
		if present {
			ids = append(ids, q.Path+"-"+suffix)
		}
	}
	add(q.Hint != "", "hint")
	add(q.Error != "", "error")
	add(q.Found != nil, "found")
	add(q.Notes != nil, "notes")
	return strings.Join(ids, " ")
}

// questions are the fields of one part: the main ones, and those under "More fields".
type questions struct {
	Main, More []question
	Open       bool // whether More is expanded because it has values, errors or notes
}

// questionBuilder builds the questions of a page.
type questionBuilder struct {
	problem   *page.Problem
	worksheet *worksheet.Worksheet
	notes     map[string][]note

	simplified []worksheet.Choice // declarations that it can complete
}

// build returns the questions of a part; prefix is the path prefix of its fields.
func (a questionBuilder) build(fields []worksheet.Field, prefix string, p *worksheet.Part) (all questions) {
	direction := "IMPORT"
	if !a.worksheet.Imports() {
		direction = "EXPORT"
	}
	for _, f := range fields {
		if !f.AppliesTo(direction) {
			continue
		}
		if amount, currency := p.Price(); f.Name == "customsValueGbp" && amount != "" && direction == "IMPORT" {
			f.Required, f.Hint = false, "Empty means that customs converts the price, "+amount+" "+currency
		}
		q := question{Field: a.fieldFor(f), Path: prefix + f.Name, Value: p.Get(f.Name), From: a.worksheet.Document}
		q.Error, q.Notes = a.errorOf(q.Path), a.notes[q.Path]
		if found, is := p.Found[f.Name]; is {
			q.Found, q.From = &found, a.worksheet.DocumentOf(found)
		}
		if !f.More {
			all.Main = append(all.Main, q)
			continue
		}
		all.More = append(all.More, q)
		all.Open = all.Open || q.Value != "" && f.Name == "dataSet" || q.Error != "" || q.Notes != nil || q.Found != nil
	}
	return all
}

// kinds are the code lists of the fields that say what kind of declaration it is.
var kinds = map[string]string{"dataSet": "dataSets", "additionalType": "additionalTypes", "declarationCode": "declarationTypes", "fill": "fills"}

// fieldFor returns a field as it is for the declaration: with a data set, nothing is required when it is saved, and an empty
// field means nothing.
func (a questionBuilder) fieldFor(f worksheet.Field) worksheet.Field {
	if list := kinds[f.Name]; list != "" {
		f.Choices = []worksheet.Choice{{Value: "", Label: "Not set"}}
		for _, v := range fields.Lists[list] {
			f.Choices = append(f.Choices, worksheet.Choice{Value: v.Code, Label: v.Name})
		}
	}
	if f.Name == supplementsField && a.simplified != nil {
		f.Choices, f.Hint = append([]worksheet.Choice{{Value: "", Label: "Not set"}}, a.simplified...), "Accepted, and not yet completed"
	}
	switch {
	case a.worksheet.General.Get("dataSet") != "":
		f.Required = f.Required && !slices.ContainsFunc(worksheet.ItemFields, func(i worksheet.Field) bool { return i.Name == f.Name })
	case f.Default != "" && f.Hint != "":
		f.Hint += ". " + f.Default
	case f.Default != "":
		f.Hint = f.Default
	}
	return f
}

// errorOf returns the error of a field or of an entry of its list.
func (a questionBuilder) errorOf(path string) string {
	if a.problem == nil {
		return ""
	}
	for _, f := range a.problem.Fields {
		if f.Field == path || strings.HasPrefix(f.Field, path+"[") {
			return f.Message
		}
	}
	return ""
}

// HasNotes reports whether any question has an error or a note.
func (q questions) HasNotes() bool {
	for _, one := range append(q.Main, q.More...) {
		if one.Error != "" || one.Notes != nil {
			return true
		}
	}
	return false
}

// addFindings adds the findings of the rules to the notes of their fields.
func addFindings(r rules.Review, notes map[string][]note) {
	for _, f := range r.Findings {
		notes[f.Field] = append(notes[f.Field], noteOf(f))
	}
}

func noteOf(f rules.Finding) note {
	tag := page.SeverityTag(f.Severity)
	return note{Kind: tag.Kind, Label: tag.Text + " (" + f.Code + ")", Text: worksheet.FormText(f.Message), Fix: worksheet.FormText(f.Suggestion)}
}

// addRejections adds the errors of customs to the notes of their fields.
func addRejections(errors []explain.Explanation, notes map[string][]note) {
	for _, e := range errors {
		n := note{Kind: "bad", Label: "Customs rejected this (" + e.Code + ")", Text: e.PlainEnglish, Fix: e.SuggestedFix}
		notes[e.Field] = append(notes[e.Field], n)
		for _, related := range e.Related {
			n.Label = "See also (" + e.Code + ")"
			notes[related.Field] = append(notes[related.Field], n)
		}
	}
}
