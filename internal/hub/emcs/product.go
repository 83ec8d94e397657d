package emcs

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// unit is the unit of a product in EMCS.
type unit string

const (
	litres    unit = "litres"
	kilograms unit = "kilograms"
	thousands unit = "thousands of pieces"
)

// numberRange is a range of plausible numbers; nil if a product has no such number.
type numberRange struct{ from, to quantity.Number }

func between(from, to string) *numberRange {
	return &numberRange{quantity.MustNumber(from), quantity.MustNumber(to)}
}

func (s numberRange) holds(n quantity.Number) bool { return n.Cmp(s.from) >= 0 && n.Cmp(s.to) <= 0 }

// product is an excise product, with the possible strength of alcohol in per cent, and the possible density of oils in
// kilograms per litre.
type product struct {
	code, name string
	category   Category
	unit       unit
	strength   *numberRange
	density    *numberRange
}

// products lists EMCS reference table BC36 as at November 2026. Strengths follow the classes of Directive 92/83/EEC and
// densities the standards of the fuels, both with a margin.
var products = []product{
	{"B000", "beer", Alcohol, litres, between("0.5", "15"), nil},
	{"W200", "still wine or still fermented beverages", Alcohol, litres, between("1.2", "18"), nil},
	{"W300", "sparkling wine or sparkling fermented beverages", Alcohol, litres, between("1.2", "15"), nil},
	{"I000", "intermediate products", Alcohol, litres, between("1.2", "22"), nil},
	{"S200", "spirits", Alcohol, litres, between("1.2", "96.6"), nil},
	{"S300", "ethyl alcohol", Alcohol, litres, between("1.2", "100"), nil},
	{"S400", "partly denatured alcohol", Alcohol, litres, between("1.2", "100"), nil},
	{"S500", "other products with ethyl alcohol", Alcohol, litres, between("0.5", "100"), nil},
	{"S600", "completely denatured alcohol", Alcohol, litres, between("1.2", "100"), nil},
	{"T200", "cigarettes", Tobacco, thousands, nil, nil},
	{"T300", "cigars and cigarillos", Tobacco, thousands, nil, nil},
	{"T400", "fine-cut tobacco", Tobacco, kilograms, nil, nil},
	{"T500", "other smoking tobacco", Tobacco, kilograms, nil, nil},
	{"E200", "vegetable and animal oils", EnergyOils, litres, nil, between("0.84", "0.98")},
	{"E300", "aromatic mineral oils", EnergyOils, litres, nil, between("0.7", "1.25")},
	{"E410", "leaded petrol", EnergyOils, litres, nil, between("0.68", "0.81")},
	{"E420", "unleaded petrol", EnergyOils, litres, nil, between("0.68", "0.81")},
	{"E430", "unmarked gas oil", EnergyOils, litres, nil, between("0.76", "0.92")},
	{"E440", "marked gas oil", EnergyOils, litres, nil, between("0.76", "0.92")},
	{"E450", "unmarked kerosene", EnergyOils, litres, nil, between("0.75", "0.86")},
	{"E460", "marked kerosene", EnergyOils, litres, nil, between("0.75", "0.86")},
	{"E470", "heavy fuel oil", EnergyOils, kilograms, nil, between("0.84", "1.1")},
	{"E480", "white spirit and other medium oils", EnergyOils, litres, nil, between("0.62", "0.95")},
	{"E490", "special spirits and other light and heavy oils", EnergyOils, litres, nil, between("0.6", "1.1")},
	{"E500", "liquefied petroleum gas", EnergyOils, kilograms, nil, between("0.48", "0.64")},
	{"E600", "acyclic hydrocarbons", EnergyOils, kilograms, nil, between("0.45", "0.8")},
	{"E700", "cyclic hydrocarbons", EnergyOils, litres, nil, between("0.74", "0.92")},
	{"E800", "methanol", EnergyOils, litres, nil, between("0.77", "0.83")},
	{"E910", "fatty-acid esters (biodiesel)", EnergyOils, litres, nil, between("0.84", "0.92")},
	{"E920", "biodiesel mixtures and other chemical fuels", EnergyOils, litres, nil, between("0.68", "1.1")},
	{"E930", "additives", EnergyOils, litres, nil, between("0.7", "1.3")},
}

// byCode finds a product by its code.
var byCode = func() map[string][]product {
	found := map[string][]product{}
	for i, p := range products {
		found[p.code] = products[i : i+1]
	}
	return found
}()

// tariffProducts is the prefix of a commodity code and the excise products of its goods.
type tariffProducts struct {
	beginning string
	products  []product
}

// productsByTariffCode lists the excise products by prefix of the commodity code: EMCS reference table E200 as at November 2026, by
// heading. The longest prefix comes first.
var productsByTariffCode = []tariffProducts{
	{"10000000", listed("S500")},
	{"2203", listed("B000")},
	{"220410", listed("W300")}, {"2204", listed("W200 W300 I000 S200")}, {"2205", listed("W200 W300 I000 S200")},
	{"2206", listed("B000 W200 W300 I000 S200")},
	{"220710", listed("S300")}, {"220720", listed("S400 S600")}, {"2207", listed("S300 S400 S600")}, {"2208", listed("S200 S300")},
	{"240210", listed("T300")}, {"240220", listed("T200")}, {"2402", listed("T200 T300 T400 T500")}, {"2403", listed("T400 T500")}, {"240411", listed("T500")},
	{"1507", listed("E200")}, {"1508", listed("E200")}, {"1509", listed("E200")}, {"1510", listed("E200")}, {"1511", listed("E200")}, {"1512", listed("E200")},
	{"1513", listed("E200")}, {"1514", listed("E200")}, {"1515", listed("E200")}, {"1516", listed("E200")}, {"1517", listed("E200")}, {"1518", listed("E200")},
	{"2707", listed("E300")},
	{"271012", listed("E410 E420 E480 E490")}, {"271019", listed("E430 E440 E450 E460 E470 E480 E490")}, {"271020", listed("E430 E440 E470 E480")},
	{"2710", listed("E410 E420 E430 E440 E450 E460 E470 E480 E490")},
	{"2711", listed("E500")}, {"290110", listed("E600")}, {"2902", listed("E700")}, {"290511", listed("E800")},
	{"3811", listed("E930")}, {"3824", listed("E920")}, {"3826", listed("E910 E920")},
}

var tariffCode = lazyregexp.New(`^[0-9]{4,10}$`)

// code returns the product code in capitals without spaces.
func (m *Movement) code() string { return strings.ToUpper(squeezed(m.ProductCode)) }

func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// products returns the possible products of the code: one for an excise product code, several for a commodity code, none for
// an unknown code.
func (m *Movement) products() []product {
	code := m.code()
	if !tariffCode.MatchString(code) {
		return byCode[code]
	}
	for _, c := range productsByTariffCode {
		if strings.HasPrefix(code, c.beginning) {
			return c.products
		}
	}
	return nil
}

func listed(codes string) (found []product) {
	for code := range strings.FieldsSeq(codes) {
		found = append(found, byCode[code]...)
	}
	return found
}

// may reports whether any of several products has a property.
func anyProduct(all []product, has func(product) bool) bool { return slices.ContainsFunc(all, has) }

// names lists codes and names of products.
func names(all []product) string {
	texts := make([]string, len(all))
	for i, p := range all {
		texts[i] = p.code + " (" + p.name + ")"
	}
	return strings.Join(texts, ", ")
}
