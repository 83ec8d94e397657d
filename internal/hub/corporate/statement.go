package corporate

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var statementRules = ruleSet{
	{Code: "COR-021", Severity: rules.Info, Field: "formData.reviewPeriodEnd", Judge: of(reviewPeriod, ConfirmationStatement), Source: statementLaw,
		Title: "The review period has not ended"},
	{Code: "COR-022", Severity: rules.Blocker, Field: "formData.registeredEmailAddress", Judge: of(malformedEmail, ConfirmationStatement), Source: "Companies Act 2006, section 88A: registered email address",
		Title: "The registered email address is malformed"},
	{Code: "COR-023", Severity: rules.Blocker, Field: "formData.sicCodes", Judge: of(malformedSIC, ConfirmationStatement), Source: sicLaw,
		Title: "A SIC code is malformed or not in the list"},
	{Code: "COR-024", Severity: rules.Blocker, Field: "formData.sicCodes", Judge: of(tooManySIC, ConfirmationStatement), Source: sicLaw,
		Title: "There are more than four SIC codes, or one twice"},
	{Code: "COR-025", Severity: rules.Warning, Field: "formData.sicCodes", Judge: of(idleSIC, ConfirmationStatement), Source: sicLaw,
		Title: "The company is dormant and active at once"},
	{Code: "COR-026", Severity: rules.Warning, Field: "formData.directors", Judge: of(unverifiedDirectors, ConfirmationStatement), Source: identityLaw,
		Title: "A director has no personal code, or a malformed one"},
	{Code: "COR-027", Severity: rules.Warning, Field: "formData.statementOfCapital", Judge: of(capital, ConfirmationStatement), Source: "Companies Act 2006, section 853D: statement of capital",
		Title: "The statement of capital does not add up"},
}

func reviewPeriod(f *Filing, facts rules.Facts) remarks {
	end, ok := f.day("reviewPeriodEnd")
	if !ok || !end.After(dateOf(facts.Now)) {
		return nil
	}
	return rules.Say(fmt.Sprintf("The review period ends on %s, which is still to come.", written(end)),
		"File after that day, or make the statement up to an earlier one, which begins a new period.")
}

var email = lazyregexp.New(`^[^@\s,;<>"]+@[^@\s,;<>".]+(\.[^@\s,;<>".]+)+$`)

func malformedEmail(f *Filing, _ rules.Facts) remarks {
	address := f.text("registeredEmailAddress")
	if address == "" || email.MatchString(address) {
		return nil
	}
	return rules.Say(fmt.Sprintf("%q is not an email address.", address), "Give one address that reaches somebody who acts for the company.")
}

var fiveFigures = lazyregexp.New(`^[0-9]{5}$`)

// describedSIC is a code with the words of the list behind it, in which there are commas.
var describedSIC = lazyregexp.New(`^([0-9]{5})\s*[-–—:(]?\s*\p{L}`)

func (f *Filing) sicCodes() (codes []string) {
	for _, raw := range f.list("sicCodes") {
		if code := describedSIC.FindStringSubmatch(textOf(raw)); code != nil {
			codes = append(codes, code[1])
			continue
		}
		codes = append(codes, parts(textOf(raw))...)
	}
	return codes[:min(len(codes), mostItems)]
}

func malformedSIC(f *Filing, _ rules.Facts) (found remarks) {
	for _, code := range f.sicCodes() {
		switch {
		case !fiveFigures.MatchString(code):
			found = append(found, rules.Say(fmt.Sprintf("%q is not a SIC code: it must be five figures.", code), "Take the code from the condensed SIC list of Companies House.")...)
		case !knownSIC(code):
			found = append(found, rules.Say(fmt.Sprintf("%s is not in the list of SIC codes.", code), "Take the code from the condensed SIC list of Companies House.")...)
		}
	}
	return found
}

// mostSIC is how many codes Companies House takes.
const mostSIC = 4

func tooManySIC(f *Filing, _ rules.Facts) remarks {
	codes := f.sicCodes()
	if len(codes) > mostSIC {
		return rules.Say(fmt.Sprintf("There are %d SIC codes; Companies House takes %d.", len(codes), mostSIC), "Keep the codes of the main activities.")
	}
	for i, code := range codes {
		if slices.Contains(codes[:i], code) {
			return milder(rules.Warning, rules.Say(fmt.Sprintf("The SIC code %s stands twice.", code), "Name each code once."))
		}
	}
	return nil
}

// dormantSIC is the code of a company that does nothing.
const dormantSIC = "99999"

func idleSIC(f *Filing, _ rules.Facts) remarks {
	codes := f.sicCodes()
	if len(codes) < 2 || !slices.Contains(codes, dormantSIC) {
		return nil
	}
	return rules.Say(fmt.Sprintf("%s says that the company is dormant, and stands beside %s.", dormantSIC, strings.Join(slices.DeleteFunc(codes, func(c string) bool { return c == dormantSIC }), ", ")),
		"Keep 99999 alone for a dormant company; take it out for any other.")
}

// verifiedSince is when identity verification became law.
var verifiedSince = time.Date(2025, time.November, 18, 0, 0, 0, 0, time.UTC)

// unverifiedDirectors looks at directors that are written as objects: a list of
// names says nothing about codes.
func unverifiedDirectors(f *Filing, _ rules.Facts) (found remarks) {
	if end, ok := f.day("reviewPeriodEnd"); ok && end.Before(verifiedSince) {
		return nil
	}
	for i, raw := range f.list("directors") {
		var d map[string]json.RawMessage
		if json.Unmarshal(raw, &d) != nil || d == nil {
			continue
		}
		field := fmt.Sprintf("formData.directors[%d].personalCode", i)
		switch code := textOf(d["personalCode"]); {
		case code == "":
			found = append(found, rules.Remark{Field: field,
				Message:    fmt.Sprintf("The director %s has no personal code; the first confirmation statement since 18 November 2025 names the code of every director.", nameOf(d, i)),
				Suggestion: "Ask the director for the code that came with the verified identity, unless an earlier filing has told it."})
		case !personalCode.MatchString(plainCode(code)):
			found = append(found, malformedCode(field, code))
		}
	}
	return found
}

func nameOf(d map[string]json.RawMessage, i int) string {
	for _, member := range []string{"name", "directorName", "fullName"} {
		if name := textOf(d[member]); name != "" {
			return name
		}
	}
	return fmt.Sprintf("in place %d", i+1)
}

// capital reckons each class of shares that says how many there are, what each is
// worth and what all are.
func capital(f *Filing, _ rules.Facts) (found remarks) {
	for _, raw := range f.list("statementOfCapital") {
		var class map[string]json.RawMessage
		if json.Unmarshal(raw, &class) != nil {
			continue
		}
		read := func(name string) (*big.Rat, bool) { return number(textOf(class[name])) }
		shares, ok1 := read("numberOfShares")
		nominal, ok2 := read("nominalValue")
		all, ok3 := read("aggregateNominalValue")
		if ok1 && ok2 && ok3 && new(big.Rat).Mul(shares, nominal).Cmp(all) != 0 {
			found = append(found, rules.Say(fmt.Sprintf("%s shares of %s are %s, and aggregateNominalValue is %s.",
				shares.RatString(), nominal.FloatString(2), pounds(new(big.Rat).Mul(shares, nominal)), pounds(all)),
				"Correct the number of shares, their nominal value or the sum.")...)
		}
		if unpaid, ok := read("amountUnpaid"); ok && ok3 && unpaid.Cmp(all) > 0 {
			found = append(found, rules.Say(fmt.Sprintf("%s are unpaid of shares of %s.", pounds(unpaid), pounds(all)), "Correct what is unpaid.")...)
		}
	}
	return found
}
