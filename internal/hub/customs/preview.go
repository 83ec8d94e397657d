package customs

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Preview is what would happen at submission: what would be declared without being stated, and what customs would refuse.
type Preview struct {
	Assumptions []Assumption
	Problems    []Problem
}

// Problem is something that is wrong with a declaration, once for all items that have it. Its field is that of the first one.
type Problem struct {
	apierr.Detail
	Stage    check.Stage
	Severity check.Severity
	Items    []int // numbers from 1; empty at the header
}

// unassigned stands for the LRN of a declaration that is not stored yet.
const unassigned = "TWS00000000000000000"

// PreviewOptions say how the checks of customs judge.
type PreviewOptions struct {
	Goods check.Goods // what the tariff knows about commodity codes; nil: not checked
	All   bool        // requirements that are not published are refusals too
}

// Preview checks the document that would be sent for a declaration. It reads nothing but the input.
func (p *ReviewInput) Preview(o PreviewOptions) Preview {
	if len(p.Declaration.Items) == 0 {
		return Preview{} // not a declaration that could be stored
	}
	d := p.documentData()
	f := d.filled(d.declaration.Filling() == datamodel.FillUsual) // only usual constants are listed
	document := f.document()
	out := Preview{Assumptions: f.assumptions()}
	problems := problemList{at: map[problemKey]int{}}
	if f.header.DataSet != "" {
		for _, d := range f.ownFaults(&document) {
			problems.add(problemKey{d.Code, WithoutIndices(d.Field), d.Message, check.Refusal}, ItemOf(d.Field), func() Problem { return Problem{Detail: d, Stage: check.OwnRecords} })
		}
	}
	options := check.Options{Day: f.day, All: o.All, Lenient: f.header.DataSet == "", Merged: true, Goods: o.Goods}
	for _, fault := range check.Run(&document, options) {
		if fault.Severity == check.Refusal || f.header.DataSet != "" {
			problems.add(keyOf(&fault), fault.Item, func() Problem { return f.problemOf(atHeader(fault, &document)) })
		}
	}
	out.Problems = problems.all
	return out
}

// documentData is what the document would be made from.
func (p *ReviewInput) documentData() documentData {
	return documentData{
		declaration: p.Declaration, shipment: p.Shipment, client: p.Client, organisation: access.Organisation{Profile: p.Trader},
		reference: orDefault(p.reference, unassigned), simplified: p.simplified, lrn: orDefault(p.lrn, unassigned), now: p.At,
	}
}

// problemOf names the member that a fault is about.
func (f *filler) problemOf(fault check.Fault) Problem {
	p := Problem{Detail: detailOf(fault), Stage: fault.Stage, Severity: fault.Severity}
	p.Message, p.Field = withoutItem(&fault), f.declaration.asStated(p.Field)
	if fault.Item > 0 {
		p.Items = []int{fault.Item}
	}
	return p
}

// withoutItem returns the message of a fault without the number of its item.
func withoutItem(fault *check.Fault) string {
	if _, rest, found := strings.Cut(fault.Message, ": "); found && fault.Item > 0 {
		return rest
	}
	return fault.Message
}

// problemKey is equal for problems of several items that differ by nothing else. Its place is a pointer or a member.
type problemKey struct {
	code, place, message string
	severity             check.Severity
}

func keyOf(fault *check.Fault) problemKey {
	k := problemKey{fault.Code, fault.Pointer, withoutItem(fault), fault.Severity}
	if fault.Item > 0 {
		_, k.place, _ = strings.Cut(fault.Pointer, "]") // of the item
	}
	return k
}

// problemList joins the problems that several items have.
type problemList struct {
	all []Problem
	at  map[problemKey]int
}

// add adds a problem, which is made only if no other item has it. One of the header has no items.
func (l *problemList) add(key problemKey, item int, problem func() Problem) {
	n, seen := l.at[key]
	switch {
	case !seen:
		l.at[key] = len(l.all)
		l.all = append(l.all, problem())
	case len(l.all[n].Items) > 0 && l.all[n].Items[len(l.all[n].Items)-1] != item:
		l.all[n].Items = append(l.all[n].Items, item)
	}
}

// InWords is the message with the items that it is about.
func (p *Problem) InWords() string {
	if len(p.Items) == 0 || p.Stage == check.OwnRecords {
		return p.Message
	}
	words := numbered(p.Items)
	return strings.ToUpper(words[:1]) + words[1:] + ": " + p.Message
}

// ownFaults returns what keeps a declaration with a data set from being submitted besides the faults of its document.
func (f *filler) ownFaults(document *wco.Declaration) []apierr.Detail {
	details := f.contradictions(document)
	if f.header.Filling() == datamodel.FillKnown {
		details = append(details, f.unknown()...)
	}
	return append(details, f.unauthorised()...)
}
