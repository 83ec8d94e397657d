package schema

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
)

// Prefix is the prefix of references to schemas.
const Prefix = "#/components/schemas/"

// Schemas builds and caches the schemas of bodies. The API and the console build theirs from the same
// types and so apply the same rules.
type Schemas struct {
	huma.Registry
	built sync.Map // by type
}

// NewSchemas returns a registry with the schemas of exact numbers and free-form objects.
func NewSchemas() *Schemas {
	s := &Schemas{Registry: huma.NewMapRegistry(Prefix, Name)}
	s.RegisterTypeAlias(reflect.TypeFor[quantity.Money](), reflect.TypeFor[moneySchema]())
	s.RegisterTypeAlias(reflect.TypeFor[quantity.Mass](), reflect.TypeFor[massSchema]())
	s.RegisterTypeAlias(reflect.TypeFor[quantity.Sum](), reflect.TypeFor[sumSchema]())
	s.RegisterTypeAlias(reflect.TypeFor[quantity.Rate](), reflect.TypeFor[rateSchema]())
	s.RegisterTypeAlias(reflect.TypeFor[quantity.Number](), reflect.TypeFor[numberSchema]())
	s.RegisterTypeAlias(reflect.TypeFor[quantity.Total](), reflect.TypeFor[totalSchema]())
	s.RegisterTypeAlias(reflect.TypeFor[quantity.Decimal](), reflect.TypeFor[decimalSchema]())
	s.RegisterTypeAlias(reflect.TypeFor[secret.Text](), reflect.TypeFor[secretSchema]())
	s.RegisterTypeAlias(reflect.TypeFor[filing.FreeForm](), reflect.TypeFor[freeFormSchema]())
	s.RegisterTypeAlias(reflect.TypeFor[filing.Content](), reflect.TypeFor[contentSchema]())
	s.RegisterTypeAlias(reflect.TypeFor[filing.UserMetadata](), reflect.TypeFor[metadataSchema]())
	return s
}

// Of returns the schema of a body type.
func (s *Schemas) Of(t reflect.Type) *huma.Schema {
	if known, ok := s.built.Load(t); ok {
		return known.(*huma.Schema)
	}
	schema := s.Schema(t, true, "")
	markRequired(s.Resolve(schema), t)
	s.built.Store(t, schema)
	return schema
}

// Resolve follows references.
func (s *Schemas) Resolve(schema *huma.Schema) *huma.Schema {
	for schema != nil && schema.Ref != "" {
		schema = s.SchemaFromRef(schema.Ref)
	}
	return schema
}

// Members returns the names of an object's members in the order of the struct's fields; sorted if the
// struct type is not known.
func (s *Schemas) Members(schema *huma.Schema) []string {
	var names []string
	if schema.Ref != "" {
		for _, field := range reflect.VisibleFields(s.TypeFromRef(schema.Ref)) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	known := s.Resolve(schema).Properties
	names = slices.DeleteFunc(names, func(name string) bool { return known[name] == nil })
	if len(names) < len(known) {
		return slices.Sorted(maps.Keys(known))
	}
	return names
}

// unprefixed are the packages under hub/ whose schemas have no prefix.
var unprefixed = []string{"customs", "exportcontrol"}

// declared is the package of what declarations declare. Its names, such as Amount, are prefixed, except that of an item.
const declared = "customs/datamodel"

// duties is the package of calculations, whose names, such as Option, are prefixed.
const duties = "/internal/tariff/duty"

// whatIfs is the package of what-ifs, whose names, such as Change, are prefixed.
const whatIfs = "/internal/records/whatif"

// Name returns the name of a type's schema. It starts with the Hub's name for a type of a Hub, because
// Hubs use the same names for their records, and with the package's name for a type of a package of a Hub.
func Name(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	pkg := t.PkgPath()
	if t.Kind() == reflect.Pointer && slices.ContainsFunc([]string{declared, duties, whatIfs}, func(end string) bool { return strings.HasSuffix(t.Elem().PkgPath(), end) }) {
		pkg = t.Elem().PkgPath()
	}
	_, hub, found := strings.Cut(pkg, "/internal/hub/")
	switch {
	case strings.HasSuffix(pkg, duties):
		return "Duty" + name
	case strings.HasSuffix(pkg, whatIfs):
		return "WhatIf" + name
	case found && hub == declared && name != "Item":
		return "Declared" + name
	case found && hub != declared && !slices.Contains(unprefixed, hub):
		_, part, inHub := strings.Cut(hub, "/")
		if prefix := capital(cmp.Or(part, hub)); !inHub || !strings.HasPrefix(name, prefix) {
			name = prefix + name
		}
	}
	return name
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// Schemas of exact numbers.
type (
	moneySchema  struct{}
	massSchema   struct{}
	sumSchema    struct{}
	rateSchema   struct{}
	numberSchema struct{}
	totalSchema  struct{}
)

func (moneySchema) Schema(huma.Registry) *huma.Schema  { return decimal(0.01) }
func (massSchema) Schema(huma.Registry) *huma.Schema   { return decimal(0.000001) }
func (sumSchema) Schema(huma.Registry) *huma.Schema    { return decimalUpTo(maxSum, 0.001) }
func (rateSchema) Schema(huma.Registry) *huma.Schema   { return decimal(0.00001) }
func (numberSchema) Schema(huma.Registry) *huma.Schema { return decimal(0.000001) }
func (totalSchema) Schema(huma.Registry) *huma.Schema {
	least := 0.0
	return &huma.Schema{Type: huma.TypeNumber, Minimum: &least}
}

// maxNumber and maxSum are the largest numbers that are stored exactly: of all numbers, and of amounts in any currency.
const (
	maxNumber = 99_999_999_999
	maxSum    = 9_999_999_999_999
)

// decimalSchema is a number whose members state its limits.
type decimalSchema struct{}

func (decimalSchema) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeNumber} }

func decimal(step float64) *huma.Schema { return decimalUpTo(maxNumber, step) }

func decimalUpTo(top, step float64) *huma.Schema {
	bottom := -top
	return &huma.Schema{Type: huma.TypeNumber, MultipleOf: &step, Maximum: &top, Minimum: &bottom}
}

// freeFormSchema accepts any object within its limits.
type freeFormSchema struct{}

func (freeFormSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true, Extensions: map[string]any{
		MaxBytes: filing.MaxFreeForm, MaxDepth: filing.MaxFreeFormDepth,
	}}
}

// contentSchema accepts any object within the limits of a message's content.
type contentSchema struct{}

func (contentSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true, Extensions: map[string]any{
		MaxBytes: filing.MaxContent, MaxDepth: filing.MaxFreeFormDepth, IsContent: true,
	}}
}

// metadataSchema accepts texts by key.
type metadataSchema struct{}

func (metadataSchema) Schema(huma.Registry) *huma.Schema {
	entries, key, value := filing.MaxMetadata, filing.MaxMetadataKey, filing.MaxMetadataValue
	return &huma.Schema{
		Type: huma.TypeObject, MaxProperties: &entries, AdditionalProperties: &huma.Schema{Type: huma.TypeString, MaxLength: &value},
		Extensions: map[string]any{PropertyNames: map[string]any{"minLength": 1, "maxLength": key}},
	}
}

// IsSecret marks the schema of a secret, in its extensions.
const IsSecret = "x-secret"

// maxSecret is the length of the longest secret of a body, in characters: the access code of a guarantee.
const maxSecret = 4

// secretSchema accepts a text, or {"set": true} for the stored one. Answers have only the latter.
type secretSchema struct{}

func (secretSchema) Schema(huma.Registry) *huma.Schema {
	least, most := 1, maxSecret
	stored := &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: false, Required: []string{"set"},
		Properties: map[string]*huma.Schema{"set": {Type: huma.TypeBoolean, Enum: []any{true}, Description: "A secret is stored"}},
	}
	return &huma.Schema{
		OneOf:      []*huma.Schema{{Type: huma.TypeString, MinLength: &least, MaxLength: &most}, stored},
		Extensions: map[string]any{IsSecret: true},
	}
}
