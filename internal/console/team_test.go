package console_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A declaration is assigned on its page and in the list, found under Mine, and leaves the assignee's inbox an item that leads to
// it.
func TestAssign(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		clerk := h.member(owner.org, tenant.Member, "clerk@example.com")
		id, other := owner.declare("Cotton T-shirts"), owner.declare("Brass lamps")
		owner.post("/team/assign", "kind", "declaration", "id", id, "assignee", clerk.id, "next", "/declarations/"+id).expect(t, 303)
		owner.get("/declarations/"+id+"?done=assigned").expect(t, 200, "The assignment is saved.", `value="`+clerk.id+`" selected`)
		clerk.get("/declarations?assignee=me").expect(t, 200, "Cotton T-shirts")
		if list := clerk.get("/declarations?assignee=me"); strings.Contains(list.body, "Brass lamps") {
			t.Error("Mine lists a declaration of no one")
		}
		clerk.get("/").expect(t, 200, `<span class="work">1<span class="hidden"> unread</span></span>`)
		clerk.get("/inbox").expect(t, 200, "assigned it to you", "/declarations/"+id, "(unread)")
		if own := owner.get("/inbox"); strings.Contains(own.body, "assigned it to you") {
			t.Error("the inbox of another member has the item")
		}
		clerk.post("/inbox/read").expect(t, 303)
		clerk.get("/inbox?show=unread").expect(t, 200, "Nothing unread")
		owner.post("/marked/assign", "kind", "declaration", "id", id, "id", other, "assignee", "", "query", "status=DRAFT").expect(t, 400, "Choose a member")
		owner.post("/marked/assign", "kind", "declaration", "id", id, "id", other, "assignee", "none", "query", "status=DRAFT").expect(t, 303)
		clerk.get("/declarations?assignee=me").expect(t, 200, "No results")
		owner.post("/team/assign", "kind", "declaration", "id", id, "assignee", h.app.IDs.UUID(), "next", "/").expect(t, 400)
		owner.post("/team/assign", "kind", "client", "id", id, "assignee", clerk.id).expect(t, 404)
		h.member(owner.org, tenant.Viewer, "viewer@example.com").post("/team/assign", "kind", "declaration", "id", id).expect(t, 403)
	})
}

// The marked records of a list are assigned at once, and all that match if the form says so.
func TestAssignMarked(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		clerk := h.member(owner.org, tenant.Member, "clerk@example.com")
		owner.declare("Cotton T-shirts")
		owner.declare("Brass lamps")
		owner.get("/declarations").expect(t, 200, `formaction="/marked/assign"`)
		sent := owner.post("/marked/assign", "kind", "declaration", "all", "yes", "query", "status=DRAFT", "assignee", clerk.id)
		sent.expect(t, 303)
		if at := sent.header.Get("Location"); at != "/declarations?status=DRAFT&done=marked-assigned" {
			t.Errorf("leads to %s", at)
		}
		owner.declare("Printed books")
		clerk.get("/declarations?assignee=me&done=marked-assigned").expect(t, 200, "The marked records are assigned.", "Cotton T-shirts", "Brass lamps", `>Mine <span class="count">2</span>`)
		owner.post("/marked/assign", "kind", "declaration", "assignee", clerk.id).expect(t, 400, "must be marked in the list")
		owner.post("/marked/assign", "kind", "declaration", "id", h.app.IDs.UUID(), "assignee", clerk.id).expect(t, 404)
		owner.post("/marked/assign", "kind", "declaration", "all", "yes", "assignee", h.app.IDs.UUID()).expect(t, 400)
		h.member(owner.org, tenant.Viewer, "viewer@example.com").post("/marked/assign", "kind", "declaration", "all", "yes").expect(t, 403)
	})
}

// A comment stands on the page of its record with the names of the mentioned members, who find it in their inbox. Its author and
// an owner can delete it.
func TestComment(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		clerk := h.member(owner.org, tenant.Member, "clerk@example.com")
		id := owner.declare("Cotton T-shirts")
		page := "/declarations/" + id
		owner.post("/team/comments", "kind", "declaration", "id", id, "text", "Is the origin <right>?", "mention", clerk.id, "next", page).expect(t, 303)
		owner.get(page).expect(t, 200, "Is the origin &lt;right&gt;?", "Delete the comment")
		clerk.get("/inbox").expect(t, 200, "mentioned you in a comment", page+"#comment-")
		shown := clerk.get(page)
		shown.expect(t, 200, "Is the origin &lt;right&gt;?")
		if strings.Contains(shown.body, "Delete the comment") {
			t.Error("a member can delete the comment of another")
		}
		_, rest, _ := strings.Cut(shown.body, `<li id="comment-`)
		at := "/team/comments/" + rest[:36]
		h.owner("Other Ltd", "other@example.com").post(at+"/delete").expect(t, 404)
		clerk.post(at+"/delete").expect(t, 403)
		again := owner.post("/team/comments", "kind", "declaration", "id", id, "text", strings.Repeat("x", 4001), "next", page)
		again.expect(t, http.StatusBadRequest, "at most 4,000 characters", strings.Repeat("x", 4001))
		if strings.Contains(owner.get("/audit").body, "Is the origin") {
			t.Error("the audit trail has the text of a comment")
		}
		owner.post(at+"/delete").expect(t, 303)
		owner.get(page).expect(t, 200, "No comments yet")
	})
}

// A first name, a name or an e-mail address after an @ mentions a member. One that several members have, or none, reaches no one, and
// the page says so.
func TestMentions(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		people := map[string]*user{}
		for email, name := range map[string]string{"max@example.com": "Max Power", "anna@example.com": "Anna Berg", "anne@example.com": "Anna Thal", "anna-maria@example.com": "Anna-Maria Holm"} {
			people[email] = h.member(owner.org, tenant.Member, email)
			h.enableSignIn(people[email].id, name, email)
		}
		id := owner.declare("Cotton T-shirts")
		for text, want := range map[string]struct{ notice, member, shown string }{
			"@Anna, @Maxine or @Bob may see": {"comment-unclear&name=Anna&name=Maxine&name=Bob", "", "@Anna, @Maxine or @Bob may see"},
			"@Max, please look":              {"comment-added", "max@example.com", "@Max Power, please look"},
			"@max@example.com please see it": {"comment-added", "max@example.com", "@Max Power please see it"},
			"see @ANNA BERG.":                {"comment-added", "anna@example.com", "see @Anna Berg."},
			"@Anna-Maria knows":              {"comment-added", "anna-maria@example.com", "@Anna-Maria Holm knows"},
			"@Anna, please check it":         {"comment-ambiguous&name=Anna", "", "@Anna, please check it"},
			"@Maxine, please check it":       {"comment-unknown&name=Maxine", "", "@Maxine, please check it"},
			"mail max@example.com":           {"comment-added", "", "mail max@example.com"},
		} {
			for _, p := range people {
				p.post("/inbox/read").expect(t, 303)
			}
			made := owner.post("/team/comments", "kind", "declaration", "id", id, "text", text, "next", "/declarations/"+id)
			if at := made.header.Get("Location"); !strings.HasSuffix(strings.TrimSuffix(at, "#comments"), "done="+want.notice) || strings.HasSuffix(at, "#comments") != (want.notice == "comment-added") {
				t.Errorf("%s: leads to %s", text, at)
			}
			owner.get("/declarations/"+id).expect(t, 200, want.shown)
			if _, name, ok := strings.Cut(want.notice, "&name="); ok {
				owner.get(made.header.Get("Location")).expect(t, 200, "called “"+strings.ReplaceAll(name, "&name=", "” or “")+"”, so")
			}
			for email, p := range people {
				if got := !strings.Contains(p.get("/inbox?show=unread").body, "Nothing unread"); got != (email == want.member) {
					t.Errorf("%s: %s has an unread item: %t", text, email, got)
				}
			}
		}
	})
}

// A notice repeats only what looks like a name.
func TestNamesInNotices(t *testing.T) {
	owner := open(t, storetest.SQLite(t)).owner("Quay Ltd", "olive@example.com")
	id := owner.declare("Cotton T-shirts")
	for query, want := range map[string]string{
		"":                                    "called as written after @, so",
		"&name=Zo%C3%AB+O%E2%80%99Neil-Smith": "called “Zoë O’Neil-Smith”, so",
		"&name=max%40example.com":             "called “max@example.com”, so",
		"&name=%3Cb%3E&name=Max":              "called “Max”, so",
		"&name=see+https%3A%2F%2Fexample.com": "called as written after @, so",
		"&name=" + strings.Repeat("x", 61):    "called as written after @, so",
	} {
		owner.get("/declarations/"+id+"?done=comment-unknown"+query).expect(t, 200, want)
	}
}

// On a working morning, once, members find what is due until the end of the next working day and what has become overdue, and get a
// mail of what is unread, unless they do not want it. At the weekend nothing is written.
func TestMorning(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		o := openMailServer(t)
		friday := time.Date(2026, 11, 27, 5, 0, 0, 0, time.UTC)
		h := openAt(t, friday, b, func(c *config.Config) { c.SMTPURL, c.MailFrom = o.address, "Tidewaiter <console@example.com>" })
		owner := h.owner("Quay Ltd", "olive@example.com")
		clerk := h.member(owner.org, tenant.Member, "clerk@example.com")
		due := map[string]any{}
		h.must(json.Unmarshal([]byte(aDeclaration), &due))
		due["scheduledDispatchAt"] = "2026-11-30T16:00:00Z" // on Monday, the next working day
		id := owner.file("tss.declaration", due)
		owner.post("/team/assign", "kind", "tss.declaration", "id", id, "assignee", clerk.id, "next", "/").expect(t, 303)
		clerk.post("/inbox/read").expect(t, 303)
		morning := func() { h.must(h.app.Mornings().Run(h.Context(), h.clock())) }
		morning() // too early
		h.at("2026-11-27T07:10:00Z")
		var all sync.WaitGroup
		for range 4 {
			all.Go(morning)
		}
		all.Wait()
		mail := o.next(t, "clerk@example.com", "1 unread item in Quay Ltd")
		if !strings.Contains(mail.text, "- Due: ") || mail.path(t) != "/inbox" {
			t.Error(mail.text)
		}
		clerk.get("/inbox").expect(t, 200, ">Due<", "/hubs/tss/declarations/"+id)
		clerk.post("/inbox/settings", "unassigned", "yes").expect(t, 303) // without the mail
		h.at("2026-11-28T08:00:00Z")
		morning()
		h.at("2026-12-01T08:00:00Z")
		morning()
		clerk.signIn()
		clerk.get("/inbox").expect(t, 200, ">Overdue<")
		if n := strings.Count(clerk.get("/inbox").body, ">Due<"); n != 1 {
			t.Errorf("%d items say that it is due", n)
		}
		select {
		case m := <-o.mails:
			t.Errorf("a mail to %s: %s", m.to, m.text)
		default:
		}
	})
}
