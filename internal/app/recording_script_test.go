package app_test

import (
	"archive/zip"
	"bytes"
	"io"
	"net/url"
	"strings"
)

// play makes all calls of one run. What later calls need comes first.
func (r *recorder) play() {
	r.recordErrors()
	r.recordKinds()
	r.recordDeclarations()
	r.recordSuggestions()
	r.recordImports()
	r.recordBatches()
	r.recordHolds()
	r.recordWebhooks()
	r.recordAudit()
	r.recordDeadlines()
	r.recordAccess()
	r.recordSandbox()
	r.recordEvents()
	r.recordUnseenEvents()
	r.recordClosing()
}

// first returns the ID of the first record of a list that fits.
func (r *recorder) first(path, plural string, fits func(record any) bool) (id string) {
	r.t.Helper()
	r.silently(func() {
		for _, one := range at(r.want(r.call("GET", path, nil)).body, plural).([]any) {
			if id == "" && fits(one) {
				id = at(one, "id").(string)
			}
		}
	})
	if id == "" {
		r.t.Errorf("no record of %s fits", path)
	}
	return id
}

func all(any) bool { return true }

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
	known := at(r.requestSchema("POST", "/api/declarations"), "properties").(object)
	body := object{}
	r.silently(func() {
		record := at(r.want(r.call("GET", "/api/declarations/"+r.demo.DeclarationID, nil)).body, "declaration").(object)
		for name, value := range record {
			if known[name] != nil && value != nil && name != "reference" {
				body[name] = value
			}
		}
	})
	return body
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
	r.recordMessage(r.want(r.call("GET", path+"/"+id+"/evidence.zip", nil)))
	r.silently(func() {
		r.want(r.call("POST", path+"/"+id+"/cancellation", object{"reasonCode": "3", "reason": "Article 27"}))
	})
	cancelled := r.draft("")
	r.want(r.call("DELETE", path+"/"+cancelled, object{"reasonCode": "2", "reason": "Declared twice"}))
	accepted := r.draft("SIM-G5-1")
	r.silently(func() { r.submit(accepted, "ACCEPTED") })
	r.want(r.call("POST", path+"/"+accepted+"/cancellation", object{"reasonCode": "2", "reason": "Declared twice"}))
	queried := r.draft("SIM-Q0-1")
	var demand string
	r.silently(func() { demand = r.text(r.submit(queried, "QUERIED"), "declaration", "demands", "0", "id") })
	r.want(r.call("POST", path+"/"+queried+"/demands/"+demand+"/close", object{"note": "Answered by letter on 24 November"}))
	r.recordPresentation()
	r.recordFiles()
	r.recordSteered()
}

// recordFiles sends documents that customs asked for, and one that customs rejects.
func (r *recorder) recordFiles() {
	id := r.draft("SIM-D0-1")
	path := "/api/declarations/" + id + "/files"
	r.silently(func() { r.submit(id, "DOCUMENTS_REQUIRED") })
	r.silently(func() {
		r.want(r.call("POST", path, customsDocument{"Invoice", "invoice.pdf", "%PDF-1.7 invoice"}, "X-Simulate", "reject"))
		r.eventually("/api/declarations/"+id, func(a answered) bool { return at(a.body, "declaration", "files", "0", "status") == "REJECTED" })
	})
	file := r.text(r.want(r.call("POST", path, customsDocument{"Invoice", "invoice.pdf", "%PDF-1.7 invoice"})), "files", "0", "id")
	r.silently(func() { r.until(id, "CLEARED") })
	r.want(r.call("GET", path+"/"+file, nil))
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
			r.keep("receive-customs-message", string(text), answered{status: 200, body: object{}})
		}
	}
}

func (r *recorder) recordPresentation() {
	var id string
	r.silently(func() {
		shipment := r.text(r.want(r.call("POST", "/api/shipments", object{
			"clientId": r.first("/api/clients", "clients", all), "portOfEntry": "GBFXT", "transportMode": "SEA", "vesselName": "MV Orwell Star", "arrived": false, "expectedArrival": "2026-11-28T06:00:00Z",
		})), "id")
		body := r.declaration()
		body["shipmentId"], body["documents"] = shipment, []any{object{"type": "N935", "reference": "SIM-R-1"}}
		id = r.text(r.want(r.call("POST", "/api/declarations", body)), "id")
		r.submit(id, "REGISTERED")
	})
	where := object{"country": "GB", "type": "A", "qualifier": "U", "name": "FXTFXTFXT"}
	r.want(r.call("POST", "/api/declarations/"+id+"/presentation", object{"presentedAt": "2026-11-24T04:00:00Z", "location": where}))
}

// recordSteered submits declarations whose events the others do not have.
func (r *recorder) recordSteered() {
	r.silently(func() {
		for _, stub := range []string{"BCDS12056", "D0", "Q0", "C0", "P", "N0", "X0"} {
			r.call("POST", "/api/cds/submit", object{"declarationId": r.draft("")}, "X-Simulate", stub)
		}
	})
}

const invoice = "Seller: Padma Knitwear Ltd, Bangladesh\n\nInvoice No: PK-77    Currency: GBP\n\n" +
	"Description                HS code      Qty    Amount      Net kg\n" +
	"Men's knitted T-shirts     6109100010   600    1800.00     120.5\n"

func (r *recorder) recordSuggestions() {
	rejected := r.first("/api/declarations?status=REJECTED", "declarations", all)
	r.want(r.call("POST", "/api/ai/analyse-declaration", object{"declarationId": r.demo.DeclarationID}))
	r.want(r.call("POST", "/api/ai/commodity-classify", object{"description": "Men's T-shirts, knitted, of cotton", "countryOfOrigin": "BD"}))
	r.want(r.call("POST", "/api/ai/explain-rejection", object{"declarationId": rejected}))
	r.want(r.call("POST", "/api/ai/extract-document", upload{"invoice.txt", invoice, map[string]string{"documentType": "invoice"}}))
	r.want(r.call("POST", "/api/trade/classify", object{"productDescription": "Five-axis CNC machining centre, positioning repeatability 2.4 micrometres", "destinationCountry": "KR"}))
	r.want(r.call("GET", "/api/tariff/commodities/6109100010", nil))
	r.want(r.call("GET", "/api/search?q=mill&limit=1", nil))
}

// importedXML is a small declaration as CDS takes it.
const importedXML = `<?xml version="1.0" encoding="UTF-8"?><md:MetaData xmlns="urn:wco:datamodel:WCO:DEC-DMS:2" xmlns:md="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"><Declaration>` +
	`<FunctionCode>9</FunctionCode><FunctionalReferenceID>JOB-1133</FunctionalReferenceID><TypeCode>IMA</TypeCode>` +
	`<Declarant><ID>GB987654312000</ID></Declarant><GoodsShipment><GovernmentAgencyGoodsItem><SequenceNumeric>1</SequenceNumeric>` +
	`<Commodity><Description>Men's knitted cotton T-shirts</Description></Commodity></GovernmentAgencyGoodsItem>` +
	`<Importer><Name>Mill Lane Textiles Ltd</Name><ID>GB205672280000</ID></Importer></GoodsShipment></Declaration></md:MetaData>`

func (r *recorder) recordImports() {
	r.recordImport("clients", "name,eori,city\nFenland Growers Ltd,GB123456789000,Ely\n", map[string]string{"name": "name", "eori": "eori", "city": "city"})
	client := r.first("/api/clients", "clients", all)
	r.recordImport("products", "clientId,code,description\n"+client+",LAMP-5,Brass table lamps\n", map[string]string{"clientId": "clientId", "code": "code", "description": "description"})
	shipment := at(r.declaration(), "shipmentId").(string)
	const columns = "declarationType,shipmentId,items[].commodityCode,items[].description,items[].netMassKg,items[].customsValueGbp,items[].countryOfOrigin"
	mapping := map[string]string{}
	for name := range strings.SplitSeq(columns, ",") {
		mapping[name] = name
	}
	a := r.recordImport("declarations", columns+"\nIMPORT,"+shipment+",6109100010,Men's knitted T-shirts,120.5,1800.00,BD\n", mapping)
	id := r.text(a, "import", "id")
	r.eventually("/api/imports/"+id, func(a answered) bool { return at(a.body, "import", "status") == "DONE" })
	r.want(r.call("GET", "/api/imports/"+id, nil))
	r.want(r.call("GET", "/api/imports/"+id+"/results", nil))
	r.want(r.call("DELETE", "/api/imports/"+id, nil))
	for _, kind := range []string{"clients", "shipments", "products", "declarations"} {
		r.want(r.call("GET", "/api/export/"+kind, nil))
	}
	r.want(r.call("POST", "/api/declarations/import?dryRun=true", importedXML))
	r.want(r.call("POST", "/api/declarations/import", importedXML))
}

// recordImport calls preview and commit with a file of one row.
func (r *recorder) recordImport(what, file string, mapping map[string]string) answered {
	r.want(r.call("POST", "/api/import/"+what+"/preview", upload{what + ".csv", file, nil}))
	lines := strings.Split(strings.TrimSpace(file), "\n")
	row := object{}
	for i, name := range strings.Split(lines[0], ",") {
		row[name] = strings.Split(lines[1], ",")[i]
	}
	return r.want(r.call("POST", "/api/import/"+what+"/commit", object{"mapping": mapping, "rows": []any{row}}))
}

func (r *recorder) recordBatches() {
	shipment := at(r.declaration(), "shipmentId")
	operations := []any{
		object{"method": "POST", "path": "/api/clients", "body": object{"name": "Wharf Ceramics Ltd"}, "reference": "row 1"},
		object{"method": "POST", "path": "/api/products", "body": object{"clientId": "$ref:row 1", "code": "TILE-30", "description": "Glazed wall tiles"}, "reference": "row 2"},
	}
	_ = shipment
	id := r.text(r.want(r.call("POST", "/api/batches", object{"operations": operations}, "Idempotency-Key", "5f0c1a3e-order-42")), "batch", "id")
	r.eventually("/api/batches/"+id, func(a answered) bool { return at(a.body, "batch", "status") == "DONE" })
	r.want(r.call("GET", "/api/batches/"+id, nil))
	r.want(r.call("GET", "/api/batches/"+id+"/results?limit=1", nil))
	r.want(r.call("DELETE", "/api/batches/"+id, nil))
}

func (r *recorder) recordHolds() {
	client := r.first("/api/clients", "clients", all)
	r.want(r.call("POST", "/api/holds", object{"recordId": client, "reason": "Inquiry by HMRC of 12 November 2026"}))
	r.want(r.call("GET", "/api/holds", nil))
	r.want(r.call("POST", "/api/holds/lift", object{"recordId": client, "reason": "The inquiry is closed"}))
}

func (r *recorder) recordWebhooks() {
	const path = "/api/webhooks/endpoints"
	r.want(r.call("GET", "/api/webhooks/event-types", nil))
	r.want(r.call("GET", path, nil))
	id := r.text(r.want(r.call("POST", path, object{
		"url": "https://hooks.warehouse.example/released", "description": "Warehouse: releases", "events": []string{"declaration.cleared", "declaration.rejected"},
	})), "endpoint", "id")
	one := path + "/" + id
	r.want(r.call("GET", one, nil))
	r.want(r.call("PATCH", one, object{"events": []string{"declaration.*"}}))
	delivery := r.text(r.want(r.call("POST", one+"/test", object{"eventType": "declaration.cleared"})), "delivery", "id")
	r.want(r.call("GET", one+"/deliveries?limit=1", nil))
	r.want(r.call("GET", one+"/deliveries/"+delivery, nil))
	r.want(r.call("POST", one+"/deliveries/"+delivery+"/resend", nil))
	r.want(r.call("POST", one+"/recover", object{"since": "2026-11-23T00:00:00Z"}))
	r.want(r.call("POST", one+"/rotate-secret", nil))
	r.want(r.call("DELETE", one, nil))
}

func (r *recorder) recordAudit() {
	r.want(r.call("GET", "/api/audit?limit=1&eventType=declaration.cleared", nil))
	r.want(r.call("GET", "/api/audit/export.csv?eventType=declaration.cleared", nil))
	r.want(r.call("GET", "/api/audit/feed", nil))
	r.want(r.call("GET", "/api/audit/key", nil))
	r.want(r.call("GET", "/api/audit/checkpoint", nil))
	r.want(r.call("GET", "/api/audit/consistency?sequence=1", nil))
}

func (r *recorder) recordDeadlines() {
	r.want(r.call("GET", "/api/deadlines?windowDays=30&limit=1", nil))
	made := r.want(r.call("POST", "/api/deadlines/feed", nil))
	r.want(r.call("GET", "/api/deadlines/feed", nil))
	link, err := url.Parse(r.text(made, "feed", "url"))
	if err != nil {
		r.t.Fatal(err)
	}
	r.want(r.as("", "GET", link.RequestURI(), nil))
	r.want(r.call("DELETE", "/api/deadlines/feed", nil))
}

func (r *recorder) recordAccess() {
	r.want(r.call("GET", "/api/me", nil))
	r.want(r.call("GET", "/api/usage", nil))
	r.want(r.call("GET", "/api/organisation", nil))
	r.want(r.call("PATCH", "/api/organisation", object{"contactName": "Max Berth"}))
	r.want(r.call("GET", "/api/hubs", nil))
	r.want(r.call("DELETE", "/api/hubs/gvms", nil))
	r.want(r.call("POST", "/api/hubs/gvms", nil))
	r.want(r.call("GET", "/api/keys", nil))
	id := r.text(r.want(r.call("POST", "/api/keys", object{"name": "Warehouse system", "role": "MEMBER", "scopes": []string{"customs:read", "customs:write"}})), "key", "id")
	r.want(r.call("GET", "/api/keys/"+id, nil))
	r.want(r.call("POST", "/api/keys/"+id+"/rotate", nil))
	r.want(r.call("DELETE", "/api/keys/"+id, nil))
	r.want(r.call("POST", "/api/organisation/scim-token", nil))
	job := r.text(r.want(r.call("POST", "/api/organisation/export", nil)), "job", "id")
	r.eventually("/api/organisation/export/"+job, func(a answered) bool { return at(a.body, "job", "status") == "DONE" })
	r.want(r.call("GET", "/api/organisation/export/"+job, nil))
	r.want(r.call("GET", "/api/organisation/export/"+job+"/archive", nil))
	r.want(r.call("DELETE", "/api/organisation/export/"+job, nil))
}

func (r *recorder) recordSandbox() {
	key := r.text(r.want(r.call("POST", "/api/sandbox/keys", object{"name": "Tests", "role": "OWNER"})), "secret")
	r.want(r.as(key, "POST", "/api/test/clock", object{"advance": "P30D"}))
	r.want(r.as(key, "GET", "/api/test/clock", nil))
	r.want(r.as(key, "DELETE", "/api/test/clock", nil))
	r.want(r.as(key, "POST", "/api/sandbox/reset", nil))
	r.want(r.as("", "POST", "/api/sandboxes", nil))
	for range 10 { // the budget of an hour
		r.as("", "POST", "/api/sandboxes", nil)
	}
}

// recordErrors makes calls that are refused.
func (r *recorder) recordErrors() {
	viewer, member := "", ""
	r.silently(func() {
		member = r.text(r.want(r.call("POST", "/api/keys", object{"name": "Warehouse", "role": "MEMBER"})), "secret")
		viewer = r.text(r.want(r.call("POST", "/api/keys", object{"name": "Reader", "role": "VIEWER"})), "secret")
	})
	id := r.first("/api/clients", "clients", all)
	r.call("POST", "/api/clients", object{"name": "", "country": "Britain"})
	r.call("POST", "/api/trade/licences/"+r.first("/api/trade/licences?status=DRAFT", "licences", all)+"/mark-approved", nil)
	r.as("svc_0000000000000000000000000000000a", "GET", "/api/clients", nil)
	r.as(viewer, "POST", "/api/clients", object{"name": "Fenland Growers Ltd"})
	r.call("GET", "/api/test/clock", nil)
	r.call("GET", "/api/clients/0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a", nil)
	r.call("POST", "/api/hubs/gvms", nil)
	r.call("PATCH", "/api/clients/"+id, object{"city": "Hull"}, "If-Match", `"9"`)
	r.call("POST", "/api/clients", object{"name": "Fenland Growers Ltd", "reference": "C-1009", "uniqueReference": true})
	r.call("POST", "/api/clients", "<client/>")
	r.call("POST", "/api/clients", object{"name": strings.Repeat("x", 17<<20)})
	r.as(member, "POST", "/api/trade/licences/"+r.first("/api/trade/licences?status=SUBMITTED", "licences", all)+"/mark-approved", nil)
	r.silently(func() {
		r.call("POST", "/api/clients", object{"name": "Fenland Growers Ltd"}, "Idempotency-Key", "order-42")
	})
	r.call("POST", "/api/clients", object{"name": "Wharf Ceramics Ltd"}, "Idempotency-Key", "order-42")
	r.silently(func() { r.call("DELETE", "/api/hubs/gvms", nil) })
	r.call("GET", "/api/gvms/movements", nil)
	r.silently(func() { r.want(r.call("POST", "/api/hubs/gvms", nil)) })
}

// recordEvents reads the events of the whole run, and keeps the last record of each type of event.
func (r *recorder) recordEvents() {
	r.want(r.call("GET", "/api/events?limit=1", nil))
	r.want(r.call("GET", "/api/events/stream?cursor=", nil, "Accept", "text/event-stream"))
	r.silently(r.keepEvents)
}

func (r *recorder) keepEvents() {
	for cursor, more := "", true; more; {
		page := r.want(r.call("GET", "/api/events?limit=200&cursor="+url.QueryEscape(cursor), nil))
		for _, e := range at(page.body, "events").([]any) {
			name := at(e, "type").(string)
			r.events[name] = at(e, "data", "object")
		}
		cursor, more = r.text(page, "nextCursor"), at(page.body, "hasMore") == true
	}
}

// recordClosing closes the organisation and restores it, as a user who has signed in.
func (r *recorder) recordClosing() {
	form := url.Values{"email": {r.demo.Email}, "password": {r.demo.Password}}
	cookie := r.signIn(form.Encode())
	r.want(r.as("", "DELETE", "/api/organisation", object{"name": "Harbour Customs Services Ltd"}, "Cookie", cookie, "Origin", "https://customs.example"))
	r.want(r.as("", "POST", "/api/organisation/restore", nil, "Cookie", cookie, "Origin", "https://customs.example"))
}

func (r *recorder) signIn(form string) (cookie string) {
	r.silently(func() {
		a := r.as("", "POST", "/sign-in", form, "Content-Type", "application/x-www-form-urlencoded", "Origin", "https://customs.example")
		cookie, _, _ = strings.Cut(a.header.Get("Set-Cookie"), ";")
		if cookie == "" {
			r.t.Errorf("not signed in: %d %s", a.status, a.text)
		}
	})
	return cookie
}
