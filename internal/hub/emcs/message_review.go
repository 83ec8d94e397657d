package emcs

import (
	"cmp"
	"fmt"
	"slices"
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
func ReviewMessage(m *Movement, given *hmrc.Element, lrn string, v hmrc.Version, now time.Time) []rules.Remark {
	var all []rules.Remark
	for _, d := range Details(m, given, lrn, v, now) {
		r := rules.Remark{
			Code: codeSchema, Severity: rules.Blocker, Field: d.Field, Message: d.Message, Suggestion: "Give the element in the form of HMRC's message IE815.", Source: messageSchema,
		}
		if d.Number != 0 {
			r.Code, r.Source = fmt.Sprintf("EMCS-%d", d.Number), fmt.Sprintf("%s: %d", ernGuidance, d.Number)
			r.Suggestion = "Correct the field, or what it depends on."
		}
		all = append(all, r)
	}
	return all
}

// messageRules check the whole data set of a movement that has one.
var messageRules = ruleSet{{
	Code: codeSchema, Severity: rules.Blocker, Field: "message", Check: wholeMessage, Source: messageSchema,
	Title: "The whole data set breaks HMRC's schema (EMCS-046) or one of HMRC's rules for the IE815, whose number is the end of the code",
}}

// anyLRN stands for the LRN that the service gives at submission, unless the data set has one.
const anyLRN = "TW00000000000000000000"

func wholeMessage(m *Movement, f rules.Facts) remarks {
	given, _ := m.Given(hmrc.Current)
	if given == nil {
		return nil
	}
	return ReviewMessage(m, given, anyLRN, hmrc.Current, f.Now)
}

// wholeKey is the key of the whole movement in the facts of a review.
type wholeKey struct{}

// onWhole are rules about flat fields for movements with a data set too: their findings are about its fields where it has the fact.
func onWhole(set ruleSet) ruleSet {
	all := slices.Clone(set)
	for i, r := range set {
		all[i].Check = func(m *Movement, f rules.Facts) remarks {
			if len(m.Message) == 0 {
				return r.Check(m, f)
			}
			whole := rules.Once(f, wholeKey{}, m.Whole)
			found := r.Check(whole, f)
			for n := range found {
				found[n].Field = m.fieldOf(cmp.Or(found[n].Field, r.Field))
			}
			return found
		}
	}
	return all
}

// fieldOf returns the field of the data set for a flat field that the movement does not give.
func (m *Movement) fieldOf(flat string) string {
	for _, s := range shortForms {
		if s.field == flat && s.text(m) == "" {
			return s.messageField()
		}
	}
	return flat
}
