package customs

import (
	"slices"
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
	d := documentData{
		declaration: p.Declaration, shipment: p.Shipment, client: p.Client, organisation: access.Organisation{Profile: p.Trader},
		reference: orDefault(p.reference, unassigned), simplified: p.simplified, lrn: orDefault(p.lrn, unassigned), now: p.At,
	}
	f := d.filled(true)
	document := f.document()
	out := Preview{Assumptions: f.assumptions()}
	problems := problemList{at: map[problemKey]int{}}
	if f.header.DataSet != "" {
		for _, d := range f.ownFaults(&document) {
			problems.add(Problem{Detail: d, Stage: check.OwnRecords}, ItemOf(d.Field))
		}
	}
	options := check.Options{Day: f.day, All: o.All, Lenient: f.header.DataSet == "", Goods: o.Goods}
	for _, fault := range check.Run(&document, options) {
		if fault.Severity == check.Refusal || f.header.DataSet != "" {
			fault = atHeader(fault, &document)
			problem := problemOf(fault)
			problem.Field = f.declaration.asStated(problem.Field)
			problems.add(problem, fault.Item)
		}
	}
	out.Problems = problems.all
	return out
}

// problemOf names the member that a fault is about. The message is without the number of the item.
func problemOf(fault check.Fault) Problem {
	p := Problem{Detail: detailOf(fault), Stage: fault.Stage, Severity: fault.Severity}
	if fault.Item > 0 {
		_, p.Message, _ = strings.Cut(fault.Message, ": ")
	}
	return p
}

// problemKey is equal for problems of several items that differ by nothing else.
type problemKey struct {
	code, field, message string
	severity             check.Severity
}

// problemList joins the problems that several items have.
type problemList struct {
	all []Problem
	at  map[problemKey]int
}

func (l *problemList) add(p Problem, item int) {
	key := problemKey{p.Code, p.Field, p.Message, p.Severity}
	if item > 0 {
		key.field = WithoutIndices(p.Field)
	}
	n, seen := l.at[key]
	if !seen {
		n = len(l.all)
		l.at[key] = n
		l.all = append(l.all, p)
	}
	if own := &l.all[n].Items; item > 0 && !slices.Contains((*own)[max(0, len(*own)-1):], item) {
		*own = append(*own, item)
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
