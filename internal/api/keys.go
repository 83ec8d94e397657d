package api

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// KeyInput is a key to be made.
type KeyInput struct {
	Name         string   `json:"name" minLength:"1" maxLength:"140" doc:"What the key is for" example:"Warehouse system"`
	Role         string   `json:"role" enum:"OWNER,MEMBER,VIEWER" doc:"What the key may do at most" example:"MEMBER"`
	Scopes       []string `json:"scopes,omitempty" minItems:"1" maxItems:"20" nullable:"false" doc:"HUB:read, HUB:write, *:read or *:write; without it, what the role allows and the calling key may do" example:"[\"customs:read\",\"customs:write\"]"`
	Addresses    []string `json:"addresses,omitempty" minItems:"1" maxItems:"50" nullable:"false" doc:"Networks (CIDR) from which the key can be used; without it, those of the calling key" example:"[\"203.0.113.0/24\"]"`
	ExpiresAt    string   `json:"expiresAt,omitempty" format:"date-time" doc:"When the key ends; without it, in a year, or with the calling key if that ends sooner" example:"2027-06-30T00:00:00Z"`
	NeverExpires bool     `json:"neverExpires,omitempty" doc:"Whether the key has no end" example:"false"`
}

// keyBody is a key as it is shown: never its secret.
type keyBody struct {
	ID           string   `json:"id" format:"uuid" doc:"Id of the key; a rotation keeps it"`
	Name         string   `json:"name" doc:"What the key is for" example:"Warehouse system"`
	Role         string   `json:"role" enum:"OWNER,MEMBER,VIEWER" doc:"What the key may do at most"`
	Scopes       []string `json:"scopes" doc:"What the key is limited to; null for what its role allows" example:"[\"customs:read\"]"`
	Addresses    []string `json:"addresses" doc:"Networks from which the key can be used; null for anywhere" example:"[\"203.0.113.0/24\"]"`
	ExpiresAt    *string  `json:"expiresAt" format:"date-time" doc:"When the key ends; null for never"`
	CreatedAt    string   `json:"createdAt" format:"date-time" doc:"When the key was made"`
	LastFour     string   `json:"lastFour" doc:"Last four characters of the secret" example:"x9Zq"`
	LastUsedAt   *string  `json:"lastUsedAt" format:"date-time" doc:"When the key was last used, to the minute; null before its first use"`
	LastUsedFrom *string  `json:"lastUsedFrom" doc:"Address from which it was last used" example:"203.0.113.7"`
}

// madeKey is a key with its secret, which is shown this once.
type madeKey struct {
	Key    keyBody `json:"key"`
	Secret string  `json:"secret" doc:"The secret, never shown again" example:"svc_…"`
}

func keyOf(k access.Key) keyBody {
	b := keyBody{
		ID: k.ID, Name: k.Name, Role: string(k.Role), Scopes: k.Scopes, ExpiresAt: instantOrNull(k.ExpiresAt),
		CreatedAt: audit.Instant(k.CreatedAt), LastFour: k.Hint, LastUsedAt: instantOrNull(k.LastUsedAt), LastUsedFrom: orNull(k.LastUsedIP),
	}
	if k.Addresses != nil {
		b.Addresses = k.Addresses.Texts()
	}
	return b
}

// keysInput is a page of the list of keys.
type keysInput struct {
	caller
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"1000" doc:"How many, at most" example:"50"`
	Cursor string `query:"cursor" maxLength:"200" doc:"nextCursor of the page before"`
}

func (s *Server) mountKeys() {
	const path = "/api/keys"
	made := s.schemaOf(reflect.TypeFor[madeKey]())
	one := s.schemaOf(reflect.TypeFor[keyBody]())
	owner := func(action string) route {
		return route{role: tenant.Owner, step: step{hub: foundational, resource: "key", action: action}}
	}
	handle(s, operation{
		id: "list-keys", summary: "List API keys", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: path,
		status: http.StatusOK, about: "The keys that have not been revoked, newest first", answer: listSchema("keys", one), gate: route{role: tenant.Owner},
	}, s.listKeys)
	handle(s, operation{
		id: "create-key", summary: "Make an API key", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: path,
		status: http.StatusCreated, about: "The key with its secret, which is never shown again", answer: made,
		body: reflect.TypeFor[KeyInput](), once: true, gate: owner("create"),
	}, s.createKey)
	handle(s, operation{
		id: "get-key", summary: "Get an API key", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: path + "/{id}",
		status: http.StatusOK, about: "The key", answer: under("key", one), errors: []int{404}, gate: route{role: tenant.Owner},
	}, s.getKey)
	handle(s, operation{
		id: "delete-key", summary: "Revoke an API key", tag: "Hubs", scope: wholeOrganisation, method: http.MethodDelete, path: path + "/{id}",
		status: http.StatusOK, about: "The key is refused from now on", answer: s.schemaOf(reflect.TypeFor[successBody]()), errors: []int{404}, gate: owner("revoke"),
	}, s.deleteKey)
	handle(s, operation{
		id: "rotate-key", summary: "Rotate an API key", tag: "Hubs", scope: noScope, method: http.MethodPost, path: path + "/{id}/rotate",
		status: http.StatusOK, answer: made, errors: []int{404}, once: true,
		about: "The key with its new secret, which is never shown again; the former secret works for 24 hours. A key may rotate itself, otherwise an OWNER does",
	}, s.rotateKey)
}

func (s *Server) listKeys(ctx context.Context, in *keysInput) (reply, error) {
	here := list{in.call.Org, "keys"}
	before, err := here.position(in.Cursor)
	if err != nil {
		return reply{}, err
	}
	size := in.Limit
	if size == 0 {
		size = maxKeys
	}
	var page []access.Key
	err = s.Store.Glance(ctx, in.call.Org, func(tx Tx) (err error) {
		page, err = tx.LiveKeys(before.CreatedAt, before.ID, size+1)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	page, next := turn(page, size, func(last access.Key) string {
		return here.behind(filing.Position{CreatedAt: last.CreatedAt, ID: last.ID})
	})
	out := struct {
		Keys       []keyBody `json:"keys"`
		HasMore    bool      `json:"hasMore"`
		NextCursor *string   `json:"nextCursor"`
	}{[]keyBody{}, next != nil, next}
	for _, k := range page {
		out.Keys = append(out.Keys, keyOf(k))
	}
	return answer(http.StatusOK, out)
}

// maxKeys is the size of a page of keys unless the caller asks for less.
const maxKeys = 1000

func (s *Server) createKey(ctx context.Context, in *bodyInput) (reply, error) {
	body, err := decode[KeyInput](s, &in.caller, in.RawBody)
	if err != nil {
		return reply{}, err
	}
	wanted, err := s.newKey(body)
	if err != nil {
		return reply{}, err
	}
	return s.changeSealed(ctx, &in.caller, in.RawBody, func(tx Tx) (reply, error) {
		maker, err := tx.Key(in.call.KeyID)
		if err != nil {
			return reply{}, err
		}
		return made(http.StatusCreated)(s.Access.IssueKeyByKey(tx, in.call, maker, wanted))
	})
}

// newKey reads the body of a new key.
func (s *Server) newKey(body KeyInput) (wanted access.NewKey, err error) {
	wanted = access.NewKey{Name: body.Name, Role: tenant.Role(body.Role), NeverExpires: body.NeverExpires}
	if wanted.Scopes, err = access.ParseScopes(body.Scopes, s.hubIDs()); err != nil {
		return wanted, err
	}
	if wanted.Addresses, err = access.ParseAddresses(body.Addresses); err != nil {
		return wanted, err
	}
	if body.ExpiresAt != "" {
		if wanted.ExpiresAt, err = time.Parse(time.RFC3339, body.ExpiresAt); err != nil {
			return wanted, apierr.Invalid(apierr.Detail{Field: "expiresAt", Message: "must be an instant such as 2027-06-30T00:00:00Z"})
		}
	}
	return wanted, nil
}

func (s *Server) hubIDs() []string {
	ids := make([]string, len(s.Hubs))
	for i, h := range s.Hubs {
		ids[i] = h.ID
	}
	return ids
}

// made answers a key that has a new secret.
func made(status int) func(access.Key, string, error) (reply, error) {
	return func(k access.Key, secret string, err error) (reply, error) {
		if err != nil {
			return reply{}, err
		}
		return answer(status, madeKey{keyOf(k), secret})
	}
}

func (s *Server) getKey(ctx context.Context, in *ByID) (reply, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return reply{}, err
	}
	var k access.Key
	if err := s.Store.Glance(ctx, in.call.Org, func(tx Tx) (err error) { k, err = access.LiveKey(tx, id); return err }); err != nil {
		return reply{}, err
	}
	return wrapped("key", keyOf(k))
}

func (s *Server) deleteKey(ctx context.Context, in *ByID) (reply, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return reply{}, err
	}
	if err := s.Store.Update(ctx, in.call.Org, func(tx Tx) error { return s.Access.RevokeKey(tx, in.call, id) }); err != nil {
		return reply{}, err
	}
	return answer(http.StatusOK, successBody{true})
}

// rotateKey lets a key replace its own secret, whatever its role and scopes. A secret that
// was replaced already may repeat the call that replaced it, and start no further rotation:
// otherwise a leaked secret could outlive its own replacement.
func (s *Server) rotateKey(ctx context.Context, in *ByID) (reply, error) {
	id, valid := canonical(in.ID)
	if id != in.call.KeyID {
		if err := entitled(route{role: tenant.Owner, scope: access.Need{Hub: wholeOrganisation, Write: true}}, in.holder); err != nil {
			return reply{}, err
		}
	}
	if !valid {
		return reply{}, apierr.Missing()
	}
	return s.changeSealed(ctx, &in.caller, nil, func(tx Tx) (reply, error) {
		if in.holder.Former {
			return reply{}, apierr.New(apierr.OwnerRoleRequired, "This secret has been replaced. Rotate with the new secret, or ask an OWNER.")
		}
		return made(http.StatusOK)(s.Access.RotateKey(tx, in.call, id))
	})
}
