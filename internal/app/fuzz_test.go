package app_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// A body that is valid by its schema is accepted, or rejected with the fields at fault. Parsing it again gives the same
// result, and its review is the same each time, has a text for each finding, and is short.
func FuzzFilings(f *testing.F) {
	kinds := append(app.Kinds(), customs.Declarations(tariff.Embedded(), nil, nil).Type())
	schemas := schema.NewSchemas()
	for i, kind := range kinds {
		f.Add(uint8(i), sample(kind))
		f.Add(uint8(i), `{}`)
	}
	facts := rules.Facts{Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}
	f.Fuzz(func(t *testing.T, which uint8, body string) {
		kind := kinds[int(which)%len(kinds)]
		if (schema.Validator{Schemas: schemas}).Check(schemas.Of(kind.Body), []byte(body)) != nil {
			return
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(body)); err != nil {
			t.Fatalf("%s is sound, but %v", body, err)
		}
		in, err := kind.Parse(compact.Bytes(), facts.Now)
		if err != nil {
			refused(t, body, err)
			return
		}
		if again, err := kind.Parse(compact.Bytes(), facts.Now); err != nil || !reflect.DeepEqual(again.Names(), in.Names()) || again.Period() != in.Period() {
			t.Errorf("%s is taken, and then as another: %v", body, err)
		}
		judged(t, kind, compact.Bytes(), facts)
	})
}

// sample returns a body made of the examples in the API document.
func sample(kind *filing.Type) string {
	body := map[string]any{}
	for i := range kind.Body.NumField() {
		field := kind.Body.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		example := field.Tag.Get("example")
		var value any = example
		if json.Unmarshal([]byte(example), &value) != nil {
			value = example
		}
		if example != "" {
			body[name] = value
		}
	}
	raw, _ := json.Marshal(body)
	return string(raw)
}

func refused(t *testing.T, body string, err error) {
	t.Helper()
	why, ok := apierr.As(err)
	if !ok || len(why.Details) == 0 {
		t.Fatalf("%s is refused without a field: %v", body, err)
	}
	for _, d := range why.Details {
		if d.Field == "" || d.Message == "" || len(d.Message) > 2000 {
			t.Errorf("%s is refused by %+v", body, d)
		}
	}
}

// longFinding is longer than any finding on a value of maximum length.
const longFinding = 4000

func judged(t *testing.T, kind *filing.Type, body []byte, facts rules.Facts) {
	t.Helper()
	first, err := kind.Review(body, facts)
	if err != nil {
		t.Fatalf("%s is taken, but not to be reviewed: %v", body, err)
	}
	if again, err := kind.Review(body, facts); err != nil || !reflect.DeepEqual(again, first) {
		t.Errorf("%s is reviewed as %+v, and then as %+v: %v", body, first, again, err)
	}
	if first.RiskScore < 0 || first.RiskScore > 1 || first.Summary == "" {
		t.Errorf("%s: %+v", body, first)
	}
	for _, finding := range first.Findings {
		if finding.Code == "" || finding.Field == "" || finding.Message == "" || len(finding.Message) > longFinding {
			t.Errorf("%s: %+v", body, finding)
		}
	}
}
