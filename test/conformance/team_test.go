package conformance

import (
	"slices"
	"strings"
	"testing"
)

const (
	comments = "/api/comments"
	inboxOf  = "/api/inbox"
)

// comment comments on a record and returns the id of the comment.
func (c *caller) comment(kind, id, text string) string {
	c.t.Helper()
	return c.call("POST", comments, map[string]any{"recordType": kind, "recordId": id, "text": text}).want(c.t, 201).in("comment", "id").(string)
}

// me returns the id of the key's user.
func (c *caller) me() string {
	c.t.Helper()
	return c.call("GET", "/api/me", nil).want(c.t, 200).in("user", "id").(string)
}

// A record of each kind is given to a member in any state: its answer, its list and its list by assignee show that, its audit
// event names both members, and what is filed stays as it is.
func TestAssignee(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		me := c.me()
		for _, k := range hubKinds(t) {
			c.call("POST", "/api/hubs/"+k.Hub, nil)
			first := c.call("POST", k.Path, k.body()).want(t, k.made()).id()
			second := c.call("POST", k.Path, k.body()).want(t, k.made()).id()
			path := k.Path + "/" + first
			before := c.call("GET", path, nil).want(t, 200)
			if got := before.in(k.Singular, "assigneeId"); got != nil {
				t.Errorf("%s: a new record has the assignee %v", k.Kind, got)
			}
			after := c.call("PATCH", path, map[string]any{"assigneeId": strings.ToUpper(me)}, "If-Match", before.header.Get("ETag")).want(t, 200)
			if after.in(k.Singular, "assigneeId") != me || after.header.Get("ETag") == before.header.Get("ETag") {
				t.Errorf("%s assigned: %s", k.Kind, after.text)
			}
			c.call("PATCH", path, map[string]any{"assigneeId": nil}, "If-Match", before.header.Get("ETag")).refused(t, 412, "precondition_failed")
			c.call("PATCH", path, map[string]any{"assigneeId": unknownID}).refused(t, 400, "invalid_request")
			c.call("PATCH", path, map[string]any{"assigneeId": 5}).refused(t, 400, "invalid_request")
			for query, want := range map[string]string{"assigneeId=me": first, "assigneeId=" + me: first, "assigneeId=" + unknownID: "", "sort=createdAt": first + " " + second} {
				if got := strings.Join(c.find(k.Path+"?"+query, k.Plural), " "); got != want {
					t.Errorf("%s: %s finds %q, want %q", k.Kind, query, got, want)
				}
			}
			c.call("GET", k.Path+"?assigneeId=you", nil).refused(t, 400, "invalid_request")
			if k.patch != nil {
				both := map[string]any{"assigneeId": nil}
				for name, value := range k.patch {
					both[name] = value
				}
				if a := c.call("PATCH", path, both).want(t, 200); a.in(k.Singular, "assigneeId") != nil {
					t.Errorf("%s corrected and given back: %s", k.Kind, a.text)
				}
				c.call("PATCH", path, map[string]any{"assigneeId": me}, "Content-Type", "application/merge-patch+json").want(t, 200)
			}
			c.call("PATCH", path, map[string]any{"assigneeId": nil}).want(t, 200)
			if got := c.find(k.Path+"?assigneeId=me", k.Plural); len(got) != 0 {
				t.Errorf("%s: given back, and found: %v", k.Kind, got)
			}
			events := c.call("GET", "/api/audit?eventType="+k.Kind+".assigned", nil).want(t, 200)
			newest := events.body["events"].([]any)[0].(map[string]any)
			if data := newest["data"].(map[string]any); data["from"] != me || data["to"] != nil || newest["fromStatus"] != newest["toStatus"] {
				t.Errorf("%s: the event is %v", k.Kind, newest)
			}
		}
	})
}

// A declaration that was submitted can be assigned. Statements can, too.
func TestAssigneeOfSubmitted(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		me := c.me()
		id := c.declaration("")
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "CLEARED")
		a := c.call("PATCH", "/api/declarations/"+id, map[string]any{"assigneeId": me}).want(t, 200)
		if a.in("declaration", "assigneeId") != me || a.in("declaration", "status") != "CLEARED" {
			t.Error(a.text)
		}
		c.call("PATCH", "/api/declarations/"+id, map[string]any{"assigneeId": nil, "totalPackages": 3}).refused(t, 400, "invalid_state")
		if got := c.find("/api/declarations?assigneeId=me&status=CLEARED", "declarations"); !slices.Equal(got, []string{id}) {
			t.Errorf("found %v", got)
		}
		for _, created := range [][2]string{{"tax.return", "/api/tax/returns/"}, {"cbam.report", "/api/cbam/reports/"}} {
			records := c.createGenerated()
			c.call("PATCH", created[1]+records[created[0]], map[string]any{"assigneeId": me}).want(t, 200)
		}
	})
}

// Comments name members, are listed newest first, by record and all, and are deleted by their author; events have no text.
func TestComments(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		me := c.call("GET", "/api/me", nil).want(t, 200)
		name, id := me.in("user", "name").(string), me.in("user", "id").(string)
		client, other := c.client(), c.client()
		c.comment("client", other, "elsewhere")
		first := c.comment("client", client, "a@b is no mention")
		made := c.call("POST", comments, map[string]any{"recordType": "client", "recordId": client, "text": "@" + strings.ToUpper(name) + ", look", "mentions": []any{id}}).want(t, 201)
		if made.in("comment", "text") != "@"+name+", look" || len(made.in("comment", "mentions").([]any)) != 1 || made.in("comment", "authorId") != id {
			t.Error(made.text)
		}
		second := made.in("comment", "id").(string)
		if got := c.find(comments+"?recordType=client&recordId="+client, "comments"); !slices.Equal(got, []string{second, first}) {
			t.Errorf("of the client: %v", got)
		}
		page := c.call("GET", comments+"?limit=2", nil).want(t, 200)
		rest := c.call("GET", comments+"?limit=2&cursor="+page.body["nextCursor"].(string), nil).want(t, 200)
		if len(page.body["comments"].([]any)) != 2 || len(rest.body["comments"].([]any)) != 1 {
			t.Errorf("pages: %s %s", page.text, rest.text)
		}
		for _, wrong := range []map[string]any{
			{"recordType": "client", "recordId": client, "text": " "},
			{"recordType": "client", "recordId": client, "text": strings.Repeat("x", 4001)},
			{"recordType": "client", "recordId": client, "text": "x", "mentions": []any{unknownID}},
			{"recordType": "client", "recordId": client},
		} {
			c.call("POST", comments, wrong).refused(t, 400, "invalid_request")
		}
		c.call("POST", comments, map[string]any{"recordType": "shipment", "recordId": client, "text": "x"}).refused(t, 404, "not_found")
		c.call("POST", comments, map[string]any{"recordType": "nothing", "recordId": client, "text": "x"}).refused(t, 404, "not_found")
		c.call("GET", comments+"?recordId="+client, nil).refused(t, 400, "invalid_request")
		c.call("GET", comments+"?recordType=shipment&recordId="+client, nil).refused(t, 404, "not_found")
		c.call("DELETE", comments+"/"+first, nil, "If-Match", quoted(made.version(t)+1)).refused(t, 412, "precondition_failed")
		c.call("DELETE", comments+"/"+first, nil, "If-Match", quoted(made.version(t))).want(t, 200)
		c.call("DELETE", comments+"/"+first, nil).refused(t, 404, "not_found")
		if got := c.find(comments+"?recordType=client&recordId="+client, "comments"); !slices.Equal(got, []string{second}) {
			t.Errorf("after the deletion: %v", got)
		}
		events := c.call("GET", "/api/audit?limit=20", nil).want(t, 200).text
		for _, want := range []string{"comment.created", "comment.deleted", first} {
			if !strings.Contains(events, want) {
				t.Errorf("no %s in %s", want, events)
			}
		}
		if strings.Contains(events, "no mention") {
			t.Error("an event has the text of a comment")
		}
		c.call("POST", "/api/holds", map[string]any{"recordId": client, "reason": "inquiry"}).want(t, 200)
		c.call("DELETE", comments+"/"+second, nil).refused(t, 400, "invalid_state")
	})
}

// Of the decisions of customs, those about records of the member or of no one are in the inbox, unread until they are read one by
// one or all at once.
func TestInbox(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		me := c.me()
		mine, unassigned := c.declaration(""), c.declaration("SIM-BCDS12056-1")
		c.call("PATCH", "/api/declarations/"+mine, map[string]any{"assigneeId": me}).want(t, 200)
		for _, id := range []string{mine, unassigned} {
			c.submit(id).want(t, 200)
		}
		c.waitForStatus(mine, "CLEARED")
		c.waitForStatus(unassigned, "REJECTED")
		page := c.call("GET", inboxOf, nil).want(t, 200)
		types := map[string]string{}
		ids := map[string]string{}
		for _, i := range page.body["items"].([]any) {
			item := i.(map[string]any)
			types[item["type"].(string)], ids[item["type"].(string)] = item["recordId"].(string), item["id"].(string)
			if item["unread"] != true {
				t.Errorf("read: %v", item)
			}
		}
		if types["ASSIGNED"] != mine || types["CLEARED"] != mine || types["REJECTED"] != unassigned || len(types) != 3 || page.body["unread"] != 3.0 {
			t.Fatal(page.text)
		}
		read := func(body any, want float64) {
			t.Helper()
			c.call("POST", inboxOf+"/read", body).want(t, 200)
			if got := c.call("GET", inboxOf+"?unread=true", nil).want(t, 200); got.body["unread"] != want || float64(len(got.body["items"].([]any))) != want {
				t.Errorf("unread after %v: %s", body, got.text)
			}
		}
		read(map[string]any{"itemId": ids["REJECTED"]}, 2)
		read(map[string]any{"itemId": ids["CLEARED"]}, 1)
		read(nil, 0)
		c.call("POST", inboxOf+"/read", map[string]any{"itemId": unknownID}).refused(t, 404, "not_found")
		if all := c.call("GET", inboxOf+"?limit=2", nil).want(t, 200); all.body["hasMore"] != true || len(all.body["items"].([]any)) != 2 {
			t.Errorf("the first page: %s", all.text)
		}
	})
}
