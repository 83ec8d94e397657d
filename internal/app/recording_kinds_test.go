package app_test

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// corrections are the members of a record that the recorded changes replace, by kind.
var corrections = map[string]object{
	"client":           {"postcode": "BS1 4RB"},
	"shipment":         {"vesselName": "MV Orwell Star"},
	"product":          {"description": "Men's T-shirts, knitted, of organic cotton"},
	"emcs.movement":    {"vehicleReg": "SP25 BND"},
	"tss.declaration":  {"vehicleReg": "AB25 CDE"},
	"corporate.filing": {"subject": "Move to Ipswich on 1 December"},
	"ics2.filing":      {"totalPackages": 421},
	"gvms.movement":    {"vehicleReg": "AB25 CDE"},
	"trade.licence":    {"quantity": 3},
	"template":         {"name": "T-shirts by air"},
}

// recordKinds calls the operations of all kinds of filing, except declarations and what the service draws up.
func (r *recorder) recordKinds() {
	for _, k := range app.Kinds() {
		r.recordKind(k)
	}
	for _, k := range app.Statements() {
		r.recordStatement(k.Type)
	}
	r.want(r.call("GET", "/api/tax/periods?limit=1", nil))
	id := r.first("/api/tax/periods", "periods", all)
	r.want(r.call("GET", "/api/tax/periods/"+id, nil))
	r.want(r.call("GET", "/api/tax/periods/"+id+"/evidence.zip", nil))
}

func (r *recorder) recordKind(k *filing.Type) {
	body := r.input(k)
	r.want(r.call("POST", k.Path+"?dryRun=true", body))
	if !k.Plain {
		delete(r.calls, r.operation("POST", k.Path)) // the dry run has the status of the creation
	}
	id := r.create(k, body)
	r.want(r.call("GET", k.Path+"?limit=1", nil))
	r.recordRecord(k, id)
	if change := corrections[k.Kind]; change != nil && k.Lifecycle.From(lifecycle.Amend) != nil {
		r.want(r.call("PATCH", k.Path+"/"+id, change))
	}
	r.recordApproval(k, id)
	for _, by := range k.Lifecycle.Actions() {
		if op, path := actionOf(k, by); by != lifecycle.Amend && r.operation(op, path) != "" {
			r.recordAction(k, body, by)
		}
	}
}

// recordRecord calls the operations that read one record.
func (r *recorder) recordRecord(k *filing.Type, id string) {
	one := k.Path + "/" + id
	r.want(r.call("GET", one, nil))
	r.want(r.call("GET", one+"/evidence.zip", nil))
	if k.Checklist != nil {
		r.want(r.call("GET", one+"/checklist", nil))
	}
	if k.Kind == "shipment" {
		r.want(r.call("GET", one+"/timeline?limit=2", nil))
	}
	for _, by := range []string{"review", "classify"} {
		if r.operation("POST", one+"/"+by) != "" {
			r.want(r.call("POST", one+"/"+by, nil))
		}
	}
}

// input returns the body of the record of a list that has the most members, as its creation takes it.
func (r *recorder) input(k *filing.Type) object {
	var fullest object
	r.silently(func() {
		for _, one := range at(r.want(r.call("GET", k.Path, nil)).body, k.Plural).([]any) {
			if members := r.sent(k.Path, at(one, "id").(string), k.Singular); len(members) > len(fullest) {
				fullest = members
			}
		}
	})
	if k.Kind == "template" { // the demo has none
		body := r.declaration()
		fullest = object{"name": "T-shirts by sea", "body": body, "clientId": r.sent("/api/shipments", body["shipmentId"].(string), "shipment")["clientId"]}
	}
	if fullest == nil {
		r.t.Errorf("the demo has no %s", k.Kind)
		return object{}
	}
	if k.ReferenceField != "" && !slices.Contains([]string{"shipment"}, k.Kind) {
		fullest[k.ReferenceField] = "JOB-1133"
	}
	if k.Kind == "product" {
		fullest["code"] = "TEE-ORGANIC"
	}
	return fullest
}

// requestSchema returns the schema of the body of a creation.
func (r *recorder) requestSchema(path string) any {
	return resolved(r.document, at(r.document, "paths", path, "post", "requestBody", "content", "application/json", "schema"))
}

func (r *recorder) create(k *filing.Type, body object) string {
	a := r.want(r.call("POST", k.Path, body))
	if k.Plain {
		return r.text(a, "id")
	}
	return r.text(a, k.Singular, "id")
}

// actionOf returns method and path of an action, with a placeholder for the ID.
func actionOf(k *filing.Type, by lifecycle.Action) (method, path string) {
	if by == lifecycle.Cancel || by == "delete" {
		return "DELETE", k.Path + "/{id}"
	}
	return "POST", k.Path + "/{id}/" + string(by)
}

// recordAction brings a new record to where the action is allowed, and performs it.
func (r *recorder) recordAction(k *filing.Type, body object, by lifecycle.Action) {
	body = maps.Clone(body)
	if k.ReferenceField != "" {
		delete(body, k.ReferenceField)
	}
	var id string
	r.silently(func() {
		if k.Kind == "product" {
			body["code"] = fmt.Sprint(body["code"], "-", by)
		}
		id = r.create(k, body)
		for _, step := range pathTo(k.Lifecycle, by) {
			r.perform(k, id, step)
		}
	})
	r.perform(k, id, by)
}

func (r *recorder) perform(k *filing.Type, id string, by lifecycle.Action) answered {
	var reason any
	if k.Lifecycle.HasEffect(by, lifecycle.KeepReason) {
		reason = object{"reason": "The consignee's number is not registered."}
	}
	if by == lifecycle.Cancel || by == "delete" {
		return r.want(r.call("DELETE", k.Path+"/"+id, nil))
	}
	if k.TakesDecision(by) && !r.quiet {
		return r.decide(k, id, by, reason)
	}
	return r.want(r.call("POST", k.Path+"/"+id+"/"+string(by), reason))
}

// ownReferences are references in the form of each authority.
var ownReferences = map[string]string{
	"tss.declaration": "ENS000000001234567", "ics2.filing": "26GB4X1V6Q8R3T7K94", "emcs.movement": "26GB00000000003789213", "trade.licence": "GBSIEL/2026/0000123/P",
	"corporate.filing": "161-803-398874", "cbam.report": "XGBCBAM000412", "gvms.movement": "GMRA00KW8LTT",
}

// firstDecision returns the first mark of a kind with which a reference can be entered.
func firstDecision(k *filing.Type) lifecycle.Action {
	actions := k.Lifecycle.Actions()
	return actions[slices.IndexFunc(actions, k.TakesDecision)]
}

// decide marks a record with all that can be entered about the decision, and reads the document.
func (r *recorder) decide(k *filing.Type, id string, by lifecycle.Action, reason any) answered {
	body, _ := reason.(object)
	if body == nil {
		body = object{"reason": "Granted for two years."}
		if by == firstDecision(k) { // a reference is that of one record
			body["reference"] = ownReferences[k.Kind]
		}
	}
	body["decidedAt"] = "2026-11-20T09:30:00.000Z"
	body["document"] = object{"fileName": "decision.txt", "content": "R3JhbnRlZCBmb3IgdHdvIHllYXJzLg=="}
	a := r.want(r.call("POST", k.Path+"/"+id+"/"+string(by), body))
	r.want(r.call("GET", k.Path+"/"+id+"/files/"+r.text(a, k.Singular, "decisionDocument", "id"), nil))
	return a
}

// pathTo returns the actions after which another one is allowed on a new record.
func pathTo(t lifecycle.Table, last lifecycle.Action) []lifecycle.Action {
	type way struct {
		at    lifecycle.State
		steps []lifecycle.Action
	}
	for open, seen := []way{{at: t.Initial}}, map[lifecycle.State]bool{}; len(open) > 0; open = open[1:] {
		w := open[0]
		if _, allowed := t.Find(w.at, last); allowed {
			return w.steps
		}
		for _, e := range t.Edges {
			if slices.Contains(e.From, w.at) && e.To != "" && !seen[e.To] && e.Guard != lifecycle.System {
				seen[e.To] = true
				open = append(open, way{e.To, append(slices.Clone(w.steps), e.Action)})
			}
		}
	}
	return nil
}

// recordStatement calls the operations of a kind that the service draws up.
func (r *recorder) recordStatement(k *filing.Type) {
	list := r.want(r.call("GET", k.Path+"?limit=1", nil))
	drafted := at(list.body, k.Plural).([]any)[0]
	id := at(drafted, "id").(string)
	r.recordRecord(k, id)
	body := object{}
	if k.Kind == "tax.return" {
		body = object{"periodId": at(drafted, "periodId"), "box1VatDueSales": 8420.50, "box4AdditionalReclaim": 2310.75, "box6TotalSales": 46780, "box7TotalPurchases": 231400}
	}
	r.perform(k, id, "delete")
	made := r.create(k, body)
	r.silently(func() { r.create(k, body) }) // draws up the draft again
	r.want(r.call("GET", k.Path+"/"+made+"/export.xml", nil))
	r.want(r.call("GET", k.Path+"/"+made+"/document.pdf", nil))
	r.recordApproval(k, made)
	r.perform(k, made, "submit")
	r.perform(k, made, "mark-accepted")
}
