package tss

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// memberStates lists the member states of the European Union.
var memberStates = strings.Fields("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK")

// economicArea lists the other states of the European Economic Area.
var economicArea = strings.Fields("IS LI NO")

func inUnion(country string) bool { return slices.Contains(memberStates, country) }

// inUK accepts XI and GB, because addresses in Northern Ireland are written with either.
func inUK(country ident.Country) bool { return country == "GB" || country == ident.NorthernIreland }
