package ics2

import (
	"slices"
	"strings"
)

// Lists that the tests compare with the published ones.
var (
	SecurityArea    = securityArea
	CountryLists    = [][]string{securityArea, shortSea, shortFlight, overseas, landlocked, britain}
	NorthernIrish   = northernIrish
	Occupied        = occupied
	FerryPorts      = ferryPorts
	FiveLetterNames = fiveLetterNames
)

// RiskCodes returns all prefixes of codes that rules check.
func RiskCodes() (all []string) {
	for _, family := range slices.Concat(licensed, controlled) {
		all = append(all, strings.Fields(family.codes)...)
	}
	for code := range priorityList {
		all = append(all, code)
	}
	return all
}
