package ident

import "errors"

// UNLOCODE names a place of trade and transport, such as GBFXT for Felixstowe: a country and three characters. It may
// not be in the list.
type UNLOCODE string

// highSeas is the country of installations in international waters.
const highSeas = "XZ"

const unlocodeRequirement = "must be two letters of a country and three of A-Z 2-9"

var unlocodeShape = newShape(`[A-Z]{2}[A-Z2-9]{3}`, unlocodeRequirement)

// ParseUNLOCODE reads a code with or without the space after its country. XI has no places: those of Northern Ireland
// begin with GB.
func ParseUNLOCODE(text string) (UNLOCODE, error) {
	s, err := unlocodeShape.parse(text)
	if err == nil && !isISO(s[:2]) && s[:2] != highSeas {
		return "", errors.New(unlocodeRequirement)
	}
	return UNLOCODE(s), err
}

// Country returns the country of the place.
func (u UNLOCODE) Country() Country { return Country(u[:2]) }
