package conformance

import (
	"maps"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// kindExample has what these tests need to know about a Hub's kind besides its Type.
type kindExample struct {
	body  func() map[string]any // a correct filing
	text  string                // its member that accepts any text
	due   string                // its member with the due date; empty if it has no deadline
	patch map[string]any        // a permitted correction of a draft
	late  map[string]any        // members with which its timer is due at once
}

// kindExamples are by kind; a kind without one fails the tests.
var kindExamples = map[string]kindExample{
	"emcs.movement":    {body: exciseMovement, text: "consigneeName", due: "scheduledDispatchAt", patch: map[string]any{"vehicleReg": "AB24 CDE"}},
	"tss.declaration":  {body: movement, text: "consignorName", due: "scheduledDispatchAt", patch: map[string]any{"vehicleReg": "AB24 CDE"}},
	"corporate.filing": {body: corporateFiling, text: "companyName", due: "dueDate", patch: map[string]any{"subject": "X"}, late: map[string]any{"dueDate": "2026-01-31T23:59:59Z"}},
	"ics2.filing":      {body: entry, text: "consignorName", due: "estimatedArrival", patch: map[string]any{"totalPackages": 3}},
	"cbam.import":      {body: steel, text: "notes"},
	"gvms.movement":    {body: vehicleMovement, text: "routeFrom", due: "crossingDate", patch: map[string]any{"vehicleReg": "AB24 CDE"}},
	"trade.licence":    {body: exportLicence, text: "exporterName", due: "validUntil", patch: map[string]any{"exporterName": "X"}, late: map[string]any{"validUntil": "2026-01-31T23:59:59Z"}},
}

// operationBodies are correct bodies of operations, by the end of their paths.
var operationBodies = map[string]map[string]any{
	"receipt":     {"conclusion": 1, "arrivedOn": "2026-11-27"},
	"destination": {"type": "6", "office": "GB000060"},
	"alert":       {"on": "2026-11-27", "rejected": false},
	"delay":       {"by": "CONSIGNOR", "about": "DESTINATION", "explanation": map[string]any{"code": "4"}},
	"shortage":    {"by": "CONSIGNOR", "analysedOn": "2026-11-27", "explanation": "Evaporated"},
}

// hubKind is a Hub's kind with its example.
type hubKind struct {
	*filing.Type
	kindExample
}

// hubKinds are the kinds of all Hubs.
func hubKinds(t *testing.T) (all []hubKind) {
	t.Helper()
	for _, k := range app.Kinds() {
		if k.Hub == "customs" {
			continue
		}
		s, ok := kindExamples[k.Kind]
		if !ok {
			t.Errorf("%s has no example: add one to this test", k.Kind)
			continue
		}
		all = append(all, hubKind{k, s})
	}
	return all
}

// operation is the operation of a verb, as the document names it.
func (s hubKind) operation(verb string) string { return verb + "-" + s.Hub + "-" + s.Singular }

// made is the status of the answer to a new filing.
func (s hubKind) made() int {
	if s.Plain {
		return 201
	}
	return 200
}

// with is a correct filing with some members replaced.
func (s hubKind) with(members map[string]any) map[string]any {
	body := s.body()
	maps.Copy(body, members)
	return body
}

// reason is the request body that an action needs.
func (s hubKind) reason(by lifecycle.Action) any {
	if s.Lifecycle.HasEffect(by, lifecycle.KeepReason) {
		return map[string]any{"reason": "The authority found it wrong."}
	}
	return nil
}

// transition performs a transition of a filing, whatever its request.
func (s hubKind) transition(c *caller, id string, by lifecycle.Action, headers ...string) answer {
	one := s.Path + "/" + id
	switch by {
	case lifecycle.Amend:
		return c.call("PATCH", one, s.patch, headers...)
	case lifecycle.Cancel:
		return c.call("DELETE", one, nil, headers...)
	}
	return c.call("POST", one+"/"+string(by), s.reason(by), headers...)
}

// probes are the requests for the operations of a kind.
func (s hubKind) probes() map[string]probe {
	all := map[string]probe{
		"list-" + s.Hub + "-" + s.Plural: {},
		s.operation("create"):            {body: s.body()},
		s.operation("get"):               {kind: s.Kind},
		s.operation("get") + "-evidence": {kind: s.Kind},
	}
	if len(s.Rules) > 0 {
		all[s.operation("review")] = probe{kind: s.Kind}
	}
	if s.Kind == "gvms.movement" || s.Kind == "tss.declaration" { // the ids of declarations in it become their MRNs
		all[s.operation("create")] = probe{kind: "declaration", body: func(id string) any { return s.with(map[string]any{"customsDeclarations": []any{id}}) }}
	}
	if s.Kind == "gvms.movement" {
		all["list-gvms-routes"] = probe{}
	}
	maps.Copy(all, s.papers())
	if s.Classifier != nil {
		all[s.operation("classify")] = probe{kind: s.Kind}
	}
	for _, by := range s.Lifecycle.Actions() {
		if by == lifecycle.Amend {
			all[s.operation("update")] = probe{kind: s.Kind, body: s.patch}
			continue
		}
		all[s.operation(string(by))] = probe{kind: s.Kind, body: s.reason(by)}
	}
	if s.Messages != nil {
		all[s.operation("import")] = probe{body: "<" + s.Messages.Name + "/>", headers: []string{"Content-Type", "application/xml"}}
		all[s.operation("write")] = probe{kind: s.Kind}
	}
	if s.Copyable() {
		all[s.operation("copy")] = probe{kind: s.Kind}
	}
	for _, o := range s.Operations {
		all[s.operation(string(o.Action))] = probe{kind: s.Kind, body: operationBodies[string(o.Action)]}
	}
	if s.Assignable() && !slices.Contains(s.Lifecycle.Actions(), lifecycle.Amend) {
		all[s.operation("assign")] = probe{kind: s.Kind, body: map[string]any{"assigneeId": nil}}
	}
	return all
}

// generatedProbes are the probes of the kinds that the service draws up and of the records that the calendar
// creates.
func generatedProbes() map[string]probe {
	all := map[string]probe{
		"create-cbam-report":      {},
		"create-tax-return":       {kind: "tax.period", body: func(id string) any { return map[string]any{"periodId": id} }},
		"list-tax-periods":        {},
		"get-tax-period":          {kind: "tax.period"},
		"get-tax-period-evidence": {kind: "tax.period"},
	}
	for _, k := range app.Statements() {
		s := hubKind{Type: k.Type}
		all["list-"+s.Hub+"-"+s.Plural] = probe{}
		for _, verb := range []string{"get", "delete", "submit", "mark-accepted", "review", "export"} {
			all[s.operation(verb)] = probe{kind: s.Kind}
		}
		all[s.operation("assign")] = probe{kind: s.Kind, body: map[string]any{"assigneeId": nil}}
		all[s.operation("get")+"-evidence"] = probe{kind: s.Kind}
		maps.Copy(all, s.papers())
	}
	return all
}

// papers are the probes of checklists and of documents of authorities.
func (s hubKind) papers() map[string]probe {
	all := map[string]probe{}
	if s.Checklist != nil {
		all[s.operation("get")+"-checklist"] = probe{kind: s.Kind}
	}
	if s.KeepsDocuments() {
		all[s.operation("get")+"-file"] = probe{kind: s.Kind}
	}
	return all
}

// createGenerated creates a record of each of those kinds.
func (c *caller) createGenerated() map[string]string {
	c.t.Helper()
	for _, k := range app.Statements() {
		c.call("POST", "/api/hubs/"+k.Hub, nil)
	}
	period := c.period()
	return map[string]string{
		"tax.period":  period,
		"tax.return":  c.call("POST", "/api/tax/returns", map[string]any{"periodId": period}).want(c.t, 200).id(),
		"cbam.report": c.call("POST", "/api/cbam/reports", nil).want(c.t, 200).id(),
	}
}
