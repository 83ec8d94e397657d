package conformance

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const aMUCR = "GB/123456789012-0203N1"

// export creates an export whose document has a steering reference, and a goods location. change may change its body.
func (c *caller) export(reference string, change func(map[string]any)) string {
	c.t.Helper()
	body := goods(c.shipment(), reference)
	if c.server.atHMRC {
		body = stated(body)
	}
	body["declarationType"], body["location"] = "EXPORT", map[string]any{"country": "GB", "type": "A", "qualifier": "U", "name": "FXTFXTFXT"}
	if change != nil {
		change(body)
	}
	return c.call("POST", "/api/declarations", body).want(c.t, 201).id()
}

// cleared creates an export and waits for its clearance.
func (c *caller) cleared(change func(map[string]any)) string {
	c.t.Helper()
	id := c.export("", change)
	c.submit(id).want(c.t, 200)
	c.waitForStatus(id, "CLEARED")
	return id
}

func (c *caller) move(id string, body map[string]any, headers ...string) answer {
	c.t.Helper()
	return c.call("POST", "/api/declarations/"+id+"/movements", body, headers...)
}

// movementAt is the body of an arrival, or of another movement at a time.
func movementAt(kind, at string) map[string]any { return map[string]any{"kind": kind, "occursAt": at} }

// aMorning is a time in the past.
const aMorning = "2026-11-24T09:00:00.000Z"

// movements returns the movements of a declaration.
func (a answer) movements() (all []map[string]any) {
	list, _ := a.in("declaration", "movements").([]any)
	for _, m := range list {
		all = append(all, m.(map[string]any))
	}
	return all
}

// waitForMovements waits until the movements have statuses.
func (c *caller) waitForMovements(id string, statuses ...string) (a answer) {
	c.t.Helper()
	want := strings.Join(statuses, ", ")
	c.eventually("movements "+want, func() bool {
		a = c.call("GET", "/api/declarations/"+id, nil).want(c.t, 200)
		var now []string
		for _, m := range a.movements() {
			now = append(now, m["status"].(string))
		}
		return strings.Join(now, ", ") == want
	})
	return a
}

// The goods of an export arrive and depart. What the body leaves out comes from the declaration as customs has it; HMRC's answers are
// recorded, with what they mean. A repeat with the same key sends nothing.
func TestMovementsOfAnExport(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.cleared(func(body map[string]any) {
			body["transport"] = map[string]any{"border": map[string]any{"id": "9811000", "idType": "10", "nationality": "PA"}}
		})
		ducr := c.call("GET", "/api/declarations/"+id, nil).in("declaration", "ducr")
		first := c.move(id, movementAt("ARRIVAL", aMorning), "Idempotency-Key", "arrived").want(t, 200)
		if first.in("movement", "kind") != "ARRIVAL" || first.in("movement", "ucr") != ducr || first.in("movement", "ucrType") != "D" ||
			first.in("movement", "goodsLocation") != "GBAUFXTFXTFXT" || first.in("movement", "occursAt") != aMorning || fmt.Sprint(first.in("movement", "declared")) != "[ucr location]" {
			t.Errorf("arrival %s", first.text)
		}
		a := c.waitForMovements(id, "ACCEPTED")
		c.eventually("the report", func() bool {
			a = c.call("GET", "/api/declarations/"+id, nil).want(t, 200)
			return a.movements()[0]["crc"] != nil
		})
		m := a.movements()[0]
		if fmt.Sprint(m["roe"]) != "map[code:6 meaning:No check]" || fmt.Sprint(m["soe"]) != "map[code:3 meaning:Cleared]" || m["answeredAt"] == nil || m["reference"] == nil {
			t.Errorf("movement %v", m)
		}
		if again := c.move(id, movementAt("ARRIVAL", aMorning), "Idempotency-Key", "arrived").want(t, 200); again.in("movement", "id") != m["id"] {
			t.Errorf("repeated: %s", again.text)
		}
		xml := c.call("GET", "/api/declarations/"+id+"/declaration.xml?request="+m["id"].(string), nil).want(t, 200)
		if !strings.Contains(xml.text, "<messageCode>EAL</messageCode>") || !strings.Contains(xml.text, fmt.Sprint(ducr)) || !strings.Contains(xml.text, "<goodsArrivalDateTime>2026-11-24T09:00:00Z<") {
			t.Errorf("document %s", xml.text)
		}
		left := c.move(id, movementAt("DEPARTURE", aMorning)).want(t, 200)
		if fmt.Sprint(left.in("movement", "transport")) != "map[id:9811000 mode:1 nationality:PA]" || fmt.Sprint(left.in("movement", "declared")) != "[ucr location transport]" {
			t.Errorf("departure %s", left.text)
		}
		c.waitForMovements(id, "ACCEPTED", "ACCEPTED")
		a = c.waitForStage(id, "EXITED")
		if a.in("declaration", "exitedAt") == nil || len(a.movements()) != 2 {
			t.Errorf("record %s", a.text)
		}
		for _, event := range []string{"declaration.movement_requested", "declaration.movement_accepted"} {
			if n := len(c.events("eventType=" + event)); n != 2 {
				t.Errorf("%d events %s", n, event)
			}
		}
		titles := fmt.Sprint(c.call("GET", "/api/declarations/"+id+"/timeline", nil).want(t, 200).body)
		for _, title := range []string{"move", "inventoryLinkingControlResponse", "inventoryLinkingMovementResponse"} {
			if !strings.Contains(titles, title) {
				t.Errorf("the timeline has no %s", title)
			}
		}
	})
}

// HMRC refuses a departure before the arrival, which is no error of the call. The arrival of a pre-lodged export lets customs accept it.
func TestArrivalOfAPrelodgedExport(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.export("SIM-R-1", func(body map[string]any) { body["additionalType"] = "D" })
		c.submit(id).want(t, 200)
		c.waitForStage(id, "REGISTERED")
		c.move(id, movementAt("DEPARTURE", aMorning)).want(t, 200)
		a := c.waitForMovements(id, "REFUSED")
		if got := fmt.Sprint(a.movements()[0]["errors"]); !strings.Contains(got, "code:13") || !strings.Contains(got, "have not arrived") {
			t.Errorf("errors %s", got)
		}
		if n := len(c.events("eventType=declaration.movement_refused")); n != 1 {
			t.Errorf("%d refusals", n)
		}
		c.move(id, movementAt("ARRIVAL", aMorning)).want(t, 200)
		c.waitForStatus(id, "CLEARED")
		c.waitForMovements(id, "REFUSED", "ACCEPTED")
	})
}

// A consolidation is made, shut and moved as a whole. The declared MUCR is used where the body names none.
func TestConsolidationOfExports(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.cleared(func(body map[string]any) {
			body["previousDocuments"] = []any{map[string]any{"category": "Z", "type": "DCR", "reference": "6GB123456789000-PART1"}, map[string]any{"category": "Z", "type": "MCR", "reference": aMUCR}}
		})
		joined := c.move(id, map[string]any{"kind": "ASSOCIATE"}).want(t, 200)
		if joined.in("movement", "masterUcr") != aMUCR || fmt.Sprint(joined.in("movement", "declared")) != "[ucr masterUcr]" || joined.in("movement", "reference") != nil {
			t.Errorf("association %s", joined.text)
		}
		c.waitForMovements(id, "ACCEPTED")
		c.move(id, map[string]any{"kind": "SHUT", "masterUcr": aMUCR}).want(t, 200)
		c.waitForMovements(id, "ACCEPTED", "ACCEPTED")
		c.move(id, map[string]any{"kind": "ASSOCIATE", "remove": true}).want(t, 200)
		c.waitForMovements(id, "ACCEPTED", "ACCEPTED", "REFUSED")
		whole := movementAt("ARRIVAL", aMorning)
		whole["level"] = "MUCR"
		c.move(id, whole).want(t, 200)
		var last map[string]any
		c.eventually("the totals", func() bool {
			all := c.call("GET", "/api/declarations/"+id, nil).want(t, 200).movements()
			last = all[len(all)-1]
			return last["entries"] != nil
		})
		if last["status"] != "ACCEPTED" || fmt.Sprint(last["masterSoe"]) != "map[code:3 meaning:Permission to proceed]" || !strings.Contains(fmt.Sprint(last["entries"]), "Cleared") {
			t.Errorf("movement %v", last)
		}
		listed := c.call("GET", "/api/declarations", nil).want(t, 200).text
		if !strings.Contains(listed, `"movements"`) || strings.Contains(listed, `"entries"`) {
			t.Errorf("list %s", listed)
		}
	})
}

// Every fault of a body is named, and a movement in a wrong state is refused. While HMRC has not answered one, a second one of its kind
// is refused.
func TestMovementsThatAreRefused(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		draft := c.export("", nil)
		c.move(draft, movementAt("ARRIVAL", aMorning)).refused(t, 400, "invalid_state")
		imported := c.declaration("")
		c.submit(imported).want(t, 200)
		c.waitForStatus(imported, "CLEARED")
		c.move(imported, movementAt("ARRIVAL", aMorning)).refused(t, 400, "invalid_state")
		c.move(unknownID, movementAt("ARRIVAL", aMorning)).refused(t, 404, "not_found")
		id := c.cleared(nil)
		for _, wrong := range []struct {
			body   map[string]any
			fields []string
		}{
			{map[string]any{"kind": "RETURN"}, []string{"kind"}},
			{map[string]any{}, []string{"kind"}},
			{map[string]any{"kind": "ARRIVAL", "masterUcr": aMUCR, "remove": true}, []string{"masterUcr", "occursAt", "remove"}},
			{map[string]any{"kind": "ARRIVAL", "level": "MUCR", "ucrPart": "1"}, []string{"masterUcr", "occursAt", "ucrPart"}},
			{map[string]any{"kind": "ARRIVAL", "occursAt": "yesterday", "ucrPart": "12345", "shedOperator": "ABCD"}, []string{"occursAt", "shedOperator", "ucrPart"}},
			{map[string]any{"kind": "SHUT", "occursAt": aMorning, "level": "MUCR", "ucrPart": "1"}, []string{"level", "masterUcr", "occursAt", "ucrPart"}},
			{map[string]any{"kind": "ASSOCIATE", "remove": true, "masterUcr": aMUCR}, []string{"masterUcr"}},
			{map[string]any{"kind": "ASSOCIATE", "masterUcr": "MASTER 1"}, []string{"masterUcr"}},
			{map[string]any{"kind": "DEPARTURE", "occursAt": aMorning, "location": map[string]any{"country": "GB", "type": "A", "qualifier": "U", "name": "DVRDOVDVRDOVDVR"}, "transport": map[string]any{"mode": "12"}}, []string{"transport.mode"}},
			{map[string]any{"kind": "DEPARTURE", "occursAt": aMorning, "location": map[string]any{"country": "GB", "type": "A", "qualifier": "U", "name": "DVRDOVDVRDOVDVR"}}, []string{"location"}},
		} {
			a := c.move(id, wrong.body).refused(t, 400, "invalid_request")
			if got := strings.Join(a.fields(), " "); got != strings.Join(wrong.fields, " ") {
				t.Errorf("%v names %s", wrong.body, got)
			}
		}
		c.move(id, movementAt("ARRIVAL", aMorning), "X-Simulate", "grant").refused(t, 400, "invalid_request")
		c.move(id, movementAt("ARRIVAL", aMorning), "X-Simulate", "silent").want(t, 200)
		c.move(id, movementAt("ARRIVAL", aMorning)).refused(t, 409, "request_in_progress")
		steered := c.move(id, movementAt("DEPARTURE", aMorning), "X-Simulate", "reject 27").want(t, 200)
		if steered.in("movement", "simulated") != true {
			t.Errorf("steered %s", steered.text)
		}
		a := c.waitForMovements(id, "REQUESTED", "REFUSED")
		if !strings.Contains(fmt.Sprint(a.movements()[1]["errors"]), "code:27") {
			t.Errorf("errors %v", a.movements()[1])
		}
	})
}

// control is a control response of HMRC.
func control(code, action, reference, more string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><ns2:inventoryLinkingControlResponse xmlns:ns2="http://gov.uk/customs/inventoryLinking/v1"><ns2:messageCode>` + code +
		`</ns2:messageCode><ns2:actionCode>` + action + `</ns2:actionCode>` + reference + more + `</ns2:inventoryLinkingControlResponse>`
}

// errorBlock13 is the error block of a control response.
const errorBlock13 = `<ns2:error><ns2:errorCode>13</ns2:errorCode></ns2:error>`

// accepting answers each request with a conversation of its own, beginning with another digit than other tests.
func accepting(serial string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Conversation-ID", conversationOf(serial))
		w.WriteHeader(http.StatusAccepted)
	}
}

func conversationOf(serial string) string { return "4b0f8f6e-3b1f-4a2e-9d4c-00000000000" + serial }

// withExport runs a test with a server that is connected to a stand-in of HMRC, and an export that HMRC has accepted.
func withExport(t *testing.T, run func(t *testing.T, c *caller, hmrc *fakeCDS, id string)) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		hmrc := startFakeCDS(t)
		hmrc.respondWith(accepting("1"))
		c := serveWith(t, b, hmrc).organisation("A")
		id := c.export("", statedExport)
		c.submit(id).want(t, 200)
		c.postNotification("Basic secret", conversationOf("1"), notificationXML("01", "m1", "26GB3TTI2CQ1C7FGR4", "20261121090001Z", "")).want(t, 200)
		c.waitForStatus(id, "ACCEPTED")
		run(t, c, hmrc, id)
	})
}

// statedExport states what HMRC needs of an export.
func statedExport(body map[string]any) {
	item := body["items"].([]any)[0].(map[string]any)
	for _, name := range []string{"taxLines", "valuationMethod", "valuationIndicators"} {
		delete(item, name)
	}
	item["procedureCode"], item["commodityCode"] = "1040", "61091000"
	body["transport"] = map[string]any{"border": map[string]any{"nationality": "PA", "id": "9811000", "idType": "10"}, "departure": map[string]any{"id": "9811000", "idType": "10"}}
	body["destination"], body["exitOffice"] = map[string]any{"country": "US"}, "GB000060"
	body["dispatchCountry"], body["security"] = "GB", map[string]any{"transportCharges": "D", "itinerary": []any{map[string]any{"country": "GB"}, map[string]any{"country": "US"}}}
	for _, name := range []string{"guarantees", "deliveryTerms"} {
		delete(body, name)
	}
}

// HMRC gets the movement at its own address, with the token of the organisation. If its answer is lost, nothing is sent again by itself;
// HMRC's message shows that the movement arrived, and the same one can be sent again under the same reference until then.
func TestMovementsWithoutAnAnswer(t *testing.T) {
	withExport(t, func(t *testing.T, c *caller, hmrc *fakeCDS, id string) {
		hmrc.respondWith(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		before := hmrc.posts.Load()
		lost := c.move(id, movementAt("ARRIVAL", aMorning), "Idempotency-Key", "one").refused(t, 502, "customs_unreachable")
		if n := hmrc.posts.Load() - before; n != 1 || !strings.Contains(lost.text, "unchanged") {
			t.Errorf("%d requests: %s", n, lost.text)
		}
		a := c.waitForMovements(id, "UNKNOWN")
		reference := a.movements()[0]["reference"].(string)
		c.move(id, movementAt("ARRIVAL", "2026-11-24T10:00:00Z")).refused(t, 409, "request_in_progress")
		hmrc.respondWith(accepting("2"))
		sent := c.move(id, movementAt("ARRIVAL", aMorning)).want(t, 200)
		if sent.in("movement", "reference") != reference || sent.in("movement", "conversationId") != conversationOf("2") {
			t.Errorf("sent again: %s", sent.text)
		}
		hmrc.mu.Lock()
		first, second, header := hmrc.bodies[len(hmrc.bodies)-2], hmrc.bodies[len(hmrc.bodies)-1], hmrc.headers[len(hmrc.headers)-1]
		hmrc.mu.Unlock()
		if first != second || header.Get("Accept") != "application/vnd.hmrc.1.0+xml" || header.Get("Authorization") != "Bearer access" || header.Get("X-Simulate") != "" || !strings.HasPrefix(strings.ToLower(header.Get("Content-Type")), "application/xml; charset=utf-8") {
			t.Errorf("headers %v, bodies %s and %s", header, first, second)
		}
		c.waitForMovements(id, "REQUESTED")
		repeated := `<ns2:movementReference>` + reference + `</ns2:movementReference>`
		c.postNotification("Basic secret", conversationOf("2"), control("EAL", "3", repeated, errorBlock13)).want(t, 200)
		c.waitForMovements(id, "REFUSED")
		c.postNotification("Basic secret", conversationOf("7"), control("EAL", "1", repeated, "")).want(t, 200) // of the lost answer
		a = c.waitForMovements(id, "ACCEPTED")
		if a.movements()[0]["errors"] != nil {
			t.Errorf("accepted with errors: %v", a.movements()[0])
		}
	})
}

// A message that comes before the end of a movement without an answer settles it. Equal answers in two conversations are both applied.
func TestMessagesAboutMovements(t *testing.T) {
	withExport(t, func(t *testing.T, c *caller, hmrc *fakeCDS, id string) {
		hmrc.respondWith(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		c.move(id, movementAt("DEPARTURE", aMorning)).refused(t, 502, "customs_unreachable")
		reference := c.waitForMovements(id, "UNKNOWN").movements()[0]["reference"].(string)
		c.postNotification("Basic secret", conversationOf("3"), control("EDL", "3", `<ns2:movementReference>`+reference+`</ns2:movementReference>`, errorBlock13)).want(t, 200)
		a := c.waitForMovements(id, "REFUSED")
		if a.movements()[0]["conversationId"] != conversationOf("3") || !strings.Contains(fmt.Sprint(a.movements()[0]["errors"]), "code:13") {
			t.Errorf("movement %v", a.movements()[0])
		}
		for i, master := range []string{aMUCR, "A:24682009062"} {
			hmrc.respondWith(accepting(fmt.Sprint(4 + i)))
			c.move(id, map[string]any{"kind": "SHUT", "masterUcr": master}).want(t, 200)
			if i == 0 {
				c.postNotification("Basic secret", conversationOf("4"), control("CST", "2", "", errorBlock13)).want(t, 200)
				c.waitForMovements(id, "REFUSED", "PARTLY_ACCEPTED")
			}
		}
		c.postNotification("Basic secret", conversationOf("5"), control("CST", "2", "", errorBlock13)).want(t, 200)
		c.waitForMovements(id, "REFUSED", "PARTLY_ACCEPTED", "PARTLY_ACCEPTED")
		totals := `<inventoryLinkingMovementTotalsResponse xmlns="http://gov.uk/customs/inventoryLinking/v1"><messageCode>ERS</messageCode><goodsLocation>GBAUFXTFXTFXT</goodsLocation>` +
			`<masterROE>9</masterROE><masterSOE>0</masterSOE></inventoryLinkingMovementTotalsResponse>`
		for range 2 {
			c.postNotification("Basic secret", conversationOf("5"), totals).want(t, 200)
		}
		c.eventually("the totals", func() bool {
			last := c.call("GET", "/api/declarations/"+id, nil).want(t, 200).movements()[2]
			return fmt.Sprint(last["masterRoe"], last["masterSoe"]) == "map[code:9] map[code:0 meaning:Open]"
		})
		if n := len(c.events("eventType=declaration.movement_updated")); n != 1 {
			t.Errorf("%d updates", n)
		}
	})
}

// What HMRC refuses at once is an error of the call, and stays with the movements. It can be sent again.
func TestMovementsThatHMRCDoesNotTake(t *testing.T) {
	withExport(t, func(t *testing.T, c *caller, hmrc *fakeCDS, id string) {
		hmrc.respondWith(respond(400, `<errorResponse><code>BAD_REQUEST</code><message>Payload is not valid according to schema</message></errorResponse>`))
		c.move(id, movementAt("ARRIVAL", aMorning)).refused(t, 502, "customs_rejected")
		a := c.waitForMovements(id, "REFUSED")
		if !strings.Contains(fmt.Sprint(a.movements()[0]["reason"]), "not valid according to schema") {
			t.Errorf("movement %v", a.movements()[0])
		}
		hmrc.respondWith(respond(403, `<errorResponse><code>INVALID_SCOPE</code><message>Cannot access the required resource</message></errorResponse>`))
		if refused := c.move(id, movementAt("ARRIVAL", aMorning)).refused(t, 502, "customs_rejected"); !strings.Contains(refused.text, "customs-movements") {
			t.Errorf("without the scope: %s", refused.text)
		}
		hmrc.respondWith(accepting("6"))
		c.move(id, movementAt("ARRIVAL", aMorning)).want(t, 200)
		c.waitForMovements(id, "REFUSED", "REFUSED", "REQUESTED")
	})
}

// A movement needs the consent of its organisation. While the consent is withdrawn it waits, and goes on after a new one.
func TestMovementsNeedConsent(t *testing.T) {
	withGateway(t, func(t *testing.T, p *server, hmrc *gateway) {
		c := p.organisation("A")
		c.connectCustoms()
		id := c.export("", statedExport)
		conversation := c.submit(id).want(t, 200).body["conversationId"].(string)
		p.postNotification("Basic secret", conversation, notificationXML("01", "m1", "26GB3TTI2CQ1C7FGR4", "20261121090001Z", "")).want(t, 200)
		c.waitForStatus(id, "ACCEPTED")
		hmrc.withdraw(conversation)
		hmrc.forgetRefreshTokens()
		waiting := c.move(id, movementAt("ARRIVAL", aMorning)).want(t, 200)
		if waiting.in("movement", "status") != "WAITING" || c.consent("status") != "REVOKED" {
			t.Errorf("waiting %s, consent %v", waiting.text, c.consent("status"))
		}
		c.move(id, map[string]any{"kind": "SHUT", "masterUcr": aMUCR}).refused(t, 409, "customs_consent_required")
		c.connectCustoms()
		a := c.waitForMovements(id, "REQUESTED")
		if token := hmrc.tokenOf(a.movements()[0]["conversationId"]); token == "" || token == hmrc.tokenOf(conversation) || a.in("declaration", "stage") != "ACCEPTED" {
			t.Errorf("sent with %q: %s", token, a.text)
		}
	})
}
