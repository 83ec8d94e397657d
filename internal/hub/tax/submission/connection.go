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

// Status says how an organisation stands with HMRC.
type Status string

// The states of a connection. The first two are not stored: they are the want of one.
const (
	Unavailable Status = "UNAVAILABLE" // the service is connected to no HMRC
	None        Status = "NONE"        // nobody has given consent
	Connected   Status = "CONNECTED"
	Lapsed      Status = "LAPSED" // HMRC takes the consent no longer
)

// Connection is an organisation's leave to act at HMRC for a trader.
type Connection struct {
	ID          string
	VRN         ident.VRN
	UserID      string // who gave consent
	Status      Status
	Token       Sealed
	Origin      mtd.Origin       // of who gave consent: calls that nobody makes by hand are made for him
	Obligations []mtd.Obligation // as HMRC last told
	Problem     string           // of the last time that HMRC was asked; empty when it answered
	ConnectedAt time.Time
	FetchedAt   time.Time // when HMRC last told; zero before
}

// CurrentConnection tells how the organisation of a transaction stands with HMRC.
func (s *Service) CurrentConnection(tx Tx) (Connection, error) {
	if !s.IsEnabled() {
		return Connection{Status: Unavailable}, nil
	}
	c, found, err := tx.Connection()
	if err == nil && !found {
		c.Status = None
	}
	return c, err
}

// Disconnect forgets the tokens. What is on its way to HMRC stays on its way, but
// its outcome can only be learnt after a new consent.
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

// record leaves an event of a connection in the trail.
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

// What the trail tells besides the steps of returns and periods.
const (
	begun        = "consent-begun"
	declined     = "consent-declined"
	connected    = "connected"
	disconnected = "disconnected"
	lapsed       = "lapsed"
	eventRefused = "not-taken"
)

// EventTypes are all of these.
func EventTypes() []string {
	return []string{
		connectionKind + "." + begun, connectionKind + "." + declined, connectionKind + "." + connected, connectionKind + "." + disconnected, connectionKind + "." + lapsed, Kind + "." + eventRefused,
	}
}

// vrnOf is the number under which HMRC knows the organisation. Government departments
// and health authorities have others, which HMRC's interface does not take.
func vrnOf(org access.Organisation) (ident.VRN, bool) {
	vrn, err := ident.ParseVRN(org.Profile.VATNumber)
	return vrn, err == nil && vrn[0] <= '9'
}

// lapse notes that HMRC takes the consent no longer, unless there is a newer token.
func (s *Service) lapse(ctx context.Context, org tenant.ID, spent Connection) error {
	return s.Store.UpdateVAT(ctx, org, func(tx Tx) error {
		c, found, err := tx.Connection()
		if err != nil || !found || c.ID != spent.ID || c.Token != spent.Token || c.Status == Lapsed {
			return err
		}
		c.Status, c.Problem = Lapsed, "HMRC no longer accepts the consent; an OWNER gives it anew."
		if err := tx.NoteConnection(c); err != nil {
			return err
		}
		return s.record(tx, tenant.Call{Principal: tenant.System(org)}, c, lapsed, nil)
	})
}
