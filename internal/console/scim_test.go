package console_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/scim"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// provisioner is an identity provider that uses SCIM.
type provisioner struct {
	*harness
	token string
}

func (o *user) provisioner() *provisioner {
	o.Helper()
	var token string
	o.must(o.app.Store.Update(o.Context(), o.org, func(tx *store.Tx) (err error) {
		token, err = (&scim.Service{Accounts: o.app.Accounts, IDs: o.app.IDs}).NewToken(tx, o.call())
		return err
	}))
	return &provisioner{o.harness, token}
}

// call sends a request; the response must have the given status.
func (p *provisioner) call(method, path, body string, status int) map[string]any {
	p.Helper()
	request, err := http.NewRequestWithContext(p.Context(), method, p.base+"/api/scim/v2"+path, bytes.NewBufferString(body))
	p.must(err)
	request.Header.Set("Authorization", "Bearer "+p.token)
	request.Header.Set("Content-Type", "application/scim+json")
	response, err := http.DefaultClient.Do(request)
	p.must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	p.must(err)
	if response.StatusCode != status {
		p.Errorf("%s %s answered %d, not %d: %s", method, path, response.StatusCode, status, text)
	}
	got := map[string]any{}
	if len(text) > 0 {
		p.must(json.Unmarshal(text, &got))
		if kind := response.Header.Get("Content-Type"); kind != "application/scim+json; charset=utf-8" {
			p.Errorf("%s %s: type %q", method, path, kind)
		}
	}
	return got
}

// found returns the matches of a filter.
func (p *provisioner) found(path, filter string) []any {
	p.Helper()
	return p.call("GET", path+"?filter="+url.QueryEscape(filter), "", 200)["Resources"].([]any)
}

func (p *provisioner) role(org tenant.ID, id string) (role tenant.Role) {
	p.Helper()
	p.must(p.app.Store.View(p.Context(), org, func(tx *store.Tx) (err error) { role, _, err = tx.Member(id); return err }))
	return role
}

// A provider finds, makes, deactivates and reactivates users as Entra ID and Okta do.
func TestSCIMUsers(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@quay.example")
		p := owner.provisioner()
		if all := p.call("GET", "/Users", "", 200); all["totalResults"] != 1.0 {
			t.Errorf("members without SCIM: %v", all)
		}
		nina := p.call("POST", "/Users", `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User","urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
			"userName":"Nina@quay.example","externalId":"x-1","name":{"givenName":"Nina","familyName":"Quay"},"active":true,"emails":[{"primary":true,"type":"work","value":"nina@quay.example"}],
			"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"department":"Boats"},"favourite":"tea","password":"ignored"}`, 201)
		id := nina["id"].(string)
		if nina["active"] != true || nina["displayName"] != "Nina Quay" || p.role(owner.org, id) != tenant.Viewer {
			t.Errorf("created: %v", nina)
		}
		if e := p.call("POST", "/Users", `{"userName":"nina@quay.example"}`, 409); e["scimType"] != "uniqueness" || e["status"] != "409" {
			t.Errorf("created twice: %v", e)
		}
		for _, filter := range []string{`userName eq "NINA@quay.example"`, `externalId eq "x-1"`, `emails[type eq "work"].value eq "nina@quay.example"`, `active eq true and displayName sw "nina"`} {
			if all := p.found("/Users", filter); len(all) != 1 {
				t.Errorf("%s finds %d", filter, len(all))
			}
		}
		p.call("GET", "/Users?filter="+url.QueryEscape(`userName lt "x"`), "", 400)
		if page := p.call("GET", "/Users?startIndex=2&count=1", "", 200); page["itemsPerPage"] != 1.0 || page["startIndex"] != 2.0 || page["totalResults"] != 2.0 {
			t.Errorf("page: %v", page)
		}
		key := aKeyOf(owner, id)
		p.call("PATCH", "/Users/"+id, `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"Replace","path":"active","value":"False"}]}`, 200)
		if u := p.call("GET", "/Users/"+id, "", 200); u["active"] != false || p.role(owner.org, id) != "" {
			t.Errorf("deactivated: %v", u)
		}
		if !keyRevoked(owner, key) {
			t.Error("the key of a deactivated user works")
		}
		p.call("PATCH", "/Users/"+id, `{"Operations":[{"op":"replace","value":{"active":true,"displayName":"N. Quay"}}]}`, 200)
		if u := p.call("GET", "/Users/"+id, "", 200); u["active"] != true || u["displayName"] != "N. Quay" || !keyRevoked(owner, key) {
			t.Errorf("reactivated: %v", u)
		}
		p.call("DELETE", "/Users/"+id, "", 204)
		p.call("GET", "/Users/"+id, "", 404)
		p.call("PATCH", "/Users/"+owner.id, `{"Operations":[{"op":"replace","path":"active","value":false}]}`, 409) // the last OWNER
	})
}

func aKeyOf(owner *user, user string) (id string) {
	owner.must(owner.app.Store.Update(owner.Context(), owner.org, func(tx *store.Tx) error {
		k, _, err := owner.app.Access.IssueKey(tx, owner.call(), user, access.NewKey{Name: "Key", Role: tenant.Viewer})
		id = k.ID
		return err
	}))
	return id
}

func keyRevoked(owner *user, id string) (revoked bool) {
	owner.must(owner.app.Store.View(owner.Context(), owner.org, func(tx *store.Tx) error {
		keys, err := tx.Keys()
		for _, k := range keys {
			revoked = revoked || k.ID == id && !k.RevokedAt.IsZero()
		}
		return err
	}))
	return revoked
}

// Groups determine roles, with the forms of PATCH that providers send; the last OWNER stays an OWNER.
func TestSCIMGroups(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@quay.example")
		p := owner.provisioner()
		owner.post("/settings/scim/roles", "roles", "filers = MEMBER", "defaultRole", "VIEWER").expect(t, http.StatusSeeOther)
		id := p.call("POST", "/Users", `{"userName":"nina@quay.example"}`, 201)["id"].(string)
		group := p.call("POST", "/Groups", `{"displayName":"filers","externalId":"g-1","members":[{"value":"`+id+`"}]}`, 201)["id"].(string)
		if role := p.role(owner.org, id); role != tenant.Member {
			t.Errorf("role by group %q", role)
		}
		p.call("PATCH", "/Groups/"+group, `{"Operations":[{"op":"Remove","path":"members[value eq \"`+id+`\"]"}]}`, 200)
		if role := p.role(owner.org, id); role != tenant.Viewer {
			t.Errorf("role without group %q", role)
		}
		p.call("PATCH", "/Groups/"+group, `{"Operations":[{"op":"Add","path":"members","value":[{"value":"`+id+`"}]},{"op":"replace","value":{"id":"`+group+`","displayName":"filers"}}]}`, 200)
		if role := p.role(owner.org, id); role != tenant.Member {
			t.Errorf("role with group again %q", role)
		}
		if all := p.found("/Groups", `displayName eq "Filers"`); len(all) != 1 {
			t.Errorf("found %v", all)
		}
		if g := p.call("GET", "/Groups/"+group+"?excludedAttributes=members", "", 200); g["members"] != nil {
			t.Errorf("members: %v", g)
		}
		p.call("PATCH", "/Groups/"+group, `{"Operations":[{"op":"add","path":"members","value":[{"value":"`+h.app.IDs.UUID()+`"}]}]}`, 400)
		p.call("POST", "/Groups", `{"displayName":"owner","members":[{"value":"`+id+`"}]}`, 201)
		if role := p.role(owner.org, id); role != tenant.Owner {
			t.Errorf("role by a group named like one %q", role)
		}
		p.call("DELETE", "/Groups/"+group, "", 204)
		p.call("GET", "/Groups/"+group, "", 404)
	})
}

// A token works for one organisation and changes only a person's membership there. A new token
// invalidates the former one.
func TestSCIMKeepsToItsOrganisation(t *testing.T) {
	each(t, func(h *harness) {
		owner, other := h.owner("Quay Ltd", "olive@quay.example"), h.owner("Other Ltd", "nina@other.example")
		p := owner.provisioner()
		p.call("GET", "/Users/"+other.id, "", 404)
		p.call("PATCH", "/Users/"+other.id, `{"Operations":[{"op":"replace","path":"active","value":false}]}`, 404)
		p.call("POST", "/Users", `{"userName":"nina@other.example"}`, 409)
		h.must(h.app.Store.Update(t.Context(), owner.org, func(tx *store.Tx) error { return tx.AddMember(other.id, tenant.Member) }))
		shared := p.call("PATCH", "/Users/"+other.id, `{"Operations":[{"op":"replace","value":{"userName":"evil@quay.example","password":"x","displayName":"Evil","externalId":"e"}}]}`, 200)
		if shared["userName"] != "nina@other.example" || shared["displayName"] == "Evil" || shared["externalId"] != "e" {
			t.Errorf("changed: %v", shared)
		}
		p.call("PUT", "/Users/"+other.id, `{"userName":"nina@other.example","active":false}`, 200)
		other.get("/settings").expect(t, http.StatusOK, "Other Ltd")
		other.signIn()
		former := *p
		p.token = owner.provisioner().token
		former.call("GET", "/Users", "", 401)
		p.call("GET", "/Users", "", 200)
		p.call("GET", "/ServiceProviderConfig", "", 200)
		p.call("GET", "/Schemas", "", 200)
		p.call("GET", "/ResourceTypes/User", "", 200)
		p.call("GET", "/Nothing", "", 404)
		p.call("POST", "/Users", `{`, 400)
		if big := string(bytes.Repeat([]byte(" "), 2<<20)); len(big) > 0 {
			p.call("POST", "/Users", big, 413)
		}
	})
}
