package integrity

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// SettingKind is a table of permissions in an organisation, or of receivers of its data. The event of
// each change has the digests of its rows.
type SettingKind struct {
	Name string // name in reports
	// Rows is the table with the columns that the digest covers. The first column is the ID in
	// events, the second the creation time.
	Rows portability.Table
	// DeletedWithoutEvent is set if rows can be deleted without an event, since that grants no access.
	DeletedWithoutEvent bool
}

// Indexes of settingKinds.
const (
	organisations = iota
	members
	keys
	invitations
	endpoints
	providers
	domains
	links
	scimTokens
	holds
)

const (
	text    = portability.Text
	instant = portability.Instant
)

// settingKinds are all kinds. Columns that change without an event, such as the last use of a key, are
// omitted, and so is the address of an invitation, which is personal data.
var settingKinds = []SettingKind{
	organisations: {Name: "organisation", Rows: portability.Table{Name: "organisations", Key: []string{"org_id"}, Columns: []portability.Column{
		{Name: "org_id", Type: text}, {Name: "created_at", Type: instant}, {Name: "name", Type: text}, {Name: "profile", Type: text},
		{Name: "policy", Type: text}, {Name: "hubs", Type: text},
	}}},
	members: {Name: "member", Rows: portability.Table{Name: "memberships", Key: []string{"user_id"}, Columns: []portability.Column{
		{Name: "user_id", Type: text}, {Name: "created_at", Type: instant}, {Name: "role", Type: text}, {Name: "left_at", Type: instant},
	}}},
	keys: {Name: "key", Rows: portability.Table{Name: "api_keys", Key: []string{"id"}, Columns: []portability.Column{
		{Name: "id", Type: text}, {Name: "created_at", Type: instant}, {Name: "user_id", Type: text}, {Name: "name", Type: text},
		{Name: "role", Type: text}, {Name: "scopes", Type: text}, {Name: "addresses", Type: text}, {Name: "hash", Type: text}, {Name: "hint", Type: text},
		{Name: "expires_at", Type: instant}, {Name: "revoked_at", Type: instant}, {Name: "former_hash", Type: text}, {Name: "former_until", Type: instant},
	}}},
	invitations: {Name: "invitation", DeletedWithoutEvent: true, Rows: portability.Table{Name: "invitations", Key: []string{"id"}, Columns: []portability.Column{
		{Name: "id", Type: text}, {Name: "created_at", Type: instant}, {Name: "role", Type: text}, {Name: "hash", Type: text},
		{Name: "invited_by", Type: text}, {Name: "expires_at", Type: instant},
	}}},
	endpoints: {Name: "webhook.endpoint", Rows: portability.Table{Name: "endpoints", Key: []string{"id"}, Columns: []portability.Column{
		{Name: "id", Type: text}, {Name: "created_at", Type: instant}, {Name: "url", Type: text}, {Name: "description", Type: text},
		{Name: "events", Type: text}, {Name: "active", Type: portability.Boolean}, {Name: "paused_reason", Type: text}, {Name: "secret", Type: text},
		{Name: "former_secret", Type: text}, {Name: "former_until", Type: instant},
	}}},
	providers: {Name: "identity_provider", Rows: portability.Table{Name: "identity_providers", Key: []string{"id"}, Columns: []portability.Column{
		{Name: "id", Type: text}, {Name: "created_at", Type: instant}, {Name: "settings", Type: text}, {Name: "secret", Type: text},
	}}},
	domains: {Name: "domain", Rows: portability.Table{Name: "identity_domains", Key: []string{"domain"}, Columns: []portability.Column{
		{Name: "domain", Type: text}, {Name: "created_at", Type: instant}, {Name: "token", Type: text}, {Name: "method", Type: text}, {Name: "verified_at", Type: instant},
	}}},
	links: {Name: "identity_link", DeletedWithoutEvent: true, Rows: portability.Table{Name: "identity_links", Key: []string{"provider_id", "subject"}, Columns: []portability.Column{
		{Name: "user_id", Type: text}, {Name: "created_at", Type: instant}, {Name: "provider_id", Type: text}, {Name: "subject", Type: text},
	}}},
	scimTokens: {Name: "scim_token", DeletedWithoutEvent: true, Rows: portability.Table{Name: "scim_tokens", Key: []string{"hash"}, Columns: []portability.Column{
		{Name: "org_id", Type: text}, {Name: "created_at", Type: instant}, {Name: "hash", Type: text}, {Name: "settings", Type: text},
	}}},
	holds: {Name: "hold", Rows: portability.Table{Name: "holds", Key: []string{"record_id"}, Columns: []portability.Column{
		{Name: "record_id", Type: text}, {Name: "set_at", Type: instant}, {Name: "reason", Type: text},
	}}},
}

// changedBy maps event types to the kind of the rows that they change. Webhook endpoints have their
// own list.
var changedBy = map[string]int{
	access.OrganisationCreated: organisations, access.OrganisationUpdated: organisations, access.PolicyChanged: organisations,
	access.HubEnabled: organisations, access.HubDisabled: organisations,
	access.UserAdded: members, access.UserRemoved: members, access.RoleChanged: members,
	access.KeyCreated: keys, access.KeyRotated: keys, access.KeyRevoked: keys, access.KeyTransferred: keys,
	access.InvitationCreated: invitations, access.IdentityLinked: links,
	access.ProviderSaved: providers, access.ProviderRemoved: providers,
	access.DomainAdded: domains, access.DomainVerified: domains, access.DomainLost: domains, access.DomainRemoved: domains,
	access.SCIMTokenCreated: scimTokens, access.SCIMSettingsSaved: scimTokens,
	retention.HoldSet: holds, retention.HoldLifted: holds,
}

// Ref identifies the rows that an event changes, by kind and ID.
type Ref struct {
	kind int
	ID   string // value of the first column
}

// Kind returns the kind of the rows.
func (r Ref) Kind() SettingKind { return settingKinds[r.kind] }

// SettingOf returns which rows an event changes; false for none.
func SettingOf(e *audit.Event, org tenant.ID) (ref Ref, ok bool) {
	kind, ok := changedBy[e.Type]
	if !ok && webhook.ChangesEndpoint(e.Type) {
		kind, ok = endpoints, true
	}
	ref = Ref{kind, e.ResourceID}
	switch {
	case kind == organisations || kind == scimTokens:
		ref.ID = string(org)
	case kind == holds && ref.ID == string(org):
		ref.ID = "" // the table's ID of a hold on the whole organisation
	}
	return ref, ok
}

// SealSetting adds the digests of the rows after a change to its event; none if they were deleted.
func SealSetting(e *audit.Event, org tenant.ID, ref Ref, rows []portability.Row) {
	digests := make([]string, len(rows))
	for i, row := range rows {
		digests[i] = strconv.Quote(ref.Kind().digest(org, row))
	}
	slices.Sort(digests)
	more := `"settingSha256":[` + strings.Join(digests, ",") + `]}`
	data := bytes.TrimSuffix(e.Data, []byte("}"))
	if len(data) <= len("{") {
		e.Data = json.RawMessage("{" + more)
		return
	}
	e.Data = append(append(bytes.Clone(data), ','), more...)
}

// digest is the SHA-256, in lower-case hex, of "tidewaiter-setting-1", the organisation, the table,
// and each column as JSON; each part as its length in bytes in decimal, a colon, and the bytes.
func (k SettingKind) digest(org tenant.ID, row portability.Row) string {
	h := sha256.New()
	batch := func(b []byte) {
		h.Write(append(strconv.AppendInt(nil, int64(len(b)), 10), ':'))
		h.Write(b)
	}
	for _, one := range []string{"tidewaiter-setting-1", string(org), k.Rows.Name} {
		batch([]byte(one))
	}
	for _, value := range row.Values {
		if at, isInstant := value.(time.Time); isInstant {
			value = audit.Instant(at)
		}
		b, _ := json.Marshal(value) // text, numbers, booleans and null cannot fail
		batch(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}
