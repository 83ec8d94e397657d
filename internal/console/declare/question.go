package declare

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// question is a field as a page asks for it: with what was typed, what is wrong with
// it, where a document says it, and what the rules and customs have to say of it.
type question struct {
	worksheet.Field
	Path  string // its name in the form
	Value string
	Error string
	Found *worksheet.Found
	From  string // what the document is called
	Notes []note
}

// note is a sentence beside a field.
type note struct {
	Kind  string // bad, wait or note
	Label string // what it is
	Text  string
	Fix   string
}

// Says tells whether a document says something else than what is there.
func (q question) Says() bool { return q.Found.Value != q.Value || q.Value == "" }

// Unsure tells whether a value that was found is to be looked at closely.
func (q question) Unsure() bool { return q.Found.Sure < sureEnough }

// sureEnough is how sure a found value is, in hundredths, that need not stand out.
const sureEnough = 85

// Rows is how many lines a text may take at first; 0 for a field of one line.
func (q question) Rows() int {
	if q.Name == "description" {
		return 2
	}
	return 0
}

// Input is the type of the input, and Keys what a telephone offers to type it with.
func (q question) Input() string {
	switch {
	case q.Kind == worksheet.Instant:
		return "datetime-local"
	case q.Name == "email":
		return "email"
	}
	return "text"
}

// Keys is what a telephone offers to type it with.
func (q question) Keys() string {
	switch {
	case q.Kind == worksheet.Number:
		return "decimal"
	case q.Kind == worksheet.Whole:
		return "numeric"
	}
	return ""
}

// Box tells whether it is ticked or not.
func (q question) Box() bool { return q.Kind == worksheet.Yes }

// Capitals tells whether it is a code.
func (q question) Capitals() bool { return q.Kind == worksheet.Code || q.Kind == worksheet.List }

// DescribedBy names all that is said of the field.
func (q question) DescribedBy() string {
	var ids []string
	add := func(there bool, what string) {
		if there {
			ids = append(ids, q.Path+"-"+what)
		}
	}
	add(q.Hint != "", "hint")
	add(q.Error != "", "error")
	add(q.Found != nil, "found")
	add(q.Notes != nil, "notes")
	return strings.Join(ids, " ")
}

// questions are fields of one part, in two lots: those that everybody is asked, and
// the rest.
type questions struct {
	Main, More []question
	Open       bool // the rest is shown, as something in it is filled in or wrong
}

// asking makes questions of a page.
type asking struct {
	problem *page.Problem
	sheet   *worksheet.Sheet
	notes   map[string][]note
}

// of are the questions of a part, whose fields are called after a prefix.
func (a asking) of(fields []worksheet.Field, prefix string, p *worksheet.Part) (all questions) {
	direction := "IMPORT"
	if !a.sheet.Imports() {
		direction = "EXPORT"
	}
	for _, f := range fields {
		if !f.Asked(direction) {
			continue
		}
		q := question{Field: f, Path: prefix + f.Name, Value: p.Get(f.Name), From: a.sheet.Document}
		q.Error, q.Notes = a.wrong(q.Path), a.notes[q.Path]
		if found, is := p.Found[f.Name]; is {
			q.Found = &found
		}
		if !f.More {
			all.Main = append(all.Main, q)
			continue
		}
		all.More = append(all.More, q)
		all.Open = all.Open || q.Error != "" || q.Notes != nil || q.Found != nil
	}
	return all
}

// wrong is what is wrong with a field, or with an entry of its list.
func (a asking) wrong(path string) string {
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

// Marked tells whether something is said of any of them.
func (q questions) Marked() bool {
	for _, one := range append(q.Main, q.More...) {
		if one.Error != "" || one.Notes != nil {
			return true
		}
	}
	return false
}

// findings puts what the rules find beside the fields that they name.
func findings(r rules.Review, notes map[string][]note) {
	for _, f := range r.Findings {
		notes[f.Field] = append(notes[f.Field], noteOf(f))
	}
}

func noteOf(f rules.Finding) note {
	tag := page.SeverityTag(f.Severity)
	return note{Kind: tag.Kind, Label: tag.Text + " (" + f.Code + ")", Text: worksheet.FormText(f.Message), Fix: worksheet.FormText(f.Suggestion)}
}

// rejections puts what customs found beside the fields that it points at.
func rejections(errors []explain.Explanation, notes map[string][]note) {
	for _, e := range errors {
		n := note{Kind: "bad", Label: "Customs rejected this (" + e.Code + ")", Text: e.PlainEnglish, Fix: e.SuggestedFix}
		notes[e.Field] = append(notes[e.Field], n)
		for _, related := range e.Related {
			n.Label = "See also (" + e.Code + ")"
			notes[related.Field] = append(notes[related.Field], n)
		}
	}
}
