package tss

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// memberStates of the European Union, by ISO code.
var memberStates = strings.Fields("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK")

// economicArea are the other states of the European Economic Area.
var economicArea = strings.Fields("IS LI NO")

func inUnion(country string) bool { return slices.Contains(memberStates, country) }

// inUK takes GB for Northern Ireland too, as its addresses are written.
func inUK(country ident.Country) bool { return country == "GB" || country == ident.NorthernIreland }
