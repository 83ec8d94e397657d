package ics2

import (
	"slices"
	"strings"
)

// What the tests compare with the lists of the publishers.
var (
	SecurityArea    = securityArea
	CountryLists    = [][]string{securityArea, shortSea, shortFlight, overseas, landlocked, britain}
	NorthernIrish   = northernIrish
	Occupied        = occupied
	FerryPorts      = ferryPorts
	FiveLetterNames = fiveLetterNames
)

// RiskCodes are all beginnings of codes that a rule looks for.
func RiskCodes() (all []string) {
	for _, family := range slices.Concat(licensed, controlled) {
		all = append(all, strings.Fields(family.codes)...)
	}
	for code := range priorityList {
		all = append(all, code)
	}
	return all
}
