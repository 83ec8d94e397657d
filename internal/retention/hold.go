package retention

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
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
	// HeldBy is who has set the hold of a record last; of the organisation with none.
	HeldBy(recordID string) (tenant.Call, error)
	SetHold(Hold) error
	LiftHold(recordID string) error
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
	holds, err := tx.Holds()
	switch {
	case err != nil:
		return err
	case holds.Of(recordID):
		err = changeable(tx, call, recordID)
	case len(holds) >= MaxHolds:
		err = fault.New(fault.InvalidState, "There are %d holds; lift some first, or hold the organisation.", MaxHolds)
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
	kind, err := held(tx, recordID, reason)
	if err != nil {
		return err
	}
	holds, err := tx.Holds()
	if err != nil {
		return err
	}
	if !holds.Of(recordID) {
		return fault.New(fault.NotFound, "There is no such hold.")
	}
	if err := changeable(tx, call, recordID); err != nil {
		return err
	}
	if err := tx.LiftHold(recordID); err != nil {
		return err
	}
	return tell(tx, call, id(), HoldLifted, kind, recordID, reason)
}

// changeable refuses to touch a hold of the operator's for anybody else.
func changeable(tx HoldTx, call tenant.Call, recordID string) error {
	by, err := tx.HeldBy(recordID)
	if err != nil || call.ByOperator() || !by.ByOperator() {
		return err
	}
	return fault.New(fault.InvalidState, "The operator of the service has set this hold, and nobody else lifts or changes it.")
}

// List is all holds of an organisation, the oldest first.
func List(tx HoldTx) ([]Standing, error) {
	holds, err := tx.Holds()
	if err != nil {
		return nil, err
	}
	all := make([]Standing, 0, len(holds))
	for _, h := range holds {
		one, err := standing(tx, h)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// On are the holds that keep a record: its own, and the organisation's.
func On(tx HoldTx, recordID string) ([]Standing, error) {
	holds, err := tx.Holds()
	if err != nil {
		return nil, err
	}
	var all []Standing
	for _, h := range holds {
		if h.RecordID != "" && h.RecordID != recordID {
			continue
		}
		one, err := standing(tx, h)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

func standing(tx HoldTx, h Hold) (s Standing, err error) {
	s.Hold = h
	if h.RecordID != "" {
		if s.Kind, err = tx.KindOf(h.RecordID); err != nil && !fault.Is(err, fault.NotFound) { // a draft that was deleted
			return s, err
		}
	}
	by, err := tx.HeldBy(h.RecordID)
	s.UserID, s.Operator = by.UserID, by.ByOperator()
	return s, err
}

// held is the kind of what is held.
func held(tx HoldTx, recordID, reason string) (kind string, err error) {
	if strings.TrimSpace(reason) == "" || len(reason) > maxReason {
		return "", fault.Invalid(fault.Detail{Field: "reason", Message: "must say in at most 1000 characters why"})
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
