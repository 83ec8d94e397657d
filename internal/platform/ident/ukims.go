package ident

import (
	"errors"
	"time"
)

// UKIMS is the number of an authorisation under the UK Internal Market Scheme: GB or XI, the letters UKIM, the twelve
// digits of the holder's EORI, and the second in which it was granted.
type UKIMS string

const ukimsRequirement = "must be GBUKIM or XIUKIM, the 12 digits of the EORI and 14 digits of the date and time of the authorisation"

var ukimsShape = newShape(`(GB|XI)UKIM[0-9]{26}`, ukimsRequirement)

// Positions of the parts of the number.
const (
	ukimsHolder  = 6
	ukimsGranted = 18
	ukimsLayout  = "20060102150405"
)

// ParseUKIMS reads an authorisation number, whose date must exist in the calendar.
func ParseUKIMS(text string) (UKIMS, error) {
	s, err := ukimsShape.parse(text)
	if err != nil {
		return "", err
	}
	if _, err := time.Parse(ukimsLayout, s[ukimsGranted:]); err != nil {
		return "", errors.New(ukimsRequirement)
	}
	return UKIMS(s), nil
}

// Holder returns the twelve digits of the holder's EORI.
func (u UKIMS) Holder() string { return string(u[ukimsHolder:ukimsGranted]) }

// Granted returns when it was granted, read as UTC: at most an hour off.
func (u UKIMS) Granted() time.Time {
	t, _ := time.Parse(ukimsLayout, string(u[ukimsGranted:]))
	return t
}
