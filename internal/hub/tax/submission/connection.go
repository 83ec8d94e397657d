package submission

import (
	"context"
	"encoding/json"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Status is the status of a connection to HMRC. The values are stored.
type Status string

// All statuses. The first two mean that there is no connection, and are not stored.
const (
	Unavailable Status = "UNAVAILABLE" // the service has no HMRC settings
	None        Status = "NONE"        // no consent has been given
	Connected   Status = "CONNECTED"
	Lapsed      Status = "LAPSED" // HMRC no longer accepts the consent
)

// Connection is the consent that an organisation acts for a trader at HMRC.
type Connection struct {
	ID          string
	VRN         ident.VRN
	UserID      string // who gave consent
	Status      Status
	Token       Sealed
	Origin      mtd.Origin       // of the person who gave consent; used for automatic calls
	Obligations []mtd.Obligation // as last fetched from HMRC
	Problem     string           // of the last fetch; empty if it succeeded
	ConnectedAt time.Time
	FetchedAt   time.Time // of the last successful fetch; zero for none
}

// CurrentConnection returns the connection of the transaction's organisation.
func (s *Service) CurrentConnection(tx Tx) (Connection, error) {
	if !s.IsEnabled() || tx.Mode() == tenant.Test {
		return Connection{Status: Unavailable}, nil
	}
	c, found, err := tx.Connection()
	if err == nil && !found {
		c.Status = None
	}
	return c, err
}

// Disconnect deletes the connection and its tokens. The outcome of a return that is being sent may be unknown until a new
// consent.
func (s *Service) Disconnect(tx Tx, call tenant.Call) error {
	c, found, err := tx.Connection()
	if err != nil {
		return err
	}
	if !found {
		return apierr.Missing()
	}
	if err := tx.RemoveConnection(c.ID); err != nil {
		return err
	}
	return s.record(tx, call, c, disconnected, nil)
}

// record stores an audit event of a connection.
func (s *Service) record(tx Tx, call tenant.Call, c Connection, past string, data map[string]any) error {
	e := audit.Event{ID: s.IDs.UUID(), Hub: HubID, Type: connectionKind + "." + past, ResourceType: connectionKind, ResourceID: c.ID}
	all := map[string]any{"vatNumber": c.VRN}
	for name, value := range data {
		all[name] = value
	}
	e.Data, _ = json.Marshal(all)
	return tx.Record(audit.By(call, e))
}

const connectionKind = "tax.connection"

// Audit events apart from the transitions of returns and periods.
const (
	begun        = "consent-begun"
	declined     = "consent-declined"
	connected    = "connected"
	disconnected = "disconnected"
	lapsed       = "lapsed"
	eventRefused = "not-taken"
)

// EventTypes returns the types of these events.
func EventTypes() []string {
	return []string{
		connectionKind + "." + begun, connectionKind + "." + declined, connectionKind + "." + connected, connectionKind + "." + disconnected, connectionKind + "." + lapsed, Kind + "." + eventRefused,
	}
}

// vrnOf returns the organisation's VAT registration number. HMRC's API does not accept the numbers of government departments and
// health authorities.
func vrnOf(org access.Organisation) (ident.VRN, bool) {
	vrn, err := ident.ParseVRN(org.Profile.VATNumber)
	return vrn, err == nil && vrn[0] <= '9'
}

// lapse stores that HMRC no longer accepts the consent, unless there is a newer token.
func (s *Service) lapse(ctx context.Context, org tenant.ID, spent Connection) error {
	return s.Store.UpdateVAT(ctx, org, func(tx Tx) error {
		c, found, err := tx.Connection()
		if err != nil || !found || c.ID != spent.ID || c.Token != spent.Token || c.Status == Lapsed {
			return err
		}
		c.Status, c.Problem = Lapsed, "HMRC no longer accepts the consent. An OWNER must give it again."
		if err := tx.UpdateConnection(c); err != nil {
			return err
		}
		return s.record(tx, tenant.Call{Principal: tenant.System(org)}, c, lapsed, nil)
	})
}
