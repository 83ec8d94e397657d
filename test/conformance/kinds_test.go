package conformance

import (
	"maps"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/lifecycle"
)

// specimen is what these tests know of a Hub's kind beside what its Type tells.
type specimen struct {
	body  func() map[string]any // a good filing
	text  string                // member of it in which any words may stand
	due   string                // member of it that says when it is due; empty where nothing is
	patch map[string]any        // what may be corrected in a draft
	late  map[string]any        // members of a filing that time takes its step with at once
}

// specimens are by kind; a kind without one fails the tests.
var specimens = map[string]specimen{
	"emcs.movement":    {body: exciseMovement, text: "consigneeName", due: "scheduledDispatchAt", patch: map[string]any{"vehicleReg": "AB24 CDE"}},
	"tss.declaration":  {body: movement, text: "consignorName", due: "scheduledDispatchAt", patch: map[string]any{"vehicleReg": "AB24 CDE"}},
	"corporate.filing": {body: corporateFiling, text: "companyName", due: "dueDate", patch: map[string]any{"subject": "X"}, late: map[string]any{"dueDate": "2026-01-31T23:59:59Z"}},
	"ics2.filing":      {body: entry, text: "consignorName", due: "estimatedArrival", patch: map[string]any{"totalPackages": 3}},
	"trade.licence":    {body: exportLicence, text: "exporterName", due: "validUntil", patch: map[string]any{"exporterName": "X"}, late: map[string]any{"validUntil": "2026-01-31T23:59:59Z"}},
}

// species is a Hub's kind with its specimen.
type species struct {
	*filing.Type
	specimen
}

// hubKinds are the kinds of all Hubs.
func hubKinds(t *testing.T) (all []species) {
	t.Helper()
	for _, k := range app.Kinds() {
		if k.Hub == "customs" {
			continue
		}
		s, ok := specimens[k.Kind]
		if !ok {
			t.Errorf("%s has no specimen here: add one", k.Kind)
			continue
		}
		all = append(all, species{k, s})
	}
	return all
}

// operation is the operation of a verb, as the document names it.
func (s species) operation(verb string) string { return verb + "-" + s.Hub + "-" + s.One }

// with is a good filing in which some members are different.
func (s species) with(members map[string]any) map[string]any {
	body := s.body()
	maps.Copy(body, members)
	return body
}

// reason is the body that an action asks for.
func (s species) reason(by lifecycle.Action) any {
	if s.Lifecycle.Keeps(by, lifecycle.KeepReason) {
		return map[string]any{"reason": "The authority found it wrong."}
	}
	return nil
}

// act takes a step with a filing, however the step is asked for.
func (s species) act(c *caller, id string, by lifecycle.Action) answer {
	one := s.Path + "/" + id
	switch by {
	case lifecycle.Amend:
		return c.call("PATCH", one, s.patch)
	case lifecycle.Cancel:
		return c.call("DELETE", one, nil)
	}
	return c.call("POST", one+"/"+string(by), s.reason(by))
}

// probes are what is asked of the operations of a kind.
func (s species) probes() map[string]probe {
	all := map[string]probe{
		"list-" + s.Hub + "-" + s.Many: {},
		s.operation("create"):          {body: s.body()},
		s.operation("get"):             {kind: s.Kind},
	}
	if len(s.Rules) > 0 {
		all[s.operation("review")] = probe{kind: s.Kind}
	}
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
	return all
}
