package console_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// A declaration is assigned on its page and in the list, found under Mine, and leaves the assignee's inbox an item that leads to
// it.
func TestAssign(t *testing.T) {
	each(t, func(h *harness) {
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
		owner.post("/marked/assign", "kind", "declaration", "id", id, "id", other, "assignee", "", "query", "status=DRAFT").expect(t, 303)
		clerk.get("/declarations?assignee=me").expect(t, 200, "No results")
		owner.post("/team/assign", "kind", "declaration", "id", id, "assignee", h.app.IDs.UUID(), "next", "/").expect(t, 400)
		owner.post("/team/assign", "kind", "client", "id", id, "assignee", clerk.id).expect(t, 404)
		h.member(owner.org, tenant.Viewer, "viewer@example.com").post("/team/assign", "kind", "declaration", "id", id).expect(t, 403)
	})
}

// The marked records of a list are assigned at once, and all that match if the form says so.
func TestAssignMarked(t *testing.T) {
	each(t, func(h *harness) {
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
		clerk.get("/declarations?assignee=me&done=marked-assigned").expect(t, 200, "The marked records are assigned.", "Cotton T-shirts", "Brass lamps", `>Mine <span class="count">2</span>`)
		owner.post("/marked/assign", "kind", "declaration", "assignee", clerk.id).expect(t, 400, "must be marked in the list")
		owner.post("/marked/assign", "kind", "declaration", "id", h.app.IDs.UUID(), "assignee", clerk.id).expect(t, 404)
		owner.post("/marked/assign", "kind", "declaration", "all", "yes", "assignee", h.app.IDs.UUID()).expect(t, 400)
		h.member(owner.org, tenant.Viewer, "viewer@example.com").post("/marked/assign", "kind", "declaration", "all", "yes").expect(t, 403)
	})
}

// A comment stands on the page of its record with the names of those whom it mentions, who find it in their inbox. Its author and
// an owner can delete it.
func TestComment(t *testing.T) {
	each(t, func(h *harness) {
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
