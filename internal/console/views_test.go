package console_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// viewCases are the cases of the pages about saved views.
var viewCases = map[string]routeCase{
	"GET /views":              {status: 404}, // without a kind
	"POST /views":             {form: []string{"kind", "declaration", "view-name", "Mine", "query", "status=DRAFT"}, status: 303},
	"POST /columns":           {form: []string{"kind", "declaration", "column", "client", "next", "/declarations"}, status: 303},
	"POST /views/{id}/rename": {form: []string{"view-name", "Ours"}, status: 303, record: aView},
	"POST /views/{id}/share":  {status: 303, record: aView},
	"POST /views/{id}/up":     {status: 303, record: aView},
	"GET /views/{id}/delete":  {status: 200, record: aView},
	"POST /views/{id}/delete": {status: 303, record: aView},
}

// A view is saved under a name, shown as a tab with its count, renamed, moved, shared and deleted. Others see it only when it is
// shared, and only its maker and OWNERs change it. A user has at most fifty.
func TestSavedViews(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		mia, vera := h.member(owner.org, tenant.Member, "mia@example.com"), h.member(owner.org, tenant.Viewer, "vera@example.com")
		a := owner.post("/views", "kind", "declaration", "view-name", "Shirts to fix", "query", "status=REJECTED&q=shirts&after=5.x&evil=1")
		if at := a.header.Get("Location"); a.status != 303 || at != "/declarations?q=shirts&status=REJECTED&done=view-saved" {
			h.Errorf("saved at %d %q", a.status, at)
		}
		owner.get("/declarations?q=shirts&status=REJECTED").expect(h, 200, `aria-current="page">Shirts to fix`)
		if a := mia.get("/declarations"); strings.Contains(a.body, "Shirts to fix") {
			h.Error("a colleague sees another user's view")
		}
		owner.post("/views", "kind", "declaration", "view-name", " ", "query", "").expect(h, 400, "The name must have 1 to 60 characters")
		owner.post("/views", "kind", "no such", "view-name", "Mine", "query", "").expect(h, 404)
		vera.post("/views", "kind", "declaration", "view-name", "For all", "query", "", "shared", "yes").expect(h, 404)
		id := aView(owner)
		owner.post("/views/"+id+"/rename", "view-name", "Shirts to fix").expect(h, 400, "is used by another view")
		for _, action := range []string{"rename", "delete", "share", "up"} {
			mia.post("/views/"+id+"/"+action, "view-name", "Mine").expect(h, 404)
		}
		owner.post("/views/"+id+"/share").expect(h, 303)
		mia.get("/views?kind=declaration").expect(h, 200, "Canary "+id, "Shared")
		for _, action := range []string{"rename", "delete", "share", "up"} {
			mia.post("/views/"+id+"/"+action, "view-name", "Mine").expect(h, 404)
		}
		owner.post("/views/"+id+"/up").expect(h, 303)
		if a := mia.get("/views?kind=client"); strings.Contains(a.body, id) {
			h.Error("a view of declarations is among those of clients")
		}
		owner.post("/views/"+id+"/delete").expect(h, 303)
		for range 49 {
			aView(owner)
		}
		owner.post("/views", "kind", "declaration", "view-name", "One more", "query", "").expect(h, 400, "you have 50 views")
	})
}

// The order of views is that of the tabs. A view of a client says how many declarations the client has, and keeps order and
// columns.
func TestTabsOfViews(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		owner.declare("Woollen socks")
		client := owner.records("client")[0].ID
		owner.declare("Others")
		owner.post("/views", "kind", "declaration", "view-name", "Second", "query", "client="+client+"&status=DRAFT&sort=createdAt&columns=goods.status").expect(h, 303)
		owner.post("/views", "kind", "declaration", "view-name", "First", "query", "status=ACCEPTED").expect(h, 303)
		list := owner.get("/declarations?client=" + client + "&columns=goods.status&sort=createdAt&status=DRAFT")
		list.expect(h, 200, `aria-current="page">Second <span class="count">1</span>`, "Woollen socks", `data-label="Goods"`, `aria-label="Move Status to the left"`)
		if strings.Contains(list.body, `data-label="Client"`) || strings.Contains(list.body, "view-name") {
			h.Errorf("the columns of the view do not show, or it can be saved again: %s", main(list.body))
		}
		page := owner.get("/views?kind=declaration")
		_, after, _ := strings.Cut(page.body, ">First<")
		_, after, _ = strings.Cut(after, `action="/views/`)
		id, _, _ := strings.Cut(after, "/")
		owner.post("/views/"+id+"/up").expect(h, 303)
		if list := owner.get("/declarations").body; strings.Index(list, ">First ") > strings.Index(list, ">Second ") {
			h.Error("the view has not moved")
		}
		owner.post("/views", "kind", "client", "view-name", "Old first", "query", "sort=createdAt").expect(h, 303)
		owner.get("/clients?sort=createdAt").expect(h, 200, `aria-current="page">Old first <span class="count">2</span>`, `aria-sort="ascending"><a href="/clients">Created`)
	})
}
