package demo_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// Placeholders for IDs, times and dates are replaced using London time, in summer and in winter, and
// across the end of a month.
func TestPlaceholders(t *testing.T) {
	const body = `{ "a": "@mill-lane", "b": "in 2 days at 06:30", "c": "day in -9 days", "d": "in two days" }`
	for now, want := range map[string]string{
		"2026-11-29T23:30:00Z": `{"a":"id","b":"2026-12-01T06:30:00Z","c":"2026-11-20","d":"in two days"}`,
		"2026-06-30T23:30:00Z": `{"a":"id","b":"2026-07-03T05:30:00Z","c":"2026-06-22","d":"in two days"}`,
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := demo.At(body, at, map[string]string{"mill-lane": "id"}); err != nil || got != want {
			t.Errorf("at %s: %s, %v", now, got, err)
		}
	}
}

// The demo data contains filings of every kind and every outcome at CDS, and each name is unique.
func TestStoryIsComplete(t *testing.T) {
	seen, names := map[string]int{}, map[string]bool{}
	for _, d := range storyFilings(t) {
		seen[d.Kind]++
		seen[string(d.Until)]++
		if names[d.Name] {
			t.Errorf("%s is listed twice", d.Name)
		}
		names[d.Name] = true
	}
	for what, least := range map[string]int{
		"client": 8, "product": 3, "declaration": 20, "gvms.movement": 4, "emcs.movement": 5, "tss.declaration": 4, "trade.licence": 4, "corporate.filing": 5, "ics2.filing": 4, "cbam.import": 6,
		"CLEARED": 8, "REJECTED": 2, "ACCEPTED": 3, "SUBMITTED": 2, "CANCELLED": 1,
	} {
		if seen[what] < least {
			t.Errorf("%d of %s, at least %d wanted", seen[what], what, least)
		}
	}
}

// The API would accept every body: it passes the same validation.
func TestBodiesAreValid(t *testing.T) {
	types := map[string]*filing.Type{"declaration": customs.Declarations(&official.Library{}, nil, nil).Type()}
	for _, k := range app.Kinds() {
		types[k.Kind] = k
	}
	schemas, ids := schema.NewSchemas(), map[string]string{}
	for _, d := range storyFilings(t) {
		body, err := d.At(time.Now(), ids)
		if err != nil {
			t.Fatal(err)
		}
		reader := schema.Validator{Schemas: schemas}
		for _, wrong := range reader.Check(schemas.Of(types[d.Kind].Body), body) {
			t.Errorf("%s: %s %s", d.Name, wrong.Field, wrong.Message)
		}
		ids[d.Name] = "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"
	}
}

func storyFilings(t *testing.T) []demo.StoryFiling {
	t.Helper()
	all, err := demo.StoryFilings()
	if err != nil {
		t.Fatal(err)
	}
	return all
}
