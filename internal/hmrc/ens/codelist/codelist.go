// Package codelist has the codes that HMRC's guide for Safety and Security GB lists. HMRC's published rules do not check them, but
// its risk assessment may: a code that is not here is doubtful, not wrong.
package codelist

import (
	_ "embed" // the lists
	"slices"
	"strings"
	"sync"
)

//go:embed lists.txt
var lists string

// AsOf is the day of the lists, YYYY-MM-DD.
const AsOf = "2026-01-16"

// List is one of the lists.
type List string

// The lists, with an element that each is for.
const (
	Countries     List = "COUNTRIES"     // CouCO125
	Languages     List = "LANGUAGES"     // GooDesGDS23LNG
	Documents     List = "DOCUMENTS"     // DocTypDC21
	Packages      List = "PACKAGES"      // KinOfPacGS23
	Payments      List = "PAYMENTS"      // MetOfPayGDI12
	Modes         List = "MODES"         // TraModAtBorHEA76
	Circumstances List = "CIRCUMSTANCES" // SpeCirIndHEA1; the rules refuse A
	Mentions      List = "MENTIONS"      // AddInfCodMT23
)

// Codes returns the codes of the list in the order of bytes. The caller must not change them.
func (l List) Codes() []string { return all()[l] }

// Has reports whether a code is in the list.
func (l List) Has(code string) bool {
	_, found := slices.BinarySearch(l.Codes(), code)
	return found
}

// all reads the lists. A line that begins with = has the name of a list, whose codes follow.
var all = sync.OnceValue(func() map[List][]string {
	read := map[List][]string{}
	var name List
	for line := range strings.Lines(lists) {
		words := strings.Fields(line)
		switch words[0] {
		case "#":
		case "=":
			name = List(words[1])
		default:
			read[name] = append(read[name], words...)
		}
	}
	return read
})
