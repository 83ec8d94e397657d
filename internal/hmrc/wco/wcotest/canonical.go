// Package wcotest compares declarations in tests.
package wcotest

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// decimals are numbers with decimal places, as the values of elements.
var decimals = regexp.MustCompile(`>(\d+)\.(\d*?)0*<`)

// Canonical returns a document without what the service assigns and what does not count: zeros after the decimal point, and the
// order of classifications and origins. Each element has a line.
func Canonical(t testing.TB, d wco.Declaration) string {
	t.Helper()
	d.FunctionalReferenceID, d.IssueDateTime = "", wco.DateTime{}
	items := slices.Clone(d.GoodsShipment.GovernmentAgencyGoodsItem)
	d.GoodsShipment.GovernmentAgencyGoodsItem = items
	for i := range items {
		items[i].Commodity.Classification = slices.Clone(items[i].Commodity.Classification)
		slices.SortStableFunc(items[i].Commodity.Classification, func(a, b wco.Classification) int {
			return cmp.Or(cmp.Compare(a.IdentificationTypeCode, b.IdentificationTypeCode), cmp.Compare(a.ID, b.ID))
		})
		items[i].Origin = slices.Clone(items[i].Origin)
		slices.SortStableFunc(items[i].Origin, func(a, b wco.Origin) int { return cmp.Compare(a.TypeCode, b.TypeCode) })
	}
	raw, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	text := decimals.ReplaceAllString(string(raw), ">$1.$2<")
	text = strings.ReplaceAll(strings.ReplaceAll(text, ".<", "<"), ` unitCode="KGM"`, "")
	return strings.ReplaceAll(text, "><", ">\n<")
}
