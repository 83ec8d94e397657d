package api

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
)

const (
	parameterPrefix = "#/components/parameters/"
	headerPrefix    = "#/components/headers/"
)

// share moves parameters and headers that several operations have to the components of a published document, and
// replaces them by references. This makes the document a third smaller.
func share(api *huma.OpenAPI) {
	params, headers := &sharing{}, &sharing{}
	eachOperation(api, func(op *huma.Operation) {
		for i := range op.Parameters {
			params.note(op.Parameters[i], op, func(ref *huma.Param) { op.Parameters[i] = ref })
		}
		for _, r := range inOrder(op.Responses) {
			headers.noteAll(r.Headers, op)
		}
	})
	for _, r := range inOrder(api.Components.Responses) {
		headers.noteAll(r.Headers, &huma.Operation{})
	}
	api.Components.Parameters = params.extract(parameterPrefix, parameterName)
	api.Components.Headers = headers.extract(headerPrefix, func(name string) string { return name })
}

// eachOperation calls visit for the operations of a document, and for its events, in the same order each time.
func eachOperation(api *huma.OpenAPI, visit func(*huma.Operation)) {
	for _, paths := range []map[string]*huma.PathItem{api.Paths, api.Webhooks} {
		for _, item := range inOrder(paths) {
			for _, op := range operationsOf(item) {
				visit(op)
			}
		}
	}
}

// operationsOf returns the operations of a path.
func operationsOf(item *huma.PathItem) []*huma.Operation {
	all := []*huma.Operation{item.Get, item.Post, item.Patch, item.Put, item.Delete}
	return slices.DeleteFunc(all, func(op *huma.Operation) bool { return op == nil })
}

// inOrder returns the values of a map in the order of their keys.
func inOrder[V any](all map[string]V) []V {
	values := make([]V, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		values = append(values, all[name])
	}
	return values
}

// sharing finds equal parameters or headers.
type sharing struct {
	found map[string]*shared // by their JSON
}

// shared is a parameter or header and where it stands.
type shared struct {
	param   *huma.Param
	name    string // of the header or parameter
	first   string // ID of the first operation that has it
	replace []func(*huma.Param)
}

func (s *sharing) noteAll(headers map[string]*huma.Param, op *huma.Operation) {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		s.noteAs(name, headers[name], op, func(ref *huma.Param) { headers[name] = ref })
	}
}

func (s *sharing) note(p *huma.Param, op *huma.Operation, replace func(*huma.Param)) {
	s.noteAs(p.Name, p, op, replace)
}

func (s *sharing) noteAs(name string, p *huma.Param, op *huma.Operation, replace func(*huma.Param)) {
	text, err := json.Marshal(p)
	if err != nil || p.Ref != "" {
		return // it stays where it is
	}
	if s.found == nil {
		s.found = map[string]*shared{}
	}
	key := name + string(text)
	if s.found[key] == nil {
		s.found[key] = &shared{param: p, name: name, first: op.OperationID}
	}
	s.found[key].replace = append(s.found[key].replace, replace)
}

// extract replaces what occurs more than once, and returns it by the names of the components. Of several that have the
// same name, the most frequent one is called so, and the others also after the first operation that has them.
func (s *sharing) extract(prefix string, component func(string) string) map[string]*huma.Param {
	all := slices.DeleteFunc(inOrder(s.found), func(one *shared) bool { return len(one.replace) < 2 })
	slices.SortStableFunc(all, func(a, b *shared) int { return cmp.Compare(len(b.replace), len(a.replace)) })
	named := map[string]*huma.Param{}
	for _, one := range all {
		name := component(one.name)
		if named[name] != nil {
			name = component(one.name + "-" + one.first)
		}
		named[name] = one.param
		for _, replace := range one.replace {
			replace(&huma.Param{Ref: prefix + name})
		}
	}
	return named
}

// parameterName returns the name of a parameter's component, such as IfMatchParameter.
func parameterName(name string) string {
	words := strings.FieldsFunc(name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "") + "Parameter"
}
