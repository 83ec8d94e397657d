package filing_test

import (
	"encoding/json"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// letterAdds has one member that is null until it is added, and one that is left out.
type letterAdds struct {
	SentAt *string `json:"sentAt"`
	Note   *string `json:"note,omitempty"`
}

// A member that is documented as null until the service adds it is null in every record of the kind,
// also in records that were stored before the member existed; other kinds are as they were.
func TestNullMembers(t *testing.T) {
	filing.Definition[struct{}]{Kind: "nulls.letter", Adds: letterAdds{}, Lifecycle: lifecycle.Regulated}.Type()
	for _, c := range []struct{ kind, added, want string }{
		{"nulls.letter", ``, `"sentAt":null`},
		{"nulls.letter", `{"note":"n"}`, `"note":"n","sentAt":null`},
		{"nulls.letter", `{"sentAt":"2026-11-21T09:00:00.000Z"}`, `"sentAt":"2026-11-21T09:00:00.000Z"`},
		{"nulls.other", `{"note":"n"}`, `"note":"n"`},
	} {
		f := filing.Filing{ID: "a", Kind: c.kind, Added: json.RawMessage(c.added), Body: json.RawMessage(`{"a":1}`), Brief: json.RawMessage(`{"b":1}`)}
		const common = `{"id":"a","status":"","createdAt":"0001-01-01T00:00:00.000Z","updatedAt":"0001-01-01T00:00:00.000Z",`
		if got := string(f.AppendJSON(nil)); got != common+`"a":1,`+c.want+`}` {
			t.Errorf("%s with %s: %s", c.kind, c.added, got)
		}
		if got := string(f.AppendBrief(nil)); got != common+`"b":1,`+c.want+`}` {
			t.Errorf("%s with %s in a list: %s", c.kind, c.added, got)
		}
	}
}
