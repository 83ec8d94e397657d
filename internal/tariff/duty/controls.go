package duty

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// prohibition is the series of measure types that forbid.
const prohibition = "A"

// unseen are the types that HMRC's tariff service leaves out.
var unseen = map[string]bool{"442": true, "447": true, "SPL": true}

// controls returns the measures without money.
func (x *calculation) controls() []Control {
	all := []Control{}
	for _, m := range x.of(measure.Control) {
		all = append(all, Control{
			TypeID: m.Type, SID: m.SID, Status: x.controlStatus(m), Conditions: x.statesOf(m), LegalAct: x.act(m), Footnotes: x.footnotes(m),
		})
	}
	return all
}

func sortControls(all []Control) {
	slices.SortStableFunc(all, func(a, b Control) int { return compare(strings.Compare(a.TypeID, b.TypeID), compareSIDs(a.SID, b.SID)) })
}

// controlDocument is a document that a control asks for and that is held.
type controlDocument struct{ code, typ string }

// controlDocuments are the documents with which the goods satisfy controls for certain.
func (x *calculation) controlDocuments() (all []controlDocument) {
	for _, m := range x.of(measure.Control) {
		if outcomes := x.judge(m).outcomes; len(outcomes) == 1 && outcomes[0].effect == applies {
			for _, code := range outcomes[0].documents {
				all = append(all, controlDocument{code, m.Type})
			}
		}
	}
	return all
}

// controlStatus says whether the goods satisfy a control: not if its conditions refuse, or fall through to their last line.
func (x *calculation) controlStatus(m *measure.Measure) string {
	met, failed := false, false
	for _, o := range x.judge(m).outcomes {
		fails := o.effect > notApplicable || o.lapsed
		met, failed = met || !fails, failed || fails
	}
	switch {
	case len(m.Conditions) == 0 || met && failed:
		return UnknownStatus
	case failed:
		return NotSatisfied
	}
	return Satisfied
}

// refusals returns why goods cannot be brought in at all: a condition refuses the code for certain, or a prohibition holds.
func (x *calculation) refusals() (problems []Notice) {
	for _, m := range x.sorted.refusing {
		if (x.parent == nil || x.touches(m)) && x.refuses(m) {
			problems = append(problems, x.refusedBy(m))
		}
	}
	return problems
}

// canRefuse reports whether a measure can refuse goods.
func (x *calculation) canRefuse(m *measure.Measure) bool {
	return x.forbids(m) || slices.ContainsFunc(m.Conditions, func(c measure.Condition) bool { return c.Action == measure.ActionRefused })
}

func (x *calculation) forbids(m *measure.Measure) bool {
	return x.tariff.Details().Series[m.Type] == prohibition
}

// refuses reports whether a measure refuses the goods whatever the unknown facts are.
func (x *calculation) refuses(m *measure.Measure) bool {
	forbids := x.forbids(m)
	if len(m.Conditions) == 0 {
		return forbids
	}
	for _, o := range x.judge(m).outcomes {
		if o.effect != codeRefused && (!forbids || o.effect != refused) {
			return false
		}
	}
	return true
}

func (x *calculation) refusedBy(m *measure.Measure) Notice {
	n := Notice{Code: "CODE_REFUSED", Codes: []string{}}
	for _, s := range x.statesOf(m) {
		if s.Document != nil && s.State == Unmet && !slices.Contains(n.Codes, *s.Document) {
			n.Codes = append(n.Codes, *s.Document)
		}
	}
	n.Message = fmt.Sprintf("The measure %d of type %s%s refuses the goods", m.SID, m.Type, named(x.tariff.Details().Types[m.Type]))
	if len(n.Codes) > 0 {
		n.Message += " without one of the documents " + strings.Join(n.Codes, ", ")
	}
	return n
}
