// Package check finds what customs would refuse in a declaration by its XML alone: form, data set, values, levels and
// relations. Each fault has the Code of CDS, a pointer into the declaration and words for people. What cannot be
// decided is reported as unknown, never passed over.
package check

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/cdscode"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
)

// Severity is the weight of a fault.
type Severity int

// Severities. A Refusal is a reason to reject; a Warning is a requirement that is not published, or that HMRC does not
// enforce; Unknown is a value that no list decides.
const (
	Refusal Severity = iota
	Warning
	Unknown
)

// Stage is one of the groups of checks, in their order.
type Stage int

// Stages. OwnRecords is for the caller: what its other records contradict.
const (
	Form Stage = iota
	DataSet
	Values
	Levels
	Relations
	Tariff
	OwnRecords
)

// Fault is something wrong or undecided in a declaration.
type Fault struct {
	Code     string // Code of CDS; CDS13000 for Unknown
	Pointer  string // in the format of package pointer, such as 42A.67A.68A[2].23A.137
	Element  string // data element, such as 6/8; empty for none
	Item     int    // counted from 1; 0 for the header
	Severity Severity
	Stage    Stage
	Message  string // what is wrong
	Cure     string // what to do
}

// Codes that are used in several places.
const (
	Missing       = "CDS10001"
	notAllowed    = "CDS10002"
	tooMany       = "CDS10003"
	badCommodity  = "CDS10004"
	badValue      = "CDS10020"
	notPositive   = "CDS10021"
	unknownParty  = "CDS12005"
	mandates      = "CDS12070"
	bothLevels    = "CDS12071"
	noAlternative = "CDS12074"
	notCombined   = "CDS12056"
	Undecided     = "CDS13000"
)

// Options configure the checks.
type Options struct {
	Day     string // of the check (YYYY-MM-DD), in London
	All     bool   // requirements of our own knowledge are refusals, not warnings
	Lenient bool   // rules for bodies that name no data set: no location and no authorisation of an arrived export are accepted
	Merged  bool   // the caller merges faults that several items have: the number of faults is not limited
	Amended bool   // the declaration is one that an amendment changes: what is for amendments alone is accepted
	Goods   Goods  // the tariff; nil: not checked
}

// maxFaults limits the faults of a declaration.
const maxFaults = 500

// Run checks a declaration and returns its faults in the order of the checks.
func Run(d *wco.Declaration, o Options) []Fault {
	i := newInspector(d, o)
	if i.inspectForm(); len(i.faults) > 0 {
		return i.faults[:min(len(i.faults), maxFaults)]
	}
	for stage, inspect := range []func(){DataSet: i.inspectDataSet, Values: i.inspectValues, Levels: i.inspectLevels, Relations: i.inspectRelations, Tariff: i.inspectTariff} {
		if i.stage = Stage(stage); inspect != nil {
			inspect()
		}
	}
	return i.result()
}

// inspector collects the faults of one declaration.
type inspector struct {
	*wco.Declaration
	options          Options
	set              dataset.Set
	kind, additional string // DE 1/1 and 1/2
	export           bool
	defers           bool // a tax is paid or secured from a deferment account
	stage            Stage
	faults           []Fault
	elements         map[string]string // data elements, by the pointer below a goods item
	undecided        map[string]bool   // messages of Unknown, each of which is reported once
}

func newInspector(d *wco.Declaration, o Options) *inspector {
	i := &inspector{Declaration: d, options: o, elements: map[string]string{}, undecided: map[string]bool{}}
	i.kind, i.additional = dataset.Type(d)
	i.set, _ = dataset.Of(d)
	i.export = dataset.IsExport(d)
	return i
}

// result returns the refusals first if there are too many faults.
func (i *inspector) result() []Fault {
	if len(i.faults) > maxFaults && !i.options.Merged {
		sorting.Stable(i.faults, func(a, b Fault) int { return int(a.Severity) - int(b.Severity) })
		i.faults = i.faults[:maxFaults]
	}
	return i.faults
}

// items returns the goods items.
func (i *inspector) items() []wco.GovernmentAgencyGoodsItem {
	return i.GoodsShipment.GovernmentAgencyGoodsItem
}

// refuse adds a refusal at a pointer.
func (i *inspector) refuse(code, at, message string, values ...any) {
	i.add(Fault{Code: code, Pointer: at, Severity: Refusal, Message: fmt.Sprintf(message, values...)})
}

// mandate adds a refusal for a value that another one calls for, with what to do.
func (i *inspector) mandate(at, cure, message string, values ...any) {
	i.add(Fault{Code: mandates, Pointer: at, Severity: Refusal, Cure: cure, Message: fmt.Sprintf(message, values...)})
}

// warn adds a warning at a pointer.
func (i *inspector) warn(code, at, message string, values ...any) {
	i.add(Fault{Code: code, Pointer: at, Severity: Warning, Message: fmt.Sprintf(message, values...)})
}

// unknown adds something that the checks cannot decide; the same message only once.
func (i *inspector) unknown(at, message string, values ...any) {
	text := fmt.Sprintf(message, values...)
	if i.undecided[text] {
		return
	}
	i.undecided[text] = true
	i.add(Fault{Code: Undecided, Pointer: at, Severity: Unknown, Message: text, Cure: "Look the value up in customs' current list."})
}

func (i *inspector) add(f Fault) {
	f.Stage = i.stage
	place := i.placeOf(f.Pointer)
	f.Element, f.Item = cmp.Or(f.Element, place.element), place.item
	if f.Item > 0 {
		f.Message = "Item " + strconv.Itoa(f.Item) + ": " + f.Message
	}
	if f.Cure == "" {
		f.Cure = cdscode.Explain(f.Code).Fix
	}
	i.faults = append(i.faults, f)
}

// faultPlace is what a pointer leads to: a data element, and the number of the goods item, or 0.
type faultPlace struct {
	element string
	item    int
}

// itemsPointer is how pointers into goods items begin.
const itemsPointer = "42A.67A.68A["

// placeOf reads a pointer. Those that differ only by the goods item are parsed once, because many items may have the same fault.
func (i *inspector) placeOf(text string) faultPlace {
	rest, inItem := strings.CutPrefix(text, itemsPointer)
	number, rest, closed := strings.Cut(rest, "]")
	item, err := strconv.Atoi(number)
	if !inItem || !closed || err != nil || item < 1 {
		return parsedPlace(text)
	}
	element, known := i.elements[rest]
	if !known {
		element = parsedPlace(itemsPointer + "1]" + rest).element
		i.elements[rest] = element
	}
	return faultPlace{element, item}
}

func parsedPlace(text string) faultPlace {
	p, err := pointer.Parse(text)
	if err != nil {
		return faultPlace{}
	}
	return faultPlace{p.Element(), itemOf(p)}
}

// itemOf returns the number of the goods item that a pointer leads into.
func itemOf(p pointer.Pointer) int {
	for _, step := range p {
		if step.Section == "68A" {
			return step.Sequence
		}
	}
	return 0
}

// at returns the pointer of a place in an item, counted from 0.
func at(n int, place string) string { return "42A.67A.68A[" + strconv.Itoa(n+1) + "]." + place }

// place inserts the number of an entry, counted from 0, into a pointer such as 02A[%d].360.
func place(pattern string, n int) string {
	return strings.Replace(pattern, "%d", strconv.Itoa(n+1), 1)
}

// isOneOf reports whether a word is in a list with spaces between the words.
func isOneOf(word, list string) bool {
	for word != "" && list != "" {
		end := strings.IndexByte(list, ' ')
		if end < 0 {
			return list == word
		}
		if list[:end] == word {
			return true
		}
		list = list[end+1:]
	}
	return false
}
