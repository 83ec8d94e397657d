package customs_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// addMovement stores a pending movement with a job of the same ID.
func addMovement(tx *store.Tx) error {
	t := customs.Transmission{
		Item:    outbox.Item{ID: secondID, FilingID: declarationID, State: outbox.Pending, CreatedAt: tx.Now()},
		Purpose: customs.ToMove, Reference: "TWSMOVE", Body: "<inventoryLinkingMovementRequest/>",
		Detail: customs.RequestDetail{Movement: &customs.MovementDetail{Kind: customs.MovementArrival, UCR: "6GB123456789000-X", UCRType: "D"}},
	}
	t.Request.Call.Principal = tenant.Principal{Org: tx.Org(), Role: tenant.Owner, Type: tenant.ByUser}
	return errors.Join(tx.AddTransmission(t), tx.Enqueue(jobs.Job{ID: secondID, Queue: customs.SendQueue, Subject: secondID}))
}

// movements returns the movements of the declaration.
func (e *env) movements() (all []customs.MovementShown) {
	e.Helper()
	e.must(e.store.View(e.Context(), e.org, func(tx *store.Tx) (err error) { all, err = e.service.Movements(tx, declarationID); return err }))
	return all
}

// A process that crashed may have sent the movement. The next attempt sends nothing: the outcome is unknown until a message comes.
func TestMovementsAreNotSentTwice(t *testing.T) {
	forEachStore(t, func(e *env) {
		e.accepts.Store(true)
		e.runJobs()
		before := e.requests.Load()
		e.update(addMovement)
		e.leaseJobs()
		e.advance(2 * jobs.Lease)
		e.runJobs()
		if n := e.requests.Load() - before; n != 0 {
			e.Errorf("%d requests after the crash", n)
		}
		if all := e.movements(); len(all) != 1 || all[0].Status != customs.MovementUnknown {
			e.Errorf("movements %+v", all)
		}
		if t := e.transmission(secondID); t.State != outbox.Unknown || !t.Repeated {
			e.Errorf("state %s, repeated %t", t.State, t.Repeated)
		}
	})
}

// A movement that is sent once is received.
func TestMovementIsSent(t *testing.T) {
	forEachStore(t, func(e *env) {
		e.accepts.Store(true)
		e.runJobs()
		e.update(addMovement)
		e.runJobs()
		if all := e.movements(); len(all) != 1 || all[0].Status != customs.MovementRequested || all[0].ConversationID == "" {
			e.Errorf("movements %+v", all)
		}
		f := ""
		e.must(e.store.View(e.Context(), e.org, func(tx *store.Tx) error {
			stored, err := tx.Filing("declaration", declarationID)
			f = string(stored.Added)
			return err
		}))
		if !strings.Contains(f, `"movements":[{`) {
			e.Errorf("record %s", f)
		}
	})
}
