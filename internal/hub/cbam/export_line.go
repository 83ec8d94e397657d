package cbam

import (
	"cmp"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// lineKey is the common data of the goods on one line.
type lineKey struct {
	category      Category
	code, country string // the code in digits if it is valid, otherwise as given
	source        Source
	basis         Basis
}

// line is a line of the XML: one import, or all imports of a sort.
type line struct {
	lineKey
	mass, emissions quantity.Total
	remark          string
}

func lineOf(e *Entry) line {
	code, ok := digits(e.CommodityCode)
	if !ok {
		code = e.CommodityCode
	}
	return line{lineKey{e.Category, code, e.CountryOfOrigin, e.Source, e.Basis}, e.NetMassKg.Total(), e.EmissionsKg, e.Notes}
}

func linesOf(entries Entries) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		for e, err := range entries {
			if !yield(lineOf(&e), err) || err != nil {
				return
			}
		}
	}
}

// condensed sums imports by sort.
func condensed(entries Entries) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		sums, counts := map[lineKey]line{}, map[lineKey]int{}
		for e, err := range entries {
			if err != nil {
				yield(line{}, err)
				return
			}
			l := lineOf(&e)
			if len(l.code) > reportedDigits {
				l.code = l.code[:reportedDigits]
			}
			sum := sums[l.lineKey]
			sums[l.lineKey] = line{lineKey: l.lineKey, mass: sum.mass.Add(l.mass), emissions: sum.emissions.Add(l.emissions)}
			counts[l.lineKey]++
		}
		for _, s := range ranked(sums) {
			l := sums[s]
			l.remark = fmt.Sprintf("%d imports", counts[s])
			if !yield(l, nil) {
				return
			}
		}
	}
}

func ranked(sums map[lineKey]line) []lineKey {
	all := make([]lineKey, 0, len(sums))
	for s := range sums {
		all = append(all, s)
	}
	sorting.Stable(all, func(a, b lineKey) int {
		return cmp.Or(strings.Compare(a.code, b.code), strings.Compare(a.country, b.country), cmp.Compare(a.category, b.category), cmp.Compare(a.source, b.source), cmp.Compare(a.basis, b.basis))
	})
	return all
}

// Codes of the registry.
const (
	freeCirculation = "40"
	noProcedure     = "00"
	importArea      = "GB"
	allOfIt         = "0"
	calculated      = "01"
	unknownCountry  = "XX" // a user-assigned code of ISO 3166-1
)

// units holds the registry's codes for a quantity and for emissions per quantity.
type units struct{ quantity, emissions string }

var (
	tonnes        = units{"01", "EMU1"}
	megawattHours = units{"02", "EMU2"}
)

func (l *line) units() units {
	if l.category == Electricity {
		return megawattHours
	}
	return tonnes
}

// methodology returns the registry's code for the method of determining emissions, and additional information.
func (l *line) methodology() (code, about string) {
	switch {
	case l.source == Supplier:
		return "TOM01", ""
	case l.basis == OnDefaultValue:
		return "TOM02", ""
	}
	return "TOM03", "Estimate from typical values: " + string(l.basis)
}

// good writes one line of goods.
func (x *xmlWriter) good(number int, l *line) {
	country := l.country
	if !isCountry(country) {
		country = unknownCountry
	}
	remark := l.remark
	x.open("ImportedGood")
	x.plain("ItemNumber", strconv.Itoa(number))
	if !x.code(l.code) && l.code != "" {
		remark = "Commodity code as recorded: " + l.code + ". " + remark
	}
	x.open("OriginCountry")
	x.plain("Country", country)
	x.close("OriginCountry")
	x.imported(l)
	x.measure("MeasureImported", l)
	x.remarks("Remarks", remark)
	x.emissions(country, l)
	x.close("ImportedGood")
}

// code writes a commodity code if it has enough digits, and reports whether it did.
func (x *xmlWriter) code(code string) bool {
	const harmonised = 6
	if d, ok := digits(code); !ok || len(d) < reportedDigits {
		return false
	}
	x.open("CommodityCode")
	x.plain("HsCode", code[:harmonised])
	x.plain("CnCode", code[:reportedDigits])
	x.open("CommodityDetails")
	if g, ok := goodsOf(code); ok {
		x.plain("Description", g.name)
	}
	x.close("CommodityDetails")
	x.close("CommodityCode")
	return true
}

func (x *xmlWriter) imported(l *line) {
	x.open("ImportedQuantity")
	x.plain("SequenceNumber", "1")
	x.open("Procedure")
	x.plain("RequestedProc", freeCirculation)
	x.plain("PreviousProc", noProcedure)
	x.close("Procedure")
	x.open("ImportArea")
	x.plain("ImportArea", importArea)
	x.close("ImportArea")
	x.open("MeasureProcedureImported")
	x.plain("Indicator", allOfIt)
	x.amount(l)
	x.close("MeasureProcedureImported")
	x.close("ImportedQuantity")
}

func (x *xmlWriter) measure(name string, l *line) {
	x.open(name)
	x.amount(l)
	x.close(name)
}

// amount writes tonnes, or megawatt-hours of electricity: a thousandth of the recorded quantity.
func (x *xmlWriter) amount(l *line) {
	element := "NetMass"
	if l.category == Electricity {
		element = "SupplementaryUnits"
	}
	amount, _ := l.mass.Per(thousand)
	x.number(element, amount, quantity.MassPlaces)
	x.plain("MeasurementUnit", l.units().quantity)
}

func (x *xmlWriter) emissions(country string, l *line) {
	factor, ok := l.emissions.Per(l.mass)
	method, about := l.methodology()
	x.open("GoodsEmissions")
	x.plain("SequenceNumber", "1")
	x.plain("ProductionCountry", country)
	x.measure("ProducedMeasure", l)
	x.open("DirectEmissions")
	x.plain("DeterminationType", calculated)
	x.plain("ApplicableReportingTypeMethodology", method)
	x.optional("ApplicableReportingMethodology", about, remarkLength)
	fits := false
	if ok && l.category == Electricity {
		fits = x.number("EmissionFactor", factor, quantity.MassPlaces)
	} else if ok {
		fits = x.number("SpecificEmbeddedEmissions", factor, quantity.MassPlaces)
	}
	x.plain("MeasurementUnit", l.units().emissions)
	x.close("DirectEmissions")
	if !fits {
		x.remarks("RemarksEmissions", fmt.Sprintf("%s kg CO2e in all, for %s kg.", l.emissions, l.mass))
	}
	x.close("GoodsEmissions")
}

// nothing writes the line of a report without imports, because the schema needs at least one.
func (x *xmlWriter) nothing() {
	x.good(1, &line{lineKey: lineKey{country: unknownCountry, source: Supplier}, remark: "No goods were imported in the quarter."})
}
