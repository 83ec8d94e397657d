package check

import (
	"math/big"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
)

// Requested procedures (DE 1/10) by direction. 90 is the final supplementary declaration.
const (
	importRequested = "00 01 07 40 42 44 45 46 48 51 53 61 63 68 71 78 90"
	exportRequested = "00 10 11 21 22 23 31"
)

// inspectForm checks what CDS needs to know before it validates anything else.
func (i *inspector) inspectForm() {
	if i.FunctionCode != wco.FunctionOriginal {
		i.refuse(badValue, "42A.017", "The function code is not 9, which an original declaration has.")
	}
	if !isOneOf(i.kind, "IM EX CO") || len(i.additional) != 1 || !isOneOf(i.additional, "A B C D E F J K Q R X Y Z") {
		i.refuse("CDS12052", "42A.D013", "%q is no type of declaration.", i.TypeCode)
		return
	}
	for n := range i.items() {
		i.inspectProcedure(n, &i.items()[n])
	}
	if i.set == "" && len(i.faults) == 0 {
		i.refuse("CDS12052", "42A.D013", "The type %s does not go with procedure %s.", i.TypeCode, requested(&i.items()[0]))
	}
}

func (i *inspector) inspectProcedure(n int, g *wco.GovernmentAgencyGoodsItem) {
	ours, theirs := importRequested, exportRequested
	if i.export {
		ours, theirs = theirs, ours
	}
	code, place := requested(g), at(n, "70A[1].166")
	switch {
	case code == "":
		i.refuse("CDS12050", place, "There is no procedure.")
	case isOneOf(code, ours):
	case isOneOf(code, theirs) && !i.export:
		i.refuse("CDS12104", place, "Procedure %s is not one of imports.", code)
	case isOneOf(code, theirs):
		i.refuse("CDS11004", place, "Procedure %s is not one of exports.", code)
	default:
		i.refuse("CDS12050", place, "There is no procedure %s.", code)
	}
}

// requested returns the requested procedure (DE 1/10) of an item; empty if it has none.
func requested(g *wco.GovernmentAgencyGoodsItem) string {
	if len(g.GovernmentProcedure) == 0 {
		return ""
	}
	return g.GovernmentProcedure[0].CurrentCode
}

// previous returns the previous procedure of an item.
func previous(g *wco.GovernmentAgencyGoodsItem) string {
	if len(g.GovernmentProcedure) == 0 {
		return ""
	}
	return g.GovernmentProcedure[0].PreviousCode
}

// inspectDataSet checks the counts and every requirement of the data set.
func (i *inspector) inspectDataSet() {
	i.inspectCounts()
	for n := range dataset.Elements() {
		e := &dataset.Elements()[n]
		switch letter := i.set.Required(e.Number, i.options.Day); letter {
		case dataset.Mandatory, dataset.OwnMandatory, dataset.Advised:
			i.requireElement(e, letter)
		case dataset.Absent:
			i.excludeElement(e)
		}
	}
	i.inspectPackages()
	i.inspectOccurrences()
}

func (i *inspector) inspectCounts() {
	items := len(i.items())
	if items == 0 {
		i.refuse(Missing, "42A.67A.68A", "There is no goods item.")
	}
	if count, declared := rational(i.GoodsItemQuantity); declared && count.Cmp(big.NewRat(int64(items), 1)) != 0 {
		i.refuse("CDS11003", "42A.228", "The declaration counts %s items and has %d.", i.GoodsItemQuantity, items)
	}
	for n := range i.items() {
		number := i.items()[n].SequenceNumeric
		if v, err := strconv.Atoi(string(number)); number != "" && (err != nil || v > items && !i.options.Amended) { // an amendment may remove items
			i.refuse("CDS12022", at(n, "006"), "The item has number %s, and there are %d items.", number, items)
		}
	}
}

// supplementary are elements that a supplementary declaration (DE 1/2 X, Y, Z) may leave out.
const supplementary = "1/9 6/9 6/10 6/11 7/2 7/4"

func (i *inspector) isSupplementary() bool { return isOneOf(i.additional, "X Y Z") }

// requireElement reports a mandatory element that is neither at the header nor at each item.
func (i *inspector) requireElement(e *dataset.Element, letter dataset.Letter) {
	if e.AtHeader(i.Declaration) || i.options.Lenient && e.Number == "5/23" || i.isReportedElsewhere(e.Number) {
		return
	}
	add := i.warn
	if (letter == dataset.Mandatory || letter == dataset.OwnMandatory && i.options.All) && !(i.isSupplementary() && isOneOf(e.Number, supplementary)) {
		add = i.refuse
	}
	if e.Item == "" {
		add(codeOf(e.Number), e.Header, "There is no %s.", e.Name)
		return
	}
	for n := range i.items() {
		if !e.AtItem(&i.items()[n]) {
			add(codeOf(e.Number), at(n, e.Item), "There is no %s.", e.Name)
		}
	}
}

// isReportedElsewhere reports whether another check finds a missing element with a more exact code: the DUCR of an export, and
// the last two of the ten digits of a commodity code.
func (i *inspector) isReportedElsewhere(element string) bool {
	switch element {
	case "2/1":
		return i.export && isOneOf(i.additional, "A D")
	case "6/15":
		return isOneOf(string(i.set), tenDigitSets)
	}
	return false
}

// codeOf returns the code for an element that is missing.
func codeOf(element string) string {
	switch element {
	case "6/14", "6/15":
		return badCommodity
	case "8/5":
		return "CDS12073"
	case "5/14":
		return "CDS12135"
	}
	return Missing
}

// excludeElement reports an element that is not in the data set. Only the tables of H1 and B1 were read as a whole.
func (i *inspector) excludeElement(e *dataset.Element) {
	add := i.warn
	if i.options.All || i.set == dataset.H1 || i.set == dataset.B1 {
		add = i.refuse
	}
	if e.AtHeader(i.Declaration) {
		add(notAllowed, e.Header, "The %s does not belong to a declaration of this kind (%s).", e.Name, i.set)
	}
	if e.Item == "" {
		return
	}
	for n := range i.items() {
		if e.AtItem(&i.items()[n]) {
			add(notAllowed, at(n, e.Item), "The %s does not belong to a declaration of this kind (%s).", e.Name, i.set)
		}
	}
}

// inspectPackages requires a package somewhere: items that share one have the number 0.
func (i *inspector) inspectPackages() {
	declared := false
	for n := range i.items() {
		for k := range i.items()[n].Packaging {
			count, ok := rational(i.items()[n].Packaging[k].QuantityQuantity)
			if ok && count.Sign() > 0 {
				return
			}
			declared = declared || ok
		}
	}
	if declared {
		i.refuse("CDS12058", at(0, "93A[1].144"), "No item has a package; the number of packages is 0 everywhere.")
	}
}

// maxEntries is the number of entries that each list of an item can have.
const maxEntries = 99

func (i *inspector) inspectOccurrences() {
	for n := range i.items() {
		g := &i.items()[n]
		for _, list := range []struct {
			count int
			place string
		}{
			{len(g.AdditionalDocument), "02A[100].D006"}, {len(g.AdditionalInformation), "03A[100].226"}, {len(g.PreviousDocument), "99A[100].D018"},
			{len(g.GovernmentProcedure) - 1, "70A[101].166"}, {len(g.Packaging), "93A[100].141"}, {len(g.Commodity.DutyTaxFee), "23A.50A[100].113"},
		} {
			if list.count > maxEntries {
				i.refuse(tooMany, at(n, list.place), "There are %d entries, and at most %d are allowed.", list.count, maxEntries)
			}
		}
	}
}

// rational parses a declared number; false if there is none.
func rational(n wco.Number) (*big.Rat, bool) {
	if n == "" {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}
