// Package portal is about the webhook portal: pages for the receivers of an organisation's events, which a link opens without a
// session. It has the links, and the limited view of the endpoints that a link gives.
package portal

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// MaxLinks is the most links of an organisation that are in force at the same time.
const MaxLinks = 1000

// MaxMinutes is the longest life of a link in minutes.
const MaxMinutes = 24 * 60

// Link is a link to the portal. Only the hash of its token is stored.
type Link struct {
	ID          string
	Hash        string   // of the token
	EndpointIDs []string // that it opens; none for all of the organisation
	ReadOnly    bool
	CreatedBy   string // ID of the OWNER who made it
	CreatedAt   time.Time
	ExpiresAt   time.Time
}

// Covers reports whether the link opens an endpoint.
func (l *Link) Covers(endpointID string) bool {
	return len(l.EndpointIDs) == 0 || slices.Contains(l.EndpointIDs, endpointID)
}

// PortalInput is the body that makes a link.
type PortalInput struct {
	ExpiresInMinutes int      `json:"expiresInMinutes" minimum:"1" maximum:"1440" doc:"Minutes until it ends" example:"60"`
	EndpointIDs      []string `json:"endpointIds,omitempty" minItems:"1" maxItems:"100" nullable:"false" doc:"Endpoints that it opens; all of the organisation, also later ones, if absent"`
	ReadOnly         bool     `json:"readOnly,omitempty" doc:"true for a link that changes and sends nothing" example:"false"`
}

// Tx reads and writes the links of one organisation.
type Tx interface {
	Endpoint(id string) (webhook.Endpoint, error) // apierr.NotFound when there is none here
	RealNow() time.Time
	audit.Recorder
	AddPortalLink(Link) error
	// PortalLinks lists at most limit links that have not ended at a time, newest first.
	PortalLinks(now time.Time, limit int) ([]Link, error)
	RemovePortalLink(id string) (removed bool, err error)
	// DropEndedPortalLinks deletes the links that ended before a time.
	DropEndedPortalLinks(before time.Time) error
}

// Service makes and revokes links.
type Service struct {
	IDs *ident.Source
}

// Audit events of links.
const (
	kind         = "webhook.portal_link"
	LinkCreated  = kind + ".created"
	LinkRevoked  = kind + ".revoked"
	auditHub     = "webhooks"
	linkIDMember = "portalLinkId" // of the data of events that the holder of a link caused
)

// EventTypes are the types of all audit events of links.
func EventTypes() []string { return []string{LinkCreated, LinkRevoked} }

// LinkOf returns the ID of the link whose holder caused an event; empty if a member did.
func LinkOf(e *audit.Event) string {
	if !bytes.Contains(e.Data, []byte(linkIDMember)) {
		return ""
	}
	data := map[string]json.RawMessage{}
	if json.Unmarshal(e.Data, &data) != nil {
		return ""
	}
	var id string
	_ = json.Unmarshal(data[linkIDMember], &id) // what is not a text is no ID
	return id
}

// Create makes a link, and returns its token, which is never shown again. Links end by real time, as keys and sessions do.
func (s *Service) Create(tx Tx, call tenant.Call, in PortalInput) (Link, string, error) {
	now := tx.RealNow()
	l := Link{
		ID: s.IDs.UUID(), ReadOnly: in.ReadOnly, CreatedBy: call.UserID, CreatedAt: now,
		ExpiresAt: now.Add(time.Duration(in.ExpiresInMinutes) * time.Minute),
	}
	if in.ExpiresInMinutes < 1 || in.ExpiresInMinutes > MaxMinutes {
		return l, "", apierr.Invalid(apierr.Detail{Field: "expiresInMinutes", Message: "must be 1 to 1440"})
	}
	for _, id := range in.EndpointIDs {
		if !ident.IsUUID(id) {
			return l, "", apierr.Missing()
		}
		e, err := tx.Endpoint(id)
		if err != nil {
			return l, "", err
		}
		if !slices.Contains(l.EndpointIDs, e.ID) {
			l.EndpointIDs = append(l.EndpointIDs, e.ID)
		}
	}
	if err := tx.DropEndedPortalLinks(now); err != nil {
		return l, "", err
	}
	if open, err := tx.PortalLinks(now, MaxLinks); err != nil {
		return l, "", err
	} else if len(open) >= MaxLinks {
		return l, "", apierr.New(apierr.InvalidRequest, "An organisation has at most %d links to the portal at the same time. Revoke one, or wait until one ends.", MaxLinks)
	}
	token := newToken(s.IDs, call.Org, l.ID)
	l.Hash = hash(token)
	if err := tx.AddPortalLink(l); err != nil {
		return l, "", err
	}
	data := map[string]any{"readOnly": l.ReadOnly, "expiresAt": audit.Instant(l.ExpiresAt)}
	if l.EndpointIDs != nil {
		data["endpointIds"] = l.EndpointIDs
	}
	return l, token, tx.Record(s.event(call, l.ID, LinkCreated, data))
}

// Revoke ends a link at once.
func (s *Service) Revoke(tx Tx, call tenant.Call, id string) error {
	removed, err := tx.RemovePortalLink(id)
	if err == nil && !removed {
		err = apierr.Missing()
	}
	if err != nil {
		return err
	}
	return tx.Record(s.event(call, id, LinkRevoked, nil))
}

func (s *Service) event(call tenant.Call, id, eventType string, data map[string]any) audit.Event {
	e := audit.Event{ID: s.IDs.UUID(), Hub: auditHub, Type: eventType, ResourceType: kind, ResourceID: id}
	if data != nil {
		e.Data, _ = json.Marshal(data)
	}
	return audit.By(call, e)
}
