package app_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// memberType returns the type of the member at a path, in a body or in what the service adds; nil if there is none.
func memberType(path string, of ...reflect.Type) reflect.Type {
	name, rest, more := strings.Cut(path, ".")
	name, each := strings.CutSuffix(name, "[]")
	for _, t := range of {
		for t != nil && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice) {
			t = t.Elem()
		}
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for _, field := range reflect.VisibleFields(t) {
			if member, _, _ := strings.Cut(field.Tag.Get("json"), ","); member != name {
				continue
			}
			switch {
			case !more:
				return field.Type
			case field.Type == reflect.TypeFor[filing.FreeForm]():
				return reflect.TypeFor[string]()
			case each && field.Type.Kind() != reflect.Slice:
				return nil
			}
			return memberType(rest, field.Type)
		}
	}
	return nil
}

// Every path in a layout names a member of the input, and every path in its sources a member of the record, so that a renamed
// member cannot leave an empty form behind. A field has a label, and one that is chosen from a list has names in it.
func TestLayoutsNameMembers(t *testing.T) {
	kinds := map[string]*filing.Type{customs.DeclarationKind: customs.Declarations(nil, nil, nil).Type()}
	for _, k := range app.Kinds() {
		kinds[k.Kind] = k
	}
	count := 0
	for _, k := range kinds {
		if k.Layout == nil {
			continue
		}
		count++
		check := func(what, path string) {
			if memberType(path, k.Body) == nil {
				t.Errorf("%s: %s %q is not in the input", k.Kind, what, path)
			}
		}
		if k.Layout.Decides != "" {
			check("decides", k.Layout.Decides)
		}
		for _, section := range k.Layout.Sections {
			if section.When.Field != "" {
				check("condition", section.When.Field)
			}
			for _, field := range section.Fields {
				check("field", field.Path)
				if field.When.Field != "" {
					check("condition", field.When.Field)
				}
				if field.Label == "" || slices.ContainsFunc(field.Options, func(o layout.Option) bool { return o.Label == "" || o.Value == "" }) {
					t.Errorf("%s: %s has no label, or an option has none", k.Kind, field.Path)
				}
			}
			for _, s := range section.Sources {
				checkSource(t, k, s, kinds)
			}
		}
	}
	if count < 7 {
		t.Errorf("only %d kinds have a layout", count)
	}
}

// condition selects entries of a list in a path.
var condition = regexp.MustCompile(`\[[^]]+\]`)

func checkSource(t *testing.T, k *filing.Type, s layout.Source, kinds map[string]*filing.Type) {
	t.Helper()
	from := kinds[s.Kind]
	if from == nil {
		t.Errorf("%s: source %s takes from the unknown kind %s", k.Kind, s.ID, s.Kind)
		return
	}
	followed := map[string]*filing.Type{}
	typeOf := func(path string) reflect.Type {
		first, rest, _ := strings.Cut(path, ".")
		switch {
		case first == "entry":
			return memberType(s.Each+"[]."+rest, from.Body)
		case followed[first] != nil:
			return memberType(rest, followed[first].Body, followed[first].Adds)
		}
		return memberType(path, from.Body, from.Adds)
	}
	for _, f := range s.Follow {
		if kinds[f.Kind] == nil || typeOf(f.From) == nil {
			t.Errorf("%s: source %s cannot follow %s to %s", k.Kind, s.ID, f.From, f.Kind)
		}
		followed[f.As] = kinds[f.Kind]
	}
	paths := slices.Concat(s.Name, s.About)
	for _, take := range s.Take {
		paths = append(paths, take.From...)
		if take.When.Field != "" {
			paths = append(paths, take.When.Field)
		}
		if memberType(take.Into, k.Body) == nil {
			t.Errorf("%s: source %s takes into %q, which is not in the input", k.Kind, s.ID, take.Into)
		}
	}
	for _, path := range paths {
		if typeOf(condition.ReplaceAllString(path, "[]")) == nil {
			t.Errorf("%s: source %s: %q is not in a %s", k.Kind, s.ID, path, s.Kind)
		}
	}
	for _, status := range s.Statuses {
		if !slices.ContainsFunc(from.Lifecycle.States, func(state lifecycle.State) bool { return string(state) == status }) {
			t.Errorf("%s: source %s: a %s is never %s", k.Kind, s.ID, s.Kind, status)
		}
	}
}
