package app_test

import (
	"archive/zip"
	"bytes"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// draft creates a declaration like that of the demo that is ready to be submitted, with a steering reference if it is not
// empty.
func (r *recorder) draft(steering string) (id string) {
	body := r.declaration()
	if steering != "" {
		body["documents"] = []any{object{"type": "N935", "reference": steering}}
	}
	r.silently(func() { id = r.text(r.want(r.call("POST", "/api/declarations", body)), "id") })
	return id
}

// declaration returns the body of the demo's declaration that is ready to be submitted.
func (r *recorder) declaration() object {
	return r.sent("/api/declarations", r.demo.DeclarationID, "declaration")
}

// sent returns a record as the creation of its kind takes it, without the caller's reference.
func (r *recorder) sent(path, id, singular string) object {
	known := at(r.requestSchema(path), "properties").(object)
	body := object{}
	r.silently(func() {
		for name, value := range at(r.want(r.call("GET", path+"/"+id, nil)).body, singular).(object) {
			if known[name] != nil && value != nil && name != "reference" {
				body[name] = value
			}
		}
	})
	return body
}

// stated returns the demo's declaration with every value that the service would otherwise guess, since HMRC gets no guess.
func (r *recorder) stated() object {
	declaration := r.declaration()
	maps.Copy(declaration, object{
		"transport": object{"border": object{"nationality": "PA"}, "arrival": object{"id": "9811000", "idType": "10"}},
		"location":  object{"country": "GB", "type": "A", "qualifier": "U", "name": "FXTFXTFXT"}, "deliveryTerms": object{"incoterm": "CIF", "place": "GBFXT"},
		"destination": object{"country": "GB"}, "dispatchCountry": "BD", "transactionNature": "1", "representation": object{"type": "DIRECT"},
		"guarantees": []any{object{"type": "Y", "otherReference": "GB987654312000"}},
	})
	item := declaration["items"].([]any)[0].(object)
	delete(item, "packageCount")
	delete(item, "packageType")
	maps.Copy(item, object{
		"procedureCode": "4000", "grossMassKg": 131, "valuationMethod": "1", "valuationIndicators": "0000",
		"packages": []any{object{"count": 25, "type": "CT", "marks": "1 to 25"}}, "taxLines": []any{object{"type": "A00", "methodOfPayment": "P"}, object{"type": "B00", "methodOfPayment": "P"}},
	})
	if documents, ok := declaration["documents"].([]any); ok {
		documents[0].(object)["status"] = "AC"
	}
	return declaration
}

// copy keeps what a declaration of the demo needs, to make it in another organisation.
func (r *recorder) copy() {
	declaration := r.stated()
	shipment := r.sent("/api/shipments", declaration["shipmentId"].(string), "shipment")
	client := r.sent("/api/clients", shipment["clientId"].(string), "client")
	organisation := object{}
	r.silently(func() {
		for name, value := range at(r.call("GET", "/api/organisation", nil).body, "organisation").(object) {
			if text, ok := value.(string); ok && !slices.Contains([]string{"id", "mode", "createdAt", "updatedAt", "deleteAfter", "state", "status", "defermentAccount"}, name) {
				organisation[name] = text
			}
		}
	})
	r.copied = map[string]object{"client": client, "shipment": shipment, "declaration": declaration, "organisation": organisation}
}

// submit submits a declaration and waits until it has one of some states or stages.
func (r *recorder) submit(id string, until ...string) answered {
	r.want(r.call("POST", "/api/cds/submit", object{"declarationId": id}))
	return r.until(id, until...)
}

func (r *recorder) until(id string, until ...string) answered {
	return r.eventually("/api/declarations/"+id, func(a answered) bool {
		for _, wanted := range until {
			if at(a.body, "declaration", "status") == wanted || at(a.body, "declaration", "stage") == wanted {
				return true
			}
		}
		return false
	})
}

func (r *recorder) recordDeclarations() {
	const path = "/api/declarations"
	body := r.declaration()
	body["reference"] = "JOB-1133"
	r.want(r.call("POST", path+"?dryRun=true", body))
	id := r.text(r.want(r.call("POST", path, body)), "id")
	r.want(r.call("GET", path+"?limit=1", nil))
	r.want(r.call("PATCH", path+"/"+id, object{"reference": "JOB-1134"}))
	r.submit(id, "CLEARED")
	r.want(r.call("GET", path+"/"+id, nil))
	r.want(r.call("GET", path+"/"+id+"/timeline", nil))
	r.want(r.call("GET", path+"/"+id+"/declaration.xml", nil))
	r.want(r.call("GET", path+"/"+id+"/document.pdf?of=clearance", nil))
	r.recordMessage(r.want(r.call("GET", path+"/"+id+"/evidence.zip", nil)))
	r.silently(func() {
		r.want(r.call("POST", path+"/"+id+"/cancellation", object{"reasonCode": "3", "reason": "Article 27"}))
	})
	cancelled := r.draft("")
	r.want(r.call("DELETE", path+"/"+cancelled, object{"reasonCode": "2", "reason": "Declared twice"}))
	accepted := r.draft("SIM-G0-1")
	r.silently(func() { r.submit(accepted, "ACCEPTED") })
	r.want(r.call("POST", path+"/"+accepted+"/cancellation", object{"reasonCode": "2", "reason": "Declared twice"}))
	queried := r.draft("SIM-Q0-1")
	var demand string
	r.silently(func() { demand = r.text(r.submit(queried, "QUERIED"), "declaration", "demands", "0", "id") })
	r.want(r.call("POST", path+"/"+queried+"/demands/"+demand+"/close", object{"note": "Answered by letter on 24 November"}))
	copies := path + "/" + id + "/copy"
	r.want(r.call("POST", copies+"?dryRun=true", nil))
	r.want(r.call("POST", copies, nil))
	filled := "/api/templates/" + r.first("/api/templates", "templates", all) + "/declarations"
	r.want(r.call("POST", filled+"?dryRun=true", object{"reference": "JOB-1140"}))
	r.want(r.call("POST", filled, object{"reference": "JOB-1140"}))
	r.silently(func() { // its dates begin after everything else that is recorded
		r.want(r.call("PATCH", strings.TrimSuffix(filled, "/declarations"), object{"assigneeId": r.text(r.want(r.call("GET", "/api/me", nil)), "user", "id"), "recurrence": object{
			"frequency": "MONTHLY", "dayOfMonth": 1, "startsOn": recordedAt.AddDate(0, 0, 40).Format(time.DateOnly)}}))
	})
	r.recordAmendment()
	r.recordFiles()
	r.recordSources()
	r.recordPresentation()
	r.recordNotification()
	r.recordMovements()
	r.recordSteered()
}

// recordMovements reports that the goods of an export have arrived, and a movement that HMRC refuses.
func (r *recorder) recordMovements() {
	var id string
	r.silently(func() {
		body := r.declaration()
		body["declarationType"], body["location"] = "EXPORT", object{"country": "GB", "type": "A", "qualifier": "U", "name": "FXTFXTFXT"}
		id = r.text(r.want(r.call("POST", "/api/declarations", body)), "id")
		r.submit(id, "CLEARED")
	})
	path := "/api/declarations/" + id + "/movements"
	arrival := r.want(r.call("POST", path, object{"kind": "ARRIVAL", "occursAt": "2026-11-24T08:30:00Z"}))
	delete(at(arrival.body, "movement").(object), "answeredAt") // customs may have answered already
	r.until(id, "CLEARED")
	r.eventually("/api/declarations/"+id, func(a answered) bool { return part(a.body, "declaration", "movements", "0", "crc") != nil })
	r.silently(func() {
		r.want(r.call("POST", path, object{"kind": "DEPARTURE", "occursAt": "2026-11-24T08:45:00Z"}, "X-Simulate", "reject 13"))
	})
	r.eventually("/api/declarations/"+id, func(a answered) bool { return part(a.body, "declaration", "movements", "1", "status") == "REFUSED" })
}

// recordAmendment amends accepted declarations: one change is granted, one denied.
func (r *recorder) recordAmendment() {
	body := object{"reasonCode": "21", "reason": "The invoice was wrong", "changes": object{"items": []any{object{
		"commodityCode": "6109100010", "description": "Men's knitted cotton T-shirts", "netMassKg": 120.5, "customsValueGbp": 2850, "countryOfOrigin": "BD"}}}}
	for _, outcome := range []string{"grant", "deny"} {
		id := r.draft("SIM-G0-1")
		r.silently(func() { r.submit(id, "ACCEPTED") })
		r.want(r.call("POST", "/api/declarations/"+id+"/amendments", body, "X-Simulate", outcome))
		r.eventually("/api/declarations/"+id, func(a answered) bool {
			state := part(a.body, "declaration", "requests", "0", "status")
			return state == "GRANTED" || state == "DENIED"
		})
	}
}

// recordFiles sends documents for which customs has asked: one is received, one rejected.
func (r *recorder) recordFiles() {
	file := upload{name: "invoice.pdf", content: "%PDF-1.7 invoice", fields: map[string]string{"documentType": "Invoice"}, many: true}
	for _, outcome := range []string{"accept", "reject"} {
		id := r.draft("SIM-D0-1")
		r.silently(func() { r.submit(id, "DOCUMENTS_REQUIRED") })
		path := "/api/declarations/" + id + "/files"
		sent := r.want(r.call("POST", path, file, "X-Simulate", outcome))
		r.want(r.call("GET", path+"/"+r.text(sent, "files", "0", "id"), nil))
		r.eventually("/api/declarations/"+id, func(a answered) bool {
			state := part(a.body, "declaration", "files", "0", "status")
			return state == "RECEIVED" || state == "REJECTED"
		})
	}
}

// recordSources keeps the invoice that a draft was made from.
func (r *recorder) recordSources() {
	file := upload{name: "invoice.pdf", content: "%PDF-1.7 invoice", fields: map[string]string{"documentType": "invoice"}, many: true}
	r.want(r.call("POST", "/api/declarations/"+r.draft("SIM-D0-2")+"/source-documents", file))
}

// recordMessage records the message with which CDS cleared the declaration of an evidence pack.
func (r *recorder) recordMessage(pack answered) {
	files, err := zip.NewReader(bytes.NewReader(pack.text), int64(len(pack.text)))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, f := range files.File {
		in, err := f.Open()
		if err != nil {
			r.t.Fatal(err)
		}
		text, _ := io.ReadAll(in)
		if bytes.Contains(text, []byte("<FunctionCode>09</FunctionCode>")) || bytes.Contains(text, []byte(":FunctionCode>09</")) {
			r.keep("receive-customs-message", excerpt(string(text)), answered{status: 200, body: object{}})
		}
	}
}

// recordNotification records what HMRC sends to a connected installation, which that of the recording is not.
func (r *recorder) recordNotification() {
	r.keep("receive-authority-notification", object{
		"notificationId": "1ed5f407-8096-40d5-87ee-4b55f5a2b1b2", "boxId": "50dca3fb-c0c1-4ae8-8b1b-5d3bc8b0b7f3", "messageContentType": "application/json",
		"message": `{"movementId":"01939c50-7b00-4c3e-8f00-00000000000b","messageType":"IE801","ern":"GBWK002281023"}`, "status": "PENDING", "createdDateTime": "2026-11-24T10:20:23.160+0000",
	}, answered{status: 200, body: object{}})
	const challenge = "ec3ff9ba-4ac1-4ea3-80e2-b3ac1e4f0f2b"
	r.keep("answer-notification-challenge", nil, answered{status: 200, body: object{"challenge": challenge}})
}

func (r *recorder) recordPresentation() {
	var id string
	r.silently(func() {
		shipment := r.text(r.want(r.call("POST", "/api/shipments", object{
			"clientId": r.first("/api/clients", "clients", all), "portOfEntry": "GBFXT", "transportMode": "SEA", "vesselName": "MV Orwell Star", "arrived": false, "expectedArrival": recordedAt.AddDate(0, 0, 4).Format(time.RFC3339),
		})), "id")
		body := r.declaration()
		body["shipmentId"], body["documents"] = shipment, []any{object{"type": "N935", "reference": "SIM-R-1"}}
		id = r.text(r.want(r.call("POST", "/api/declarations", body)), "id")
		r.submit(id, "REGISTERED")
	})
	where := object{"country": "GB", "type": "A", "qualifier": "U", "name": "FXTFXTFXT"}
	r.want(r.call("POST", "/api/declarations/"+id+"/presentation", object{"presentedAt": "2026-11-24T04:00:00Z", "location": where}))
}

// recordSteered submits declarations whose events the others do not have. The export comes first, so that the examples of
// other events are of an import.
func (r *recorder) recordSteered() {
	steer := func(id, letters string) {
		r.want(r.call("POST", "/api/cds/submit", object{"declarationId": id}, "X-Simulate", letters))
	}
	r.silently(func() {
		exported := r.first("/api/declarations?status=CLEARED", "declarations", func(d any) bool { return at(d, "declarationType") == "EXPORT" })
		id := r.text(r.want(r.call("POST", "/api/declarations/"+exported+"/copy", nil)), "id")
		steer(id, "X0")
		r.until(id, "EXITED")
		for _, letters := range []string{"U", "D0", "Q0", "N0"} {
			steer(r.draft(""), letters)
		}
		for _, last := range []struct{ letters, stage string }{{"INSUFFICIENT", "PAYMENT_SHORT"}, {"BCDS12056", "REJECTED"}, {"C0", "CLEARED"}} {
			id := r.draft("")
			steer(id, last.letters)
			r.until(id, last.stage)
		}
	})
}
