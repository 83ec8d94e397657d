package schema

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Prefix is that of the references to schemas.
const Prefix = "#/components/schemas/"

// Schemas are the schemas of bodies, each made once. The API and the console make
// theirs from the same types, and so hold a body to the same rules.
type Schemas struct {
	huma.Registry
	made sync.Map // by type
}

// NewSchemas are none so far, and know the exact numbers and the free-form object.
func NewSchemas() *Schemas {
	s := &Schemas{Registry: huma.NewMapRegistry(Prefix, Name)}
	s.RegisterTypeAlias(reflect.TypeFor[quantity.Money](), reflect.TypeFor[moneySchema]())
	s.RegisterTypeAlias(reflect.TypeFor[quantity.Mass](), reflect.TypeFor[massSchema]())
	s.RegisterTypeAlias(reflect.TypeFor[quantity.Number](), reflect.TypeFor[numberSchema]())
	s.RegisterTypeAlias(reflect.TypeFor[quantity.Total](), reflect.TypeFor[totalSchema]())
	s.RegisterTypeAlias(reflect.TypeFor[filing.FreeForm](), reflect.TypeFor[freeFormSchema]())
	return s
}

// Of is the schema of a body, with every field's own.
func (s *Schemas) Of(t reflect.Type) *huma.Schema {
	if known, ok := s.made.Load(t); ok {
		return known.(*huma.Schema)
	}
	schema := s.Schema(t, true, "")
	s.made.Store(t, schema)
	return schema
}

// Resolve follows references to what they refer to.
func (s *Schemas) Resolve(schema *huma.Schema) *huma.Schema {
	for schema != nil && schema.Ref != "" {
		schema = s.SchemaFromRef(schema.Ref)
	}
	return schema
}

// Members are the names of an object's members as its author ordered them, which
// their schema does not tell; sorted where there is no type to ask.
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

// unprefixed are the packages of hub/ whose schemas are published without a prefix.
var unprefixed = []string{"customs", "exportcontrol"}

// Name is the name of a type's schema. It begins with the Hub's name if the type is a Hub's, because Hubs use the same
// names for their records.
func Name(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	if _, hub, found := strings.Cut(t.PkgPath(), "/internal/hub/"); found && !slices.Contains(unprefixed, hub) {
		return strings.ToUpper(hub[:1]) + hub[1:] + name
	}
	return name
}

// The exact numbers as a document shows them.
type (
	moneySchema  struct{}
	massSchema   struct{}
	numberSchema struct{}
	totalSchema  struct{}
)

func (moneySchema) Schema(huma.Registry) *huma.Schema  { return decimal(0.01) }
func (massSchema) Schema(huma.Registry) *huma.Schema   { return decimal(0.000001) }
func (numberSchema) Schema(huma.Registry) *huma.Schema { return decimal(0.000001) }
func (totalSchema) Schema(huma.Registry) *huma.Schema {
	least := 0.0
	return &huma.Schema{Type: huma.TypeNumber, Minimum: &least}
}

// largest is the largest number that is kept exactly.
const largest = 99_999_999_999

func decimal(step float64) *huma.Schema {
	top, bottom := float64(largest), float64(-largest)
	return &huma.Schema{Type: huma.TypeNumber, MultipleOf: &step, Maximum: &top, Minimum: &bottom}
}

// freeFormSchema takes any object within its limits.
type freeFormSchema struct{}

func (freeFormSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true, Extensions: map[string]any{
		MaxBytes: filing.MaxFreeForm, MaxDepth: filing.MaxFreeFormDepth,
	}}
}
