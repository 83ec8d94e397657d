package customs_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// Each data set has its deadlines: simplified declarations are completed by the 10th of the month after the tax point, except for
// a customs warehouse; exports leave in 150 days; and special procedures are discharged by the day or period of a statement or of
// the authorisation.
func TestDeadlinesByDataSet(t *testing.T) {
	kind := customs.Declarations(tariff.Embedded(), nil, nil)
	const accepted = `"acceptedAt":"2026-11-02T09:00:00.000Z"`
	declaration := func(direction, set, procedure string, change func(*customs.Declaration)) customs.Declaration {
		d := customs.Declaration{DeclarationType: direction, Items: []customs.Item{{ProcedureCode: procedure}}}
		d.DataSet = set
		if change != nil {
			change(&d)
		}
		return d
	}
	states := func(code, text string) func(*customs.Declaration) {
		return func(d *customs.Declaration) {
			d.Items[0].AdditionalInformation = []datamodel.Statement{{Code: "00500", Text: "IMPORTER"}, {Code: code, Text: text}}
		}
	}
	on := func(day string) func(*customs.Declaration) {
		return func(d *customs.Declaration) { d.TaxPointAt = day }
	}
	for _, c := range []struct {
		name   string
		d      customs.Declaration
		status lifecycle.State
		added  string
		want   []string
	}{
		{"simplified", declaration(customs.Import, "I1", "4000", nil), customs.Cleared, accepted, []string{"supplementary 2026-12-10"}},
		{"simplified export", declaration(customs.Export, "C1", "1040", nil), lifecycle.Accepted, accepted, []string{"supplementary 2026-12-10", "departure 2027-04-01"}},
		{"entry in the records", declaration(customs.Import, "C21I_EIDR", "4000", nil), customs.Cleared, accepted, []string{"supplementary 2026-12-10"}},
		{"tax point", declaration(customs.Import, "I1", "4000", on("2026-10-31")), customs.Cleared, accepted, []string{"supplementary 2026-11-10"}},
		{"to a warehouse", declaration(customs.Import, "I1", "7100", nil), customs.Cleared, accepted, nil},
		{"completed", declaration(customs.Import, "I1", "4000", nil), customs.Cleared, accepted + `,"supplementedBy":"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`, nil},
		{"not accepted", declaration(customs.Import, "I1", "4000", nil), lifecycle.Submitted, `"lrn":"A"`, nil},
		{"standard", declaration(customs.Import, "H1", "4000", nil), customs.Cleared, accepted, nil},
		{"cleared export", declaration(customs.Export, "B1", "1040", nil), customs.Cleared, accepted, []string{"departure 2027-04-01"}},
		{"exited", declaration(customs.Export, "B1", "1040", nil), customs.Cleared, accepted + `,"exitedAt":"2026-11-03T09:00:00.000Z"`, nil},
		{"exited earlier", declaration(customs.Export, "B1", "1040", nil), customs.Cleared, accepted + `,"stage":"EXITED"`, nil},
		{"day of re-export", declaration(customs.Import, "H3", "5300", states("GEN28", "28 days duration to be re exported on 30112026")), customs.Cleared, accepted, []string{"discharge 2026-11-30"}},
		{"duration", declaration(customs.Import, "H3", "5300", states("GEN28", "28 days")), customs.Cleared, accepted, []string{"discharge 2026-11-30"}},
		{"period of discharge", declaration(customs.Import, "H4", "5100", states("POD01", "6 months")), customs.Cleared, accepted, []string{"discharge 2027-05-02"}},
		{"period in the text", declaration(customs.Import, "H4", "5100", states("GEN99", "POD 2027-01-31")), customs.Cleared, accepted, []string{"discharge 2027-01-31"}},
		{"period of the authorisation", declaration(customs.Export, "B2", "2100", nil), customs.Cleared, accepted + `,"dischargePeriod":"P6M","exitedAt":"2026-11-03T09:00:00.000Z"`, []string{"discharge 2027-05-02"}},
		{"no period", declaration(customs.Import, "H4", "5100", states("GEN28", "as agreed")), customs.Cleared, accepted, nil},
		{"cancelled", declaration(customs.Import, "I1", "4000", nil), lifecycle.Cancelled, accepted, nil},
	} {
		var got []string
		for _, d := range kind.Deadlines(&c.d, filing.Metadata{Status: c.status, Added: json.RawMessage("{" + c.added + "}")}) {
			got = append(got, d.Name+" "+d.DueAt.In(london(t)).Format(time.DateOnly))
			if d.Title == "" || d.Source == "" {
				t.Errorf("%s: %+v", c.name, d)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
}

func london(t *testing.T) *time.Location {
	t.Helper()
	l, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The last days of a client's authorisations, guarantees and written authority are deadlines, until it is archived.
func TestDeadlinesOfAClient(t *testing.T) {
	c := customs.Client{Name: "Mill Lane"}
	c.Terms = terms.Terms{
		Authorisations:          []terms.HeldAuthorisation{{Type: "DPO", Number: "GBDPO1"}, {Type: "SDE", ValidUntil: "2026-12-31"}},
		Guarantees:              []terms.HeldGuarantee{{Reference: "GBCGU1", ValidUntil: "2027-01-31"}},
		RepresentationAuthority: &terms.WrittenAuthority{Until: "2027-02-28"},
	}
	var got []string
	for _, d := range customs.Clients.Deadlines(&c, filing.Metadata{Status: lifecycle.Active}) {
		got = append(got, d.Name+" "+d.DueAt.In(london(t)).Format(time.DateOnly))
	}
	if want := []string{"authorisation_expiry_2 2026-12-31", "guarantee_expiry_1 2027-01-31", "representation_expiry 2027-02-28"}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	if all := customs.Clients.Deadlines(&c, filing.Metadata{Status: lifecycle.Archived}); all != nil {
		t.Errorf("an archived client has %v", all)
	}
}
