package retention

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// What the trail tells of retention.
const (
	RecordsRemoved = "retention.records_removed"
	HoldSet        = "retention.hold_set"
	HoldLifted     = "retention.hold_lifted"

	home         = "customs" // the Hub that every organisation has
	resourceType = "retention"
	organisation = "organisation"
)

// EventTypes are all that the trail tells of retention, but for the cut of the trail.
func EventTypes() []string { return []string{RecordsRemoved, HoldSet, HoldLifted} }

// Hold is a legal hold: nothing of the record is removed while it stands, or nothing
// of the organisation where it names no record.
type Hold struct {
	RecordID string
	Reason   string
	SetAt    time.Time
}

// Standing is a hold with who has set it, as the trail tells.
type Standing struct {
	Hold
	Kind   string // of the record; empty where the organisation is held
	UserID string
	// Operator says that it was set by command: then only so is it changed and lifted,
	// since an organisation may want its own records gone.
	Operator bool
}

// Position is where the hold stands in the list; that of the organisation goes by its id.
func (s Standing) Position(org tenant.ID) filing.Position {
	return filing.Position{CreatedAt: s.SetAt, ID: cmp.Or(s.RecordID, string(org))}
}

// MaxHolds is how many holds an organisation may have.
const MaxHolds = 1000

// Holds are those of one organisation.
type Holds []Hold

// All tells whether the whole organisation is held.
func (h Holds) All() bool { return h.Of("") }

// Of tells whether a record is held by itself.
func (h Holds) Of(recordID string) bool {
	for _, one := range h {
		if one.RecordID == recordID {
			return true
		}
	}
	return false
}

// HoldTx is a transaction of one organisation in which holds are set and lifted.
type HoldTx interface {
	audit.Recorder
	Now() time.Time
	// KindOf is the kind of a record; fault.NotFound when there is none here.
	KindOf(id string) (string, error)
	Holds() (Holds, error)
	// StandingHolds is a page of them, the newest first, behind a position.
	StandingHolds(behind filing.Position, limit int) ([]Standing, error)
	// StandingOn are those that keep a record: its own, and the organisation's.
	StandingOn(recordID string) ([]Standing, error)
	SetHold(Hold) error
	LiftHold(recordID string) error
	// ReopenDeletion makes the deletion of a closed organisation look again for what need not be kept.
	ReopenDeletion() error
}

// maxReason is how long a reason may be, in bytes.
const maxReason = 1000

// SetHold holds a record, or with none the organisation, and leaves the reason in the
// trail. A hold that stands gets the new reason.
func SetHold(tx HoldTx, call tenant.Call, id func() string, recordID, reason string) error {
	kind, err := held(tx, recordID, reason)
	if err != nil {
		return err
	}
	standing, err := changeable(tx, call, recordID)
	if err == nil && standing == nil {
		err = room(tx)
	}
	if err != nil {
		return err
	}
	if err := tx.SetHold(Hold{recordID, reason, tx.Now()}); err != nil {
		return err
	}
	return tell(tx, call, id(), HoldSet, kind, recordID, reason)
}

// LiftHold ends a hold, and leaves the reason in the trail.
func LiftHold(tx HoldTx, call tenant.Call, id func() string, recordID, reason string) error {
	if err := reasonable(reason); err != nil {
		return err
	}
	standing, err := changeable(tx, call, recordID)
	if err != nil {
		return err
	}
	if standing == nil {
		return apierr.New(apierr.NotFound, "There is no such hold.")
	}
	if err := errors.Join(tx.LiftHold(recordID), tx.ReopenDeletion()); err != nil {
		return err
	}
	return tell(tx, call, id(), HoldLifted, cmp.Or(standing.Kind, organisation), recordID, reason)
}

// changeable is the hold as it stands, nil where there is none; one of the operator's
// nobody else may touch.
func changeable(tx HoldTx, call tenant.Call, recordID string) (*Standing, error) {
	all, err := tx.StandingOn(recordID)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(s Standing) bool { return s.RecordID == recordID })
	if at < 0 {
		return nil, nil
	}
	if all[at].Operator && !call.ByOperator() {
		return nil, apierr.New(apierr.InvalidState, "The operator of the service has set this hold, and nobody else lifts or changes it.")
	}
	return &all[at], nil
}

// room refuses one hold too many.
func room(tx HoldTx) error {
	holds, err := tx.Holds()
	if err == nil && len(holds) >= MaxHolds {
		err = apierr.New(apierr.InvalidState, "There are %d holds; lift some first, or hold the organisation.", MaxHolds)
	}
	return err
}

func reasonable(reason string) error {
	if strings.TrimSpace(reason) == "" || len(reason) > maxReason {
		return apierr.Invalid(apierr.Detail{Field: "reason", Message: "must say in at most 1000 characters why"})
	}
	return nil
}

// held is the kind of what is to be held.
func held(tx HoldTx, recordID, reason string) (kind string, err error) {
	if err := reasonable(reason); err != nil {
		return "", err
	}
	if recordID == "" {
		return organisation, nil
	}
	return tx.KindOf(recordID)
}

func tell(tx HoldTx, call tenant.Call, id, eventType, kind, recordID, reason string) error {
	if recordID == "" {
		recordID = string(call.Org)
	}
	data, err := json.Marshal(map[string]string{"reason": reason})
	if err != nil {
		return err
	}
	return tx.Record(audit.By(call, audit.Event{ID: id, Hub: home, Type: eventType, ResourceType: kind, ResourceID: recordID, Data: data}))
}
