// Package explain explains in plain words why CDS rejected a declaration: the meaning of each
// error, its field, the field's value, what to do, and whether it is enough to submit again.
// It combines texts for every error code of the catalogue with texts for the fields, so that
// one code reads differently at different fields.
package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/cdscode"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
)

// MaxErrors is the largest number of errors that are explained at once; CDS reports fewer.
const MaxErrors = 999

// ReportedError is one error as CDS or a caller reported it.
type ReportedError struct {
	Code     string
	Pointers []pointer.Pointer
	Names    []string // of fields that are not given as pointers
	Text     string   // text that came with the code
	Value    *string  // value of the field, if the report has it
}

// Question is the errors to explain. Records is nil unless they belong to a stored
// declaration.
type Question struct {
	Errors  []ReportedError
	Records *Records
}

// Explained is the explanations of all errors, causes first.
type Explained struct {
	Errors []Explanation `json:"errors" doc:"Explanations; those of errors that may cause others come first"`
	Note   string        `json:"note,omitempty" doc:"Why there is nothing to explain"`
	Source string        `json:"-"` // who explains it, for the header; the offline catalogue when empty
}

// Explanation explains one error to a person who has never read the tariff.
type Explanation struct {
	Code         string `json:"code" doc:"Code of CDS" example:"CDS11006"`
	Known        bool   `json:"known" doc:"Whether the code is in the catalogue; if not, the answer is general"`
	Severity     string `json:"severity" enum:"blocker,warning" doc:"Whether it stops the declaration"`
	Title        string `json:"title" doc:"The error in a few words"`
	PlainEnglish string `json:"plainEnglish" doc:"What the error means"`
	SuggestedFix string `json:"suggestedFix" doc:"What to do"`
	DeclaredField
	Related          []DeclaredField `json:"related,omitempty" doc:"Other fields that this error is about"`
	ChangeWith       string          `json:"changeWith,omitempty" doc:"The request that changes the field" example:"PATCH /api/declarations/0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	Documents        []string        `json:"documents" doc:"Documents that help"`
	Remedy           Remedy          `json:"remedy" enum:"RESUBMIT,OBTAIN_FIRST,NEW_DECLARATION,WAIT,OTHER_REQUEST,ASK_CUSTOMS,OPTIONAL,NOTHING" doc:"What helps"`
	ResubmitIsEnough bool            `json:"resubmitIsEnough" doc:"Whether to correct the field and submit again is enough"`
	MayFollowFrom    string          `json:"mayFollowFrom,omitempty" doc:"Code of an earlier error that may be the cause of this one"`
	AlsoAt           []string        `json:"alsoAt,omitempty" doc:"At most 100 other fields with the same error, explained below"`
	CustomsText      string          `json:"customsSaid,omitempty" doc:"Text that came with the code"`
	Position         int             `json:"position" doc:"Which of the reported errors it is, from 1" example:"1"`
}

// Explain answers for every error. The same question has the same answer.
func Explain(q Question) Explained {
	faults := q.Errors[:min(len(q.Errors), MaxErrors)]
	cases := make([]explainedError, len(faults))
	for i := range faults {
		cases[i] = newExplainedError(i, &faults[i])
	}
	joinPairs(cases)
	for i := range cases {
		cases[i].stage, cases[i].group = cases[i].processingStage(), cases[i].groupKey()
	}
	q.Records.fill(cases)
	rank(cases)
	answer := Explained{Errors: make([]Explanation, len(cases))}
	for i := range cases {
		answer.Errors[i] = cases[i].explanation(q.Records)
	}
	relate(cases, answer.Errors)
	if len(faults) == 0 {
		answer.Note = q.emptyNote()
	}
	return answer
}

// emptyNote returns why there is nothing to explain.
func (q *Question) emptyNote() string {
	if q.Records == nil {
		return "No errors were given, so there is nothing to explain."
	}
	return "CDS has reported no errors on this declaration, so there is nothing to explain."
}

// explainedError is an error with everything that is known about it.
type explainedError struct {
	*ReportedError
	entry    cdscode.Entry
	code     *code // nil if the code is not in the catalogue
	position int
	places   []place // the fields in the order of the text
	own      int
	stage    int    // of CDS's processing in which the error is found
	group    string // equal for the same error at different items
}

// maxSpots is the largest number of fields of one error that are explained.
const maxSpots = 8

func newExplainedError(i int, f *ReportedError) explainedError {
	m := explainedError{ReportedError: f, entry: cdscode.Explain(oneLine(f.Code, maxCode)), position: i + 1}
	if m.code = codes()[m.entry.Code]; m.code == nil && m.entry.Known {
		m.code = codes()["CDS"+m.entry.Code[len("DMS"):]]
	}
	for _, p := range f.Pointers {
		if len(p) > 0 && len(m.places) < maxSpots {
			m.places = append(m.places, placeOf(p))
		}
	}
	for _, name := range f.Names {
		if len(m.places) < maxSpots {
			m.places = append(m.places, named(name))
		}
	}
	if len(m.places) > 0 && f.Value != nil {
		value := oneLine(*f.Value, maxValue)
		m.places[0].Value = &value
	}
	return m
}

// joinPairs joins two reports of one contradiction: CDS reports one code twice in a row, first for
// the field that decides and then for the field that does not match it.
func joinPairs(cases []explainedError) {
	for i := 0; i+1 < len(cases); i++ {
		a, b := &cases[i], &cases[i+1]
		if a.code == nil || a.code.one == "" || a.code != b.code || len(a.places) != 1 || len(b.places) != 1 || a.places[0].Pointer == b.places[0].Pointer {
			continue
		}
		both := []place{a.places[0], b.places[0]}
		a.places, b.places, b.own = both, slices.Clone(both), 1
		i++
	}
}

// explanation returns the explanation of an error.
func (m *explainedError) explanation(r *Records) Explanation {
	e := Explanation{
		Code: m.entry.Code, Known: m.entry.Known, Severity: "blocker", Title: m.entry.Title, Documents: []string{},
		PlainEnglish: m.plain(), SuggestedFix: m.fix(), Remedy: AskCustoms, Position: m.position, CustomsText: oneLine(m.Text, maxCustomsText),
	}
	if !m.entry.Blocking {
		e.Severity = "warning"
	}
	if m.code != nil {
		e.Remedy = m.code.remedy
	}
	e.ResubmitIsEnough = e.Known && e.Remedy == Resubmit
	e.Field, e.Documents = "declaration", m.documents()
	for i := range m.places {
		if i == m.own {
			e.DeclaredField = m.places[i].DeclaredField
			continue
		}
		e.Related = append(e.Related, m.places[i].DeclaredField)
	}
	e.ChangeWith = r.request(e.Field)
	return e
}

func (m *explainedError) documents() []string {
	papers := []string{}
	if m.code != nil {
		papers = append(papers, m.code.documents...)
	}
	for _, s := range m.places {
		if s.known == nil || m.aspect() == noAspect {
			continue
		}
		for _, p := range s.known.documents {
			if !slices.Contains(papers, p) {
				papers = append(papers, p)
			}
		}
	}
	return papers
}

func (m *explainedError) aspect() aspect {
	if m.code == nil {
		return definition
	}
	return m.code.aspect
}

// subject is the field that has to be changed: the second of two.
func (m *explainedError) subject() *place {
	if len(m.places) == 0 {
		return nil
	}
	if m.code != nil && m.code.one != "" && len(m.places) > 1 {
		return &m.places[1]
	}
	return &m.places[min(m.own, len(m.places)-1)]
}

// plain says what CDS means, which value the field has, and what the field is.
func (m *explainedError) plain() string {
	text, _ := m.texts()
	values := m.values()
	sentences := []string{m.filled(text), values}
	if s := m.subject(); s != nil && m.aspect() != noAspect {
		about := s.about(definition)
		if values != "" && len(m.places) == 1 {
			about = s.sentence(definition) // values has just named the field
		}
		sentences = append(sentences, cmp.Or(m.fieldText(s), about))
	}
	return joined(sentences)
}

// fix says what to do.
func (m *explainedError) fix() string {
	_, text := m.texts()
	sentences := []string{m.filled(text)}
	if s := m.subject(); s != nil && m.aspect() != definition {
		sentences = append(sentences, s.about(m.aspect()))
	}
	return joined(sentences)
}

// texts returns the texts of the code.
func (m *explainedError) texts() (plain, fix string) {
	switch {
	case m.code == nil:
		return generalTexts(m.entry.Code)
	case m.code.one != "" && len(m.places) < 2:
		return m.code.one, m.code.oneFix
	}
	return m.code.plain, m.code.fix
}

// fieldText returns the text of the code for one field.
func (m *explainedError) fieldText(s *place) string {
	if m.code == nil || s.at == nil {
		return ""
	}
	for _, key := range keysOf(s.at) {
		if text := m.code.at[key]; text != "" {
			return text
		}
	}
	return ""
}

func joined(sentences []string) string {
	sentences = slices.DeleteFunc(sentences, func(s string) bool { return s == "" })
	return strings.Join(sentences, " ")
}
