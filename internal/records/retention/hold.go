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

// Audit event types of retention.
const (
	RecordsRemoved = "retention.records_removed"
	HoldSet        = "retention.hold_set"
	HoldLifted     = "retention.hold_lifted"

	eventHub     = "customs" // the Hub that is enabled for every organisation
	resourceType = "retention"
	organisation = "organisation"
)

// EventTypes returns the audit event types of retention, except the truncation of the trail.
func EventTypes() []string { return []string{RecordsRemoved, HoldSet, HoldLifted} }

// Hold is a legal hold. While it exists, the record and its data are not deleted; without a record ID,
// no data of the organisation is.
type Hold struct {
	RecordID string
	Reason   string
	SetAt    time.Time
}

// ActiveHold is a hold with the user who set it, from the audit trail.
type ActiveHold struct {
	Hold
	Kind   string // of the record; empty for the organisation
	UserID string
	// Operator is set if the operator of the service set the hold by command. Then only the
	// operator can change or lift it, since the organisation may want its records deleted.
	Operator bool
}

// Position returns the position of the hold in the list; the organisation's hold uses its ID.
func (s ActiveHold) Position(org tenant.ID) filing.Position {
	return filing.Position{CreatedAt: s.SetAt, ID: cmp.Or(s.RecordID, string(org))}
}

// MaxHolds is the maximum number of holds of an organisation.
const MaxHolds = 1000

// Holds are the holds of one organisation.
type Holds []Hold

// All reports whether the whole organisation is under a hold.
func (h Holds) All() bool { return h.Of("") }

// Of reports whether a record has its own hold.
func (h Holds) Of(recordID string) bool {
	for _, one := range h {
		if one.RecordID == recordID {
			return true
		}
	}
	return false
}

// HoldTx is a transaction in which holds of an organisation are set and lifted.
type HoldTx interface {
	audit.Recorder
	Now() time.Time
	// KindOf returns the kind of a record, or apierr.NotFound.
	KindOf(id string) (string, error)
	Holds() (Holds, error)
	// ActiveHolds returns a page of holds after a position, newest first.
	ActiveHolds(behind filing.Position, limit int) ([]ActiveHold, error)
	// ActiveHoldsOn returns the holds that protect a record: its own and the organisation's.
	ActiveHoldsOn(recordID string) ([]ActiveHold, error)
	SetHold(Hold) error
	LiftHold(recordID string) error
	// ReopenDeletion makes the deletion of a closed organisation run again for data that is
	// no longer protected.
	ReopenDeletion() error
}

// maxReason is the maximum length of a reason in bytes.
const maxReason = 1000

// SetHold sets a hold on a record, or without an ID on the organisation, and records the reason in the
// audit trail. An existing hold gets the new reason.
func SetHold(tx HoldTx, call tenant.Call, id func() string, recordID, reason string) error {
	kind, err := kindToHold(tx, recordID, reason)
	if err != nil {
		return err
	}
	existing, err := changeableHold(tx, call, recordID)
	if err == nil && existing == nil {
		err = checkMaxHolds(tx)
	}
	if err != nil {
		return err
	}
	if err := tx.SetHold(Hold{recordID, reason, tx.Now()}); err != nil {
		return err
	}
	return recordHold(tx, call, id(), HoldSet, kind, recordID, reason)
}

// LiftHold ends a hold and records the reason in the audit trail.
func LiftHold(tx HoldTx, call tenant.Call, id func() string, recordID, reason string) error {
	if err := checkReason(reason); err != nil {
		return err
	}
	existing, err := changeableHold(tx, call, recordID)
	if err != nil {
		return err
	}
	if existing == nil {
		return apierr.New(apierr.NotFound, "This legal hold does not exist.")
	}
	if err := errors.Join(tx.LiftHold(recordID), tx.ReopenDeletion()); err != nil {
		return err
	}
	return recordHold(tx, call, id(), HoldLifted, cmp.Or(existing.Kind, organisation), recordID, reason)
}

// changeableHold returns the hold, or nil if there is none. It returns an error if only the operator can
// change it.
func changeableHold(tx HoldTx, call tenant.Call, recordID string) (*ActiveHold, error) {
	all, err := tx.ActiveHoldsOn(recordID)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(s ActiveHold) bool { return s.RecordID == recordID })
	if at < 0 {
		return nil, nil
	}
	if all[at].Operator && !call.ByOperator() {
		return nil, apierr.New(apierr.InvalidState, "The operator of the service set this hold. Only the operator can change or lift it.")
	}
	return &all[at], nil
}

// checkMaxHolds returns an error if the maximum number of holds is reached.
func checkMaxHolds(tx HoldTx) error {
	holds, err := tx.Holds()
	if err == nil && len(holds) >= MaxHolds {
		err = apierr.New(apierr.InvalidState, "There are already %d legal holds. Lift some of them, or set one for the organisation.", MaxHolds)
	}
	return err
}

func checkReason(reason string) error {
	if strings.TrimSpace(reason) == "" || len(reason) > maxReason {
		return apierr.Invalid(apierr.Detail{Field: "reason", Message: "must be a reason of 1 to 1000 characters"})
	}
	return nil
}

// kindToHold returns the kind of the record to hold.
func kindToHold(tx HoldTx, recordID, reason string) (kind string, err error) {
	if err := checkReason(reason); err != nil {
		return "", err
	}
	if recordID == "" {
		return organisation, nil
	}
	return tx.KindOf(recordID)
}

func recordHold(tx HoldTx, call tenant.Call, id, eventType, kind, recordID, reason string) error {
	if recordID == "" {
		recordID = string(call.Org)
	}
	data, err := json.Marshal(map[string]string{"reason": reason})
	if err != nil {
		return err
	}
	return tx.Record(audit.By(call, audit.Event{ID: id, Hub: eventHub, Type: eventType, ResourceType: kind, ResourceID: recordID, Data: data}))
}
