// Package declared has the numbers of customs declarations that records of several Hubs name: MRNs and DUCRs.
package declared

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Field is the member with the numbers.
const Field = "customsDeclarations"

// declarationKind is the kind of the organisation's own declarations.
const declarationKind = "declaration"

// Number is by which number a declaration is named.
type Number int

// The numbers.
const (
	MRN  Number = iota
	DUCR        // or the MRN of a declaration without one
)

// Complete replaces ids of the organisation's declarations in [Field] of an input by their numbers.
func Complete(tx filing.View, numbers []string, by Number, c filing.Completion) (filing.Completion, error) {
	taken := slices.Clone(numbers)
	var details []apierr.Detail
	for i, text := range numbers {
		id := strings.ToLower(text)
		if !ident.IsUUID(id) {
			continue
		}
		number, problem, err := numberOf(tx, id, by)
		if err != nil {
			return c, err
		}
		if problem != "" {
			details = append(details, apierr.Detail{Field: at(i), Message: problem})
			continue
		}
		taken[i] = number
	}
	if len(details) > 0 {
		return c, apierr.Invalid(details...)
	}
	if slices.Equal(taken, numbers) {
		return c, nil
	}
	patch, err := json.Marshal(map[string][]string{Field: taken})
	if err == nil {
		c.Body, err = filing.MergePatch(c.Body, patch)
	}
	return c, err
}

func at(i int) string { return Field + "[" + strconv.Itoa(i) + "]" }

// numberOf returns the number of a declaration, or why it has none. One without an MRN was not accepted.
func numberOf(tx filing.View, id string, by Number) (number, problem string, err error) {
	f, err := tx.Filing(declarationKind, id)
	if apierr.Is(err, apierr.NotFound) {
		return "", "is the id of no declaration of the organisation", nil
	}
	if err != nil {
		return "", "", err
	}
	var added struct{ MRN, DUCR string }
	if err := json.Unmarshal(f.Added, &added); err != nil {
		return "", "", fmt.Errorf("declared: declaration %s: %w", id, err)
	}
	switch {
	case added.MRN == "":
		return "", "is a declaration without an MRN: submit it first", nil
	case by == DUCR && added.DUCR != "":
		return added.DUCR, "", nil
	}
	return added.MRN, "", nil
}

// Malformed returns a remark for each number that is neither an MRN nor a DUCR.
func Malformed(numbers []string) (found []rules.Remark) {
	for i, text := range numbers {
		reference := strings.ToUpper(strings.TrimSpace(text))
		if _, err := ident.ParseMRN(reference); err == nil {
			continue
		}
		if _, err := ident.ParseDUCR(reference); err == nil {
			continue
		}
		found = append(found, rules.Remark{
			Field: at(i), Message: fmt.Sprintf("%q is neither an MRN nor a DUCR.", text), Suggestion: "Copy the MRN of the accepted declaration, such as 26GB3TTI2CQ1C7FGR4.",
		})
	}
	return found
}

// Repeated returns a remark for each number that is listed before.
func Repeated(numbers []string) (found []rules.Remark) {
	for i, text := range numbers {
		if slices.Contains(numbers[:i], text) {
			found = append(found, rules.Remark{Field: at(i), Message: text + " is listed twice.", Suggestion: "List each declaration once."})
		}
	}
	return found
}
