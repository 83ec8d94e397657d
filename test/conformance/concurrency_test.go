package conformance

import (
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// version is the number in an answer's ETag.
func (a answer) version(t *testing.T) int {
	t.Helper()
	etag := a.header.Get("ETag")
	n, err := strconv.Atoi(strings.Trim(etag, `"`))
	if err != nil || etag != quoted(n) {
		t.Fatalf("the ETag is %q: %s", etag, a.text)
	}
	return n
}

// unmodified fails the test unless the answer is a 304 without a body.
func (a answer) unmodified(t *testing.T) {
	t.Helper()
	if a.want(t, http.StatusNotModified); a.text != "" || a.header.Get("ETag") == "" || a.header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("%q, %v", a.text, a.header)
	}
}

// Every kind answers with the ETag of the record's version, which rises with every action. A change that names
// another version is 412 and changes nothing, even if the state would not allow it; a record that does not exist is
// still 404. A caller that has the current version gets 304.
func TestVersionsOfEveryKind(t *testing.T) {
	alone(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		for _, s := range hubKinds(t) {
			c.call("POST", "/api/hubs/"+s.Hub, nil).want(t, 200)
			made := c.call("POST", s.Path, s.body()).want(t, s.made())
			one := s.Path + "/" + made.id()
			version := made.version(t)
			for _, by := range s.Lifecycle.Actions() {
				old := version - 1
				s.transition(c, made.id(), by, "If-Match", quoted(old)).refused(t, 412, "precondition_failed")
				s.transition(c, missing, by, "If-Match", quoted(old)).refused(t, 404, "not_found")
				s.transition(c, made.id(), by, "If-Match", strconv.Itoa(version)).refused(t, 400, "invalid_request")
				a := s.transition(c, made.id(), by, "If-Match", fmt.Sprintf(`"x", W/"%d-gzip"`, version))
				if a.status != 200 {
					a.refused(t, 400, "invalid_state")
					continue
				}
				if now := a.version(t); now <= version {
					t.Errorf("%s: %s left the version at %d", s.Kind, by, now)
				}
				version = a.version(t)
			}
			c.checkReads(one, version)
		}
	})
}

// missing is the id of no record.
const missing = "00000000-0000-7000-8000-000000000000"

func quoted(version int) string { return `"` + strconv.Itoa(version) + `"` }

// checkReads checks conditional reads of a record.
func (c *caller) checkReads(one string, version int) {
	c.t.Helper()
	read := c.call("GET", one, nil).want(c.t, 200)
	if read.version(c.t) != version || read.header.Get("Cache-Control") != "private, no-cache" {
		c.t.Errorf("%s: %v, want version %d", one, read.header, version)
	}
	etag := read.header.Get("ETag")
	for _, known := range []string{etag, "W/" + etag, strings.TrimSuffix(etag, `"`) + `-zstd"`, `"0", ` + etag, "*"} {
		c.call("GET", one, nil, "If-None-Match", known).unmodified(c.t)
	}
	for _, other := range []string{quoted(version - 1), `"x"`, quoted(version) + "0"} {
		if other != quoted(version)+"0" {
			c.call("GET", one, nil, "If-None-Match", other).want(c.t, 200)
			continue
		}
		c.call("GET", one, nil, "If-None-Match", other).refused(c.t, 400, "invalid_request")
	}
}

// Statements have versions too: preparing one again raises its version, and a deletion for another version is 412.
func TestVersionsOfStatements(t *testing.T) {
	alone(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		ids := c.createGenerated()
		for _, k := range app.Statements() {
			s := hubKind{Type: k.Type}
			one := s.Path + "/" + ids[k.Kind]
			before := c.call("GET", one, nil).want(t, 200)
			c.checkReads(one, before.version(t))
			var request any
			if k.Kind == "tax.return" {
				request = map[string]any{"periodId": ids["tax.period"]}
			}
			again := c.call("POST", s.Path, request).want(t, 200)
			if again.version(t) <= before.version(t) {
				t.Errorf("%s: prepared again at version %d", k.Kind, again.version(t))
			}
			c.call("DELETE", one, nil, "If-Match", quoted(before.version(t))).refused(t, 412, "precondition_failed")
			submitted := s.transition(c, ids[k.Kind], lifecycle.Submit, "If-Match", quoted(again.version(t))).want(t, 200)
			accepted := s.transition(c, ids[k.Kind], lifecycle.MarkAccepted, "If-Match", quoted(submitted.version(t))).want(t, 200)
			if submitted.version(t) <= again.version(t) || accepted.version(t) <= submitted.version(t) {
				t.Errorf("%s: versions %d, %d, %d", k.Kind, again.version(t), submitted.version(t), accepted.version(t))
			}
			c.call("DELETE", one, nil, "If-Match", quoted(submitted.version(t))).refused(t, 412, "precondition_failed")
			c.call("DELETE", one, nil, "If-Match", quoted(accepted.version(t))).refused(t, 400, "invalid_state")
		}
		draft := c.call("POST", "/api/cbam/reports", map[string]any{"quarter": "2026-Q1"}).want(t, 200)
		c.call("DELETE", "/api/cbam/reports/"+draft.id(), nil, "If-Match", draft.header.Get("ETag")).want(t, 200)
		period := "/api/tax/periods/" + ids["tax.period"]
		c.checkReads(period, c.call("GET", period, nil).want(t, 200).version(t))
	})
}

// The imports that a report shows are those that it was prepared from, so its version covers them: a new import changes
// the answer only once the report is prepared again.
func TestVersionOfAReportCoversItsImports(t *testing.T) {
	alone(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
		report := c.call("POST", "/api/cbam/reports", nil).want(t, 200)
		one := "/api/cbam/reports/" + report.id()
		before := c.call("GET", one, nil).want(t, 200)
		c.call("POST", "/api/cbam/imports", steel()).want(t, 201)
		if a := c.call("GET", one, nil).want(t, 200); a.text != before.text || a.header.Get("ETag") != before.header.Get("ETag") {
			t.Errorf("%s %s, then %s %s", before.header.Get("ETag"), before.text, a.header.Get("ETag"), a.text)
		}
		c.call("POST", "/api/cbam/reports", nil).want(t, 200)
		after := c.call("GET", one, nil, "If-None-Match", before.header.Get("ETag")).want(t, 200)
		if imports := after.in("imports").([]any); len(imports) != 1 || after.version(t) != before.version(t)+1 {
			t.Errorf("%d imports at %s", len(imports), after.header.Get("ETag"))
		}
	})
}

// settled waits until all messages about a plain import have come, and reads it: acceptance, two about taxes, and clearance, which
// need not be the last to arrive.
func (c *caller) settled(id string) answer {
	c.t.Helper()
	c.eventually("four messages", func() bool { return c.received("/api/declarations/"+id) == 4 })
	return c.waitForStatus(id, "CLEARED")
}

// received counts the messages of customs in the timeline of a declaration.
func (c *caller) received(declaration string) (messages int) {
	c.t.Helper()
	for _, m := range c.call("GET", declaration+"/timeline", nil).want(c.t, 200).in("timeline").([]any) {
		if m.(map[string]any)["kind"] == "received" {
			messages++
		}
	}
	return messages
}

// The messages of customs raise a declaration's version, so a caller that has read the declaration before does not
// change it. A submission for another version is 412, and its repeat with the same key is replayed.
func TestVersionsOfADeclaration(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		c := serve(t, b).organisation("A")
		made := c.call("POST", "/api/declarations", goods(c.shipment(), "")).want(t, 201)
		one, id := "/api/declarations/"+made.id(), made.id()
		amended := c.call("PATCH", one, goods(c.shipment(), ""), "If-Match", quoted(made.version(t))).want(t, 200)
		body := map[string]any{"declarationId": id}
		c.call("POST", "/api/cds/submit", body, "If-Match", quoted(made.version(t))).refused(t, 412, "precondition_failed")
		c.call("POST", "/api/cds/submit", body, "If-Match", "x").refused(t, 400, "invalid_request")
		headers := []string{"If-Match", quoted(amended.version(t)), "Idempotency-Key", "once"}
		submitted := c.call("POST", "/api/cds/submit", body, headers...).want(t, 200)
		cleared := c.settled(id)
		if a := c.call("POST", "/api/cds/submit", body, headers...).want(t, 200); a.text != submitted.text {
			t.Errorf("the repeat is %s, not %s", a.text, submitted.text)
		}
		if rise := cleared.version(t) - amended.version(t); rise != 1+4 {
			t.Errorf("the version rose by %d with a submission and four messages", rise)
		}
		c.call("GET", one, nil, "If-None-Match", quoted(amended.version(t))).want(t, 200)
		c.checkReads(one, cleared.version(t))
		c.call("DELETE", one, nil, "If-Match", quoted(amended.version(t))).refused(t, 412, "precondition_failed")
		c.call("DELETE", one, nil, "If-Match", quoted(cleared.version(t))).refused(t, 400, "invalid_state")
		c.call("DELETE", "/api/declarations/"+missing, nil, "If-Match", `"1"`).refused(t, 404, "not_found")
		other := c.declaration("")
		if a := c.call("DELETE", "/api/declarations/"+other, nil, "If-Match", `"1"`).want(t, 200); a.version(t) != 2 {
			t.Errorf("cancelled at version %d", a.version(t))
		}
	})
}

// Of two corrections at the same time for the same version exactly one succeeds; the other is 412. The repeat of the
// first with its key is replayed with the ETag of its answer, although the version it names is gone.
func TestTwoCorrectionsOfOneVersion(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		c := serve(t, b).organisation("A")
		for range 10 {
			made := c.call("POST", "/api/clients", map[string]any{"name": "Old"}, "Idempotency-Key", "new").want(t, 201)
			one := "/api/clients/" + c.client()
			var answers [4]answer
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() {
					answers[i] = c.call("PATCH", one, map[string]any{"name": fmt.Sprint("Name ", i)}, "If-Match", `"1"`)
				})
			}
			all.Wait()
			won := -1
			for i, a := range answers {
				if a.status != 200 {
					a.refused(t, 412, "precondition_failed")
				} else if won >= 0 {
					t.Errorf("%d and %d both succeeded", won, i)
				} else {
					won = i
				}
			}
			read := c.call("GET", one, nil).want(t, 200)
			if won < 0 || read.in("client", "name") != fmt.Sprint("Name ", won) || read.version(t) != 2 {
				t.Errorf("the winner is %d: %s", won, read.text)
			}
			if made.version(t) != 1 {
				t.Errorf("the repeat has the ETag %s", made.header.Get("ETag"))
			}
		}
		c.call("POST", "/api/hubs/tss", nil).want(t, 200)
		id := c.call("POST", "/api/tss/declarations", movement()).want(t, 200).id()
		submit := []string{"If-Match", `"1"`, "Idempotency-Key", "submit"}
		first := c.call("POST", "/api/tss/declarations/"+id+"/submit", nil, submit...).want(t, 200)
		again := c.call("POST", "/api/tss/declarations/"+id+"/submit", nil, submit...).want(t, 200)
		if again.text != first.text || again.header.Get("ETag") != `"2"` || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("the repeat: %v %s", again.header, again.text)
		}
	})
}

// A merge patch merges objects, replaces lists and removes what is null; application/json replaces objects as a whole.
// Another media type is 415, and what the merge makes of the record is checked.
func TestMergePatch(t *testing.T) {
	alone(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/corporate", nil).want(t, 200)
		filing := corporateFiling()
		filing["formData"] = map[string]any{"statementOfCapital": true, "sicCodes": []any{"62012", "62020"}, "more": map[string]any{"a": 1, "b": 2}}
		one := "/api/corporate/filings/" + c.call("POST", "/api/corporate/filings", filing).want(t, 200).id()
		const merge = "application/merge-patch+json"
		patch := `{"subject":"New","formData":{"sicCodes":["70100"],"statementOfCapital":null,"more":{"b":null,"c":[null]}}}`
		a := c.call("PATCH", one, patch, "Content-Type", merge, "If-Match", `"1"`).want(t, 200)
		want := map[string]any{"sicCodes": []any{"70100"}, "more": map[string]any{"a": 1.0, "c": []any{nil}}}
		if got := a.in("filing", "formData"); !reflect.DeepEqual(got, want) || a.in("filing", "subject") != "New" || a.in("filing", "companyName") != filing["companyName"] {
			t.Errorf("merged: %s", a.text)
		}
		a = c.call("PATCH", one, `{"formData":{"more":{"b":3}}}`).want(t, 200)
		if got := a.in("filing", "formData"); !reflect.DeepEqual(got, map[string]any{"more": map[string]any{"b": 3.0}}) {
			t.Errorf("replaced: %s", a.text)
		}
		c.call("PATCH", one, `{"subject":null}`, "Content-Type", merge).refused(t, 400, "invalid_request")
		c.call("PATCH", one, `{"colour":null}`, "Content-Type", merge).refused(t, 400, "invalid_request")
		c.call("PATCH", one, patch, "Content-Type", "application/json-patch+json").refused(t, 415, "unsupported_media_type")
		c.call("POST", "/api/corporate/filings", filing, "Content-Type", merge).refused(t, 415, "unsupported_media_type")
		c.call("PATCH", "/api/organisation", `{"name":"B"}`, "Content-Type", merge+"; charset=utf-8").want(t, 200)
	})
}
