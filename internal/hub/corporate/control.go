package corporate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var controlRules = ruleSet{
	{Code: "COR-028", Severity: rules.Warning, Field: "formData.pscType", Check: onlyFor(kindOfPSC, PSCNotification), Source: pscGuidance,
		Title: "The type of person with significant control does not exist or contradicts the particulars"},
	{Code: "COR-029", Severity: rules.Warning, Field: "formData.naturesOfControl", Check: onlyFor(unknownNature, PSCNotification), Source: "Companies House: PSC descriptions; Companies Act 2006, Schedule 1A",
		Title: "A nature of control does not exist"},
	{Code: "COR-030", Severity: rules.Warning, Field: "formData.naturesOfControl", Check: onlyFor(contradictoryNatures, PSCNotification), Source: "Companies Act 2006, Schedule 1A, Part 1; " + pscGuidance,
		Title: "The natures of control contradict each other or the type of company"},
	{Code: "COR-031", Severity: rules.Info, Field: "formData.naturesOfControl", Check: onlyFor(needlessInfluence, PSCNotification), Source: "BEIS: statutory guidance on the meaning of significant influence or control",
		Title: "Significant influence is given in addition to a nature of control that includes it"},
	{Code: "COR-032", Severity: rules.Blocker, Field: "formData.dateBecamePsc", Check: onlyFor(becamePSC, PSCNotification), Source: "Companies Act 2006, section 790K; the register began on 6 April 2016",
		Title: "The control begins in the future or before the register existed"},
	{Code: "COR-033", Severity: rules.Warning, Field: "formData.dateBecamePsc", Check: onlyFor(pscWindow, PSCNotification), Source: laws[PSCNotification],
		Title: "The notification of a person with significant control is late"},
}

// pscKind is a type of person with significant control (PSC).
type pscKind string

const (
	individual   pscKind = "individual"
	legalEntity  pscKind = "legal entity" // corporate entity, relevant legal entity, other registrable person
	protected    pscKind = "protected"    // super-secure: not shown in the register
	unstatedKind pscKind = ""
	unknownKind  pscKind = "unknown"
)

// pscWords maps words to types. The first match counts.
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
		return unstatedKind
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
		return rules.Remarks(fmt.Sprintf("%q is not a type of person with significant control.", f.text("pscType")), "Write individual, corporate-entity or legal-person.")
	case kind == legalEntity && f.hasValue("dateOfBirth"):
		return rules.Remarks(fmt.Sprintf("The type is %q, but a legal entity has no date of birth.", f.text("pscType")), "Correct the type, or remove the date of birth.")
	case kind == individual && corporate.MatchString(name):
		return rules.Remarks(fmt.Sprintf("The type is %q, but %q is the name of a company.", f.text("pscType"), name), "Notify a company as corporate-entity, with its legal form, governing law and register.")
	}
	return nil
}

// nature is a nature of control.
type nature struct {
	text  string
	right string // shares, votes, surplus, appointment or influence; "" if unknown
	band  int    // 1: 25 to 50%, 2: 50 to 75%, 3: above 75%, 4: above 25%, 0: none
	by    string // "", trust or firm
	llp   bool   // the code is for partnerships
}

// natureWords maps words to rights. The first match counts.
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

// known reports whether the nature of control exists.
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
			found = append(found, rules.Remarks(fmt.Sprintf("%q is not a nature of control.", n.text),
				"Use the codes of the register, such as ownership-of-shares-75-to-100-percent, voting-rights-25-to-50-percent, right-to-appoint-and-remove-directors or significant-influence-or-control.")...)
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
			found = append(found, rules.Remarks(fmt.Sprintf("%q and %q are two bands of the same right.", all[same].text, n.text), "Keep only the band of the holding.")...)
		}
		switch {
		case sound && n.llp && !f.isLLP():
			found = append(found, rules.Remarks(fmt.Sprintf("%q is a nature of control for partnerships, but %s is not the number of one.", n.text, f.CompanyNumber), "Use the nature without -limited-liability-partnership.")...)
		case n.right == "shares" && f.isLLP():
			found = append(found, rules.Remarks(fmt.Sprintf("%q is a nature of control for companies with shares; %s is a partnership, which has none.", n.text, f.CompanyNumber), "Use a right to surplus assets, with -limited-liability-partnership.")...)
		}
	}
	return found
}

// needlessInfluence does not apply to influence through a trust or firm.
func needlessInfluence(f *Filing, _ rules.Facts) remarks {
	all := f.natures()
	direct := slices.IndexFunc(all, func(n nature) bool { return n.right == "influence" && n.by == "" })
	other := slices.IndexFunc(all, func(n nature) bool { return n.known() && n.right != "influence" && n.by == "" })
	if direct < 0 || other < 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q is not needed in addition to %q.", all[direct].text, all[other].text),
		"Remove significant influence or control if there is a holding, votes or the right to appoint directors.")
}

// registerBegan is the first day of the PSC register.
var registerBegan = time.Date(2016, time.April, 6, 0, 0, 0, 0, time.UTC)

func becamePSC(f *Filing, facts rules.Facts) remarks {
	day, ok := f.day("dateBecamePsc")
	switch {
	case !ok:
		return nil
	case day.After(dateOf(facts.Now)):
		return rules.Remarks(fmt.Sprintf("dateBecamePsc is %s, which is in the future.", formatDate(day)), "Notify the control after it has begun.")
	case day.Before(registerBegan):
		return withSeverity(rules.Warning, rules.Remarks(fmt.Sprintf("dateBecamePsc is %s; the register began on %s.", formatDate(day), formatDate(registerBegan)),
			"Give 6 April 2016 for a control that began earlier, or the date of incorporation if that is later."))
	}
	return nil
}

// urgentWindowDays is the number of days before the end of the window in which there is a note.
const urgentWindowDays = 3

func pscWindow(f *Filing, facts rules.Facts) remarks {
	day, ok := f.day("dateBecamePsc")
	last, today := day.AddDate(0, 0, window), dateOf(facts.Now)
	left := daysBetween(today, last)
	switch {
	case !ok || day.After(today) || left > urgentWindowDays:
		return nil
	case left >= 0:
		return withSeverity(rules.Info, rules.Remarks(fmt.Sprintf("The control began on %s; the 14 days to notify it end on %s, %s.", formatDate(day), formatDate(last), formatDays(left)), "File in time."))
	}
	return rules.Remarks(fmt.Sprintf("The control began on %s; the 14 days to notify it ended on %s, %s.", formatDate(day), formatDate(last), formatDays(left)),
		"File now. If the company learnt of it later, keep a record of the date when the particulars were confirmed.")
}
