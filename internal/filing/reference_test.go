package filing_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// ticketAdds has a reference and who made it.
type ticketAdds struct {
	Number string `json:"number,omitempty"`
	filing.Sourced
}

// The source of a reference is null without one and for the authority's own. Earlier versions stored references without a
// source: they made all of them, except for kinds that were connected to their authority even then.
func TestReferenceSource(t *testing.T) {
	definition := filing.Definition[struct{}]{Kind: "source.ticket", Adds: ticketAdds{}, Lifecycle: lifecycle.Regulated, ReferenceMember: "number"}
	ticket := definition.Type()
	definition.Kind, definition.MixedReferences = "source.mixed", true
	mixed := definition.Type()
	for _, c := range []struct {
		kind               *filing.Type
		added, shown, want string
	}{
		{ticket, ``, "null", ""},
		{ticket, `{"other":1}`, "null", ""},
		{ticket, `{"number":"T1"}`, `"simulated"`, "simulated"},
		{ticket, `{"number":"T1","referenceSource":"simulated"}`, `"simulated"`, "simulated"},
		{ticket, `{"number":"T1","referenceSource":"simulator"}`, `"simulator"`, "simulator"},
		{ticket, `{"number":"T1","referenceSource":null}`, "null", ""},
		{mixed, `{"number":"T1"}`, "null", ""},
		{mixed, `{"number":"T1","referenceSource":"simulated"}`, `"simulated"`, "simulated"},
	} {
		f := filing.Filing{Kind: c.kind.Kind, Added: json.RawMessage(c.added)}
		if got := string(f.AppendJSON(nil)); strings.Count(got, "referenceSource") != 1 || !strings.Contains(got, `"referenceSource":`+c.shown) {
			t.Errorf("%s with %s: %s", c.kind.Kind, c.added, got)
		}
		r, err := c.kind.ReferenceOf(f.Added)
		if err != nil || string(r.Source) != c.want || (r.Value == "T1") != strings.Contains(c.added, "T1") {
			t.Errorf("%s with %s: %+v %v", c.kind.Kind, c.added, r, err)
		}
		if got := c.kind.SimulatedReference(&f); (got == "T1") != (c.want == "simulated" || c.want == "simulator") {
			t.Errorf("%s with %s: simulated reference %q", c.kind.Kind, c.added, got)
		}
	}
}
