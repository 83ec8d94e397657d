package audit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/audit"
)

// A parsed checkpoint has a sequence and a complete hash, and its text parses to the same
// checkpoint. Every parse error has the same text.
func FuzzCheckpoints(f *testing.F) {
	hash := strings.Repeat("9f86d081", 8)
	for _, text := range []string{"1042:" + hash, " 1:" + hash + "\n", "-1:" + hash, "+1:" + hash, "1:" + strings.ToUpper(hash), `{"sequence":1,"hash":"` + hash + `"}{"sequence":2,"hash":"` + hash + `"}`, `[]`, ``} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := audit.ParseCheckpoint(text); err == nil {
			again, err := audit.ParseCheckpoint(c.String())
			if err != nil || again != c || c.Sequence < 1 || len(c.Hash) != 64 {
				t.Errorf("%q is read as %s, and that as %s: %v", text, c, again, err)
			}
		} else if len(err.Error()) > 200 {
			t.Errorf("%d bytes of refusal", len(err.Error()))
		}
		all, err := audit.ReadCheckpoints(strings.NewReader(text))
		if (err == nil) != (len(all) > 0) {
			t.Errorf("%q: %d checkpoints and %v", text, len(all), err)
		}
		for _, c := range all {
			raw, _ := json.Marshal(c)
			if again, err := audit.ReadCheckpoints(strings.NewReader(string(raw))); err != nil || again[0] != c {
				t.Errorf("%s is read as %v: %v", raw, again, err)
			}
		}
	})
}
