package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Check never panics. A body without errors is valid JSON and unmarshals into its struct. Every error
// has a message, and the same body gives the same errors.
func FuzzCheck(f *testing.F) {
	for _, members := range []string{
		``, `"kind":"BOX","at":"2026-11-21T09:00:00Z"`, `"at":"2026-11-21T9:00:00,5Z"`, `"pence":1e-99,"degrees":-0`, `"count":1E2,"small":1.0`,
		`"items":[{"code":"1","mass":0.5}],"tags":[]`, `"owner":{"name":"x","next":{"name":""}}`, `"form":{"a":1e400,"b":[[[]]]},"mapping":{"a":"b"}`,
		`"anything":{"anything":null},"maybe":null`, `"name":"Tea"`, `"NAME":"Tea"`, "\"name\":\"\xff\"", `"link":"https://example.com","country":"GB"`,
	} {
		f.Add([]byte(parcelOf(members)))
	}
	f.Add([]byte(``))
	f.Add([]byte(`[1 2]`))
	f.Add([]byte(strings.Repeat("[", 100)))
	reader, schema := schemaOf[parcel]()
	f.Fuzz(func(t *testing.T, body []byte) {
		details := reader.Check(schema, body)
		if again := reader.Check(schema, body); formatDetails(again) != formatDetails(details) {
			t.Errorf("first %v, then %v", details, again)
		}
		reader.CheckPatch(schema, body)
		checkReport(t, details)
		if details != nil {
			return
		}
		if !json.Valid(body) {
			t.Errorf("%q is accepted but is not JSON", body)
		}
		if err := json.Unmarshal(body, new(parcel)); err != nil {
			t.Errorf("%q is accepted but does not unmarshal: %v", body, err)
		}
	})
}

func checkReport(t *testing.T, details []apierr.Detail) {
	t.Helper()
	if len(details) > 100 {
		t.Errorf("%d errors", len(details))
	}
	for _, d := range details {
		if d.Message == "" {
			t.Errorf("%q has no message", d.Field)
		}
	}
}
