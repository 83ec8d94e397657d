package conformance

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// restOfEntry is what a declaration for Great Britain needs besides the flat fields.
const restOfEntry = `{"hEAHEA":{"ideOfMeaOfTraCroHEA85":"9431408","conRefNumHEA":"NS0412W"},
	"tRACONCO1":{"strAndNumCO122":"12 Haeyang-ro","posCodCO123":"49112","citCO124":"Busan","couCO125":"KR"},
	"gOOITEGDS":[{"pACGS2":[{"kinOfPacGS23":"CT","marNumOfPacGSL21":"HK 1-420"}]}],
	"iTI":[{"couOfRouCodITI1":"KR"},{"couOfRouCodITI1":"GB"}],"cUSOFFFENT730":{"refNumCUSOFFFENT731":"GB000051"}}`

// britishEntry is an entry summary declaration for Great Britain, as it is sent to HMRC.
func britishEntry() map[string]any {
	e := entry()
	e["regime"], e["carrierEori"], e["message"] = "GB", "GB345678912000", json.RawMessage(restOfEntry)
	return e
}

// britain returns a caller of a test organisation with the Hub, whose entry summary declarations go to the simulator.
func (p *server) britain() *caller {
	live := p.organisation("A")
	live.call("PATCH", "/api/organisation", map[string]any{"eori": "GB123456789000"}).want(p.t, 200)
	c := live.sandbox()
	c.call("POST", "/api/hubs/ics2", nil).want(p.t, 200)
	return c
}

// becomes reads a filing until something holds of it.
func (c *caller) becomes(one string, holds func(answer) bool) (last answer) {
	c.t.Helper()
	c.eventually("change of "+one, func() bool {
		last = c.call("GET", one, nil).want(c.t, 200)
		return holds(last)
	})
	return last
}

// eventTypes counts the events of the organisation by type.
func (c *caller) eventTypes() map[string]int {
	types := map[string]int{}
	for _, e := range c.events("limit=100") {
		types[e["eventType"].(string)]++
	}
	return types
}

func hasStatus(status string) func(answer) bool {
	return func(a answer) bool { return a.in("filing", "status") == status }
}

// A filing for Great Britain is rejected, copied, mended and accepted, then amended twice. Its MRN is null until HMRC gives it, and
// only HMRC decides.
func TestENS(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.britain()
		one := "/api/ics2/filings/" + c.call("POST", "/api/ics2/filings", britishEntry()).want(t, 200).id()
		if found := c.call("POST", one+"/review", nil).want(t, 200); found.in("review", "hasBlockers") != false {
			t.Errorf("a correct declaration has blockers: %s", found.text)
		}
		written := c.call("GET", one+"/message.xml", nil).want(t, 200)
		if found := ens.Check([]byte(written.text), verdict.New); len(found) > 0 || written.header.Get("Content-Type") != "application/xml" {
			t.Errorf("%v in %s", found, written.text)
		}
		submitted := c.call("POST", one+"/submit", nil, "X-Simulate", "reject", "Idempotency-Key", "1").want(t, 200)
		if mrn, there := submitted.body["filing"].(map[string]any)["mrn"]; submitted.in("filing", "status") != "SUBMITTED" || mrn != nil || !there || submitted.in("filing", "referenceSource") != nil {
			t.Errorf("submitted: %s", submitted.text)
		}
		if again := c.call("POST", one+"/submit", nil, "X-Simulate", "reject", "Idempotency-Key", "1").want(t, 200); again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("submitted again: %s", again.text)
		}
		for _, mark := range []string{"/mark-accepted", "/mark-rejected"} {
			c.call("POST", one+mark, markBody(mark)).refused(t, 400, "invalid_state")
		}
		c.call("DELETE", one, nil).refused(t, 400, "invalid_state")
		rejected := c.becomes(one, hasStatus("REJECTED"))
		refusal, _ := rejected.in("filing", "refusals").([]any)
		if len(refusal) != 1 || refusal[0].(map[string]any)["field"] != "modeOfTransport" || refusal[0].(map[string]any)["number"] != "12" || rejected.in("filing", "reason") == nil {
			t.Errorf("rejected: %s", rejected.text)
		}

		copied := c.call("POST", one+"/copy", nil).want(t, 201)
		if copied.in("filing", "status") != "DRAFT" || copied.in("filing", "replaces") != strings.TrimPrefix(one, "/api/ics2/filings/") || copied.in("filing", "refusals") != nil {
			t.Errorf("copied: %s", copied.text)
		}
		mended := "/api/ics2/filings/" + copied.id()
		c.call("PATCH", mended, `{"totalPackages":421}`).want(t, 200)
		c.call("POST", mended+"/submit", nil).want(t, 200)
		accepted := c.becomes(mended, hasStatus("ACCEPTED"))
		mrn, _ := accepted.in("filing", "mrn").(string)
		if parsed, err := ident.ParseMRN(mrn); err != nil || !parsed.ValidChecksum() || accepted.in("filing", "referenceSource") != "simulator" {
			t.Errorf("accepted: %s", accepted.text)
		}

		asked := c.call("PATCH", mended, `{"totalPackages":422}`).want(t, 200)
		if asked.in("filing", "totalPackages") != 421.0 && asked.in("filing", "amendment", "status") != "ACCEPTED" {
			t.Errorf("changed before HMRC has accepted the amendment: %s", asked.text)
		}
		amended := c.becomes(mended, func(a answer) bool { return a.in("filing", "amendment", "status") == "ACCEPTED" })
		if amended.in("filing", "totalPackages") != 422.0 || amended.in("filing", "mrn") != mrn || amended.in("filing", "status") != "ACCEPTED" {
			t.Errorf("amended: %s", amended.text)
		}
		refused := c.call("PATCH", mended, map[string]any{"message": json.RawMessage(strings.Replace(restOfEntry, "GB000051", "XI000014", 1))}).want(t, 200)
		last := c.becomes(mended, func(a answer) bool { return a.in("filing", "amendment", "status") == "REJECTED" })
		if !strings.Contains(last.text, "GB000051") || strings.Contains(last.text, `"refNumCUSOFFFENT731":"XI000014"`) || last.in("filing", "amendment", "refusals") == nil || refused.in("filing", "totalPackages") != 422.0 {
			t.Errorf("the earlier version stands: %s", last.text)
		}
		types := c.eventTypes()
		for kind, n := range map[string]int{"ics2.filing.rejected": 1, "ics2.filing.accepted": 1, "ics2.filing.amended": 2, "ics2.filing.submitted": 2} {
			if types[kind] != n {
				t.Errorf("%d events %s, want %d: %v", types[kind], kind, n, types)
			}
		}
	})
}

func markBody(mark string) any {
	if mark == "/mark-rejected" {
		return `{"reason":"x"}`
	}
	return nil
}

// An instruction not to load is shown and has an event; it changes no status.
func TestENSIntervention(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.britain()
		one := "/api/ics2/filings/" + c.call("POST", "/api/ics2/filings", britishEntry()).want(t, 200).id()
		c.call("POST", one+"/submit", nil, "X-Simulate", "intervene").want(t, 200)
		shown := c.becomes(one, func(a answer) bool { return a.in("filing", "interventions") != nil })
		if shown.in("filing", "status") != "ACCEPTED" || !strings.Contains(shown.text, "DO NOT LOAD") {
			t.Errorf("shown: %s", shown.text)
		}
		if n := c.eventTypes()["ics2.filing.intervened"]; n != 1 {
			t.Errorf("%d events", n)
		}
		if inbox := c.call("GET", "/api/inbox", nil).want(t, 200); !strings.Contains(inbox.text, "DO_NOT_LOAD") {
			t.Errorf("inbox: %s", inbox.text)
		}
	})
}

// What HMRC refuses in its answer leaves a draft, with HMRC's numbers, locations and our fields; flat fields that do not suffice
// are not sent.
func TestENSRefused(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.britain()
		flat := britishEntry()
		delete(flat, "message")
		one := "/api/ics2/filings/" + c.call("POST", "/api/ics2/filings", flat).want(t, 200).id()
		incomplete := c.call("POST", one+"/submit", nil).refused(t, 422, "declaration_incomplete")
		if !strings.Contains(incomplete.text, `"field":"message.cUSOFFFENT730.refNumCUSOFFFENT731"`) {
			t.Errorf("incomplete: %s", incomplete.text)
		}
		c.call("PATCH", one, map[string]any{"message": json.RawMessage(strings.Replace(restOfEntry, `,"marNumOfPacGSL21":"HK 1-420"`, "", 1))}).want(t, 200)
		refused := c.call("POST", one+"/submit", nil).refused(t, 422, "authority_refused")
		for _, part := range []string{`"number":8152`, `"location":"/ie:CC315A[1]/GOOITEGDS[1]/PACGS2[1]"`, `"field":"message.gOOITEGDS[0].pACGS2[0]"`} {
			if !strings.Contains(refused.text, part) {
				t.Errorf("%s is missing in %s", part, refused.text)
			}
		}
		if a := c.call("GET", one, nil).want(t, 200); a.in("filing", "status") != "DRAFT" {
			t.Errorf("refused: %s", a.text)
		}
		c.call("PATCH", one, map[string]any{"message": json.RawMessage(restOfEntry)}).want(t, 200)
		c.call("POST", one+"/submit", nil, "X-Simulate", "clear").refused(t, 400, "invalid_request")
		c.call("POST", one+"/submit", nil).want(t, 200)
		c.becomes(one, hasStatus("ACCEPTED"))
	})
}

// A CC315A of another system becomes a draft, which is sent as this organisation's.
func TestENSImport(t *testing.T) {
	p := shared(t)
	c := p.britain()
	one := "/api/ics2/filings/" + c.call("POST", "/api/ics2/filings", britishEntry()).want(t, 200).id()
	document := strings.NewReplacer("GB123456789000/", "GB999999999000/", "<TINPLD1>GB123456789000", "<TINPLD1>GB999999999000").Replace(c.call("GET", one+"/message.xml", nil).want(t, 200).text)
	upload := func(text string) answer {
		return c.call("POST", "/api/ics2/filings/import", text, "Content-Type", "application/xml")
	}
	imported := upload(document).want(t, 201)
	if imported.in("filing", "status") != "DRAFT" || imported.in("filing", "regime") != "GB" || strings.Contains(imported.text, "GB999999999000") {
		t.Errorf("imported: %s", imported.text)
	}
	again := "/api/ics2/filings/" + imported.id()
	if found := c.call("POST", again+"/review", nil).want(t, 200); found.in("review", "hasBlockers") != false {
		t.Errorf("imported with blockers: %s", found.text)
	}
	c.call("POST", again+"/submit", nil).want(t, 200)
	c.becomes(again, hasStatus("ACCEPTED"))
	if list := c.call("GET", "/api/ics2/filings", nil).want(t, 200); strings.Contains(list.text, "gOOITEGDS") {
		t.Errorf("lists leave the message out: %s", list.text)
	}
	for name, text := range map[string]string{
		"not XML": "<a", "another message": "<a/>", "an unknown version": strings.ReplaceAll(document, "ics.dgtaxud.ec/CC315A", "ics.dgtaxud.ec/CC315B"),
		"nothing": "", "a document type": "<!DOCTYPE a []><a/>",
	} {
		if a := upload(text); a.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
	c.call("POST", "/api/ics2/filings/import", `{}`).refused(t, 415, "unsupported_media_type")
}

// Without the regime, and without a connection, a filing is a draft with a mock reference that says so, as before.
func TestENSWithoutConnection(t *testing.T) {
	p := shared(t)
	c := p.organisation("A")
	c.call("POST", "/api/hubs/ics2", nil).want(t, 200)
	for name, body := range map[string]map[string]any{"no regime": entry(), "EU": with(entry(), "regime", "EU"), "GB, not connected": britishEntry()} {
		one := "/api/ics2/filings/" + c.call("POST", "/api/ics2/filings", body).want(t, 200).id()
		submitted := c.call("POST", one+"/submit", nil).want(t, 200)
		if submitted.in("filing", "mrn") == nil || submitted.in("filing", "referenceSource") != "simulated" || !strings.Contains(submitted.text, "mock") {
			t.Errorf("%s: %s", name, submitted.text)
		}
		c.call("POST", one+"/mark-accepted", nil).want(t, 200)
		c.call("PATCH", one, `{"totalPackages":7}`).refused(t, 400, "invalid_state")
	}
	sandbox := p.britain()
	one := "/api/ics2/filings/" + sandbox.call("POST", "/api/ics2/filings", entry()).want(t, 200).id()
	sandbox.call("GET", one+"/message.xml", nil).refused(t, 400, "invalid_state")
	if submitted := sandbox.call("POST", one+"/submit", nil).want(t, 200); submitted.in("filing", "referenceSource") != "simulated" {
		t.Errorf("a filing for the EU: %s", submitted.text)
	}
	sandbox.call("POST", "/api/ics2/filings", `{"message":{}}`).refused(t, 400, "invalid_request")
	conflict := sandbox.call("POST", "/api/ics2/filings", with(britishEntry(), "message", json.RawMessage(`{"hEAHEA":{"traModAtBorHEA76":"1"}}`))).refused(t, 400, "invalid_request")
	if !strings.Contains(conflict.text, `"field":"modeOfTransport"`) {
		t.Errorf("conflict: %s", conflict.text)
	}
}

func with(body map[string]any, member string, value any) map[string]any {
	other := maps.Clone(body)
	other[member] = value
	return other
}
