package customs_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
)

// A supplementary declaration refers to what it completes: the simplified declaration by its MRN at each item, or the entry in the
// records by the day of its tax point, at one level only.
func TestReferencesOfSupplementaryDeclarations(t *testing.T) {
	const mrn, accepted = "26GB3TTI2CQ1C7FGR4", "2026-06-30T23:30:00.000Z" // 1 July in London
	entry := []datamodel.PreviousDocument{{Category: "Y", Type: "CLE", Reference: "20260630"}}
	for name, c := range map[string]struct {
		kind   string
		change func(*customs.Declaration)
		want   map[string]string // by field; empty: not added
	}{
		"of a simplified declaration": {"Y", nil, map[string]string{
			"taxPointAt": `"2026-07-01T00:30:00+01:00"`, "items[0].previousDocuments[0]": `{"category":"Y","type":"SDE","reference":"` + mrn + `","goodsItem":1}`,
			"items[1].previousDocuments[0]": `{"category":"Y","type":"SDE","reference":"` + mrn + `","goodsItem":2}`,
		}},
		"of an entry in the records": {"Z", nil, map[string]string{
			"taxPointAt": `"2026-07-01T00:30:00+01:00"`, "previousDocuments[0]": `{"category":"Y","type":"CLE","reference":"20260701"}`,
		}},
		"with the day of the entry": {"Z", func(d *customs.Declaration) { d.TaxPointAt = "2026-06-29" }, map[string]string{
			"taxPointAt": "", "previousDocuments[0]": `{"category":"Y","type":"CLE","reference":"20260629"}`,
		}},
		"beside other documents": {"Z", func(d *customs.Declaration) {
			d.PreviousDocuments = []datamodel.PreviousDocument{{Category: "Z", Type: "355", Reference: "X"}}
		}, map[string]string{
			"previousDocuments[1]": `{"category":"Y","type":"CLE","reference":"20260701"}`,
		}},
		"that names the entry": {"Z", func(d *customs.Declaration) { d.PreviousDocuments = entry }, nil},
		"that names the entry of an item": {"Z", func(d *customs.Declaration) { d.Items[1].PreviousDocuments = entry }, map[string]string{
			"items[0].previousDocuments[0]": `{"category":"Y","type":"CLE","reference":"20260701"}`,
		}},
		"that excludes it": {"Z", func(d *customs.Declaration) { d.PreviousDocuments = []datamodel.PreviousDocument{} }, nil},
		"under a memorandum of understanding": {"Z", func(d *customs.Declaration) {
			d.DeclarationType, d.DataSet = customs.Export, "B1"
			d.Authorisations = []datamodel.Authorisation{{Type: "MOU", Holder: "GB123456789000"}}
			d.PreviousDocuments = []datamodel.PreviousDocument{{Category: "Z", Type: "DCR", Reference: "6GB123456789000-1"}}
		}, nil},
	} {
		d, s, client, o := known()
		d.AdditionalType, d.Items = c.kind, append(d.Items, d.Items[0])
		if c.change != nil {
			c.change(&d)
		}
		found := 0
		derived := customs.FilledSupplement(d, s, client, o, mrn, accepted, testTime)
		for _, one := range derived {
			if strings.Contains(one.Field, "previousDocuments") {
				found++
			}
		}
		added := 0
		for field, want := range c.want {
			if got := valueOf(derived, field); got != want {
				t.Errorf("%s: %s is %s, not %s", name, field, got, want)
			}
			if strings.Contains(field, "previousDocuments") && want != "" {
				added++
			}
		}
		if found != added {
			t.Errorf("%s: %d previous documents are added, not %d: %+v", name, found, added, derived)
		}
	}
}
