package customs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// UsualKind is a kind of constant that the usual filling declares where a body and its records state nothing.
type UsualKind struct {
	Code    string   // of its finding, which never changes
	Fields  []string // members without indices
	Element string   // data element
	Name    string   // what is not stated
	Shown   string   // what is declared, where the value itself does not show it
	Remedy  string
	// Choice is a constant that states no fact about goods or traders, so that customs can get it.
	Choice bool
}

// noLocation is the kind of a goods location that nothing states and that no list has for the port: none is declared.
const noLocation = "DEC-214"

// UsualKinds are the kinds of constants in the order of their codes.
var UsualKinds = []UsualKind{
	{Code: "DEC-201", Fields: []string{"items[].procedureCode"}, Element: "1/10", Name: "procedure", Remedy: "State procedureCode."},
	{Code: "DEC-202", Fields: []string{"deliveryTerms.incoterm"}, Element: "4/1", Name: "Incoterm", Remedy: "State incoterm in the shipment, or deliveryTerms."},
	{Code: "DEC-203", Fields: []string{"deliveryTerms.place"}, Element: "4/1", Name: "place of delivery", Remedy: "State incotermLocation in the shipment, or deliveryTerms."},
	{Code: "DEC-204", Fields: []string{"items[].valuationMethod"}, Element: "4/16", Name: "valuation method", Remedy: "State valuationMethod."},
	{Code: "DEC-205", Fields: []string{"items[].valuationIndicators"}, Element: "4/13", Name: "relation between buyer and seller", Remedy: "State valuationIndicators."},
	{Code: "DEC-206", Fields: []string{"items[].preferenceCode"}, Element: "4/17", Name: "preference", Remedy: "State preferenceCode if you claim one.", Choice: true},
	{Code: "DEC-207", Fields: []string{"transactionNature", "items[].transactionNature"}, Element: "8/5", Name: "nature of the transaction", Remedy: "State transactionNature."},
	{Code: "DEC-208", Fields: []string{"items[].grossMassKg"}, Element: "6/5", Name: "gross mass", Shown: "the net mass", Remedy: "State grossMassKg."},
	{Code: "DEC-209", Fields: []string{"items[].packageCount"}, Element: "6/10", Name: "number of packages", Remedy: "State packageCount, or packages."},
	{Code: "DEC-210", Fields: []string{"items[].packageType"}, Element: "6/9", Name: "kind of packages", Remedy: "State packageType, or packages."},
	{Code: "DEC-211", Fields: []string{"items[].packages[].marks"}, Element: "6/11", Name: "marks of the packages", Remedy: "State packages with their marks."},
	{Code: "DEC-212", Fields: []string{"items[].documents[].status"}, Element: "2/3", Name: "status of documents", Remedy: "State the status of each document."},
	{Code: "DEC-213", Fields: []string{"location"}, Element: "5/23", Name: "location of the goods", Remedy: "State goodsLocation in the shipment, or location."},
	{Code: noLocation, Fields: []string{"location"}, Element: "5/23", Name: "location of the goods", Shown: "none", Remedy: "State goodsLocation in the shipment with the code of the berth, shed or warehouse."},
	{Code: "DEC-215", Fields: []string{"destination.country"}, Element: "5/8", Name: "country of destination", Remedy: "State countryOfDestination in the shipment, or destination."},
	{Code: "DEC-216", Fields: []string{"dispatchCountry"}, Element: "5/14", Name: "country of dispatch", Remedy: "State countryOfDispatch in the shipment, or dispatchCountry."},
	{
		Code: "DEC-217", Fields: []string{"transport.arrival", "transport.departure", "transport.border.id", "transport.border.idType"}, Element: "7/9", Name: "means of transport",
		Remedy: "State transportId or vesselName in the shipment, or transport.",
	},
	{
		Code: "DEC-218", Fields: []string{"transport.arrival.idType", "transport.departure.idType", "transport.border.idType"}, Element: "7/9", Name: "kind of number of the means of transport",
		Remedy: "State transport with its idType: 40 for a flight, 41 for an aircraft.",
	},
	{Code: "DEC-219", Fields: []string{"transport.border.nationality"}, Element: "7/15", Name: "nationality of the means of transport", Remedy: "State transportNationality in the shipment."},
	{Code: "DEC-220", Fields: []string{"exitOffice"}, Element: "5/12", Name: "office of exit", Remedy: "State exitOffice."},
	{Code: "DEC-221", Fields: []string{"security.transportCharges"}, Element: "4/2", Name: "payment of the transport", Remedy: "State security.transportCharges."},
	{Code: "DEC-222", Fields: []string{"security.itinerary"}, Element: "5/18", Name: "countries of the route", Remedy: "State security.itinerary."},
	{Code: "DEC-223", Fields: []string{"items[].taxLines"}, Element: "4/8", Name: "method of payment", Remedy: "State taxLines."},
	{Code: "DEC-224", Fields: []string{"guarantees"}, Element: "8/2", Name: "guarantee", Remedy: "State guarantees; an empty list says that there is none."},
	{Code: "DEC-225", Fields: []string{"authorisations"}, Element: "3/39", Name: "holder of the authorisations", Remedy: "State authorisations; an empty list says that there are none."},
	{Code: "DEC-226", Fields: []string{"items[].documents[]"}, Element: "2/3", Name: "documents of the authorisations", Remedy: "State C505 and C506 among the item's documents."},
	{Code: "DEC-227", Fields: []string{"representation"}, Element: "3/21", Name: "representation", Remedy: "State representation here, on the client or on the organisation."},
}

// kindOf returns the kind of a constant by its member, without indices. A means of transport that nothing states has one kind.
func kindOf(member string, noMeans bool) *UsualKind {
	for n := range UsualKinds {
		k := &UsualKinds[n]
		if k.Code != noLocation && slices.Contains(k.Fields, member) && (k.Code != "DEC-217" || noMeans) {
			return k
		}
	}
	return nil
}

// Assumption is a constant that is declared because nothing states the value, once for all items that get it.
type Assumption struct {
	Kind  *UsualKind
	Field string // the first member that gets it, with indices
	Value string // text as it stands, anything else as JSON
	Items []int  // numbers from 1; empty at the header
}

// Message says what is not stated, for which items, and what is declared.
func (a *Assumption) Message() string {
	of, declared := "", inWordsOf(a.Value)
	if len(a.Items) > 0 {
		of = " of " + numbered(a.Items)
	}
	if a.Kind.Shown != "" {
		declared = a.Kind.Shown
	}
	return fmt.Sprintf("Nothing states the %s%s; %s is declared.", a.Kind.Name, of, declared)
}

// maxNumbers is the greatest number of items that a message lists one by one.
const maxNumbers = 8

// numbered puts item numbers in words, such as items 1, 3 and 7.
func numbered(items []int) string {
	last := len(items) - 1
	switch {
	case last == 0:
		return "item " + strconv.Itoa(items[0])
	case last > 1 && items[last]-items[0] == last:
		return fmt.Sprintf("items %d to %d", items[0], items[last])
	}
	var words []string
	for _, n := range items[:min(last, maxNumbers)] {
		words = append(words, strconv.Itoa(n))
	}
	end := strconv.Itoa(items[last])
	if last > maxNumbers {
		end = fmt.Sprintf("%d more", last+1-maxNumbers)
	}
	return "items " + strings.Join(words, ", ") + " and " + end
}

// assumptions returns the constants among the values that were added, and says if no location of the goods could be.
func (f *filler) assumptions() []Assumption {
	var all []Assumption
	at := map[[2]string]int{}
	noMeans := f.documentData.means(false) == nil
	add := func(k *UsualKind, field, value string, item int) {
		group := [2]string{k.Code, value}
		if k.Shown != "" {
			group[1] = ""
		}
		n, seen := at[group]
		if !seen {
			n = len(all)
			at[group] = n
			all = append(all, Assumption{Kind: k, Field: field, Value: value})
		}
		if own := all[n].Items; item > 0 && (len(own) == 0 || own[len(own)-1] != item) {
			all[n].Items = append(own, item)
		}
	}
	for n := range f.derived {
		d := &f.derived[n]
		if d.From != constant {
			continue
		}
		if k := kindOf(WithoutIndices(d.Field), noMeans); k != nil {
			add(k, d.Field, valueInWords(d), ItemOf(d.Field))
		}
	}
	if f.usual && f.header.Location == nil && f.can("location", "5/23") {
		add(kindOfCode(noLocation), "location", "", 0)
	}
	sorting.Stable(all, func(a, b Assumption) int { return strings.Compare(a.Kind.Code, b.Kind.Code) })
	return all
}

func kindOfCode(code string) *UsualKind {
	return &UsualKinds[slices.IndexFunc(UsualKinds, func(k UsualKind) bool { return k.Code == code })]
}

// valueInWords returns an added value: text as it stands, anything else as JSON.
func valueInWords(d *filing.Derived) string {
	var text string
	if json.Unmarshal(d.Value, &text) == nil {
		return text
	}
	return string(d.Value)
}

// memberValue is a value in the JSON of a constant, none of which has a comma or a bracket in it.
var memberValue = lazyregexp.New(`":"?([^",{}\[\]]+)`)

// inWordsOf returns a text, or the values of a structure with commas between its entries.
func inWordsOf(value string) string {
	if !strings.HasPrefix(value, "{") && !strings.HasPrefix(value, "[") {
		return value
	}
	var entries []string
	for entry := range strings.SplitSeq(value, "},{") {
		var words []string
		for _, found := range memberValue.FindAllStringSubmatch(entry, -1) {
			words = append(words, found[1])
		}
		entries = append(entries, strings.Join(words, " "))
	}
	return strings.Join(entries, ", ")
}

// ItemOf returns the number of the item that a member belongs to; 0 for the header.
func ItemOf(field string) int {
	rest, found := strings.CutPrefix(field, "items[")
	if !found {
		return 0
	}
	digits, _, _ := strings.Cut(rest, "]")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n + 1
}

// guessed returns the constants that state facts, which customs must not get.
func (f *filler) guessed() (details []apierr.Detail) {
	if f.header.Filling() != datamodel.FillUsual {
		return nil
	}
	for _, a := range f.assumptions() {
		if !a.Kind.Choice {
			details = append(details, apierr.Detail{Field: a.Field, Element: a.Kind.Element, Code: a.Kind.Code, Message: a.Message(), Remedy: a.Kind.Remedy})
		}
	}
	return details
}
