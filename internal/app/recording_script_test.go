package app_test

import (
	"net/url"
	"strings"
	"time"
)

// play makes all calls of one run. What later calls need comes first.
func (r *recorder) play() {
	r.copy()
	r.recordErrors()
	r.recordKinds()
	r.recordDeclarations()
	r.recordDeclarationApproval()
	r.recordSuggestions()
	r.recordImports()
	r.recordBatches()
	r.recordHolds()
	r.recordTeam()
	r.recordWebhooks()
	r.recordAudit()
	r.recordDeadlines()
	r.recordAccess()
	r.recordSandbox()
	r.recordEditions()
	r.recordEvents()
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

const invoice = "Seller: Padma Knitwear Ltd, Bangladesh\n\nInvoice No: PK-77    Currency: GBP\n\n" +
	"Description                HS code      Qty    Amount      Net kg\n" +
	"Men's knitted T-shirts     6109100010   600    1800.00     120.5\n"

func (r *recorder) recordSuggestions() {
	rejected := r.first("/api/declarations?status=REJECTED", "declarations", all)
	r.want(r.call("POST", "/api/ai/analyse-declaration", object{"declarationId": r.demo.DeclarationID}))
	r.want(r.call("POST", "/api/ai/commodity-classify", object{"description": "Men's T-shirts, knitted, of cotton", "countryOfOrigin": "BD", "answers": []string{"6109000000-6109999999"}}))
	r.want(r.call("POST", "/api/ai/explain-rejection", object{"declarationId": rejected}))
	r.want(r.call("POST", "/api/ai/extract-document", upload{name: "invoice.txt", content: invoice, fields: map[string]string{"documentType": "invoice"}}))
	r.want(r.call("POST", "/api/trade/classify", object{"productDescription": "Five-axis CNC machining centre, positioning repeatability 2.4 micrometres", "destinationCountry": "KR"}))
	r.want(r.call("GET", "/api/tariff/commodities/6109100010", nil))
	r.want(r.call("GET", "/api/exchange-rates", nil))
	r.want(r.call("POST", "/api/tariff/calculate", map[string]any{
		"date": "2026-11-21", "destination": "GB", "incoterm": "CIF", "vatCosts": []any{},
		"lines": []any{map[string]any{"commodityCode": "6109100010", "origin": "BD", "price": map[string]any{"amount": 1850, "currency": "GBP"}, "netMassKg": 120.5}},
	}))
	r.recordWhatIf()
	r.recordOrigin()
	r.want(r.call("GET", "/api/search?q=mill&limit=1", nil))
}

func (r *recorder) recordWhatIf() {
	line := object{"ref": "INV-1/1", "commodityCode": "7208100000", "origin": "CN", "price": object{"amount": 60000, "currency": "GBP"}, "netMassKg": 80000}
	id := r.text(r.rehearsed("/api/tariff/what-if", object{
		"source": object{"incoterm": "CIF", "lines": []any{line}}, "change": object{"date": "2027-01-01", "cbam": true}, "groupBy": []any{"chapter"},
	}, "Idempotency-Key", "5f0c1a3e-what-if-1"), "job", "id")
	path := "/api/tariff/what-if/" + id
	r.eventually(path, func(a answered) bool { return at(a.body, "job", "status") == "DONE" })
	r.want(r.call("GET", path, nil))
	r.want(r.call("GET", path+"/result?limit=1", nil))
	r.want(r.call("GET", path+"/result.csv", nil))
	r.want(r.call("DELETE", path, nil))
	r.rehearsed("/api/tariff/what-if/uploads", upload{name: "lines.csv", content: "ref,commodityCode,origin,price,netMassKg\nINV-1/1,7208100000,CN,60000,80000\n"})
}

// importedXML is a small declaration as CDS takes it.
const importedXML = `<?xml version="1.0" encoding="UTF-8"?><md:MetaData xmlns="urn:wco:datamodel:WCO:DEC-DMS:2" xmlns:md="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"><Declaration>` +
	`<FunctionCode>9</FunctionCode><FunctionalReferenceID>JOB-1133</FunctionalReferenceID><TypeCode>IMA</TypeCode>` +
	`<Declarant><ID>GB987654312000</ID></Declarant><GoodsShipment><GovernmentAgencyGoodsItem><SequenceNumeric>1</SequenceNumeric>` +
	`<Commodity><Description>Men's knitted cotton T-shirts</Description></Commodity></GovernmentAgencyGoodsItem>` +
	`<Importer><Name>Mill Lane Textiles Ltd</Name><ID>GB205672280000</ID></Importer></GoodsShipment></Declaration></md:MetaData>`

func (r *recorder) recordImports() {
	r.recordImport("clients", "name,eori,city\nFenland Growers Ltd,GB123456789000,Ely\n,GB987654312000,March\n", map[string]string{"name": "name", "eori": "eori", "city": "city"})
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
	for _, kind := range []string{"clients", "shipments", "products", "declarations", "gvms", "emcs", "tss", "trade", "corporate", "ics2", "cbam", "tax"} {
		r.want(r.call("GET", "/api/export/"+kind, nil))
	}
	r.want(r.call("POST", "/api/declarations/import?dryRun=true", importedXML))
	r.want(r.call("POST", "/api/declarations/import", importedXML))
}

// recordImport calls preview with a file, and commit with its first row.
func (r *recorder) recordImport(what, file string, mapping map[string]string) answered {
	r.want(r.call("POST", "/api/import/"+what+"/preview", upload{name: what + ".csv", content: file}))
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
	id := r.text(r.rehearsed("/api/batches", object{"operations": operations}, "Idempotency-Key", "5f0c1a3e-order-42"), "batch", "id")
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
	r.want(r.call("PATCH", one, object{"events": []string{"declaration.*"}, "headers": object{"X-Branch": "Dover"}, "retry": object{"schedule": []int{30, 300, 3600}}}))
	delivery := r.text(r.want(r.call("POST", one+"/test", object{"eventType": "declaration.cleared"})), "delivery", "id")
	r.want(r.call("GET", one+"/deliveries?limit=1", nil))
	r.want(r.call("GET", "/api/webhooks/metrics?bucket=hour", nil))
	r.want(r.call("GET", one+"/deliveries/"+delivery, nil))
	r.want(r.call("POST", one+"/deliveries/"+delivery+"/resend", nil))
	r.want(r.call("POST", one+"/recover", object{"since": "2026-11-23T00:00:00Z"}))
	r.want(r.call("POST", one+"/rotate-secret", nil))
	r.rehearsed("/api/webhooks/portal", object{"expiresInMinutes": 1440, "endpointIds": []string{id}, "readOnly": true})
	links := r.want(r.call("GET", "/api/webhooks/portal", nil))
	r.want(r.call("DELETE", "/api/webhooks/portal/"+at(at(links.body, "links").([]any)[0], "id").(string), nil))
	r.want(r.call("DELETE", one, nil))
}

func (r *recorder) recordAudit() {
	// Any declaration can be cleared last, and from another state than others; submissions are made in the order of this recording.
	r.want(r.call("GET", "/api/audit?limit=1&eventType=declaration.submitted", nil))
	r.want(r.call("GET", "/api/audit/export.csv?eventType=declaration.cleared", nil))
	r.want(r.call("GET", "/api/audit/feed", nil))
	r.want(r.call("GET", "/api/audit/key", nil))
	r.want(r.call("GET", "/api/audit/checkpoint", nil))
	r.want(r.call("GET", "/api/audit/consistency?sequence=1", nil))
}

func (r *recorder) recordDeadlines() {
	r.want(r.call("GET", "/api/deadlines?windowDays=30&limit=1", nil))
	made := r.rehearsed("/api/deadlines/feed", nil)
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
	id := r.text(r.rehearsed("/api/keys", object{"name": "Warehouse system", "role": "MEMBER", "scopes": []string{"customs:read", "customs:write"}}), "key", "id")
	r.want(r.call("GET", "/api/keys/"+id, nil))
	r.want(r.call("POST", "/api/keys/"+id+"/rotate", nil))
	r.want(r.call("DELETE", "/api/keys/"+id, nil))
	r.rehearsed("/api/organisation/scim-token", nil)
	job := r.text(r.rehearsed("/api/organisation/export", nil), "job", "id")
	r.eventually("/api/organisation/export/"+job, func(a answered) bool { return at(a.body, "job", "status") == "DONE" })
	r.want(r.call("GET", "/api/organisation/export/"+job, nil))
	r.want(r.call("GET", "/api/organisation/export/"+job+"/archive", nil))
	r.want(r.call("DELETE", "/api/organisation/export/"+job, nil))
}

func (r *recorder) recordSandbox() {
	key := r.text(r.rehearsed("/api/sandbox/keys", object{"name": "Tests", "role": "OWNER"}), "secret")
	r.recordAuthorities(key)
	r.want(r.as(key, "POST", "/api/test/clock", object{"advance": "P30D"}))
	r.want(r.as(key, "GET", "/api/test/clock", nil))
	r.want(r.as(key, "DELETE", "/api/test/clock", nil))
	r.want(r.as(key, "POST", "/api/sandbox/reset", nil))
	r.want(r.as("", "POST", "/api/sandboxes?dryRun=true", nil))
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
	r.later(400*24*time.Hour, func() { r.silently(r.keepEvents) })
}

// later makes the transitions that are due after a time, calls fn, and returns to the present.
func (r *recorder) later(after time.Duration, fn func()) {
	r.ahead.Store(int64(after))
	r.sweep()
	fn()
	r.ahead.Store(0)
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
