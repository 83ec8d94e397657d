package filing_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

type pair struct {
	Left  string `json:"left"`
	Right string `json:"right"`
}

func bothWrong(*pair) []apierr.Detail {
	return []apierr.Detail{{Field: "left", Message: "is wrong"}, {Field: "right.list[2].code", Message: "is wrong"}, {Field: "rights", Message: "is wrong"}}
}

// What a kind's own check finds is named beside the faults of the schema, but not for members of which the schema has found something,
// and not if the body cannot be read.
func TestFurtherFaults(t *testing.T) {
	kind := filing.Definition[pair]{Kind: "pair", Lifecycle: lifecycle.Archivable, Check: bothWrong, CheckInvalid: filing.InvalidBodies(bothWrong)}
	for _, c := range []struct{ body, fault, want string }{
		{`{}`, "", "[]"},
		{`{}`, "other", "[left right.list[2].code rights]"},
		{`{}`, "left", "[right.list[2].code rights]"},
		{`{}`, "left.inner", "[right.list[2].code rights]"},
		{`{}`, "right", "[left rights]"},
		{`{}`, "right.list[2]", "[left rights]"},
		{`{}`, "right.list[20]", "[left right.list[2].code rights]"},
		{`{"left":7}`, "other", "[]"},
	} {
		var faults []apierr.Detail
		if c.fault != "" {
			faults = []apierr.Detail{{Field: c.fault, Message: "breaks the schema"}}
		}
		fields := []string{}
		for _, d := range kind.Type().FurtherFaults(json.RawMessage(c.body), faults) {
			fields = append(fields, d.Field)
		}
		if got := fmt.Sprint(fields); got != c.want {
			t.Errorf("%s beside %q: %s, not %s", c.body, c.fault, got, c.want)
		}
	}
	kind.CheckInvalid = nil
	if got := kind.Type().FurtherFaults(json.RawMessage(`{}`), []apierr.Detail{{Field: "other"}}); got != nil {
		t.Errorf("a check that cannot read such bodies: %v", got)
	}
}
