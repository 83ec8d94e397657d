package ident

import (
	"errors"
	"fmt"
	"strings"
)

// DUCR is the declaration unique consignment reference that an exporter gives a consignment: a digit of the year, the
// EORI, a dash and a reference. CDS rejects one that was used within twelve months (CDS12062).
type DUCR string

const (
	ducrLength      = 35
	ducrRequirement = "must be a digit of the year, an EORI, a dash and 1 to 19 characters of A-Z 0-9 ( ) / -, 35 in all"
)

var ducrShape = newShape(`[0-9][A-Z0-9]{3,17}-[A-Z0-9()/-]{1,19}`, ducrRequirement)

// ParseDUCR reads a DUCR.
func ParseDUCR(text string) (DUCR, error) {
	s, err := ducrShape.parse(text)
	if err != nil {
		return "", err
	}
	exporter, _, _ := strings.Cut(s[1:], "-")
	if _, err := ParseEORI(exporter); err != nil || len(s) > ducrLength {
		return "", errors.New(ducrRequirement)
	}
	return DUCR(s), nil
}

// NewDUCR returns the DUCR of a consignment with an exporter's reference.
func NewDUCR(year int, exporter EORI, reference string) (DUCR, error) {
	d, err := ParseDUCR(fmt.Sprintf("%d%s-%s", year%10, exporter, reference))
	if err != nil {
		return "", fmt.Errorf("ident: DUCR of %s for %q: %w", exporter, reference, err)
	}
	return d, nil
}
