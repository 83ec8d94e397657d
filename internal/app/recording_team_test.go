package app_test

// recordTeam records comments, inboxes, and assignments of records that cannot be corrected.
func (r *recorder) recordTeam() {
	me := r.text(r.want(r.call("GET", "/api/me", nil)), "user", "id")
	for _, list := range [][2]string{{"/api/cbam/imports", "imports"}, {"/api/cbam/reports", "reports"}, {"/api/tax/returns", "returns"}} {
		r.want(r.call("PATCH", list[0]+"/"+r.first(list[0], list[1], all), object{"assigneeId": me}))
	}
	comment := r.text(r.rehearsed("/api/comments", object{"recordType": "declaration", "recordId": r.demo.DeclarationID, "text": "Please ask the client for the invoice.", "mentions": []any{me}}), "comment", "id")
	r.want(r.call("GET", "/api/comments?limit=1", nil))
	r.want(r.call("DELETE", "/api/comments/"+comment, nil))
	r.want(r.call("GET", "/api/inbox?limit=1", nil))
	r.want(r.call("POST", "/api/inbox/read", object{"itemId": r.first("/api/inbox", "items", all)}))
}
