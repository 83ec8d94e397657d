package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// KeyInput is the body that creates a key.
type KeyInput struct {
	Name         string   `json:"name" minLength:"1" maxLength:"140" doc:"What it is for" example:"Warehouse system"`
	Role         string   `json:"role" enum:"OWNER,MEMBER,VIEWER" doc:"Maximum role of the key" example:"MEMBER"`
	Scopes       []string `json:"scopes,omitempty" minItems:"1" maxItems:"20" nullable:"false" doc:"HUB:read, HUB:write, *:read or *:write; if absent, those of the role and the calling key" example:"[\"customs:read\",\"customs:write\"]"`
	Addresses    []string `json:"addresses,omitempty" minItems:"1" maxItems:"50" nullable:"false" doc:"Networks (CIDR) of use; if absent, those of the calling key" example:"[\"203.0.113.0/24\"]"`
	ExpiresAt    string   `json:"expiresAt,omitempty" format:"date-time" doc:"When the key expires; if absent, in a year, or with the calling key if that expires sooner" example:"2027-06-30T00:00:00Z"`
	NeverExpires bool     `json:"neverExpires,omitempty" doc:"true for a key that does not expire" example:"false"`
}

// keyBody is a key in a response, without its secret.
type keyBody struct {
	ID           string   `json:"id" format:"uuid" doc:"Id of the key, also after rotation"`
	Name         string   `json:"name" doc:"What it is for" example:"Warehouse system"`
	Role         string   `json:"role" enum:"OWNER,MEMBER,VIEWER" doc:"Maximum role of the key"`
	Scopes       []string `json:"scopes" doc:"Scopes of the key; null for all that the role allows" example:"[\"customs:read\"]"`
	Addresses    []string `json:"addresses" doc:"Networks from which the key can be used; null for any" example:"[\"203.0.113.0/24\"]"`
	ExpiresAt    *string  `json:"expiresAt" format:"date-time" doc:"When it expires; null for never"`
	CreatedAt    string   `json:"createdAt" format:"date-time" doc:"When it was created"`
	LastFour     string   `json:"lastFour" doc:"Last four characters of the secret" example:"x9Zq"`
	LastUsedAt   *string  `json:"lastUsedAt" format:"date-time" doc:"Last use, to the minute; null before the first"`
	Mode         string   `json:"mode" enum:"test,live,simulator" doc:"test for a key of a test organisation, live if the installation is connected to HMRC or the HMRC sandbox, otherwise simulator"`
	LastUsedFrom *string  `json:"lastUsedFrom" doc:"IP address from which it was last used" example:"203.0.113.7"`
}

// madeKey is a key with its secret, which is shown once.
type madeKey struct {
	Key    keyBody `json:"key"`
	Secret string  `json:"secret" doc:"Secret, which is shown only once" example:"svc_…"`
}

func (s *Server) keyOf(k access.Key, h access.Holder) keyBody { return keyOfMode(k, s.modeOf(h)) }

func keyOfMode(k access.Key, mode tenant.Mode) keyBody {
	b := keyBody{
		ID: k.ID, Name: k.Name, Role: string(k.Role), Scopes: k.Scopes, ExpiresAt: instantOrNull(k.ExpiresAt),
		CreatedAt: audit.Instant(k.CreatedAt), LastFour: k.Hint, LastUsedAt: instantOrNull(k.LastUsedAt), LastUsedFrom: orNull(k.LastUsedIP),
		Mode: string(mode),
	}
	if k.Addresses != nil {
		b.Addresses = k.Addresses.Texts()
	}
	return b
}

// keysInput holds the parameters of the list of keys.
type keysInput struct {
	caller
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"1000" doc:"Maximum number of keys on a page" example:"50"`
	Cursor string `query:"cursor" maxLength:"200" doc:"nextCursor of the previous page"`
}

func (s *Server) mountKeys() {
	const path = "/api/keys"
	made := s.schemaOf(reflect.TypeFor[madeKey]())
	one := s.schemaOf(reflect.TypeFor[keyBody]())
	owner := func(action string) route {
		return route{role: tenant.Owner, refusedAction: auditedAction{hub: foundational, resource: "key", action: action}}
	}
	handle(s, operation{
		id: "list-keys", summary: "List API keys", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: path,
		status: http.StatusOK, description: "A page of the keys that are not revoked, newest first", response: listSchema("keys", one), route: route{role: tenant.Owner},
	}, s.listKeys)
	handle(s, operation{
		id: "create-key", summary: "Create an API key", tag: "Hubs", scope: wholeOrganisation, method: http.MethodPost, path: path,
		status: http.StatusCreated, description: "The key with its secret, which is shown only once", response: made,
		body: reflect.TypeFor[KeyInput](), idempotent: true, etag: true, rehearsed: true, withheld: []string{"key.id", "secret"}, route: owner("create"),
	}, s.createKey)
	handle(s, operation{
		id: "get-key", summary: "Get an API key", tag: "Hubs", scope: wholeOrganisation, method: http.MethodGet, path: path + "/{id}",
		status: http.StatusOK, description: "The key", response: objectSchema("key", one), errors: []int{404}, conditional: true, etag: true, route: route{role: tenant.Owner},
	}, s.getKey)
	handle(s, operation{
		id: "delete-key", summary: "Revoke an API key", tag: "Hubs", scope: wholeOrganisation, method: http.MethodDelete, path: path + "/{id}",
		status: http.StatusOK, description: "The key has been revoked and no longer works", response: s.schemaOf(reflect.TypeFor[successBody]()), errors: []int{404}, ifMatch: true, route: owner("revoke"),
	}, s.deleteKey)
	handle(s, operation{
		id: "rotate-key", summary: "Rotate an API key", tag: "Hubs", scope: noScope, method: http.MethodPost, path: path + "/{id}/rotate",
		status: http.StatusOK, response: made, errors: []int{404}, idempotent: true, ifMatch: true, etag: true,
		description: "The key with its new secret, which is shown only once. The old one works for 24 more hours. A key can rotate itself; another key takes an OWNER",
	}, s.rotateKey)
}

func (s *Server) listKeys(ctx context.Context, in *keysInput) (response, error) {
	cursors := listID{in.call.Org, "keys"}
	before, err := cursors.decodePosition(in.Cursor)
	if err != nil {
		return response{}, err
	}
	size := in.Limit
	if size == 0 {
		size = maxKeys
	}
	var page []access.Key
	err = s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) (err error) {
		page, err = tx.LiveKeys(before.CreatedAt, before.ID, size+1)
		return err
	})
	if err != nil {
		return response{}, err
	}
	page, next := splitPage(page, size, func(last access.Key) string {
		return cursors.cursorAfter(filing.Position{CreatedAt: last.CreatedAt, ID: last.ID})
	})
	out := struct {
		Keys       []keyBody `json:"keys"`
		HasMore    bool      `json:"hasMore"`
		NextCursor *string   `json:"nextCursor"`
	}{[]keyBody{}, next != nil, next}
	for _, k := range page {
		out.Keys = append(out.Keys, s.keyOf(k, in.holder))
	}
	return jsonResponse(http.StatusOK, out)
}

// maxKeys is the default page size.
const maxKeys = 1000

func (s *Server) createKey(ctx context.Context, in *bodyInput) (response, error) {
	input, err := s.newKey(&in.caller, in.RawBody)
	if err != nil {
		return response{}, err
	}
	return s.updateOnceSecret(ctx, &in.caller, in.RawBody, func(tx Tx) (response, error) {
		maker, err := tx.Key(in.call.KeyID)
		if err != nil {
			return response{}, err
		}
		return keyResponse(http.StatusCreated, s.modeOf(in.holder))(s.Access.IssueKeyByKey(tx, in.call, maker, input))
	})
}

// newKey checks and converts the body of a new key. The error names all faults, also those that no schema finds.
func (s *Server) newKey(c *caller, raw []byte) (access.NewKey, error) {
	body, err := decode[KeyInput](s, c, raw)
	var faults apierr.Faults
	if faults.Add(err); err != nil {
		_ = json.Unmarshal(raw, &body) // what can be read of it
	}
	input := access.NewKey{Name: body.Name, Role: tenant.Role(body.Role), NeverExpires: body.NeverExpires}
	input.Scopes, err = access.ParseScopes(body.Scopes, s.hubIDs())
	faults.Add(err)
	input.Addresses, err = access.ParseAddresses(body.Addresses)
	faults.Add(err)
	if body.ExpiresAt == "" {
		return input, faults.Err()
	}
	if input.ExpiresAt, err = time.Parse(time.RFC3339, body.ExpiresAt); err != nil {
		err = apierr.Invalid(apierr.Detail{Field: "expiresAt", Message: "must be a time such as 2027-06-30T00:00:00Z"})
	} else {
		err = input.CheckLife(s.WallClock())
	}
	faults.Add(err)
	return input, faults.Err()
}

func (s *Server) hubIDs() []string {
	ids := make([]string, len(s.Hubs))
	for i, h := range s.Hubs {
		ids[i] = h.ID
	}
	return ids
}

// keyResponse encodes a key that has a new secret.
func keyResponse(status int, mode tenant.Mode) func(access.Key, string, error) (response, error) {
	return func(k access.Key, secret string, err error) (response, error) {
		if err != nil {
			return response{}, err
		}
		out, err := jsonResponse(status, madeKey{keyOfMode(k, mode), secret})
		return recordResponse(out, k.Version), err
	}
}

// keyETag returns the ETag of a key as get-key shows it. Its last use changes without a new version, and is a suffix.
func keyETag(k *access.Key) string {
	if k.LastUsedAt.IsZero() {
		return etagOf(k.Version)
	}
	return fmt.Sprintf(`"%d-%d"`, k.Version, k.LastUsedAt.Unix())
}

// checkKey returns precondition_failed if the key has another version than the caller requires.
func (c *caller) checkKey(tx Tx, id string) error {
	if c.ifMatch == nil {
		return nil
	}
	k, err := access.LiveKey(tx, id)
	if err != nil {
		return err
	}
	return c.ifMatch.Check(k.Version)
}

func (s *Server) getKey(ctx context.Context, in *ByID) (response, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	var k access.Key
	if err := s.Store.ViewSingle(ctx, in.call.Org, func(tx Tx) (err error) { k, err = access.LiveKey(tx, id); return err }); err != nil {
		return response{}, err
	}
	etag := keyETag(&k)
	if out, current := in.currentAs(etag); current {
		return out, nil
	}
	out, err := objectResponse("key", s.keyOf(k, in.holder))
	out.ETag, out.Cache = etag, revalidate
	return out, err
}

func (s *Server) deleteKey(ctx context.Context, in *ByID) (response, error) {
	id, err := checkID(in.ID)
	if err != nil {
		return response{}, err
	}
	err = s.Store.Update(ctx, in.call.Org, func(tx Tx) error {
		if err := in.checkKey(tx, id); err != nil {
			return err
		}
		return s.Access.RevokeKey(tx, in.call, id)
	})
	if err != nil {
		return response{}, err
	}
	return jsonResponse(http.StatusOK, successBody{true})
}

// rotateKey lets a key replace its own secret, whatever its role and scopes. A replaced secret may
// repeat the call that replaced it but start no further rotation: otherwise a leaked secret could
// outlive its own replacement.
func (s *Server) rotateKey(ctx context.Context, in *ByID) (response, error) {
	id, valid := canonicalUUID(in.ID)
	if id != in.call.KeyID {
		if err := authorize(route{role: tenant.Owner, scope: access.Need{Hub: wholeOrganisation, Write: true}}, in.holder); err != nil {
			return response{}, err
		}
	}
	if !valid {
		return response{}, apierr.Missing()
	}
	return s.updateOnceSecret(ctx, &in.caller, nil, func(tx Tx) (response, error) {
		if in.holder.Former {
			return response{}, apierr.New(apierr.OwnerRoleRequired, "This secret has been replaced. Rotate with the new secret, or ask an OWNER.")
		}
		if err := in.checkKey(tx, id); err != nil {
			return response{}, err
		}
		return keyResponse(http.StatusOK, s.modeOf(in.holder))(s.Access.RotateKey(tx, in.call, id))
	})
}
