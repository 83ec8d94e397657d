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
	{Code: "COR-021", Severity: rules.Info, Field: "formData.reviewPeriodEnd", Check: onlyFor(reviewPeriod, ConfirmationStatement), Source: statementLaw,
		Title: "The review period has not ended"},
	{Code: "COR-022", Severity: rules.Blocker, Field: "formData.registeredEmailAddress", Check: onlyFor(malformedEmail, ConfirmationStatement), Source: "Companies Act 2006, section 88A: registered email address",
		Title: "The registered email address is malformed"},
	{Code: "COR-023", Severity: rules.Blocker, Field: "formData.sicCodes", Check: onlyFor(malformedSIC, ConfirmationStatement), Source: sicLaw,
		Title: "A SIC code is malformed or not in the list"},
	{Code: "COR-024", Severity: rules.Blocker, Field: "formData.sicCodes", Check: onlyFor(tooManySIC, ConfirmationStatement), Source: sicLaw,
		Title: "There are more than four SIC codes, or one is repeated"},
	{Code: "COR-025", Severity: rules.Warning, Field: "formData.sicCodes", Check: onlyFor(idleSIC, ConfirmationStatement), Source: sicLaw,
		Title: "The company is both dormant and active"},
	{Code: "COR-026", Severity: rules.Warning, Field: "formData.directors", Check: onlyFor(unverifiedDirectors, ConfirmationStatement), Source: identityLaw,
		Title: "A director's personal code is missing or malformed"},
	{Code: "COR-027", Severity: rules.Warning, Field: "formData.statementOfCapital", Check: onlyFor(capital, ConfirmationStatement), Source: "Companies Act 2006, section 853D: statement of capital",
		Title: "The statement of capital does not add up"},
}

func reviewPeriod(f *Filing, facts rules.Facts) remarks {
	end, ok := f.day("reviewPeriodEnd")
	if !ok || !end.After(dateOf(facts.Now)) {
		return nil
	}
	return remarks{{
		NotYet:     true,
		Message:    fmt.Sprintf("The review period ends on %s, which is in the future.", formatDate(end)),
		Suggestion: "File after that date, or make the statement up to an earlier date, which starts a new period.",
	}}
}

var email = lazyregexp.New(`^[^@\s,;<>"]+@[^@\s,;<>".]+(\.[^@\s,;<>".]+)+$`)

func malformedEmail(f *Filing, _ rules.Facts) remarks {
	address := f.text("registeredEmailAddress")
	if address == "" || email.MatchString(address) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q is not an email address.", address), "Give one address of a person who acts for the company.")
}

var fiveFigures = lazyregexp.New(`^[0-9]{5}$`)

// describedSIC matches a code with its description from the list, which may contain commas.
var describedSIC = lazyregexp.New(`^([0-9]{5})\s*[-–—:(]?\s*\p{L}`)

func (f *Filing) sicCodes() (codes []string) {
	for _, raw := range f.list("sicCodes") {
		if code := describedSIC.FindStringSubmatch(textOf(raw)); code != nil {
			codes = append(codes, code[1])
			continue
		}
		codes = append(codes, parts(textOf(raw))...)
	}
	return codes[:min(len(codes), maxItems)]
}

func malformedSIC(f *Filing, _ rules.Facts) (found remarks) {
	for _, code := range f.sicCodes() {
		switch {
		case !fiveFigures.MatchString(code):
			found = append(found, rules.Remarks(fmt.Sprintf("%q is not a SIC code: it must be five digits.", code), "Use a code from the condensed SIC list of Companies House.")...)
		case !knownSIC(code):
			found = append(found, rules.Remarks(fmt.Sprintf("%s is not in the list of SIC codes.", code), "Use a code from the condensed SIC list of Companies House.")...)
		}
	}
	return found
}

// maxSICCodes is the maximum number of codes at Companies House.
const maxSICCodes = 4

func tooManySIC(f *Filing, _ rules.Facts) remarks {
	codes := f.sicCodes()
	if len(codes) > maxSICCodes {
		return rules.Remarks(fmt.Sprintf("There are %d SIC codes; Companies House accepts at most %d.", len(codes), maxSICCodes), "Keep the codes of the main activities.")
	}
	for i, code := range codes {
		if slices.Contains(codes[:i], code) {
			return withSeverity(rules.Warning, rules.Remarks(fmt.Sprintf("The SIC code %s is repeated.", code), "Give each code once."))
		}
	}
	return nil
}

// dormantSIC is the code of a dormant company.
const dormantSIC = "99999"

func idleSIC(f *Filing, _ rules.Facts) remarks {
	codes := f.sicCodes()
	if len(codes) < 2 || !slices.Contains(codes, dormantSIC) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s means that the company is dormant, but there is also %s.", dormantSIC, strings.Join(slices.DeleteFunc(codes, func(c string) bool { return c == dormantSIC }), ", ")),
		"For a dormant company keep only 99999, for any other remove it.")
}

// verifiedSince is the first day of compulsory identity verification.
var verifiedSince = time.Date(2025, time.November, 18, 0, 0, 0, 0, time.UTC)

// unverifiedDirectors checks only directors that are objects, because a list of names has no codes.
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
				Message:    fmt.Sprintf("The director %s has no personal code; the first confirmation statement since 18 November 2025 needs the code of every director.", nameOf(d, i)),
				Suggestion: "Ask the director for the code from the identity verification, unless an earlier filing contained it."})
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
	return fmt.Sprintf("number %d", i+1)
}

// capital checks each class of shares that has the number of shares, their nominal value and the total.
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
			found = append(found, rules.Remarks(fmt.Sprintf("%s shares of %s are %s, but aggregateNominalValue is %s.",
				shares.RatString(), nominal.FloatString(2), pounds(new(big.Rat).Mul(shares, nominal)), pounds(all)),
				"Correct the number of shares, their nominal value or the total.")...)
		}
		if unpaid, ok := read("amountUnpaid"); ok && ok3 && unpaid.Cmp(all) > 0 {
			found = append(found, rules.Remarks(fmt.Sprintf("The unpaid amount is %s, but the shares are worth %s.", pounds(unpaid), pounds(all)), "Correct the unpaid amount.")...)
		}
	}
	return found
}
