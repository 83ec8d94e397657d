package batch

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Rule says whether and how an operation may be part of a batch. The zero value allows nothing.
type Rule struct {
	Allowed bool
	Creates bool   // makes a record, to which other rows can refer
	Record  string // member of the body with the ID of the record that it changes; empty if the path has it
}

// RuleOf returns the rule of an operation, and whether the operation makes a batch itself.
type RuleOf func(method, path string) (rule Rule, nested bool)

// Plan checks the operations of a batch and says which rows wait for which. Rows on the same record wait for each
// other in the order given. It reports everything that is wrong.
func Plan(operations []Operation, ruleOf RuleOf) ([]Row, []apierr.Detail) {
	p := planner{ruleOf: ruleOf, rules: map[operationName]foundRule{}, makers: map[string]int{}, others: map[string]bool{}, changed: map[string]int{}, read: map[string][]int{}}
	if len(operations) == 0 || len(operations) > MaxRows {
		p.fault("operations", "must have 1 to %d operations, not %d", MaxRows, len(operations))
	}
	rows := make([]Row, len(operations))
	for i, o := range operations {
		rows[i] = Row{Operation: o, Index: i, WaitsFor: p.add(i, o)}
	}
	return rows, p.faults
}

// planner collects the rows in order.
type planner struct {
	ruleOf  RuleOf
	rules   map[operationName]foundRule // that were asked for
	faults  []apierr.Detail
	makers  map[string]int   // row that makes a record, by reference
	others  map[string]bool  // references of rows that make no record
	changed map[string]int   // last row that changes a record
	read    map[string][]int // rows that name a record since then
}

func (p *planner) fault(field, format string, args ...any) {
	p.faults = append(p.faults, apierr.Detail{Field: field, Message: fmt.Sprintf(format, args...)})
}

// add checks operation i and returns the rows that it waits for.
func (p *planner) add(i int, o Operation) (waits []int) {
	field := fmt.Sprintf("operations[%d].", i)
	changes, callable := p.pathNames(field+"path", o.Path)
	p.checkReferences(field+"path", changes)
	named, err := namesIn(o.Body)
	if err != nil {
		p.fault(field+"body", "is not valid JSON")
	}
	p.checkReferences(field+"body", named)
	var rule Rule
	if callable {
		rule = p.check(field, o)
	}
	if rule.Record != "" {
		changes = append(changes, memberOf(o.Body, rule.Record)...)
	}
	waits = p.order(i, changes, named)
	p.remember(field, i, o.Reference, rule)
	return waits
}

// pathNames returns the records that a path names, and whether the path can be called.
func (p *planner) pathNames(field, text string) (names []string, callable bool) {
	for segment := range strings.SplitSeq(text, "/") {
		if name, ok := nameOf(unescaped(segment)); ok {
			names = append(names, name)
		}
	}
	plain := placeholders(text)
	u, err := url.ParseRequestURI(plain)
	callable = err == nil && u.RawQuery == "" && !u.ForceQuery && u.Host == "" && !strings.Contains(plain, "#") &&
		strings.HasPrefix(plain, "/api/") && path.Clean(plain) == plain
	if !callable {
		p.fault(field, "must be the path of an API operation, without host and query")
	}
	return names, callable
}

// operationName is a method with a path without references.
type operationName struct{ method, path string }

// foundRule is what ruleOf returned.
type foundRule struct {
	rule   Rule
	nested bool
}

// find asks for the rule of an operation once for all of its rows.
func (p *planner) find(name operationName) foundRule {
	found, asked := p.rules[name]
	if !asked {
		found.rule, found.nested = p.ruleOf(name.method, name.path)
		p.rules[name] = found
	}
	return found
}

// check returns the rule of an operation.
func (p *planner) check(field string, o Operation) Rule {
	found := p.find(operationName{o.Method, placeholders(o.Path)})
	rule := found.rule
	switch {
	case found.nested:
		p.fault(field+"path", "is a batch or an import, which a batch cannot contain")
	case !rule.Allowed:
		p.fault(field+"path", "%s of this path is not allowed in a batch: only creating, submitting and deleting records is", o.Method)
	}
	return rule
}

// checkReferences reports references to anything but an earlier row that makes a record.
func (p *planner) checkReferences(field string, names []string) {
	for _, name := range names {
		reference, isReference := strings.CutPrefix(name, referencePrefix)
		_, made := p.makers[reference]
		switch {
		case !isReference || made:
		case p.others[reference]:
			p.fault(field, "%s refers to a row that makes no record", name)
		default:
			p.fault(field, "%s refers to no earlier row", name)
		}
	}
}

// order returns the rows that row i waits for, and notes which records it changes and names.
func (p *planner) order(i int, changes, named []string) []int {
	waits := map[int]bool{}
	after := func(name string) {
		if last, ok := p.changed[name]; ok {
			waits[last] = true
		}
	}
	for _, name := range changes {
		after(name)
		for _, reader := range p.read[name] {
			waits[reader] = true
		}
	}
	for _, name := range named {
		after(name)
		if !slices.Contains(changes, name) {
			p.read[name] = append(p.read[name], i)
		}
	}
	for _, name := range changes {
		p.changed[name] = i
		delete(p.read, name)
	}
	delete(waits, i)
	var sorted []int
	for w := range waits {
		sorted = append(sorted, w)
	}
	slices.Sort(sorted)
	return sorted
}

// remember notes the reference of a row for the rows after it.
func (p *planner) remember(field string, i int, reference string, rule Rule) {
	if reference == "" {
		return
	}
	_, made := p.makers[reference]
	switch {
	case made || p.others[reference]:
		p.fault(field+"reference", "is already the reference of an earlier row")
	case rule.Creates:
		p.makers[reference], p.changed[referencePrefix+reference] = i, i
	default:
		p.others[reference] = true
	}
}
