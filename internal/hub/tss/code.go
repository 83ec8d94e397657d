package tss

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// beginsWith tells whether a code has one of several beginnings, listed with spaces between.
func beginsWith(code ident.CommodityCode, beginnings string) bool {
	return slices.ContainsFunc(strings.Fields(beginnings), func(b string) bool { return strings.HasPrefix(string(code), b) })
}
