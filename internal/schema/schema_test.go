package schema_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// parcel has a member for every type and rule that a body can have.
type parcel struct {
	ID       string            `json:"id" format:"uuid"`
	Name     string            `json:"name" minLength:"1" maxLength:"5"`
	Kind     string            `json:"kind,omitempty" enum:"BOX,BAG"`
	At       *time.Time        `json:"at,omitempty"`
	Country  string            `json:"country,omitempty" format:"country"`
	Source   string            `json:"source,omitempty" format:"trading-country"`
	Area     string            `json:"area,omitempty" format:"trading-area"`
	Day      string            `json:"day,omitempty" format:"date"`
	Link     string            `json:"link,omitempty" format:"uri"`
	Code     string            `json:"code,omitempty" pattern:"^[0-9]{4}$"`
	Least    string            `json:"least,omitempty" minLength:"3"`
	Fragile  *bool             `json:"fragile,omitempty"`
	Pence    float64           `json:"pence,omitempty" minimum:"0" maximum:"1000" multipleOf:"0.01"`
	Degrees  float64           `json:"degrees,omitempty" minimum:"-40" maximum:"40"`
	Open     float64           `json:"open,omitempty" exclusiveMinimum:"0" exclusiveMaximum:"1"`
	Count    *int64            `json:"count,omitempty"`
	Small    int32             `json:"small,omitempty"`
	Items    []item            `json:"items,omitempty" minItems:"1" maxItems:"999" nullable:"false"`
	Crates   []string          `json:"crates,omitempty" minItems:"1"`
	Tags     []string          `json:"tags,omitempty" maxItems:"2" nullable:"false"`
	Owner    *owner            `json:"owner,omitempty"`
	Maybe    *string           `json:"maybe,omitempty" nullable:"true"`
	Form     map[string]any    `json:"form,omitempty"`
	Mapping  map[string]string `json:"mapping,omitempty"`
	Anything any               `json:"anything,omitempty"`
}

type item struct {
	Code   string  `json:"code" minLength:"1"`
	Mass   float64 `json:"mass" minimum:"0" multipleOf:"0.000001"`
	Value  float64 `json:"value,omitempty" minimum:"0" multipleOf:"0.01"`
	Count  int64   `json:"count,omitempty" minimum:"0" maximum:"99999999"`
	Origin string  `json:"origin,omitempty" format:"country"`
}

type owner struct {
	Name string `json:"name"`
	Next *owner `json:"next,omitempty"`
}

func schemaOf[B any]() (schema.Validator, *huma.Schema) {
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	return schema.Validator{Schemas: registry}, registry.Schema(reflect.TypeFor[B](), true, "")
}

// parcelOf returns a valid parcel with further members.
func parcelOf(members string) string {
	body := `{"id":"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a","name":"Tea"`
	if members != "" {
		body += "," + members
	}
	return body + "}"
}

// expect compares errors, each written as "field: message", in order.
func expect(t *testing.T, got []apierr.Detail, want ...string) {
	t.Helper()
	if text := formatDetails(got); text != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", text, strings.Join(want, "\n"))
	}
}

func formatDetails(details []apierr.Detail) string {
	lines := make([]string, len(details))
	for i, d := range details {
		lines[i] = d.Field + ": " + d.Message
	}
	return strings.Join(lines, "\n")
}
