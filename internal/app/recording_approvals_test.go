package app_test

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// recordApproval calls the operations about the approval of a draft, as the key that made it and as a second person. Its submission
// is refused before, which asks for the approval.
func (r *recorder) recordApproval(k *filing.Type, id string) {
	if len(k.Lifecycle.From(lifecycle.Approve)) > 0 {
		r.approve(k.Path+"/"+id, func() { r.call("POST", k.Path+"/"+id+"/submit", nil) })
	}
}

// recordDeclarationApproval is recordApproval for a declaration.
func (r *recorder) recordDeclarationApproval() {
	var id string
	r.silently(func() { id = r.text(r.want(r.call("POST", "/api/declarations", r.declaration())), "id") })
	r.approve("/api/declarations/"+id, func() { r.call("POST", "/api/cds/submit", object{"declarationId": id}) })
}

func (r *recorder) approve(one string, submit func()) {
	if r.second.cookie == "" {
		r.second = r.signInAs(r.t.Context(), string(r.demo.OrganisationID))
	}
	r.silently(func() {
		r.want(r.call("PATCH", "/api/organisation", object{"approvalRequired": true}))
		submit()
	})
	shown := r.want(r.call("GET", one+"/approval", nil))
	seen := object{"sha256": r.text(shown, "approval", "sha256")}
	r.want(r.as("", "POST", one+"/approval", seen, "Cookie", r.second.cookie, "Origin", recordedURL))
	r.want(r.call("DELETE", one+"/approval", nil))
	r.silently(func() { r.want(r.call("PATCH", "/api/organisation", object{"approvalRequired": false})) })
}
