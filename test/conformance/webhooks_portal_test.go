package conformance

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

const portalPath = "/api/webhooks/portal"

// A link opens the portal without a key until it is revoked, and shows the address of each of its endpoints. Only OWNERs make,
// see and revoke links, and never for an endpoint that does not exist or is another organisation's.
func TestPortalLinks(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, other := p.organisation("A"), p.organisation("B")
		one := c.call("POST", endpoints, `{"url":"https://one.example/hook"}`).want(t, 200).id()
		c.call("POST", endpoints, `{"url":"https://two.example/hook"}`).want(t, 200)
		foreign := other.call("POST", endpoints, `{"url":"https://three.example/hook"}`).want(t, 200).id()
		for _, member := range []string{"MEMBER", "VIEWER"} {
			code := map[string]string{"MEMBER": "owner_role_required", "VIEWER": "read_only_key"}[member]
			c.as(member).call("POST", portalPath, `{"expiresInMinutes":5}`).refused(t, 403, code)
		}
		for body, fields := range map[string]string{
			`{}`: "expiresInMinutes", `{"expiresInMinutes":0}`: "expiresInMinutes", `{"expiresInMinutes":1441,"endpointIds":[],"readOnly":"x","more":1}`: "endpointIds expiresInMinutes more readOnly",
			`{"expiresInMinutes":1.5}`: "expiresInMinutes",
		} {
			a := c.call("POST", portalPath, body).refused(t, 400, "invalid_request")
			for _, field := range strings.Fields(fields) {
				if !strings.Contains(a.text, `"`+field+`"`) {
					t.Errorf("%s: the answer does not name %s: %s", body, field, a.text)
				}
			}
		}
		for _, id := range []string{foreign, unknownID, "x"} {
			c.call("POST", portalPath, fmt.Sprintf(`{"expiresInMinutes":5,"endpointIds":[%q,%q]}`, one, id)).refused(t, 404, "not_found")
		}
		if links := c.call("GET", portalPath, nil).want(t, 200).in("links").([]any); len(links) != 0 {
			t.Errorf("what was refused made links: %v", links)
		}
		body := fmt.Sprintf(`{"expiresInMinutes":1440,"endpointIds":[%q,%q],"readOnly":true}`, strings.ToUpper(one), one)
		made := c.call("POST", portalPath, body, "Idempotency-Key", "p").want(t, 201)
		if again := c.call("POST", portalPath, body, "Idempotency-Key", "p").want(t, 201); again.text != made.text {
			t.Errorf("the same call gave another link: %s", again.text)
		}
		ends, err := time.Parse(time.RFC3339, made.in("expiresAt").(string))
		if life := time.Until(ends); err != nil || life < 23*time.Hour || life > 24*time.Hour {
			t.Errorf("the link ends at %v: %v", ends, err)
		}
		address := made.in("url").(string)
		list := c.call("GET", portalPath, nil).want(t, 200)
		link := firstLink(list)
		id, opens := link["id"].(string), link["endpointIds"].([]any)
		if len(opens) != 1 || opens[0] != one || link["readOnly"] != true || strings.Contains(list.text, address[len(address)-20:]) {
			t.Errorf("the list: %s", list.text)
		}
		if status, page := p.open(t, address); status != 200 || !strings.Contains(page, "https://one.example/hook") || strings.Contains(page, "two.example") {
			t.Errorf("the portal: %d %s", status, page)
		}
		all := c.call("POST", portalPath, `{"expiresInMinutes":5}`).want(t, 201).in("url").(string)
		if status, page := p.open(t, all); status != 200 || !strings.Contains(page, "one.example") || !strings.Contains(page, "two.example") || strings.Contains(page, "three.example") {
			t.Errorf("the portal of all endpoints: %d %s", status, page)
		}
		other.call("DELETE", portalPath+"/"+id, nil).refused(t, 404, "not_found")
		c.call("DELETE", portalPath+"/"+id, nil).want(t, 200)
		c.call("DELETE", portalPath+"/"+id, nil).refused(t, 404, "not_found")
		if status, _ := p.open(t, address); status != 404 {
			t.Errorf("a revoked link: %d", status)
		}
		c.call("PATCH", "/api/organisation", `{"portal":{"accentColour":"#ffd500","embedOrigins":["https://a.example","*"]}}`).refused(t, 400, "invalid_request")
		c.call("PATCH", "/api/organisation", `{"portal":{"accentColour":"#0b5563","embedOrigins":["https://a.example"]}}`).want(t, 200)
		if o := c.call("PATCH", "/api/organisation", `{"city":"Hull"}`).want(t, 200); !strings.Contains(o.text, `"embedOrigins":["https://a.example"]`) {
			t.Errorf("another change of the organisation lost the look of the portal: %s", o.text)
		}
	})
}

// portalLink makes a link to the portal, and returns its id.
func (c *caller) portalLink(t *testing.T) string {
	t.Helper()
	c.call("POST", portalPath, map[string]any{"expiresInMinutes": 5}).want(t, 201)
	return firstLink(c.call("GET", portalPath, nil).want(t, 200))["id"].(string)
}

// firstLink is the newest of a list of links.
func firstLink(list answer) map[string]any { return list.in("links").([]any)[0].(map[string]any) }

// open fetches a page of the portal as a browser without cookies.
func (p *server) open(t *testing.T, address string) (status int, page string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(u.Path, "/portal/") {
		t.Fatalf("%s is not an address of the portal: %v", address, err)
	}
	request, err := http.NewRequestWithContext(t.Context(), "GET", p.base+u.Path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "text/html")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}
