package worksheet

import (
	"regexp"
	"slices"
	"strings"
)

// named is a member of a body, or its path: a name with a capital in it, such as
// netMassKg, which no word of English has.
var named = regexp.MustCompile(`\b(?:(?:client|shipment|items|documents)(?:\[\d+\])?\.)?[a-z]+(?:[A-Z][a-zA-Z0-9]*)+\b`)

// whole are the orders of rules that name a field in a way of the interface for programs.
var whole = strings.NewReplacer("Set arrived to false", "Untick “the goods have been presented to customs”")

// InWords says a text of a rule in the words of the form: what the form does not ask
// for stays as it is.
func InWords(text string) string {
	return named.ReplaceAllStringFunc(whole.Replace(text), func(path string) string {
		name := path[strings.LastIndex(path, ".")+1:]
		for _, fields := range [][]Field{ItemFields, ShipmentFields, ClientFields, DocumentFields, GeneralFields} {
			if at := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name }); at >= 0 {
				return "“" + strings.TrimPrefix(fields[at].said(), "The ") + "”"
			}
		}
		return path
	})
}
