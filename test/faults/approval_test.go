package faults_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

// person is a second person of the organisation, who is signed in to the console.
type person struct{ cookie string }

// join invites a person into the client's organisation, and returns the person with a session.
func (p host) join(t *testing.T, c *client, running *program.Process) person {
	t.Helper()
	var own struct{ Organisation struct{ ID string } }
	c.must(t, http.MethodGet, "/api/organisation", nil, &own)
	var invited struct{ Link string }
	p.Read(t, &invited, "user", "invite", "ben@example.com", "--org", own.Organisation.ID)
	_, token, _ := strings.Cut(invited.Link, "/invitations/")
	response := person{}.post(t, running, "/invitations/"+token+"/join", url.Values{"name": {"Ben"}, "password": {"harbour-violet-tin-93"}})
	session, _, _ := strings.Cut(response.Header.Get("Set-Cookie"), ";")
	if session == "" {
		t.Fatalf("not joined: %s", response.Status)
	}
	return person{session}
}

// post sends a form from the person's browser.
func (u person) post(t *testing.T, running *program.Process, path string, form url.Values) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, running.Address+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", strings.Replace(running.Address, "127.0.0.1", "localhost", 1))
	if r.Header.Set("Content-Type", "application/json"); form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if u.cookie != "" {
		r.Header.Set("Cookie", u.cookie)
	}
	response, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response
}

// approval is what a record says about its approval.
type approval struct{ State, SHA256, ApprovedSHA256 string }

func (c *client) approval(t *testing.T, id string) approval {
	t.Helper()
	var out struct{ Approval approval }
	c.must(t, http.MethodGet, "/api/declarations/"+id+"/approval", nil, &out)
	return out.Approval
}

// A process that is killed after an approval has not lost it. One that is killed while CDS processes what was approved sends the
// same bytes again, without a second approval, and the declaration is submitted once.
func TestKillAfterApproval(t *testing.T) {
	onBoth(t, testKillAfterApproval)
}

func testKillAfterApproval(t *testing.T, b storetest.Backend) {
	p := newHost(t, b)
	authority := newFakeCDS(t, p)
	running, c := p.withOrganisation(t)
	again := func() {
		running.Kill()
		running = p.serve(t)
		c.turn(running)
	}
	ben := p.join(t, c, running)
	c.must(t, http.MethodPatch, "/api/organisation", map[string]any{"approvalRequired": true}, &struct{}{})
	id := c.draft(t)
	if a := <-c.submit(t.Context(), id); a.code() != "approval_required" {
		t.Fatalf("without an approval: %d %s", a.status, a.body)
	}
	if a := ben.post(t, running, "/api/declarations/"+id+"/approval", nil); a.StatusCode != http.StatusOK {
		t.Fatalf("not approved: %s", a.Status)
	}
	given := c.approval(t, id)
	again()
	if after := c.approval(t, id); after != given || after.State != "APPROVED" || after.ApprovedSHA256 != given.SHA256 {
		t.Fatalf("approved %+v, after the kill %+v", given, after)
	}
	lost := c.submit(t.Context(), id)
	first := authority.next(t, takeoverLimit)
	again()
	if a := <-lost; a.status != 0 {
		t.Fatalf("the killed process answered %d %s", a.status, a.body)
	}
	repeated := c.submit(t.Context(), id)
	second := authority.next(t, takeoverLimit)
	if sum := sha256.Sum256([]byte(first.body)); second.body != first.body || hex.EncodeToString(sum[:]) != given.SHA256 {
		t.Errorf("sent other bytes than those that were approved:\n%s\n%s", first.body, second.body)
	}
	second.answer <- conversation(1)
	agreed(t, <-repeated, conversation(1))
	p.waitForWork(t)
	if n := len(authority.sent); n > 0 {
		t.Errorf("%d more documents were sent", n)
	}
	for _, kind := range []string{"declaration.approved", "declaration.submitted"} {
		if events := c.events(t, kind); len(events) != 1 {
			t.Errorf("the trail has %d events %s", len(events), kind)
		}
	}
	p.verifyAudit(t)
}
