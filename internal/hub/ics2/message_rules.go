package ics2

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// messageRules are what HMRC finds in the declaration of a filing for Great Britain.
var messageRules = ruleSet{
	{Code: "ICS2-053", Severity: rules.Blocker, Field: "commodityCodes", Check: checkMessage, Source: gbDesign,
		Title: "A filing with the regime GB has something that HMRC's CC315A has no place for; or HMRC's schema or one of its rules finds an error, and the code is ENS- with HMRC's number"},
}

// someFacts stand for what the service adds at the submission, which depends on the organisation. HMRC finds
// nothing in them, and no party has the EORI.
func someFacts(f rules.Facts) Facts { return FactsOf("GB000000000000", "review", f.Now) }

// checkMessage does not depend on the organisation.
func checkMessage(f *Filing, facts rules.Facts) (found remarks) {
	if f.Regime != GB {
		return nil
	}
	given, err := f.Given()
	if err != nil {
		return nil // checkFiling has refused it
	}
	if n := len(f.CommodityCodes); n > 1 {
		found = append(found, rules.Remark{
			Message:    fmt.Sprintf("A goods item of the CC315A has one commodity code, but there are %d.", n),
			Suggestion: "Give the goods as items in message.gOOITEGDS, each with its commodity code.",
		})
	}
	for _, e := range CheckGB(f, Draft(f, given, someFacts(facts))) {
		found = append(found, rules.Remark{
			Code: e.Code, Field: cmp.Or(e.Field, messageMember), Message: e.Message, Source: fmt.Sprintf("%s, %d at %s", gbDesign, e.Number, e.Location),
			Suggestion: "Correct the field, or what it depends on. HMRC refuses the declaration otherwise.",
		})
	}
	return found
}

// wholeKey is the key of a filing with the facts of its message.
type wholeKey struct{}

// wholeFiling is a filing with the flat fields that its message says.
type wholeFiling struct {
	Filing
	complete bool
}

// onWhole makes rules about flat fields apply to what the message says too. Their findings are then about its members.
func onWhole(set ruleSet) ruleSet {
	all := slices.Clone(set)
	for i, r := range set {
		all[i].Check = func(f *Filing, facts rules.Facts) remarks {
			if len(f.Message) == 0 {
				return r.Check(f, facts)
			}
			whole := rules.Once(facts, wholeKey{}, func() *wholeFiling {
				w, complete := f.whole()
				return &wholeFiling{w, complete}
			})
			if !whole.complete {
				return nil
			}
			found := r.Check(&whole.Filing, facts)
			for n := range found {
				found[n].Field = f.givenIn(cmp.Or(found[n].Field, r.Field))
			}
			return found
		}
	}
	return all
}

// givenIn returns the member in which a filing gives what a flat field says.
func (f *Filing) givenIn(flat string) string {
	name, _, _ := strings.Cut(flat, "[") // of several codes, there is one in the message
	body, err := json.Marshal(f)
	if err != nil || bytes.Contains(body, []byte(`"`+name+`":`)) {
		return flat
	}
	for _, s := range shortForms {
		if s.field == name {
			return messageMember + "." + s.member()
		}
	}
	return flat
}
