package worksheet

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// memberPattern matches a JSON member or its path by the capital letter within the name, such as
// netMassKg.
var memberPattern = lazyregexp.New(`\b(?:(?:client|shipment|items|documents)(?:\[\d+\])?\.)?[a-z]+(?:[A-Z][a-zA-Z0-9]*)+\b`)

// formInstructions replaces instructions of rules that refer to JSON by instructions for the form.
var formInstructions = strings.NewReplacer("Set arrived to false", "Untick “the goods have been presented to customs”")

// FormText replaces JSON members in a rule's text by labels of the form, or by their words if the page of a form for other details has
// them, and adds the names of countries. Names that are no members stay.
func FormText(text string) string {
	return ident.NameCountries(memberPattern.ReplaceAllStringFunc(formInstructions.Replace(text), func(path string) string {
		name := path[strings.LastIndex(path, ".")+1:]
		for _, fields := range [][]Field{ItemFields, ShipmentFields, ClientFields, DocumentFields, GeneralFields} {
			if at := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name }); at >= 0 {
				return "“" + strings.TrimPrefix(fields[at].phrase(), "The ") + "”"
			}
		}
		if otherMembers[name] {
			return "“" + wordsOf(name) + "”"
		}
		return path
	}))
}

// otherMembers are the members that rules name and that have no field in the form: the pages of other details have them.
var otherMembers = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`valuationMethod valuationIndicators valuationAdjustments transactionNature taxLines deliveryTerms dischargePeriod
		dispatchCountry exchangeRates paymentMethod reasonCode statisticalValue transportCharges previousDocuments fiscalReferences loadingPlace`) {
		names[name] = true
	}
	return names
}()

// wordsOf returns the words of a member's name: valuationMethod becomes valuation method.
func wordsOf(name string) string {
	return strings.ToLower(capitalLetter.ReplaceAllString(name, " $0"))
}

var capitalLetter = lazyregexp.New(`[A-Z]`)

// WithName returns a value with its name in a list of Offers, such as Felixstowe (GBFXT); other
// values stay as they are.
func WithName(list, value string) string {
	offers := SuggestionLists[list]
	if at := slices.IndexFunc(offers, func(c Choice) bool { return c.Value == value }); at >= 0 {
		return offers[at].Label + " (" + value + ")"
	}
	return value
}
