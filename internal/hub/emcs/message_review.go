package emcs

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	hmrc "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/rulebook"
)

// codeSchema is the code of findings that HMRC gives no number: the message does not fit its schema.
const codeSchema = "EMCS-046"

// Detail is what is wrong in an IE815, for the details of an error and for a refusal of HMRC's.
type Detail struct {
	Number   int    `json:"number" doc:"HMRC's number; 0 if the message does not fit HMRC's schema" example:"8084"`
	Location string `json:"location" doc:"Location as EMCS writes it" example:"/urn:IE815[1]/urn:Body[1]/urn:SubmittedDraftOfEADESAD[1]/urn:EadEsadDraft[1]/urn:DateOfDispatch[1]"`
	Field    string `json:"field" doc:"Field of the record" example:"scheduledDispatchAt"`
	Message  string `json:"message" doc:"What is wrong"`
}

// Details returns what HMRC's schema, rules and lists of codes find in the IE815 of a movement with a data set, with the LRN that it will have.
func Details(m *Movement, given *hmrc.Element, lrn string, v hmrc.Version, now time.Time) []Detail {
	whole := hmrc.Message{Kind: hmrc.Draft, Version: v, Body: Draft(m, given, lrn)}
	var all []Detail
	for _, f := range append(rulebook.Check(whole, now), rulebook.CheckCodes(whole)...) {
		field := flatOf(f.Field)
		if !f.Missing {
			field = FlatField(f.Location, given)
		}
		all = append(all, Detail{Number: f.Number, Location: f.Location, Field: field, Message: f.Message})
	}
	return all
}

// ReviewMessage returns the same as findings of a review. All are blockers, because HMRC refuses the message. A code ends with HMRC's number.
func ReviewMessage(m *Movement, given *hmrc.Element, lrn string, v hmrc.Version, now time.Time) []rules.Finding {
	var all []rules.Finding
	for _, d := range Details(m, given, lrn, v, now) {
		f := rules.Finding{Code: codeSchema, Severity: rules.Blocker, Field: d.Field, Message: d.Message, Suggestion: "Give the element in the form of HMRC's message IE815.", Source: messageForm}
		if d.Number != 0 {
			f.Code, f.Source = fmt.Sprintf("EMCS-%d", d.Number), fmt.Sprintf("%s: %d", ernGuidance, d.Number)
			f.Suggestion = "Correct the field, or what it depends on."
		}
		all = append(all, f)
	}
	return all
}
