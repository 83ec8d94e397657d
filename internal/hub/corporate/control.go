package corporate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var controlRules = ruleSet{
	{Code: "COR-028", Severity: rules.Warning, Field: "formData.pscType", Judge: of(kindOfPSC, PSCNotification), Source: pscGuidance,
		Title: "The type of person with significant control is not one that there is, or contradicts the particulars"},
	{Code: "COR-029", Severity: rules.Warning, Field: "formData.naturesOfControl", Judge: of(unknownNature, PSCNotification), Source: "Companies House: PSC descriptions; Companies Act 2006, Schedule 1A",
		Title: "A nature of control is not one that there is"},
	{Code: "COR-030", Severity: rules.Warning, Field: "formData.naturesOfControl", Judge: of(contradictoryNatures, PSCNotification), Source: "Companies Act 2006, Schedule 1A, Part 1; " + pscGuidance,
		Title: "The natures of control contradict one another, or the kind of company"},
	{Code: "COR-031", Severity: rules.Info, Field: "formData.naturesOfControl", Judge: of(needlessInfluence, PSCNotification), Source: "BEIS: statutory guidance on the meaning of significant influence or control",
		Title: "Significant influence stands beside a nature that makes it needless"},
	{Code: "COR-032", Severity: rules.Blocker, Field: "formData.dateBecamePsc", Judge: of(becamePSC, PSCNotification), Source: "Companies Act 2006, section 790K; the register began on 6 April 2016",
		Title: "The control begins in the future, or before there was a register of it"},
	{Code: "COR-033", Severity: rules.Warning, Field: "formData.dateBecamePsc", Judge: of(pscWindow, PSCNotification), Source: laws[PSCNotification],
		Title: "The 14 days to notify a person with significant control are over"},
}

// pscKind is what a person with significant control is.
type pscKind string

const (
	individual  pscKind = "individual"
	legalEntity pscKind = "legal entity" // corporate entity, relevant legal entity, other registrable person
	protected   pscKind = "protected"    // super-secure: the register shows nothing
	unsaid      pscKind = ""
	unknownKind pscKind = "unknown"
)

// pscWords tell the kinds, in the order in which they are looked for.
var pscWords = []struct {
	word string
	kind pscKind
}{
	{"secure", protected}, {"individual", individual}, {"corporate", legalEntity}, {"company", legalEntity}, {"legal", legalEntity},
	{"relevant", legalEntity}, {"rle", legalEntity}, {"orp", legalEntity}, {"otherregistrable", legalEntity}, {"firm", legalEntity},
	{"naturalperson", individual}, {"person", individual},
}

func (f *Filing) pscKind() pscKind {
	text := strings.ToLower(strings.Map(lettersOnly, f.text("pscType")))
	if text == "" {
		return unsaid
	}
	for _, w := range pscWords {
		if strings.Contains(text, w.word) {
			return w.kind
		}
	}
	return unknownKind
}

func kindOfPSC(f *Filing, _ rules.Facts) remarks {
	name := f.text("pscName")
	switch kind := f.pscKind(); {
	case kind == unknownKind:
		return rules.Say(fmt.Sprintf("%q is not a type of person with significant control.", f.text("pscType")), "Write individual, corporate-entity or legal-person.")
	case kind == legalEntity && f.given("dateOfBirth"):
		return rules.Say(fmt.Sprintf("The type is %q, and a legal entity has no date of birth.", f.text("pscType")), "Correct the type, or take the date of birth out.")
	case kind == individual && corporate.MatchString(name):
		return rules.Say(fmt.Sprintf("The type is %q, and %q is the name of a company.", f.text("pscType"), name), "Notify a company as corporate-entity, with its legal form, governing law and register.")
	}
	return nil
}

// nature is what a control consists of.
type nature struct {
	text  string
	right string // shares, votes, surplus, appointment, influence; empty for none that there is
	band  int    // 1 to 3 for a quarter to a half, to three quarters, and above; 4 above a quarter; 0 for none
	by    string // "", trust or firm
	llp   bool   // the code is one of partnerships
}

// natureWords tell the rights, in the order in which they are looked for.
var natureWords = []struct{ word, right string }{
	{"surplus", "surplus"}, {"voting", "votes"}, {"votes", "votes"}, {"appoint", "appointment"}, {"remove", "appointment"},
	{"influence", "influence"}, {"share", "shares"}, {"ownership", "shares"},
}

func natureOf(text string) nature {
	low := strings.ToLower(text)
	n := nature{text: text, llp: strings.Contains(low, "limited-liability-partnership") || strings.Contains(low, "llp")}
	for _, w := range natureWords {
		if strings.Contains(low, w.word) {
			n.right = w.right
			break
		}
	}
	for _, by := range []string{"trust", "firm"} {
		if strings.Contains(low, by) {
			n.by = by
		}
	}
	if n.right != "appointment" && n.right != "influence" {
		n.band = bandOf(low)
	}
	return n
}

func bandOf(text string) int {
	quarter, half, most := strings.Contains(text, "25"), strings.Contains(text, "50"), strings.Contains(text, "75")
	switch {
	case quarter && half && !most:
		return 1
	case half && most && !quarter:
		return 2
	case most && !half && !quarter:
		return 3
	case quarter && !half && !most:
		return 4
	}
	return 0
}

// known tells whether there is such a nature.
func (n nature) known() bool {
	return n.right == "appointment" || n.right == "influence" || n.right != "" && n.band > 0
}

func (f *Filing) natures() (all []nature) {
	for _, text := range f.texts("naturesOfControl") {
		all = append(all, natureOf(text))
	}
	return all
}

func unknownNature(f *Filing, _ rules.Facts) (found remarks) {
	for _, n := range f.natures() {
		if !n.known() {
			found = append(found, rules.Say(fmt.Sprintf("%q is not a nature of control.", n.text),
				"Write it as the register does, such as ownership-of-shares-75-to-100-percent, voting-rights-25-to-50-percent, right-to-appoint-and-remove-directors or significant-influence-or-control.")...)
		}
	}
	return found
}

func contradictoryNatures(f *Filing, _ rules.Facts) (found remarks) {
	_, sound := f.prefix()
	all := f.natures()
	for i, n := range all {
		same := slices.IndexFunc(all[:i], func(o nature) bool {
			return o.right == n.right && o.by == n.by && o.band > 0 && n.band > 0 && o.band != n.band
		})
		if same >= 0 {
			found = append(found, rules.Say(fmt.Sprintf("%q and %q name two bands of one right.", all[same].text, n.text), "Keep the band that the holding lies in.")...)
		}
		switch {
		case sound && n.llp && !f.isLLP():
			found = append(found, rules.Say(fmt.Sprintf("%q is a nature of control of partnerships, and %s is not the number of one.", n.text, f.CompanyNumber), "Take the nature without -limited-liability-partnership.")...)
		case n.right == "shares" && f.isLLP():
			found = append(found, rules.Say(fmt.Sprintf("%q is a nature of control of companies with shares; %s is a partnership, which has none.", n.text, f.CompanyNumber), "Take a right to surplus assets, with -limited-liability-partnership.")...)
		}
	}
	return found
}

// needlessInfluence lets the fourth condition be where it is that of a trust or firm.
func needlessInfluence(f *Filing, _ rules.Facts) remarks {
	all := f.natures()
	direct := slices.IndexFunc(all, func(n nature) bool { return n.right == "influence" && n.by == "" })
	other := slices.IndexFunc(all, func(n nature) bool { return n.known() && n.right != "influence" && n.by == "" })
	if direct < 0 || other < 0 {
		return nil
	}
	return rules.Say(fmt.Sprintf("%q need not stand beside %q.", all[direct].text, all[other].text),
		"Leave significant influence or control out where a holding, votes or the right to appoint directors are named.")
}

// registerBegan is when companies began to keep a register of control.
var registerBegan = time.Date(2016, time.April, 6, 0, 0, 0, 0, time.UTC)

func becamePSC(f *Filing, facts rules.Facts) remarks {
	day, ok := f.day("dateBecamePsc")
	switch {
	case !ok:
		return nil
	case day.After(dateOf(facts.Now)):
		return rules.Say(fmt.Sprintf("dateBecamePsc is %s, which is still to come.", written(day)), "Notify the control once it has begun.")
	case day.Before(registerBegan):
		return milder(rules.Warning, rules.Say(fmt.Sprintf("dateBecamePsc is %s; the register began on %s.", written(day), written(registerBegan)),
			"Give 6 April 2016 for a control that began before it, or the day of incorporation where that was later."))
	}
	return nil
}

// nearWindow is how many days before its end the window is spoken of.
const nearWindow = 3

func pscWindow(f *Filing, facts rules.Facts) remarks {
	day, ok := f.day("dateBecamePsc")
	last, today := day.AddDate(0, 0, window), dateOf(facts.Now)
	left := daysBetween(today, last)
	switch {
	case !ok || day.After(today) || left > nearWindow:
		return nil
	case left >= 0:
		return milder(rules.Info, rules.Say(fmt.Sprintf("The control began on %s; the 14 days to notify it end on %s, %s.", written(day), written(last), distance(left)), "File in time."))
	}
	return rules.Say(fmt.Sprintf("The control began on %s; the 14 days to notify it ended on %s, %s.", written(day), written(last), distance(left)),
		"File now; if the company learnt of it later, keep the record of the day on which the particulars were confirmed.")
}
