package worksheet

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// named is a member of a body, or its path: a name with a capital in it, such as
// netMassKg, which no word of English has.
var named = regexp.MustCompile(`\b(?:(?:client|shipment|items|documents)(?:\[\d+\])?\.)?[a-z]+(?:[A-Z][a-zA-Z0-9]*)+\b`)

// whole are the orders of rules that name a field in a way of the interface for programs.
var whole = strings.NewReplacer("Set arrived to false", "Untick “the goods have been presented to customs”")

// InWords says a text of a rule in the words of the form, and countries by their names:
// what the form does not ask for stays as it is.
func InWords(text string) string {
	return ident.CallCountries(named.ReplaceAllStringFunc(whole.Replace(text), func(path string) string {
		name := path[strings.LastIndex(path, ".")+1:]
		for _, fields := range [][]Field{ItemFields, ShipmentFields, ClientFields, DocumentFields, GeneralFields} {
			if at := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name }); at >= 0 {
				return "“" + strings.TrimPrefix(fields[at].said(), "The ") + "”"
			}
		}
		return path
	}))
}

// Called is a value with its name in a list of Offers, such as Felixstowe (GBFXT), and
// one that is not in it as it is.
func Called(list, value string) string {
	offers := Offers[list]
	if at := slices.IndexFunc(offers, func(c Choice) bool { return c.Value == value }); at >= 0 {
		return offers[at].Label + " (" + value + ")"
	}
	return value
}
