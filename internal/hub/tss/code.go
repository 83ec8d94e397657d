package tss

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// beginsWith reports whether a code has one of several prefixes, given with spaces between them.
func beginsWith(code ident.CommodityCode, beginnings string) bool {
	return slices.ContainsFunc(strings.Fields(beginnings), func(b string) bool { return strings.HasPrefix(string(code), b) })
}
