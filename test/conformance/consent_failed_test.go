package conformance

import (
	"database/sql"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// partyRejected is an error of a rejection at a party.
func partyRejected(section, tag string) string {
	return `<Error><ValidationCode>CDS12005</ValidationCode><Pointer><DocumentSectionCode>42A</DocumentSectionCode></Pointer>` +
		`<Pointer><DocumentSectionCode>` + section + `</DocumentSectionCode><TagID>` + tag + `</TagID></Pointer></Error>`
}

// makeKillable starts the program again as a process that may be killed.
func (p *server) makeKillable() {
	p.process.Stop(p.t)
	p.process = p.Start(p.t, "serve")
	p.base = p.process.Address
}

// submitAndIgnore submits a declaration to a program that is killed meanwhile.
func (c *caller) submitAndIgnore(id string) error {
	r, err := http.NewRequest("POST", c.base+"/api/cds/submit", strings.NewReader(`{"declarationId":"`+id+`"}`))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+c.key)
	answer, err := callers.Do(r)
	if err == nil {
		err = answer.Body.Close()
	}
	return err
}

// A rejection with CDS12005 at the declarant shows that the consent belongs to another trader: it has failed, and nothing is
// sent until there is a new one. The same code at another party says nothing about the consent.
func TestRejectedDeclarantFailsTheConsent(t *testing.T) {
	withGateway(t, func(t *testing.T, p *server, _ *gateway) {
		c := p.organisation("A")
		c.connectCustoms()
		reject := func(section, tag, mrn string) {
			id := c.declaration("")
			at := c.submit(id).want(t, 200).body["conversationId"].(string)
			p.postNotification("Basic secret", at, notificationXML("03", "n-"+mrn, mrn, "20261121090000Z", partyRejected(section, tag))).want(t, 200)
			c.waitForStatus(id, "REJECTED")
		}
		reject("67A", "R038", "26GB3TTI2CQ1C7FGR1")
		if c.consent("status") != "GRANTED" {
			t.Errorf("after a rejected importer the consent is %v", c.consent("status"))
		}
		reject("57B", "R123", "26GB3TTI2CQ1C7FGR2")
		if c.consent("status") != "FAILED" || c.consent("lastError") == nil || len(c.events("eventType=customs.consent.failed")) != 1 {
			t.Errorf("after a rejected declarant: %s", c.call("GET", "/api/customs/consent", nil).text)
		}
		c.submit(c.declaration("")).refused(t, 409, "customs_consent_required")
		c.connectCustoms()
		if c.consent("status") != "GRANTED" {
			t.Errorf("connected again, the consent is %v", c.consent("status"))
		}
	})
}

// If the program is killed after HMRC has used up a refresh token and before the new pair is stored, the consent has failed. The
// old refresh token is not sent again.
func TestKilledRefreshFailsTheConsent(t *testing.T) {
	t.Parallel()
	g := startGateway(t)
	p := serve(t, storetest.SQLite(t), "TIDEWAITER_CUSTOMS_MODE=hmrc", "TIDEWAITER_CUSTOMS_URL="+g.URL, "TIDEWAITER_CUSTOMS_RATE=1000",
		"TIDEWAITER_CUSTOMS_CLIENT_ID=app", "TIDEWAITER_CUSTOMS_CLIENT_SECRET=s&cret", "TIDEWAITER_CUSTOMS_REDIRECT_URL="+customsRedirect,
		"TIDEWAITER_CUSTOMS_INBOUND=static-token", "TIDEWAITER_CUSTOMS_INBOUND_TOKEN=Basic secret")
	p.makeKillable()
	c := p.organisation("A")
	c.connectCustoms()
	sent := c.submit(c.declaration("")).want(t, 200)
	id := c.declaration("")
	g.withdraw(sent.body["conversationId"].(string))
	used := g.holdRefresh()
	go func() { _ = c.submitAndIgnore(id) }()
	<-used
	p.process.Kill()

	db, err := sql.Open("sqlite", "file:"+filepath.Join(p.Data(), "tidewaiter.db"))
	if err != nil {
		t.Fatal(err)
	}
	var before int
	if err := db.QueryRow("SELECT count(*) FROM consent_tokens WHERE token <> '' AND holder <> ''").Scan(&before); err != nil || before != 1 {
		t.Fatalf("%d refreshes were running, %v", before, err)
	}
	// The lease of the killed process ends at once instead of after 45 seconds.
	if _, err := db.Exec("UPDATE consent_tokens SET held_until = (SELECT min(created_at) FROM organisations)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	p.process = p.Serve(t, "serve")
	p.base = p.process.Address
	c.submit(c.declaration("")) // finds the token in use by a process that is gone
	c.eventually("the end of the consent", func() bool { return c.consent("status") == "FAILED" })
	if n := g.refreshes(); n != 1 {
		t.Errorf("%d refreshes were asked for, want one", n)
	}
	if len(c.events("eventType=customs.consent.failed")) != 1 {
		t.Error("no event of the failed consent")
	}
	c.submit(c.declaration("")).refused(t, 409, "customs_consent_required")
}
