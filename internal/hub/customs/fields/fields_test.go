package fields_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
)

// bodies are the records with their bodies.
var bodies = map[fields.Record]reflect.Type{
	fields.Declaration: reflect.TypeFor[customs.Declaration](), fields.Shipment: reflect.TypeFor[customs.Shipment](), fields.Client: reflect.TypeFor[customs.Client](),
	fields.Organisation: reflect.TypeFor[access.Profile](),
}

// lookOfPortal is the member of an organisation that is about no declaration; it has a page of its own.
const lookOfPortal = "portal"

// Every member of a body has exactly one field with its type, and every field is a member.
func TestEveryMemberHasAField(t *testing.T) {
	for record, body := range bodies {
		members := map[string]fields.Type{}
		collect(body, "", members)
		seen := map[string]bool{}
		for _, f := range fields.Of(record) {
			switch is, known := members[f.Path]; {
			case seen[f.Path]:
				t.Errorf("%s: %s has two fields", record, f.Path)
			case !known:
				t.Errorf("%s: the field %s is no member", record, f.Path)
			case is != f.Type:
				t.Errorf("%s: %s is a field of type %s, and the member is of type %s", record, f.Path, f.Type, is)
			}
			seen[f.Path] = true
		}
		for path := range members {
			if group, _, _ := strings.Cut(path, "."); record == fields.Organisation && group == lookOfPortal {
				continue
			}
			if !seen[path] {
				t.Errorf("%s: the member %s has no field. Add it to the table.", record, path)
			}
		}
	}
}

// collect adds the members of a struct with the types that their fields must have.
func collect(t reflect.Type, at string, members map[string]fields.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && f.IsExported():
			collect(f.Type, at, members)
		case f.IsExported():
			of, path := f.Type, strings.TrimPrefix(at+"."+name, ".")
			if of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			if of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Struct {
				path, of = path+"[]", of.Elem()
			}
			members[path] = typeOf(f, strings.HasSuffix(path, "[]"))
			if members[path] == fields.Group || members[path] == fields.List {
				collect(of, path, members)
			}
		}
	}
}

func typeOf(f reflect.StructField, list bool) fields.Type {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case list:
		return fields.List
	case t.Kind() == reflect.Slice:
		return fields.Texts
	case t.Kind() == reflect.Bool:
		return fields.YesNo
	case t == reflect.TypeFor[filing.UserMetadata]():
		return fields.Free
	case strings.HasSuffix(t.String(), "time.Time"), strings.HasPrefix(f.Tag.Get("pattern"), "^20") && strings.Contains(f.Tag.Get("pattern"), "T["):
		return fields.Moment
	case t.Kind() == reflect.Int64, strings.HasPrefix(t.String(), "quantity."):
		return fields.Number
	case t.Kind() == reflect.Struct:
		return fields.Group
	}
	return fields.Text
}

// Data elements and code lists exist, and each field has a label and a section.
func TestFieldsAreComplete(t *testing.T) {
	numbers := []string{"4/5", "4/18", "4/19", "5/31"} // not in the table of requirements, or dependent on the data set alone
	for _, e := range dataset.Elements() {
		numbers = append(numbers, e.Number)
	}
	numbers = append(numbers, "1/6")
	used := map[string]bool{}
	for record := range bodies {
		for _, f := range fields.Of(record) {
			if f.Label == "" || f.Section.Title() == "" || (f.One == "") == (f.Type == fields.List) {
				t.Errorf("%s: %+v", record, f)
			}
			for _, e := range strings.Fields(f.Elements) {
				if !slices.Contains(numbers, e) {
					t.Errorf("%s: %s has the unknown data element %s", record, f.Path, e)
				}
			}
			if used[f.List] = true; f.List != "" && fields.Lists[f.List] == nil && !slices.Contains(fields.Named, f.List) {
				t.Errorf("%s: %s has the unknown list %s", record, f.Path, f.List)
			}
		}
	}
	for name := range fields.Lists {
		if !used[name] {
			t.Errorf("no field has the list %s", name)
		}
	}
}

// A form shows the fields that a data set has.
func TestAppliesTo(t *testing.T) {
	const day = "2026-11-24"
	for _, c := range []struct {
		path string
		set  dataset.Set
		want bool
	}{
		{"warehouse", dataset.H2, true}, {"warehouse", dataset.I1, true}, {"warehouse.id", dataset.H7, false}, {"security", dataset.H1, false}, {"security", dataset.B1, true},
		{"items[2].taxLines[0].methodOfPayment", dataset.H1, true}, {"items[0].taxLines", dataset.B1, false}, {"exitOffice", dataset.B1, true}, {"exitOffice", dataset.H1, false},
		{"payer", dataset.H1, false}, {"payer", "", false}, {"importer", "", true}, {"fill", dataset.FSD, true}, {"items[0].customsValue", dataset.H7, true},
	} {
		f, ok := fields.At(fields.Declaration, c.path)
		if !ok || f.AppliesTo(c.set, day) != c.want {
			t.Errorf("%s in %q: %t, %v", c.path, c.set, !c.want, ok)
		}
	}
	if f, _ := fields.At(fields.Declaration, "exporter"); f.Numbers() != "3/1, 3/2" || f.Requires(dataset.B1, day) == dataset.Absent {
		t.Errorf("%+v", f)
	}
}

// A field that is not in the table is in the section of what contains it.
func TestSectionOf(t *testing.T) {
	for path, want := range map[string]fields.Section{
		"exporter.address.city": fields.Parties, "items[3].taxLines[1].type": fields.Valuation, "items[3]": fields.Goods, "equipment[0].seals[1]": fields.Containers, "declaration": fields.Own,
	} {
		if got := fields.SectionOf(path); got != want {
			t.Errorf("%s is in %s, not %s", path, got, want)
		}
	}
}

// The name of a field says what it is within, with the numbers of entries.
func TestName(t *testing.T) {
	for path, want := range map[string]string{
		"items[1].taxLines[0].type": "Item 2, tax line 1, tax type", "exporter.eori": "Exporter, EORI number", "invoiceTotal": "Total amount invoiced", "previousDocuments[40]": "Previous document 41",
		"items[0].previousDocuments": "Item 1, previous documents", "declaration": "", "items[0].unknown": "",
	} {
		if got := fields.Name(fields.Declaration, path); got != want {
			t.Errorf("%s is %q, not %q", path, got, want)
		}
	}
}
