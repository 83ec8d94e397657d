package conformance

import (
	"database/sql"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Access codes whose bytes occur nowhere by chance.
const (
	accessCode  = "¤§¶µ"
	anotherCode = "¿¡«»"
)

// guarantee is a guarantee with an access code.
func guarantee(reference string, code any) []any {
	return []any{map[string]any{"type": "1", "reference": reference, "accessCode": code}}
}

// withFakeCDS runs a test with customs that accepts everything and keeps what it got.
func withFakeCDS(t *testing.T, run func(t *testing.T, p *server, sent func() string)) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		stand := startFakeCDS(t)
		var serial atomic.Int64
		stand.respondWith(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Conversation-ID", fmt.Sprintf("4b0f8f6e-3b1f-4a2e-9d4c-%012d", serial.Add(1)))
			w.WriteHeader(202)
		})
		run(t, serveWith(t, b, stand), func() string {
			stand.mu.Lock()
			defer stand.mu.Unlock()
			return stand.bodies[len(stand.bodies)-1]
		})
	})
}

// withGuarantee is the body of an import that states everything, with a guarantee.
func (c *caller) withGuarantee(code any) map[string]any {
	body := stated(goods(c.shipment(), ""))
	body["guarantees"] = guarantee("GBCGU1", code)
	return body
}

// The access code of a guarantee is in the document that customs gets, and nowhere else: in no answer, event, export, pack,
// log line or file of the service.
func TestAccessCodesAreKeptSecret(t *testing.T) {
	withFakeCDS(t, func(t *testing.T, p *server, sent func() string) {
		c := p.organisation("A")
		endpoint, _ := c.endpoint("https://example.com/hook", "*")
		made := c.call("POST", declarationsPath, c.withGuarantee(accessCode), "Idempotency-Key", "codes").want(t, 201)
		c.call("POST", declarationsPath, c.withGuarantee("12345")).refused(t, 400, "invalid_request")
		c.call("POST", declarationsPath, c.withGuarantee(map[string]any{"set": false})).refused(t, 400, "invalid_request")
		id := made.id()
		c.call("PATCH", declarationsPath+"/"+id, map[string]any{"reference": "R1", "guarantees": made.body["guarantees"]}).want(t, 200)
		rows := c.run("batch-codes", map[string]any{"method": "POST", "path": declarationsPath, "body": c.withGuarantee(accessCode)})
		if rows[0]["status"] != 201.0 {
			t.Fatalf("the batch: %v", rows)
		}
		dry := c.call("POST", declarationsPath+"?dryRun=true", c.withGuarantee(accessCode)).want(t, 200)
		c.submit(id).want(t, 200)
		if want := "<AccessCode>" + accessCode + "</"; !strings.Contains(strings.ReplaceAll(sent(), "ns2:", ""), want) {
			t.Errorf("customs got no access code: %s", sent())
		}
		texts := map[string]string{
			"creation": made.text, "dry run": dry.text, "record": c.call("GET", declarationsPath+"/"+id, nil).text,
			"list": c.call("GET", declarationsPath, nil).text, "export": c.call("GET", "/api/export/declarations", nil).text,
			"trail": c.call("GET", "/api/audit?limit=200", nil).text, "search": c.call("GET", "/api/search?q="+accessCode, nil).text,
			"timeline": c.call("GET", declarationsPath+"/"+id+"/timeline", nil).text, "deliveries": c.call("GET", "/api/webhooks/endpoints/"+endpoint+"/deliveries", nil).text,
			"log": p.Log.String(),
		}
		for name, text := range c.evidence(declarationsPath + "/" + id) {
			texts["evidence "+name] = text
		}
		export := c.call("POST", "/api/organisation/export", nil).want(t, 202).in("job", "id").(string)
		_, files := archived(t, c.call("GET", "/api/organisation/export/"+export+"/archive", nil).want(t, 200).text)
		for name, text := range files {
			texts["archive "+name] = text
		}
		bodies, _, _ := c.eventPage("")
		texts["events"] = strings.Join(bodies, "")
		for name, text := range p.files(t) {
			texts["file "+name] = text
		}
		for name, text := range texts {
			if strings.Contains(text, accessCode) {
				t.Errorf("%s has the access code", name)
			}
		}
		if set := made.body["guarantees"].([]any)[0].(map[string]any)["accessCode"]; fmt.Sprint(set) != "map[set:true]" {
			t.Errorf("shown as %v", set)
		}
		xml := c.call("GET", declarationsPath+"/"+id+"/declaration.xml", nil).want(t, 200).text
		if !strings.Contains(xml, "AccessCode>****<") || strings.Contains(xml, accessCode) {
			t.Errorf("the document is shown as %s", xml)
		}
		again := c.call("POST", declarationsPath, made.body["nothing"], "Idempotency-Key", "codes")
		if again.status == 201 {
			t.Errorf("another body is replayed: %s", again.text)
		}
	})
}

// files returns the files in the program's data folder, the database of SQLite among them.
func (p *server) files(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(p.Data(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// {"set": true} keeps the stored code: sent back in a correction, in a list in another order, and in an answer that is posted
// again. It means nothing without a stored code of the same guarantee.
func TestSetKeepsTheAccessCode(t *testing.T) {
	withFakeCDS(t, func(t *testing.T, p *server, sent func() string) {
		c := p.organisation("A")
		made := c.call("POST", declarationsPath, c.withGuarantee(accessCode)).want(t, 201)
		path := declarationsPath + "/" + made.id()
		read := c.call("GET", path, nil).want(t, 200)
		both := append([]any{map[string]any{"type": "1", "reference": "GBCGU2", "accessCode": anotherCode}}, read.in("declaration", "guarantees").([]any)...)
		c.call("PATCH", path, map[string]any{"guarantees": both}).want(t, 200)
		read = c.call("GET", path, nil).want(t, 200)
		c.call("PATCH", path, map[string]any{"guarantees": read.in("declaration", "guarantees")}).want(t, 200)
		copied := c.call("POST", declarationsPath, read.in("declaration")).want(t, 201).id()
		for _, id := range []string{made.id(), copied} {
			c.submit(id).want(t, 200)
			if text := sent(); !strings.Contains(text, anotherCode) || strings.Index(text, accessCode) < strings.Index(text, anotherCode) {
				t.Errorf("sent: %s", text)
			}
		}
		set := map[string]any{"set": true}
		unknown := c.call("POST", declarationsPath, c.withGuarantee(set)).refused(t, 400, "invalid_request")
		if !strings.Contains(unknown.text, "guarantees[0].accessCode") {
			t.Errorf("the error does not name the member: %s", unknown.text)
		}
		draft := c.call("POST", declarationsPath, c.withGuarantee(accessCode)).want(t, 201).id()
		c.call("PATCH", declarationsPath+"/"+draft, map[string]any{"guarantees": guarantee("GBCGU9", set)}).refused(t, 400, "invalid_request")
		other := p.organisation(canary)
		foreign := other.withGuarantee(set)
		foreign["id"] = draft
		other.call("POST", declarationsPath, foreign).refused(t, 400, "invalid_request")
	})
}

// The standing guarantees of clients and of the organisation keep their codes in the same way, and declarations send them.
func TestAccessCodesOfClientAndOrganisation(t *testing.T) {
	withFakeCDS(t, func(t *testing.T, p *server, sent func() string) {
		c := p.organisation("A")
		shipment := c.shipment()
		client := "/api/clients/" + c.call("GET", "/api/shipments/"+shipment, nil).in("shipment", "clientId").(string)
		for path, name := range map[string]string{client: "client", "/api/organisation": "organisation"} {
			code := accessCode
			if name == "organisation" {
				code = anotherCode
			}
			c.call("PATCH", path, map[string]any{"guarantees": guarantee("GBCGU1", code)}).want(t, 200)
			read := c.call("GET", path, nil).want(t, 200)
			if strings.Contains(read.text, code) || !strings.Contains(read.text, `"accessCode":{"set":true}`) {
				t.Errorf("%s: %s", name, read.text)
			}
			c.call("PATCH", path, map[string]any{"guarantees": read.in(name, "guarantees")}).want(t, 200)
			c.call("PATCH", path, map[string]any{"guarantees": guarantee("GBCGU8", map[string]any{"set": true})}).refused(t, 400, "invalid_request")
		}
		body := c.withGuarantee(nil)
		delete(body, "guarantees")
		body["shipmentId"], body["dataSet"], body["declarationCode"] = shipment, "H1", "IM"
		body["items"].([]any)[0].(map[string]any)["taxLines"] = []any{map[string]any{"type": "A00", "methodOfPayment": "E"}}
		id := c.call("POST", declarationsPath, body).want(t, 201).id()
		shown := c.call("GET", declarationsPath+"/"+id, nil).want(t, 200).text
		if strings.Contains(shown, accessCode) || !strings.Contains(shown, `"accessCode":{"set":true}`) {
			t.Errorf("derived: %s", shown)
		}
		trail := c.call("GET", "/api/audit?limit=200", nil).text
		if strings.Contains(trail, accessCode) || strings.Contains(trail, anotherCode) {
			t.Error("the trail has an access code")
		}
		xml := c.call("GET", declarationsPath+"/"+id+"/declaration.xml", nil).want(t, 200).text
		if !strings.Contains(xml, "AccessCode>****<") {
			t.Errorf("the document is shown as %s", xml)
		}
	})
}

// Codes that an earlier version of the program stored in the clear are sealed when the program starts: in the record, its
// former versions and the documents that were sent. The audit log agrees with the records, and customs gets the codes.
func TestStoredAccessCodesAreSealed(t *testing.T) {
	t.Parallel()
	stand := startFakeCDS(t)
	stand.respondWith(respond(500, ""))
	p := serveWith(t, storetest.SQLite(t), stand)
	c := p.organisation("A")
	id := c.call("POST", declarationsPath, c.withGuarantee(accessCode), "Idempotency-Key", "sealed").want(t, 201).id()
	c.call("PATCH", declarationsPath+"/"+id, map[string]any{"reference": "R1"}).want(t, 200)
	c.submit(id).refused(t, 502, "customs_unreachable") // its bytes are kept for the next attempt
	p.process.Stop(t)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(p.Data(), "tidewaiter.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"UPDATE filings SET body = replace(body, '{\"set\":true}', '\"" + accessCode + "\"')",
		"UPDATE record_versions SET body = replace(body, '{\"set\":true}', '\"" + accessCode + "\"')",
		"UPDATE idempotency_records SET body = replace(body, '{\"set\":true}', '\"" + accessCode + "\"')",
		"UPDATE transmissions SET body = replace(body, '****', '" + accessCode + "'), detail = NULL",
		"DELETE FROM record_secrets", "DELETE FROM installation WHERE name = 'access-codes-sealed'",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	p.process = p.Serve(t, "serve")
	p.base = p.process.Address
	for _, path := range []string{declarationsPath + "/" + id, declarationsPath + "/" + id + "/declaration.xml", "/api/events"} {
		if a := c.call("GET", path, nil).want(t, 200); strings.Contains(a.text, accessCode) {
			t.Errorf("%s shows the code: %s", path, a.text)
		}
	}
	replayed := c.call("POST", declarationsPath, c.withGuarantee(accessCode), "Idempotency-Key", "sealed")
	if strings.Contains(replayed.text, accessCode) {
		t.Errorf("replayed: %s", replayed.text)
	}
	if out, err := p.Command("audit", "verify").CombinedOutput(); err != nil {
		t.Errorf("the audit log does not agree: %v: %s", err, out)
	}
	stand.respondWith(acceptSubmission)
	c.submit(id).want(t, 200)
	if first, last := stand.bodies[0], stand.bodies[len(stand.bodies)-1]; first != last || !strings.Contains(last, accessCode) {
		t.Errorf("sent again:\n%s\nfirst:\n%s", last, first)
	}
	if db, err = sql.Open("sqlite", "file:"+filepath.Join(p.Data(), "tidewaiter.db")+"?mode=ro"); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, column := range []string{"filings.body", "record_versions.body", "idempotency_records.body", "transmissions.body"} {
		table, _, _ := strings.Cut(column, ".")
		var n int
		if err := db.QueryRow("SELECT count(*) FROM " + table + " WHERE body LIKE '%" + accessCode + "%'").Scan(&n); err != nil || n > 0 {
			t.Errorf("%d rows of %s have the code, %v", n, table, err)
		}
	}
}

// A copy keeps the access code of its declaration, and a template takes none.
func TestCopiesKeepTheAccessCode(t *testing.T) {
	withFakeCDS(t, func(t *testing.T, p *server, sent func() string) {
		c := p.organisation("A")
		made := c.call("POST", declarationsPath, c.withGuarantee(accessCode)).want(t, 201)
		copied := c.call("POST", declarationsPath+"/"+made.id()+"/copy", nil).want(t, 201)
		c.submit(copied.id()).want(t, 200)
		if !strings.Contains(sent(), accessCode) {
			t.Errorf("the copy was sent without the access code: %s", sent())
		}
		client := c.call("GET", "/api/shipments/"+made.in("shipmentId").(string), nil).want(t, 200).in("shipment", "clientId")
		template := map[string]any{"clientId": client, "name": "With a code", "body": map[string]any{"guarantees": guarantee("GBCGU1", accessCode)}}
		if got := c.call("POST", templates, template).refused(t, 400, "invalid_request").fields(); len(got) != 1 || got[0] != "body.guarantees[0].accessCode" {
			t.Errorf("a template with an access code: %v", got)
		}
	})
}

// An amendment can add a guarantee: customs gets its code, and the record keeps it once customs grants the request. No code is in the
// request as it is shown, nor in what the service keeps or shows after the grant.
func TestAccessCodesOfAmendments(t *testing.T) {
	withFakeCDS(t, func(t *testing.T, p *server, sent func() string) {
		c := p.organisation("A")
		id := c.call("POST", declarationsPath, c.withGuarantee(accessCode)).want(t, 201).id()
		path := declarationsPath + "/" + id
		conversation := c.submit(id).want(t, 200).body["conversationId"].(string)
		p.postNotification("Basic secret", conversation, notificationXML("01", "n-1", "26GB3TTI2CQ1C7FGR1", "20261121090000Z", "")).want(t, 200)
		c.waitForStatus(id, "ACCEPTED")
		both := append(c.call("GET", path, nil).in("declaration", "guarantees").([]any), map[string]any{"type": "1", "reference": "GBCGU2", "accessCode": anotherCode})
		request := c.call("POST", path+"/amendments", map[string]any{"reason": "Another guarantee", "changes": map[string]any{"guarantees": both}}).want(t, 200)
		if !strings.Contains(sent(), anotherCode) || strings.Contains(request.text, anotherCode) {
			t.Errorf("sent %s, shown as %s", sent(), request.text)
		}
		shown := c.call("GET", path, nil).text + c.call("GET", path+"/declaration.xml?request="+request.in("request", "id").(string), nil).text + c.call("GET", "/api/audit?limit=200", nil).text
		if strings.Contains(shown, anotherCode) || strings.Contains(shown, accessCode) {
			t.Error("an access code is shown")
		}
		granted := notificationXML("11", "n-2", "26GB3TTI2CQ1C7FGR1", "20261121100000Z", "<Status><NameCode>39</NameCode></Status>")
		p.postNotification("Basic secret", request.in("request", "conversationId").(string), granted).want(t, 200)
		record := c.waitForRequest(id, "GRANTED")
		guarantees, _ := record.in("declaration", "guarantees").([]any)
		if len(guarantees) != 2 || strings.Count(record.text, `"accessCode":{"set":true}`) < 2 {
			t.Fatalf("the amended record has the guarantees %v", guarantees)
		}
		texts := map[string]string{
			"record": record.text, "trail": c.call("GET", "/api/audit?limit=200", nil).text, "timeline": c.call("GET", path+"/timeline", nil).text,
			"export": c.call("GET", "/api/export/declarations", nil).text, "log": p.Log.String(),
		}
		for name, text := range c.evidence(path) {
			texts["evidence "+name] = text
		}
		for name, text := range p.files(t) {
			texts["file "+name] = text
		}
		for name, text := range texts {
			if strings.Contains(text, anotherCode) || strings.Contains(text, accessCode) {
				t.Errorf("%s has an access code", name)
			}
		}
		// The record keeps both codes: an amendment of something else does not send them again, and a copy sends both.
		c.call("POST", path+"/amendments", map[string]any{"reason": "More packages", "changes": map[string]any{"totalPackages": 26}}).want(t, 200)
		if strings.Contains(sent(), "AccessCode") {
			t.Errorf("an amendment of something else sends the access codes: %s", sent())
		}
		copied := c.call("POST", path+"/copy", nil).want(t, 201).id()
		c.submit(copied).want(t, 200)
		if !strings.Contains(sent(), accessCode) || !strings.Contains(sent(), anotherCode) {
			t.Errorf("the copy of the amended record lacks an access code: %s", sent())
		}
	})
}
