package ics2

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
)

const codeLaw = "Delegated Regulation (EU) 2015/2446, Annex B, data element 18 09 000 000 (commodity code)"

var codeRules = ruleSet{
	{Code: "ICS2-028", Severity: rules.Warning, Field: "commodityCodes", Check: missingCodes, Source: codeLaw + "; " + gbDesign + " (8207)",
		Title: "The commodity codes are missing"},
	{Code: "ICS2-029", Severity: rules.Blocker, Field: "commodityCodes", Check: malformedCodes, Source: codeLaw + "; " + gbDesign,
		Title: "A commodity code is malformed or too short"},
	{Code: "ICS2-030", Severity: rules.Blocker, Field: "commodityCodes", Check: unknownHeadings, Source: "World Customs Organization: Harmonised System 2022",
		Title: "The chapter or heading of a commodity code does not exist"},
	{Code: "ICS2-031", Severity: rules.Info, Field: "commodityCodes", Check: repeatedCodes, Source: codeLaw,
		Title: "A commodity code is listed twice"},
}

// Numbers of digits in parts of a code.
const (
	chapterDigits = 2
	heading       = 4
	subheading    = 6
	fullCode      = 10
)

// numbered is a code with its index in the list.
type numbered struct {
	at   int
	code string // digits only
}

func (n numbered) field() string { return fieldAt(n.at) }

func fieldAt(i int) string { return "commodityCodes[" + strconv.Itoa(i) + "]" }

// digits returns a code without dots and spaces, or "" if it contains other characters.
func digits(text string) string {
	if allDigits(text) {
		return text
	}
	if text = strings.NewReplacer(".", "", " ", "").Replace(text); allDigits(text) {
		return text
	}
	return ""
}

func allDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// fullCodes yields the codes with at least the six digits of a subheading.
func (f *Filing) fullCodes() iter.Seq[numbered] {
	return func(yield func(numbered) bool) {
		for i, text := range f.CommodityCodes {
			code := digits(text)
			if len(code) >= subheading && len(code) <= fullCode && len(code)%2 == 0 && !yield(numbered{i, code}) {
				return
			}
		}
	}
}

// firstCode returns the first of them.
func (f *Filing) firstCode() (first numbered, ok bool) {
	for code := range f.fullCodes() {
		return code, true
	}
	return first, false
}

func (n numbered) chapter() string { return n.code[:chapterDigits] }

// beginsWith reports whether the code has one of several prefixes, given with spaces between them.
func (n numbered) beginsWith(beginnings string) bool {
	for b := range strings.FieldsSeq(beginnings) {
		if strings.HasPrefix(n.code, b) {
			return true
		}
	}
	return false
}

func missingCodes(f *Filing, _ rules.Facts) remarks {
	if len(f.CommodityCodes) > 0 || f.description() == "" { // else ICS2-022
		return nil
	}
	remark := rules.Remark{Message: "There is no commodity code.", Suggestion: "Give the six-digit code of each type of goods."}
	switch f.regime() {
	case union:
		remark.Severity = rules.Blocker
		remark.Message = "There is no commodity code, but ICS2 needs six digits for each item."
	case greatBritain:
		remark.Severity = rules.Info
		remark.Message = "There is no commodity code; only the description identifies the goods."
	}
	return remarks{remark}
}

func malformedCodes(f *Filing, _ rules.Facts) (found remarks) {
	into := f.regime()
	for i, text := range f.CommodityCodes {
		remark := rules.Remark{Suggestion: "Give six digits of the Harmonised System, or eight or ten of the tariff."}
		switch n := len(digits(text)); {
		case n < heading || n > fullCode:
			remark.Message = fmt.Sprintf("%q is not a commodity code: it must be digits, at least six of them.", text)
		case n%2 == 1:
			remark.Message = fmt.Sprintf("%q has %d digits, but commodity codes have 6, 8 or 10.", text, n)
		case n < subheading && into == greatBritain:
			remark.Severity = rules.Info
			remark.Message = fmt.Sprintf("%q is a heading of %d digits; a subheading is more precise.", text, n)
		case n < subheading:
			remark.Message = fmt.Sprintf("%q has %d digits, but six are required.", text, n)
		default:
			continue
		}
		remark.Field = fieldAt(i)
		found = append(found, remark)
	}
	return found
}

func unknownHeadings(f *Filing, _ rules.Facts) (found remarks) {
	for i, text := range f.CommodityCodes {
		code := digits(text)
		if len(code) < heading || len(code) > fullCode || goods.HeadingExists(code[:heading]) {
			continue
		}
		remark := rules.Remark{
			Field:      fieldAt(i),
			Message:    fmt.Sprintf("%s begins with %s, and the Harmonised System has no such heading.", code, code[:heading]),
			Suggestion: "Check the first four digits of the code.",
		}
		if chapter := code[:chapterDigits]; chapter == "98" || chapter == "99" {
			remark.Severity = rules.Warning
			remark.Message = fmt.Sprintf("%s is in chapter %s, which is reserved for statistics and reliefs.", code, chapter)
			remark.Suggestion = "Give the code of the goods, unless there is none, as for removals."
		}
		found = append(found, remark)
	}
	return found
}

func repeatedCodes(f *Filing, _ rules.Facts) (found remarks) {
	first := make(map[string]int, len(f.CommodityCodes))
	for i, text := range f.CommodityCodes {
		code := digits(text)
		if code == "" {
			continue
		}
		if at, ok := first[code]; ok {
			found = append(found, rules.Remark{
				Field:      fieldAt(i),
				Message:    fmt.Sprintf("%s is already at %s.", code, fieldAt(at)),
				Suggestion: "List each code once.",
			})
			continue
		}
		first[code] = i
	}
	return found
}

// names lists the first codes for a message.
func names(codes []numbered) string {
	const few = 3
	var texts []string
	for _, c := range codes[:min(few, len(codes))] {
		texts = append(texts, c.code)
	}
	if more := len(codes) - few; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(slices.Compact(texts), ", ")
}
